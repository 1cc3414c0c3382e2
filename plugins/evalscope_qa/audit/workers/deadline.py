"""Decides when a worker has been too long at what it was asked."""

import time
from collections.abc import Callable
from contextlib import suppress

import psutil

WAITED = 'not finished: it has waited'
_LEAST_SHARE = 0.01
"""Of a processor: less than that over a whole limit is waiting. What only has to wait its turn gets more than that."""
_LOOKS = 20
"""How often a process is looked at during its limit; each look goes through all processes there are."""


class Deadline:
    """The one limit of what a process was asked, in processor time, so that a busy machine ends nothing.

    What waits for something that never comes uses no processor time: it is over when it has waited for as long.

    Args:
        used: Returns the seconds of processor time used so far.
        clock: Returns seconds that always go on.
    """

    def __init__(self, used: Callable[[], float], clock: Callable[[], float] = time.monotonic) -> None:
        self._used = used
        self._clock = clock
        self._limit = float('inf')
        self._begun = 0.0
        self._at_work = 0.0, 0.0
        """Clock and processor time when it was last seen to work."""
        self._next_look = float('inf')

    def begin(self, limit: float) -> None:
        """Begin anew: the process is asked something that may take ``limit`` seconds."""
        self._limit = limit
        self._begun = self._used()
        self._at_work = self._clock(), self._begun
        self._next_look = self._clock() + self._pause

    def lift(self) -> None:
        """Nothing is asked of the process any more."""
        self._next_look = float('inf')

    @property
    def seconds_to_next_look(self) -> float:
        """After how long :meth:`passed` has something new to say."""
        return max(0.0, self._next_look - self._clock())

    def passed(self) -> str:
        """Return in words that the limit has passed; empty where it has not."""
        now = self._clock()
        if now < self._next_look:
            return ''
        self._next_look = now + self._pause
        used = self._used()
        if used - self._begun >= self._limit:
            return f'not finished after {self._limit:g} s of processor time'
        since, used_then = self._at_work
        if used - used_then > _LEAST_SHARE * self._limit:
            self._at_work = now, used
        elif now - since >= self._limit:
            return f'{WAITED} for {self._limit:g} s'
        return ''

    @property
    def _pause(self) -> float:
        return self._limit / _LOOKS


def processor_seconds_of(pid: int) -> float:
    """Return the processor time of a process, of its living descendants and of those it has waited for."""
    seconds = 0.0
    with suppress(psutil.Error):  # it has just ended
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):
                times = one.cpu_times()
                seconds += times.user + times.system + times.children_user + times.children_system
    return seconds
