"""Checks that nothing but the replies decides the score: neither chance nor order."""

import math
from collections.abc import Iterator

from ..cases.non_answers import non_answers
from ..results import Finding
from ..scoring.calibration import graded
from ..subject import Subject
from .aggregation import aggregation_cause
from .findings import FailingCases
from .ten_questions import ten_questions

_SEEDS = range(20)
_CLOSE = 1e-9
_RIGHT = (0, 1, 2, 4, 7)
"""Which of ten replies are right: first and last differ, and the same backwards or rotated is another row."""


def check_repeatable(subject: Subject) -> Iterator[Finding]:
    """Score every canned reply again, with other random seeds where scoring draws random numbers."""
    cases = FailingCases(subject, 'repeatable')
    scorer = subject.scorer
    for question in (subject.questions or subject.uncalibrated)[:2]:
        subject.progress('repeatable', question.gold)
        replies = [canned.text for canned in non_answers()]
        for reply in [*replies, question.right, question.wrong]:
            first = scorer.score(question.sample, reply)
            seeds = _SEEDS if first.drew_random else range(1, 2)
            # A seed not used before: an outcome is kept by question, reply and seed.
            values = {0: _values(first)} | {
                seed + 1000: _values(scorer.score(question.sample, reply, seed + 1000)) for seed in seeds
            }
            distinct = {value for value in values.values() if value}
            if len(distinct) < 2:
                continue
            name, low, high = _widest(list(distinct))
            if not name:
                continue
            _, drew = scorer.trace(question.sample, reply)
            cause = drew or scorer.scoring_owner()
            cases.add(cause, reply, question.gold, name, high, f'the same every time; also scored {low:g}')
            break  # one reply a question shows it
    yield from cases


def _values(outcome: object) -> tuple[tuple[str, float], ...]:
    metrics = getattr(outcome, 'metrics', {})
    return tuple(
        (measured.metric.name, measured.value)
        for measured in graded(metrics)
        if not math.isnan(measured.value)  # which equals nothing, itself neither
    )


def _widest(values: list[tuple[tuple[str, float], ...]]) -> tuple[str, float, float]:
    best = ('', 0.0, 0.0)
    for name in dict.fromkeys(name for value in values for name, _ in value):
        found = [dict(value)[name] for value in values if name in dict(value)]
        if max(found) - min(found) > best[2] - best[1]:
            best = (name, min(found), max(found))
    return best


def check_order(subject: Subject) -> Iterator[Finding]:
    """Aggregate ten scored questions, some right and some not, forwards, backwards and rotated."""
    cases = FailingCases(subject, 'order')
    scorer = subject.scorer
    subject.progress('order', '')
    ten = ten_questions(subject)
    replies = [
        question.right if number in _RIGHT else (question.wrong if number % 2 else 'I cannot answer this question.')
        for number, question in enumerate(ten)
    ]
    scores = []
    for number, (question, reply) in enumerate(zip(ten, replies, strict=True)):
        outcome = scorer.score(question.sample, reply)
        if outcome.score is None:
            outcome = scorer.score(question.sample, question.wrong)
        scores.append(scorer.numbered(outcome.score, number))
    expected = scorer.aggregate(scores)
    orders = (
        ('reversed', scores[::-1]),
        ('rotated by three', scores[3:] + scores[:3]),
        ('every third', [score for start in range(3) for score in scores[start::3]]),
    )
    for name, order in orders:
        measured = scorer.aggregate(order)
        for key, before in expected.items():
            after = measured.get(key)
            if after is None or abs(after.value - before.value) > _CLOSE * max(1.0, abs(before.value)):
                cases.add(
                    aggregation_cause(subject, order, key, after.value) if after else scorer.aggregation_owner(),
                    None,
                    '(ten questions)',
                    key,
                    after.value if after else None,
                    f'{before.value:g}, as in the first order',
                    shown_reply=f'ten replies, some right, some wrong, some empty; {name}',
                )
    yield from cases
