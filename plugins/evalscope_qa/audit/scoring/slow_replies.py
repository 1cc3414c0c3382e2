"""Finds the shortest replies of a model in a loop that take too long, how their time grows, and what is at work."""

import faulthandler
import gc
import json
import math
import os
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

from ..cases.long_replies import LONGEST, Loop
from .growth import Point, Search
from .naming import Cause, is_given_a_pattern
from .timing import ScoringStopped, child_lines, processor_seconds
from .tracing import Tracer

LEVELS = ((50, False), (2_000, False), (2_000, True), (20_000, True))
"""Characters at which every loop is tried, and whether a longer one is sought where the growth foresees that it is
slow. What grows exponentially is slow at the first. At the second a loop is tried that is in no format: so a reply of
ordinary length is reported before a longer one of another piece."""
_TICK = 0.01
"""Seconds of processor time between two looks at what is at work."""
_TELLING = 0.03
"""Seconds from which on what was at work is known."""
_ENOUGH = 0.05
"""Seconds for which what is known to be slow is let."""
_SHARE = 0.25
"""Of the time of the function that took the most: one that takes so much and comes first is the cause."""
_KILLED = 3
"""How many times the limit a reply may take that cannot be stopped, before its process is."""
_WAITING = 60
"""How many times the limit a reply may take by the clock."""

Prepare = Callable[[str], Callable[[], object]]
"""Returns for a reply what is to be timed."""


@dataclass(frozen=True)
class Slow:
    """The shortest reply found that takes longer than the limit."""

    loop: Loop
    times: int
    growth: str
    """How the time grows, in words; empty where it is not known."""
    cause: Cause | None

    @property
    def length(self) -> int:
        return len(self.loop.text(self.times))


def slow_replies(
    prepare: Prepare, tracer: Tracer, loops: Iterable[Loop], started: Callable[[str], None]
) -> Iterator[Slow]:
    """Time replies, the short ones first, and yield one for each function that takes too long.

    Runs in a child process, which is ended where a reply takes three times too long and cannot be stopped, or sixty
    times by the clock; then no other is tried. One that is stopped may leave half-made state behind.

    Args:
        prepare: What is timed.
        tracer: Knows the project's functions.
        loops: The replies.
        started: Called with the name of each reply before it is timed.
    """
    kinds = list(loops)
    at: tuple[Loop, int] | None = None
    dump: list[str] = []
    for line in child_lines(lambda pipe: _Timing(prepare, tracer, kinds, pipe).run()):
        said = json.loads(line) if line.startswith('{') else None
        if said is None:
            dump.append(line)
        elif not said:  # done
            at = None
        elif 'growth' in said:
            cause = Cause(*said['cause']) if said['cause'] else None
            yield Slow(kinds[said['loop']], said['times'], said['growth'], cause)
        else:
            at = kinds[said['loop']], said['times']
            started(at[0].name(at[1]))
    if at is not None:
        ended = 'it waits for something' if dump and dump[0].startswith('Timeout') else 'it cannot be stopped'
        yield Slow(*at, ended, tracer.in_dump('\n'.join(dump)))


class _KnownToBeSlow(Exception):
    """What is at work was found already."""


class _Timing:
    """What goes on in the child process.

    Args:
        prepare: What is timed.
        tracer: Knows the project's functions.
        loops: The replies.
        pipe: Gets a line before each reply and for each that is slow, and an empty message at the end; a traceback
            where the process has to be ended.
    """

    def __init__(self, prepare: Prepare, tracer: Tracer, loops: Sequence[Loop], pipe: int) -> None:
        self._prepare = prepare
        self._tracer = tracer
        self._loops = loops
        self._pipe = pipe
        self._found: set[Cause | None] = set()
        self._cause: Cause | None = None
        """What was at work in the last reply that was stopped."""

    def run(self) -> None:
        gc.freeze()  # what the parent holds is not to be looked through while a reply is timed
        faulthandler.register(signal.SIGXCPU, file=self._pipe, all_threads=False, chain=True)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        searches = {number: self._search(number) for number in range(len(self._loops))}
        for length, climb in LEVELS:
            for number, search in list(searches.items()):
                if (length, climb) == LEVELS[1] and self._loops[number].in_a_format:
                    continue
                with suppress(_KnownToBeSlow):
                    if not search.passes(self._loops[number].times(length), climb):
                        continue
                    self._report(number, search)
                del searches[number]
        self._say()

    def _search(self, number: int) -> Search:
        def measure(times: int, limit: float) -> Point:
            self._say(loop=number, times=times)
            seconds, at_work = self._timed(self._prepare(self._loops[number].text(times)), limit)
            if seconds >= _TELLING and _cause(at_work) in self._found:
                raise _KnownToBeSlow
            if seconds < limit:
                return Point(times, seconds)
            self._cause = _cause(at_work)
            return Point(times, limit, stopped=True)

        return Search(measure, self._loops[number].times(LONGEST))

    def _report(self, number: int, search: Search) -> None:
        assert search.slow is not None
        cause = self._cause
        named = [cause.name, cause.location] if cause else None
        growth = search.growth(self._loops[number].piece)
        self._found.add(cause)
        self._say(loop=number, times=search.slow.times, growth=growth, cause=named)

    def _say(self, **message: object) -> None:
        os.write(self._pipe, json.dumps(message).encode() + b'\n')

    def _timed(self, run: Callable[[], object], limit: float) -> 'tuple[float, Counter[Cause | None]]':
        """Run something, until a limit at the most.

        Returns:
            Its seconds of processor time, its children's included, and how many each project function was at work.
        """
        at_work: Counter[Cause | None] = Counter()
        before: list[FrameType] = []
        running = True
        started = last = processor_seconds()

        def look(number: int, frame: FrameType | None) -> None:
            nonlocal last, before
            if running:
                now = processor_seconds()
                stack = list(_stack(frame))
                at_work[self._innermost(stack, before)] += now - last  # type: ignore[assignment]
                last, before = now, stack
                if now - started >= (_ENOUGH if _cause(at_work) in self._found else limit):
                    raise ScoringStopped(f'stopped after {now - started:g} s')

        end = math.ceil(time.process_time() + _KILLED * limit)
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        # A thread of its own, which needs neither the interpreter's lock nor a signal handler.
        faulthandler.dump_traceback_later(_WAITING * limit, exit=True, file=self._pipe)
        signal.signal(signal.SIGPROF, look)
        signal.setitimer(signal.ITIMER_PROF, _TICK, _TICK)
        try:
            with suppress(ScoringStopped):
                run()
            running = False
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            faulthandler.cancel_dump_traceback_later()
        return processor_seconds() - started, at_work

    def _innermost(self, stack: Sequence[FrameType], before: Sequence[FrameType]) -> Cause | None:
        """Return the innermost project function that has been at work since the last look.

        One that is only called often belongs to its caller. Where a function searches for a pattern that it was given,
        the pattern is its caller's.
        """
        known = {id(frame) for frame in before}
        for frame in stack:
            if not before or id(frame) in known:
                cause = self._tracer.cause_of(frame)
                if cause is not None and not is_given_a_pattern(frame.f_code):
                    return cause
        return None


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the frames of a stack, the innermost first."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _cause(at_work: 'Counter[Cause | None]') -> Cause | None:
    """Return the first function that was at work for long: where two share the time, it is always the same."""
    most = max(at_work.values(), default=0)
    return next((cause for cause, seconds in at_work.items() if cause and seconds >= _SHARE * most), None)
