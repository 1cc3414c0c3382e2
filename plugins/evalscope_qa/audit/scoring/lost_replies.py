"""Finds long replies whose question evalscope leaves out of the average.

evalscope scores mathematics in a child process with a deadline; a reply that misses it is excluded, not wrong. The
deadline is half a minute, which a replay shortens, and then makes sure by growth that the real one is missed too.
"""

import json
import math
import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .growth import Point, line_and_square
from .scorer import Scorer
from .timing import child_lines
from .tracing import Cause

if TYPE_CHECKING:
    from evalscope.api.dataset import Sample

LOOPS = ('1 ', 'word ')
_CHARACTERS = 200_000
_SHORTENED = 0.3
"""Seconds in the place of evalscope's deadline."""
_PROBES = (1_000, 4_000)
"""Repetitions by which the growth is measured: far apart, so that a little noise does not count."""
_PROCESSOR_SECONDS = 4


@dataclass(frozen=True)
class Lost:
    """A reply whose question is in no average."""

    name: str
    reason: str
    cause: Cause


def lost_in_a_loop(scorer: Scorer, sample: 'Sample') -> Iterator[Lost]:
    """Yield the first reply of a model in a loop that loses its question; nothing where each is scored, or takes long.

    Runs in a child process, which ends where scoring takes more than a few seconds of processor time.
    """
    _math_parser()  # imported here, so that it is once and not by every child: it takes up to half a second
    for line in child_lines(lambda pipe: _score_loops(scorer, sample, pipe)):
        name, reason, *cause = json.loads(line)
        yield Lost(name, reason, Cause(*cause))


def _score_loops(scorer: Scorer, sample: 'Sample', pipe: int) -> None:
    for unit in LOOPS:
        end = math.ceil(time.process_time() + _PROCESSOR_SECONDS)
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        count = _CHARACTERS // len(unit)
        with _deadline(_SHORTENED) as real:
            outcome = scorer.score_as_run(sample, unit * count)
        if not outcome.left_out or (
            real and 'deadline' in outcome.left_out and not _missed(scorer, sample, unit, real)
        ):
            continue
        name = f'{unit!r} repeated {count:,} times'
        with _deadline(_SHORTENED):
            cause = scorer.loss_cause(sample, unit * count, outcome.left_out)
        lost = [name, _as_in_a_run(outcome.left_out, real), cause.name, cause.location]
        os.write(pipe, (json.dumps(lost) + '\n').encode())
        return


def _missed(scorer: Scorer, sample: 'Sample', unit: str, deadline: float) -> bool:
    """Whether the whole reply would miss the deadline, by its growth: twice over, for processors differ."""
    # The better of two times: the first one may have loaded something, which would hide the growth.
    first, last = (
        Point(count, min(scorer.score(sample, unit * count, seed).seconds for seed in range(2))) for count in _PROBES
    )
    return sum(line_and_square(first, last, _CHARACTERS // len(unit))) > 2 * deadline


@contextmanager
def _deadline(seconds: float) -> Iterator[float]:
    """Shorten evalscope's deadline for mathematics (1.14) and yield what it was; 0 where there is none."""
    parser = _math_parser()
    before = getattr(parser, 'MATH_DEADLINE_S', 0)
    if before:
        parser.MATH_DEADLINE_S = seconds
    try:
        yield float(before)
    finally:
        if before:
            parser.MATH_DEADLINE_S = before


def _math_parser() -> Any:
    try:
        from evalscope.metrics.math import parser
    except ImportError:
        return None
    return parser


def _as_in_a_run(reason: str, real: float) -> str:
    return reason.replace(f'{_SHORTENED}s', f'{real:g}s')
