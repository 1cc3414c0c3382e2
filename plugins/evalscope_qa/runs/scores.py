"""What is compared: the scores of one model on one benchmark, question by question."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

Question = tuple[str, Hashable]
"""What a question is known by within a benchmark: its subset, and its group where it was asked several times."""

ROUNDING = 1.01e-4
"""How far a number may be from a report's: those are rounded to four digits, twice where there are several subsets."""

PERCENT = 100.0
"""The scale of a ratio, which is shown in percent."""

NO_REASON = 'nothing extracted'
"""Why a reply counts as unanswered where the scoring did not say."""


@dataclass(frozen=True)
class Attempt:
    """One reply to one question, as it was scored."""

    question: Question
    index: Hashable
    """Which of the replies: evalscope's index of the sample, or the epoch."""
    values: dict[str, float]
    """The reply's score in each metric that is scored a reply, by the metric's name in evalscope's reports."""
    usable: bool = True
    """False where the benchmark could not score the reply and leaves it out."""
    answered: bool = True
    reason: str = ''
    """Why the reply counts as unanswered, or by what rule it was read; empty where the scoring did not say."""
    prompt: str | None = field(default=None, repr=False)
    target: tuple[str, ...] | None = field(default=None, repr=False)
    extracted: str = ''
    cluster: str | None = None
    """Questions of one cluster, such as those about one passage, are not independent."""
    row: dict[str, Any] = field(default_factory=dict, repr=False)
    """The review as evalscope wrote it; empty for scores from elsewhere."""


@dataclass(frozen=True)
class Metric:
    """One reported number."""

    name: str
    value: float | None = None
    """As reported; None for scores without a report."""
    key: str = ''
    """Its full identity in evalscope's report."""
    higher_is_better: bool | None = True
    """None for a metric that only describes."""
    scale: float = 1.0
    """What the value is multiplied with to be shown: 100 for ratios, which are shown in percent."""
    primary: bool = False


@dataclass(frozen=True)
class ScoreSet:
    """The scores of one model on one benchmark, by one version of the scoring."""

    model: str
    benchmark: str
    version: str
    """Evaluation version; empty where the run does not say."""
    source: str
    attempts: tuple[Attempt, ...] = field(repr=False)
    metrics: tuple[Metric, ...] = field(default=(), repr=False)
    evalscope: str = ''
    """Release of evalscope that scored; empty where the run does not say."""
    config: dict[str, Any] = field(default_factory=dict, repr=False)
    """The run's configuration."""

    def question_values(self, metric: str) -> dict[Question, float]:
        """Return each question's score, repeats averaged; questions that have none are missing."""
        sums: dict[Question, list[float]] = {}
        for attempt in self.attempts:
            if attempt.usable and metric in attempt.values:
                sums.setdefault(attempt.question, []).append(float(attempt.values[metric]))
        return {question: sum(values) / len(values) for question, values in sums.items()}

    @property
    def usable_questions(self) -> list[Question]:
        """The questions with a reply that the benchmark could score, in an order that all models share."""
        questions = {attempt.question for attempt in self.attempts if attempt.usable}
        return sorted(questions, key=lambda question: (question[0], str(question[1])))

    def clusters(self) -> dict[Question, str]:
        """Return the cluster of each question that has one."""
        return {attempt.question: attempt.cluster for attempt in self.attempts if attempt.cluster is not None}

    def unanswered(self) -> dict[Question, str]:
        """Return the questions that no reply answers, each with the reason."""
        answered = {attempt.question for attempt in self.attempts if attempt.answered}
        return {
            attempt.question: attempt.reason or NO_REASON
            for attempt in self.attempts
            if attempt.question not in answered
        }

    def renamed(self, model: str) -> 'ScoreSet':
        """Return the same scores under another name of the model."""
        return replace(self, model=model)
