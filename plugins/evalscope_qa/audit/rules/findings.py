"""What the checks share: collecting cases by cause into findings."""

from collections.abc import Iterator

from ...wording import describe
from ..cases.non_answers import BLANK
from ..cases.questions import Question
from ..measures import LEAST_CREDIT, LEAST_OF_BLANK
from ..official import official
from ..results import Behaviour, Effect, Example, Finding
from ..scoring.tracing import Cause
from ..subject import Subject
from .effects import effect

_SHOWN = 5


class NotApplicable(Exception):
    """A rule has nothing to try on this benchmark; the message says why."""


class FailingCases:
    """Collects the failing cases of one rule and sorts them into findings by cause."""

    def __init__(self, subject: Subject, rule: str) -> None:
        self._subject = subject
        self._rule = rule
        self._findings: dict[tuple[str, str, Behaviour | None], Finding] = {}
        self._credited: dict[int, tuple[Question, str]] = {}
        self._effects: dict[int, Effect] = {}

    def add(
        self,
        cause: Cause,
        reply: str | None,
        gold: str,
        metric: str,
        score: float | None,
        expected: str,
        detail: str = '',
        shown_reply: str = '',
        kind: str = '',
        question: Question | None = None,
        condition: str = '',
    ) -> None:
        """Add one case.

        Args:
            cause: The function to name.
            reply: The reply.
            gold: The gold answer.
            metric: Name of the metric.
            score: Its value.
            expected: What the rule allows.
            detail: Said once for the finding.
            shown_reply: What to show in the place of the reply.
            kind: What the reply is.
            question: The question, where the reply should have earned nothing: what it does to a score is measured.
            condition: What has to be so besides; those with one make a finding of their own, as do those that are
                official or documented.
        """
        benchmark, description = self._subject.benchmark, self._subject.description
        explained = official(benchmark, self._rule, cause.name, reply, gold, description)
        new = Finding(
            benchmark, self._rule, cause.name, cause.location, detail=detail, condition=condition, official=explained
        )
        finding = self._findings.setdefault((cause.name, condition, explained), new)
        finding.count += 1
        shown = shown_reply or describe(reply)
        example = Example(shown, describe(gold, 100), metric, score, expected, kind, cause.call)
        finding.examples.append(example)
        if kind:
            finding.kinds[kind] = finding.kinds.get(kind, 0) + 1
        if question is not None and reply is not None:
            self._credited[id(example)] = (question, reply)

    def __iter__(self) -> Iterator[Finding]:
        for finding in self._findings.values():
            finding.examples = [one for one in _most_telling(finding.examples) if self._holds_among_ten(one)]
            if finding.examples:
                finding.effect = self._effects.get(id(finding.examples[0]))
                yield finding

    def _holds_among_ten(self, example: Example) -> bool:
        """Whether a reply that should earn nothing is credited beside others too, where that can be measured.

        A metric of one question alone may say nothing: an F1 weighted by classes has one class then.
        """
        if id(example) not in self._credited:
            return True
        measured = effect(self._subject, *self._credited[id(example)], example)
        if measured is None:
            return True
        self._effects[id(example)] = measured.shown
        least = LEAST_OF_BLANK if example.kind == BLANK else LEAST_CREDIT
        return measured.share is None or not measured.share < least  # it may be no number


def _most_telling(examples: list[Example]) -> list[Example]:
    """Return a few examples, one a reply and metric: silence, then plain words without the gold, short ones first."""
    unique = {(example.reply, example.metric): example for example in reversed(examples)}

    def rank(example: Example) -> tuple:
        return example.reply != '', not _plain(example.reply), example.names_gold, len(example.reply)

    return sorted(unique.values(), key=rank)[:_SHOWN]


def _plain(reply: str) -> bool:
    words = reply.split()
    return len(words) >= 2 and reply.isprintable() and '<' not in reply
