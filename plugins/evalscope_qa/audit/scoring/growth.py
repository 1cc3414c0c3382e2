"""How the time of something grows with its length, and the shortest length that takes too long.

Whether it takes too long is decided by the growth over several lengths, so that no single time near the limit decides.
Nothing is timed here: the caller measures.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

LIMIT = 1.0
"""Seconds of processor time that scoring one reply may take."""
_SURELY_NOT = 0.8
"""Seconds: what the longest reply is foreseen to take less than is not tried."""
_IN_PROPORTION = 1.25
"""Power of the length up to which time grows in proportion to it."""
_LONG = 5.0
"""Seconds of the longest reply, for time that grows so: it is no fault of a pattern, and processors differ."""
_SURELY = 1.5
"""Seconds: what the longest reply is foreseen to take less than, but not surely less than the limit, is tried."""
_FORESEEN = 1.2
"""Seconds of the reply that is tried in order to pass the limit."""
_NOTABLE = 0.004
"""Seconds over those of the shortest reply from which on a time says something about growth. A reply of a tenth of the
longest that takes less takes less than half a second at full length, if time grows with the square of the length."""
_STEP = 4
_CLOSE = 20
"""The shortest length is known to a twentieth of it."""
_WHOLE, _NEARLY_WHOLE = 0.1, 0.4
"""How near to a whole power a growth is at the first time, and at the second: processors that others share vary."""
_POLYNOMIAL = 5
"""Powers above are called exponential."""


@dataclass(frozen=True)
class Point:
    """The processor time that a length took, in seconds; all that was allowed, where it was stopped."""

    times: int
    seconds: float
    stopped: bool = False


@dataclass
class Search:
    """What is known of the time of one kind of reply.

    Args:
        measure: Takes a length and the seconds after which it is stopped; returns what it took.
        most: The greatest length that counts.
    """

    measure: Callable[[int, float], Point]
    most: int
    fast: list[Point] = field(default_factory=list)
    """Points that took less than the limit, by length."""
    slow: Point | None = None
    """The shortest one that took too long."""
    _foreseen: bool = False
    """Whether the slow point's length was foreseen to be the shortest that is slow."""

    def passes(self, times: int, climb: bool) -> bool:
        """Whether a length takes too long; the shortest that does is found then.

        To be called with greater and greater lengths.

        Args:
            times: The length.
            climb: Whether a longer one is found where the growth lets foresee that it takes too long.
        """
        self._try(times)
        if self.slow is None and climb and self._excess(self.fast[-1]) >= _NOTABLE:
            self._try(max(1, times // _STEP))
            self._climb()
        if self.slow is None:
            return False
        self._refine()
        self._learn_growth()
        return True

    def growth(self, piece: str) -> str:
        """Return in words how the time grows; empty where it is not known.

        Where that is by no whole power of the length, or in proportion to it, which is rare, both times are taken again
        by turns, and the better ones count.
        """
        if len(self._notable()) < 2:
            return ''
        first, last = self._telling()
        power = self._power(first, last)
        if power < _POLYNOMIAL and (abs(power - round(power)) > _WHOLE or round(power) <= 1):
            for point in (first, last, first, last):
                self._try_again(point)
            first, last = self._telling()
            power = self._power(first, last)
        if power < _POLYNOMIAL:
            nearest = round(power) if abs(power - round(power)) <= _NEARLY_WHOLE else round(2 * power) / 2
            return f'doubling the length multiplies the time by {2**nearest:.2g}'
        factor = (self._excess(last) / self._excess(first)) ** (1 / (last.times - first.times))
        return f'one {piece!r} more multiplies the time by {factor:{".1f" if factor >= 1.05 else ".3g"}}'

    def _try(self, times: int, foreseen: bool = False) -> None:
        point = self.measure(times, LIMIT)
        if point.stopped:
            self.slow, self._foreseen = point, foreseen
        else:
            self._keep(point)

    def _keep(self, point: Point) -> None:
        """Keep a time, the better one where the length was timed before."""
        kept = {other.times: other for other in self.fast}
        kept[point.times] = min(point, kept.get(point.times, point), key=lambda one: one.seconds)
        self.fast = [kept[times] for times in sorted(kept)]

    def _climb(self) -> None:
        """Try greater lengths for as long as the growth says that the greatest takes too long."""
        if self._foresees_too_long():  # once more: something may have been loaded at first use
            for point in self._apart():
                self._try(point.times)
        while self.slow is None and self.fast[-1].times < self.most and self._foresees_too_long():
            step = min(self.most, _STEP * self.fast[-1].times)
            # Near the limit the greatest length decides.
            shortest = self._shortest() if self._at_most() >= _SURELY else None
            foreseen = shortest is not None and shortest <= step
            self._try(shortest if shortest is not None and foreseen else step, foreseen)
            if self.slow is not None and self._in_proportion(self.slow) and not self._is_long():
                self.slow = None
                return

    def _refine(self) -> None:
        """Narrow down between the longest fast and the shortest slow length."""
        while self.slow is not None and not self._foreseen:
            last = self.fast[-1].times if self.fast else 0
            gap = self.slow.times - last
            if gap <= max(1, last // _CLOSE):
                return
            shortest = self._shortest()
            foreseen = shortest is not None
            middle = 2 * last if 2 * last < self.slow.times else round(math.sqrt(last * self.slow.times))
            times = shortest if shortest is not None else middle
            if times >= self.slow.times - last // _CLOSE and foreseen:
                return
            self._try(min(max(times, last + 1), self.slow.times - 1), foreseen)

    def _learn_growth(self) -> None:
        """Measure more lengths where growth would rest on one: time that grows exponentially is notable late."""
        while len(self._notable()) == 1:
            before, last = [0, *(point.times for point in self.fast)][-2:]
            between = math.ceil(math.sqrt(before * last))
            if not before < between < last:
                return
            point = self.measure(between, LIMIT)
            if point.stopped:
                return
            self._keep(point)

    def _telling(self) -> tuple[Point, Point]:
        """Return the last notable point, and before it one of half its length, where there is one."""
        *others, last = self._notable()
        return next((point for point in others[::-1] if 2 * point.times <= last.times), others[-1]), last

    def _try_again(self, point: Point) -> None:
        again = self.measure(point.times, LIMIT)
        if not again.stopped:
            self._keep(again)

    def _notable(self) -> list[Point]:
        return [point for point in self.fast if self._excess(point) >= _NOTABLE]

    def _excess(self, point: Point) -> float:
        """What a point took more than the shortest one, which takes what everything takes."""
        return point.seconds - self.fast[0].seconds

    def _power(self, first: Point, last: Point) -> float:
        if self._excess(first) <= 0 or self._excess(last) <= 0:
            return math.inf
        return math.log(self._excess(last) / self._excess(first)) / math.log(last.times / first.times)

    def _foresees_too_long(self) -> bool:
        """Whether the greatest length takes too long, by how time grew so far."""
        if self._in_proportion():
            return self._is_long() or self._at_full_length()[1] >= _SURELY_NOT
        return self._at_most() >= _SURELY_NOT

    def _in_proportion(self, slow: Point | None = None) -> bool:
        """Whether time grew in proportion to the length; as far as is known of a slow point too."""
        grew = self._power(*self._apart())
        if slow is not None:
            grew = max(grew, self._power(self.fast[-1], slow))
        return grew < _IN_PROPORTION

    def _is_long(self) -> bool:
        """Whether the greatest length takes very long, if time grows in proportion to it."""
        return self._excess(self.fast[-1]) * self.most / self.fast[-1].times >= _LONG

    def _apart(self) -> tuple[Point, Point]:
        """Return the last point, and before it one that is so far away that a little noise does not count."""
        last = self.fast[-1]
        far = (point for point in self.fast[::-1] if point.times * (_STEP - 1) <= last.times)
        return next(far, self.fast[0]), last

    def _at_full_length(self) -> tuple[float, float]:
        """Return the seconds of the greatest length that grow with it, and those that grow with its square."""
        first, last = (Point(point.times, self._excess(point)) for point in self._apart())
        return line_and_square(first, last, self.most)

    def _at_most(self) -> float:
        """Return the seconds of the greatest length."""
        return self.fast[0].seconds + sum(self._at_full_length())

    def _shortest(self) -> int | None:
        """Return the length that takes a little more than the limit, if time grows on as between the last two."""
        first, last = (self.fast[0], *self.fast)[-2:] if self.fast else (None, None)
        if first is None or last is None or self._excess(first) < _NOTABLE:
            return None
        power = max(1.0, self._power(first, last))
        return _rounded_up(last.times * (_FORESEEN / last.seconds) ** (1 / power))


def line_and_square(first: Point, last: Point, times: int) -> tuple[float, float]:
    """Return the seconds of a length that grow with it, and those that grow with its square.

    The time is taken for a line and a square through two points. A power through them would be led astray by a little
    noise; here it moves the result by no more than itself.
    """
    ratio, farther = last.times / first.times, times / last.times
    square = min(max(0.0, (last.seconds - ratio * first.seconds) / (1 - 1 / ratio)), last.seconds)
    return (last.seconds - square) * farther, square * farther**2


def _rounded_up(times: float) -> int:
    """Round a number up to two digits, so that the same is found again.

    >>> _rounded_up(12.3), _rounded_up(7_012), _rounded_up(181_000)
    (13, 7100, 190000)
    """
    unit = 10 ** max(0, math.floor(math.log10(times)) - 1)
    return math.ceil(times / unit) * unit
