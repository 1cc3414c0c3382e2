"""Measures how far a reply that answers nothing moves the score of a benchmark."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..cases.questions import Question
from ..results import Effect, Example
from ..subject import Subject

_TEN = 10


@dataclass(frozen=True)
class AmongTen:
    """What a reply does among ten."""

    shown: Effect
    share: float | None
    """What two such replies add beside eight right ones, of what two right ones add; None where those add nothing."""


def effect(subject: Subject, question: Question, reply: str, example: Example) -> AmongTen | None:
    """Measure what a reply does to the metric of its example; None where ten questions cannot be aggregated.

    Args:
        subject: The benchmark.
        question: The question for which the reply is credited: in eight right and two such replies, that of the two.
        reply: The reply.
        example: How it is shown.
    """
    asked = subject.questions
    if not any(one is question for one in asked):  # its gold was made up for one rule
        asked = [question, *asked]
    ten = [asked[number % len(asked)] for number in range(_TEN)]
    mixed = [*(subject.questions * _TEN)[:8], question, question]
    rights = [one.right for one in mixed[:8]]
    values = [
        _value(subject, questions, replies, example.metric)
        for questions, replies in (
            (ten, [reply] * _TEN),
            (ten, [one.wrong for one in ten]),
            (mixed, [*rights, reply, reply]),
            (mixed, [*rights, question.wrong, question.wrong]),
            (mixed, [*rights, question.right, question.right]),
        )
    ]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    always, always_wrong, twice, twice_wrong, twice_right = known
    golds = len({one.gold for one in ten})
    shown = Effect(
        example.reply, example.metric, always, always_wrong, twice, twice_wrong, gold=example.gold, golds=golds
    )
    gain = twice_right - twice_wrong
    return AmongTen(shown, (twice - twice_wrong) / gain if gain else None)


def _value(subject: Subject, questions: Sequence[Question], replies: Sequence[str], metric: str) -> float | None:
    outcomes = [subject.scorer.score(one.sample, reply) for one, reply in zip(questions, replies, strict=True)]
    scores = [
        subject.scorer.numbered(outcome.score, number)
        for number, outcome in enumerate(outcomes)
        if outcome.score is not None
    ]
    if len(scores) < _TEN:
        return None
    measured = subject.scorer.aggregate(scores).get(metric)
    return None if measured is None else measured.value
