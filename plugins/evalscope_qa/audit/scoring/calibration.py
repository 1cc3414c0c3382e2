"""Finds, by scoring, which replies to a question are right and which are wrong.

A question enters the audit only if some reply earns credit and a reply with another answer earns clearly less: then
what the audit says of other replies is about the benchmark, not about an example that does not fit.
"""

from collections.abc import Iterable, Sequence

from ..cases.formats import ANSWER, COMMON_FORMATS, fill
from ..cases.questions import NUMBER, TEXT, UNRELATED, Question
from ..measures import ERROR_RATE, OF_QUESTIONS, Measured
from .scorer import Scorer


def find_right(question: Question, scorer: Scorer, formats: Sequence[str]) -> bool:
    """Find a reply that is right; return whether one scores at all.

    Args:
        question: Gets its right reply and the reply's metrics.
        scorer: Scores the candidates.
        formats: Reply formats to try, preferred first.
    """
    requested = question.requested_formats
    candidates = [(form, fill(form, answer)) for form in formats for answer in question.answers if answer.strip()]
    # A demonstration is how the adapter shows the answer; only what the prompt itself requests comes before it.
    candidates += [('', reply) for reply in question.demonstrations]
    candidates.sort(key=lambda candidate: (candidate[0] not in requested, candidate[0] != ''))
    for form, reply in candidates:
        metrics = score_metrics(scorer, question, reply)
        if not metrics or (question.right_metrics and not _beats(metrics, question.right_metrics)):
            continue
        question.right_format, question.right, question.right_metrics = form, reply, metrics
        if _is_full(metrics):
            break
    return bool(question.right_metrics)


def find_wrong(question: Question, scorer: Scorer, replies: Iterable[str] = ()) -> bool:
    """Find what a wrong reply earns at most; return whether some metric tells the right reply from the wrong ones.

    Args:
        question: A question with a right reply; gets a wrong one, and the metrics that tell them apart.
        scorer: Scores the candidates.
        replies: Right replies of other questions.
    """
    others = [reply for reply in replies if reply != question.right]
    form = question.right_format or ANSWER
    own = [*question.stated.wrong, *(fill(form, other) for other in question.others[:3])]
    _measure_wrong(question, scorer, own + others if question.right_format else others + own)
    if question.kind in (TEXT, NUMBER) or not question.wrong_metrics:
        # Where the answers are options or labels, another text is none of them, and no wrong answer.
        _measure_wrong(question, scorer, [fill(form, UNRELATED)])
    question.as_good = (
        [] if not question.right_format else [reply for reply in own if _as_good(scorer, question, reply)]
    )
    question.judged = [
        measured.metric
        for name, measured in question.right_metrics.items()
        if name in question.wrong_metrics and _tells_apart(measured, question.wrong_metrics[name])
    ]
    return bool(question.judged)


def _as_good(scorer: Scorer, question: Question, reply: str) -> bool:
    """Whether a wrong answer earns full credit where the right one does; an F1 may be that of the gold's class."""
    metrics = score_metrics(scorer, question, reply)
    own = {name for name, one in question.right_metrics.items() if one.metric.semantic_id in OF_QUESTIONS}
    full = [
        _is_full({name: one for name, one in each.items() if not own or name in own})
        for each in (question.right_metrics, metrics)
    ]
    return all(full)


def _measure_wrong(question: Question, scorer: Scorer, candidates: Iterable[str]) -> None:
    for wrong in candidates:
        metrics = score_metrics(scorer, question, wrong)
        if not metrics or not any(
            name in question.right_metrics and _tells_apart(question.right_metrics[name], measured)
            for name, measured in metrics.items()
        ):
            continue  # another way to say the same, or partly right
        question.wrong = question.wrong or wrong
        for name, measured in metrics.items():
            known = question.wrong_metrics.get(name)
            if known is None or measured.metric.better(measured.value, known.value):
                question.wrong_metrics[name] = measured


def score_metrics(scorer: Scorer, question: Question, reply: str) -> dict[str, Measured]:
    """Return the metrics of one reply; empty where scoring failed."""
    outcome = scorer.score(question.sample, reply)
    return {} if outcome.failed else outcome.metrics


def graded(metrics: dict[str, Measured]) -> list[Measured]:
    """Return the metrics that grade: quality with a direction, and not a rate of leaks or hallucinations.

    A rate of faults in what was said is best where nothing was said; that is no credit for an answer.
    """
    return [
        measured
        for measured in metrics.values()
        if measured.metric.is_quality and measured.metric.semantic_id != ERROR_RATE
    ]


def _beats(metrics: dict[str, Measured], best: dict[str, Measured]) -> bool:
    for measured in graded(metrics):
        if measured.metric.name in best and measured.value != best[measured.metric.name].value:
            return measured.metric.better(measured.value, best[measured.metric.name].value)
    return False


def _is_full(metrics: dict[str, Measured]) -> bool:
    measured = graded(metrics)
    return bool(measured) and all(is_full_credit(one) for one in measured)


def is_full_credit(measured: Measured) -> bool:
    """Whether a value is the best its metric can be."""
    return measured.metric.best is not None and not measured.metric.better(measured.metric.best, measured.value)


def _tells_apart(right: Measured, wrong: Measured) -> bool:
    """Whether the right reply is better than every wrong one by at least half of the metric's range."""
    metric = right.metric
    if not metric.is_quality or metric.semantic_id == ERROR_RATE or not metric.better(right.value, wrong.value):
        return False
    scale = abs(metric.best) if metric.best else 1.0
    return abs(right.value - wrong.value) >= scale / 2


def candidate_formats(question: Question) -> list[str]:
    """Return formats to try for a question: those its prompt requests, then the common ones."""
    requested = question.requested_formats
    return list(dict.fromkeys([*requested, *COMMON_FORMATS, *(f'{form}\n' for form in requested)]))
