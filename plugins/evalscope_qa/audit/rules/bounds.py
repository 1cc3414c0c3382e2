"""Checks that every metric is a number within the range that evalscope's catalogue declares for it."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..cases.non_answers import non_answers
from ..cases.questions import Question
from ..measures import Measured
from ..results import Finding
from ..scoring.scorer import Scorer
from ..scoring.tracing import Cause
from ..subject import Subject
from .aggregation import aggregation_cause
from .findings import FailingCases
from .ten_questions import ten_questions

if TYPE_CHECKING:
    from evalscope.api.metric import SampleScore


def check_range(subject: Subject) -> Iterator[Finding]:
    """Look at the metrics of single replies, and of ten questions with replies that are right, wrong and silent."""
    cases = FailingCases(subject, 'range')
    scorer = subject.scorer
    for question in (subject.questions or subject.uncalibrated)[:2]:
        subject.progress('range', question.gold)
        for reply in (question.right, question.wrong, *(canned.text for canned in non_answers())):
            outcome = scorer.score(question.sample, reply)
            for measured in _outside(outcome.metrics):
                cause = _cause(subject, [scorer.numbered(outcome.score, 0)] if outcome.score else [], measured)
                _add(cases, cause, reply, question.gold, measured)
    if subject.questions:
        _ten(cases, subject)
    yield from cases


def _ten(cases: FailingCases, subject: Subject) -> None:
    ten = ten_questions(subject)
    compositions = {
        'ten right replies': [question.right for question in ten],
        'ten wrong replies': [question.wrong for question in ten],
        'ten empty replies': [''] * len(ten),
        'ten replies, every other one wrong': [
            question.wrong if number % 2 else question.right for number, question in enumerate(ten)
        ],
    }
    for name, replies in compositions.items():
        subject.progress('range', name)
        scores = _scores(subject.scorer, ten, replies)
        if scores is None:
            continue
        for measured in _outside(subject.scorer.aggregate(scores)):
            _add(cases, _cause(subject, scores, measured), None, '(ten questions)', measured, name)


def _scores(scorer: Scorer, ten: Sequence[Question], replies: Sequence[str]) -> list['SampleScore'] | None:
    outcomes = [scorer.score(question.sample, reply) for question, reply in zip(ten, replies, strict=True)]
    if any(outcome.score is None for outcome in outcomes):
        return None
    return [scorer.numbered(outcome.score, number) for number, outcome in enumerate(outcomes) if outcome.score]


def _cause(subject: Subject, scores: Sequence['SampleScore'], measured: Measured) -> Cause:
    """Name the scoring where a question's own value is outside already, else what aggregates."""
    values = [score.score.value.get(measured.metric.name) for score in scores]
    if any(value is not None and not measured.metric.allows(float(value)) for value in values):
        return subject.scorer.scoring_owner()
    return aggregation_cause(subject, scores, measured.metric.name, measured.value)


_EDITS = ('quality.wer.ratio', 'quality.cer.ratio', 'quality.per.ratio')
"""Edits over the length of the right text: more than 1 where the reply is longer, whatever range is declared."""


def _outside(metrics: dict[str, Measured]) -> list[Measured]:
    return [
        measured
        for measured in metrics.values()
        if not measured.metric.allows(measured.value)
        and not (measured.metric.semantic_id in _EDITS and measured.value > 1)
    ]


def _add(cases: FailingCases, cause: Cause, reply: str | None, gold: str, measured: Measured, shown: str = '') -> None:
    name, value = measured.metric.name, measured.value
    least, greatest = measured.metric.bounds
    bounds = [('from', least), ('to', greatest)]
    allowed = ' '.join(['a number', *(f'{word} {bound:g}' for word, bound in bounds if bound is not None)])
    is_number = math.isfinite(value)  # JSON has no other
    detail = '' if is_number else f'{name} is {value}'
    cases.add(cause, reply, gold, name, value if is_number else None, allowed, detail, shown_reply=shown)
