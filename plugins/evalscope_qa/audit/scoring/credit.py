"""Names the function that turned a reply into credit, and shows it in one call."""

from ..cases.questions import Question
from ..measures import Metric
from .growth import LIMIT
from .reproduction import repeated, reproduced, reproduced_error
from .scorer import Outcome, Scorer
from .slow_replies import Slow
from .tracing import Call, Cause, answering, crediting, extracting

_FEW = 20
"""Pieces of a reply that is short enough to be scored at once."""


def credit_cause(scorer: Scorer, question: Question, reply: str, outcome: Outcome, metric: Metric) -> Cause:
    """Return the function that turned a reply into credit.

    Args:
        scorer: Scores and traces.
        question: A question with a right and a wrong reply.
        reply: A reply that is neither.
        outcome: What it scored.
        metric: The metric on which it was credited.
    """
    calls, _ = scorer.trace(question.sample, reply)
    right = scorer.score(question.sample, question.right)
    extracted = outcome.extracted.strip()
    as_right = [extracted] if extracted and extracted == right.extracted.strip() else []
    call = answering(calls, reply, [*question.answers, *as_right])
    if call is None:
        control = _traced(scorer, question, question.wrong)
        call = crediting(calls, control, outcome.metrics[metric.name].value)
        best = right.metrics.get(metric.name)
        # With another gold put in its place, the right reply of the question may be none.
        if call is not None and best is not None and best.value == question.right_metrics[metric.name].value:
            value, rights = outcome.metrics[metric.name].value, _traced(scorer, question, question.right)
            call = crediting(calls, control, value, rights, best.value) or call
    if call is not None:
        return reproduced(call)
    by_text = extracting(calls, extracted) if extracted != reply.strip() else None
    return by_text or scorer.scoring_owner()


def _traced(scorer: Scorer, question: Question, reply: str) -> list[Call]:
    return scorer.trace(question.sample, reply)[0]


def error_cause(scorer: Scorer, question: Question, reply: str | None, cause: Cause, error: str) -> Cause:
    """Return a function that raised, with a call that does.

    Args:
        scorer: Traces.
        question: The question.
        reply: The reply.
        cause: The function.
        error: What it raised, as ``type: message``.
    """
    calls, _ = scorer.trace(question.sample, reply)
    # A profile function is told of a return of None where a function raises.
    call = next((call for call in reversed(calls) if call.cause == cause and call.result is None), None)
    return cause if call is None else reproduced_error(call, error)


def slow_cause(scorer: Scorer, question: Question, slow: Slow) -> Cause:
    """Return the function that takes long over a reply which repeats one piece, with a call that does.

    The call is traced with a reply of twenty pieces.

    Args:
        scorer: Traces.
        question: The question.
        slow: The reply, and the function that was at work.
    """
    cause = slow.cause or scorer.scoring_owner()
    calls, _ = scorer.trace(question.sample, slow.loop.text(_FEW))
    shown = f'much of a scoring that takes {LIMIT:g} s or more'
    of_cause = (call for call in calls if call.cause == cause)
    found = (repeated(call, slow.loop.piece, _FEW, slow.times, shown) for call in of_cause)
    return next((one for one in found if one.call), cause)
