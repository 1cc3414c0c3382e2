"""Names the function that refused a right answer: it lost the answer's text, or gave it no credit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..measures import Metric
from ..scoring.scorer import Outcome
from ..scoring.tracing import Call, Cause, crediting
from ..subject import Subject

if TYPE_CHECKING:
    from evalscope.api.dataset import Sample

_LONGEST = 10_000
"""Characters of a text that is looked into."""


def refusing(
    subject: Subject, sample: 'Sample', reply: str, answers: Sequence[str], metric: Metric, full: tuple['Sample', str]
) -> Cause:
    """Return the function that refused a right answer.

    Args:
        subject: The benchmark.
        sample: The question.
        reply: A reply that should have earned credit.
        answers: What it answers.
        metric: The metric that it earns nothing by.
        full: A question with a reply that earns full credit.
    """
    scorer = subject.scorer
    calls, _ = scorer.trace(sample, reply)
    lost = _losing(calls, reply, answers)
    if lost is not None:
        return lost
    right, _ = scorer.trace(*full)
    value, best = (_value(outcome, metric) for outcome in (scorer.score(sample, reply), scorer.score(*full)))
    call = crediting(calls, [], value, right, best) if value is not None and best is not None else None
    return call.cause if call else scorer.scoring_owner()


def _value(outcome: Outcome, metric: Metric) -> float | None:
    return outcome.metrics[metric.name].value if metric.name in outcome.metrics else None


def _losing(calls: Sequence[Call], reply: str, answers: Sequence[str]) -> Cause | None:
    """Return the innermost function that was given a text of the reply with the answer, and returned one without it."""
    found: Call | None = None
    for call in calls:
        if not call.returned or not isinstance(call.result, (str, set, list, tuple, type(None))):
            continue
        given = [text for text in call.arguments if isinstance(text, str) and len(text) <= _LONGEST and text in reply]
        returned = call.result if isinstance(call.result, str) else ' '.join(map(str, call.result or ()))
        if any(_holds(text, answers) for text in given) and not _holds(returned, answers):
            found = call if found is None or call.depth > found.depth else found
    return found.cause if found else None


def _holds(text: str, answers: Sequence[str]) -> bool:
    folded = text.casefold()
    return any(answer.casefold() in folded for answer in answers if answer.strip())
