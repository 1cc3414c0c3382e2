"""Finds the first of many replies that takes too long to score, and what is at work then."""

import faulthandler
import math
import os
import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .scorer import Scorer, task_state
from .timing import child_lines
from .tracing import Cause, in_process

if TYPE_CHECKING:
    from evalscope.api.dataset import Sample

_ALL_DONE = '(all done)'
_STOP = 2
"""How many times the limit a reply may take before its process is ended."""


@dataclass
class Slow:
    """A reply that took too long."""

    name: str
    seconds: float
    stopped: bool
    """Whether it was stopped after so long, rather than done."""
    cause: Cause | None


def first_slow(
    scorer: Scorer, sample: 'Sample', replies: Mapping[str, str], limit: float, started: Callable[[str], None]
) -> Slow | None:
    """Score replies one after another and return the first that takes too long; None if none does.

    Runs in a child process, which ends where a reply takes twice too long, or thirty times by the clock: not every
    computation can be interrupted, and one that is may leave half-made state behind.

    Args:
        scorer: Scores them.
        sample: The question.
        replies: Text by name.
        limit: Seconds of processor time, child processes included.
        started: Called with the name of each reply before it is scored.
    """
    stop_after = _STOP * limit
    name, seconds = '', stop_after
    for line in child_lines(lambda pipe: _time_replies(scorer, sample, replies, limit, pipe)):
        taken, _, name = line.partition(' ')
        if name == _ALL_DONE:
            return None
        if float(taken):
            seconds = float(taken)
        else:
            started(name)
    if not name:  # the child died at once: nothing is known
        return None
    dump = child_lines(lambda pipe: _dump_at_work(scorer, sample, replies[name], min(seconds, limit) / 2, pipe))
    return Slow(name, seconds, seconds == stop_after, scorer.tracer.in_dump('\n'.join(dump)))


def _time_replies(scorer: Scorer, sample: 'Sample', replies: Mapping[str, str], limit: float, pipe: int) -> None:
    with Path(os.devnull).open('w') as nowhere:
        for name, reply in replies.items():
            os.write(pipe, f'0 {name}\n'.encode())
            # The watchdog is a thread of its own: it needs neither the interpreter's lock nor a signal handler.
            faulthandler.dump_traceback_later(30 * limit, exit=True, file=nowhere)
            end = math.ceil(time.process_time() + _STOP * limit)
            resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))
            seconds = scorer.score_as_run(sample, reply).seconds
            if limit < seconds < 1.5 * limit:  # once more: something may have been loaded at first use
                seconds = scorer.score_as_run(sample, reply).seconds
            faulthandler.cancel_dump_traceback_later()
            if seconds > limit:
                os.write(pipe, f'{seconds:.2f} {name}\n'.encode())
                return
    os.write(pipe, f'0 {_ALL_DONE}\n'.encode())


def _dump_at_work(scorer: Scorer, sample: 'Sample', reply: str, seconds: float, pipe: int) -> None:
    with in_process():
        faulthandler.dump_traceback_later(seconds, exit=True, file=pipe)
        scorer.calculate(task_state(sample, reply))
