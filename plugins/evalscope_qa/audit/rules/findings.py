"""What the checks share: collecting cases by cause into findings."""

from collections.abc import Iterator

from ...wording import describe
from ..cases.questions import Question
from ..results import Example, Finding
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
        self._findings: dict[tuple[str, str], Finding] = {}
        self._credited: dict[int, tuple[Question, str]] = {}

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
            condition: What has to be so besides; those with one make a finding of their own.
        """
        finding = self._findings.setdefault(
            (cause.name, condition),
            Finding(
                self._subject.benchmark, self._rule, cause.name, cause.location, detail=detail, condition=condition
            ),
        )
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
            finding.examples = _most_telling(finding.examples)
            first = finding.examples[0]
            if id(first) in self._credited:
                finding.effect = effect(self._subject, *self._credited[id(first)], first)
            yield finding


def _most_telling(examples: list[Example]) -> list[Example]:
    """Return a few examples, one a reply and metric: silence, then plain words without the gold, short ones first."""
    unique = {(example.reply, example.metric): example for example in reversed(examples)}

    def rank(example: Example) -> tuple:
        return example.reply != '', not _plain(example.reply), example.names_gold, len(example.reply)

    return sorted(unique.values(), key=rank)[:_SHOWN]


def _plain(reply: str) -> bool:
    words = reply.split()
    return len(words) >= 2 and reply.isprintable() and '<' not in reply
