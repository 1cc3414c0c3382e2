"""Limits and measures processor time, so that a busy machine neither stops nor blames anything."""

import os
import resource
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from types import FrameType


class ScoringStopped(BaseException):
    """Scoring one reply took longer than the limit. Not an ``Exception``, so that scoring cannot swallow it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise :class:`ScoringStopped` inside the block when it takes longer; regular expressions are interrupted too.

    Processor time counts; waiting is stopped after five times as long.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise ScoringStopped(f'stopped after {seconds:g} s')

    before = [(number, signal.signal(number, stop)) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 5 * seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before:
            signal.signal(number, handler)


def processor_seconds() -> float:
    """Return the processor time of this process and of the children it waited for."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def child_lines(function: Callable[[int], None]) -> Generator[str, None, None]:
    """Run a function in a forked child and yield the lines that it writes to the pipe it is given."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            function(writing)
        finally:
            os._exit(0)
    os.close(writing)
    try:
        with os.fdopen(reading, encoding='utf-8', errors='replace') as lines:
            for line in lines:
                yield line.rstrip('\n')
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
