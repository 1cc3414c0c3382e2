"""The shortest length that takes too long, of made-up times whose shortest length is known."""

import math
import random
from typing import Callable

import pytest
from evalscope_qa.audit.scoring.growth import LIMIT, Point, Search
from evalscope_qa.audit.scoring.slow_replies import LEVELS

MOST = 200_000
OVERHEAD = 0.001


class Clock:
    """Takes as long as a function of the length says; counts what is spent."""

    def __init__(self, seconds: Callable[[int], float], noise: float = 0.0, seed: int = 0) -> None:
        self._seconds = seconds
        self._noise = noise
        self._random = random.Random(seed)
        self.spent = 0.0

    def __call__(self, times: int, limit: float) -> Point:
        seconds = OVERHEAD + self._seconds(times) * (1 + self._random.uniform(0, self._noise))
        self.spent += min(seconds, limit)
        return Point(times, limit, True) if seconds >= limit else Point(times, seconds)


def search(clock: Clock) -> Search:
    found = Search(clock, MOST)
    any(found.passes(length, climb) for length, climb in LEVELS)
    return found


def power(exponent: float, at_most: float) -> Callable[[int], float]:
    """Time that grows with a power of the length, up to so many seconds at the greatest."""
    return lambda times: at_most * (times / MOST) ** exponent


TOO_LONG: dict[str, tuple[Callable[[int], float], int, str]] = {
    # Seconds by length; the first length that takes a second; how it grows.
    'quadratic, early': (power(2, 400), 10_000, 'doubling the length multiplies the time by 4'),
    'quadratic, late': (power(2, 4), 100_000, 'doubling the length multiplies the time by 4'),
    'cubic': (power(3, 1e6), 2_000, 'doubling the length multiplies the time by 8'),
    'between': (power(1.5, 8), 50_000, 'doubling the length multiplies the time by 2.8'),
    'linear, and long': (power(1, 8), 25_000, 'doubling the length multiplies the time by 2'),
    'exponential': (lambda times: 2.0 ** min(times - 26, 99), 26, "one '(' more multiplies the time by 2.0"),
    'exponential, seen at one length only': (
        lambda times: 2.0 ** min(times - 24, 99),
        24,
        "one '(' more multiplies the time by 2.0",
    ),
    'slowly exponential': (
        lambda times: 1.02 ** min(times - 1_500, 9999),
        1_500,
        "one '(' more multiplies the time by 1.02",
    ),
    'at once': (lambda times: 5.0 if times > 10_000 else 0.0, 10_001, ''),
    'always': (lambda times: 5.0, 1, ''),
}


@pytest.mark.parametrize('kind', TOO_LONG)
def test_the_shortest_length_that_takes_too_long_is_found_with_its_growth(kind: str) -> None:
    seconds, shortest, growth = TOO_LONG[kind]
    clock = Clock(seconds)
    found = search(clock)
    assert found.slow is not None
    assert shortest <= found.slow.times <= max(shortest * 1.25, shortest + 1)
    assert OVERHEAD + seconds(found.slow.times) >= LIMIT, 'it was measured'
    assert found.growth('(') == growth
    assert clock.spent < 7 * LIMIT


IN_TIME: dict[str, Callable[[int], float]] = {
    'nothing': lambda times: 0.0,
    'linear': power(1, 0.9),
    'linear, over a second': power(1, 4),
    'quadratic': power(2, 0.9),
    'a line and a square': lambda times: 0.6 * times / MOST + 0.3 * (times / MOST) ** 2,
    'cubic': power(3, 0.9),
}


@pytest.mark.parametrize('kind', IN_TIME)
@pytest.mark.parametrize('noise', [0.0, 0.1])
def test_what_stays_in_time_is_not_found_and_costs_little(kind: str, noise: float) -> None:
    clock = Clock(IN_TIME[kind], noise)
    assert search(clock).slow is None
    assert clock.spent < 4 * LIMIT


@pytest.mark.parametrize('kind', TOO_LONG)
def test_noise_changes_neither_what_is_found_nor_much_of_its_length(kind: str) -> None:
    seconds, shortest, _ = TOO_LONG[kind]
    for seed in range(20):
        found = search(Clock(seconds, noise=0.2, seed=seed))
        assert found.slow is not None
        assert 0.8 * shortest - 1 <= found.slow.times <= 1.4 * shortest + 1


def test_a_growth_by_no_whole_power_is_measured_again() -> None:
    """As where the processor was slow while one length was timed."""
    found = search(Clock(power(2, 400)))
    first, _ = found._telling()
    found.fast = [Point(one.times, one.seconds * 1.5) if one == first else one for one in found.fast]
    assert found.growth('(') == 'doubling the length multiplies the time by 4'
    assert next(one for one in found.fast if one.times == first.times) == first


def test_a_square_is_found_behind_a_line() -> None:
    """As where text is copied at each of its characters: quick, until the text is long."""
    found = search(Clock(lambda times: times / MOST + 4 * (times / MOST) ** 2))
    assert found.slow is not None
    assert 78_000 <= found.slow.times <= 1.5 * 78_000


def test_what_took_long_once_is_timed_again() -> None:
    class LoadedAtFirstUse(Clock):
        used = False

        def __call__(self, times: int, limit: float) -> Point:
            point = super().__call__(times, limit)
            if times < 1_000 or self.used:
                return point
            self.used = True
            return Point(times, 0.4)

    clock = LoadedAtFirstUse(power(1, 0.2))
    assert search(clock).slow is None and clock.used
    assert clock.spent < LIMIT


def test_what_takes_little_more_than_a_second_at_most_is_found_near_full_length() -> None:
    found = search(Clock(power(2, 1.2)))
    assert found.slow is not None
    assert found.slow.times > MOST / math.sqrt(1.2)
