"""Checks that what is reported as a mean is the mean of the questions' own values."""

import math
from collections.abc import Iterator

from ..measures import OF_QUESTIONS
from ..results import Finding
from ..subject import Subject
from .aggregation import aggregation_cause
from .findings import FailingCases, NotApplicable
from .ten_questions import TEN, ten_questions

_RIGHT = (0, 1, 2, 4, 7, 8)
"""Which of ten replies are right; the first is, and the last is not."""
_CLOSE = 1e-6


def check_mean(subject: Subject) -> Iterator[Finding]:
    """Compare each metric that evalscope is told is a mean with the mean of the values of ten questions.

    Only where every question has a value of that name, a number from 0 to 1, as accuracy and exact match have. (An F1
    may be that of all questions taken together.)
    """
    cases = FailingCases(subject, 'mean')
    scorer = subject.scorer
    subject.progress('mean', '')
    ten = ten_questions(subject)
    scores = []
    for number, question in enumerate(ten):
        outcome = scorer.score(question.sample, question.right if number in _RIGHT else question.wrong)
        if outcome.score is None or outcome.failed:
            raise NotApplicable('a reply to one of ten questions has no score')
        scores.append(scorer.numbered(outcome.score, number))
    tried = False
    for name, measured in scorer.aggregate(scores).items():
        values = [score.score.value.get(name) for score in scores]
        numbers = [float(value) for value in values if isinstance(value, (bool, int, float))]
        plain = measured.metric.semantic_id in OF_QUESTIONS and len(numbers) == TEN == measured.num
        if not plain or not all(0 <= value <= 1 for value in numbers):
            continue
        tried = True
        mean = sum(numbers) / TEN
        if math.isclose(mean, measured.value, abs_tol=_CLOSE) or not measured.metric.allows(measured.value):
            continue  # what leaves the range is another rule's
        cause = aggregation_cause(subject, scores, name, measured.value)
        shown = f'ten replies, {len(_RIGHT)} of them right'
        cases.add(cause, None, '(ten questions)', name, measured.value, f'{mean:g}, the mean', shown_reply=shown)
    if not tried:
        raise NotApplicable('no metric is a mean of values that the questions have')
    yield from cases
