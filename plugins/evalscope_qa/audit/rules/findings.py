"""What the checks share: collecting cases by cause into findings."""

from collections.abc import Iterator

from ...wording import describe
from ..results import Example, Finding
from ..scoring.tracing import Cause
from ..subject import Subject

_SHOWN = 5


class NotApplicable(Exception):
    """A rule has nothing to try on this benchmark; the message says why."""


class FailingCases:
    """Collects the failing cases of one rule and sorts them into findings by cause."""

    def __init__(self, subject: Subject, rule: str) -> None:
        self._subject = subject
        self._rule = rule
        self._findings: dict[str, Finding] = {}

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
        """
        finding = self._findings.setdefault(
            cause.name, Finding(self._subject.benchmark, self._rule, cause.name, cause.location, detail=detail)
        )
        finding.count += 1
        shown = shown_reply or describe(reply)
        finding.examples.append(Example(shown, describe(gold, 100), metric, score, expected))

    def __iter__(self) -> Iterator[Finding]:
        for finding in self._findings.values():
            finding.examples = _most_telling(finding.examples)
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
