"""Names the function that made an aggregate what it is."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..scoring.tracing import Call, Cause
from ..subject import Subject

if TYPE_CHECKING:
    from evalscope.api.metric import SampleScore

_MOST = 64
"""Items of a result that are looked into."""


def aggregation_cause(subject: Subject, scores: Sequence['SampleScore'], name: str, value: float) -> Cause:
    """Return the innermost function that returned the aggregate, and was not given a selection of the questions.

    Each function on the way down to it returned the aggregate too. What is given some of the questions alone, or one
    of them twice, computes as it should; who called it chose them.

    Args:
        subject: The benchmark.
        scores: The scores of the questions.
        name: Of the metric, or ``num of`` it.
        value: The aggregate.
    """
    chain: list[Call] = []
    around: list[tuple[Call, bool]] = []
    for number, call in enumerate(subject.scorer.trace_aggregate(scores)):
        while around and around[-1][0].end <= number:
            around.pop()
        carries = call.returned and (not around or around[-1][1]) and _carries(call.result, name, value)
        if carries and not _plain_data(call) and not _is_given(call, value):
            chain.append(call)
        around.append((call, carries))
    unselected = [call for call in chain if not _is_given_selection(call, len(scores))]
    innermost = max(unselected or chain, key=lambda call: call.depth, default=None)
    return innermost.cause if innermost else subject.scorer.aggregation_owner()


def _plain_data(call: Call) -> bool:
    return call.cause.name.startswith(('evalscope.api.metric.', 'evalscope.metrics.semantics.'))


def _is_given(call: Call, value: float) -> bool:
    numbers = (argument for argument in call.arguments if isinstance(argument, (int, float)))
    return any(_carries(number, '', value) for number in numbers)


def _is_given_selection(call: Call, number: int) -> bool:
    lengths = [len(argument) for argument in call.arguments if isinstance(argument, (list, tuple))]
    return bool(lengths) and number not in lengths


def _carries(result: Any, name: str, value: float, nested: int = 2) -> bool:
    if isinstance(result, (bool, int, float)):
        return (math.isnan(result) and math.isnan(value)) or math.isclose(result, value, rel_tol=1e-9, abs_tol=1e-12)
    wanted = name.removeprefix('num of ').partition(':')[0]
    if hasattr(result, 'metric_name'):  # evalscope's AggScore
        one = result.num if name.startswith('num of ') else result.score
        return result.metric_name == wanted and _carries(one, name, value, 0)
    if nested == 0 or not isinstance(result, (dict, list, tuple)) or len(result) > _MOST:
        return False
    if isinstance(result, dict):
        items = [result[wanted]] if wanted in result else list(result.values())
    else:
        items = list(result)
    return any(_carries(item, name, value, nested - 1) for item in items)
