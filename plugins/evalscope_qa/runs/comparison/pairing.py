"""Pairs the questions of two models: only a question that both were asked says which of them is better."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..scores import Attempt, Question, ScoreSet


@dataclass(frozen=True)
class Paired:
    """The questions that both of two models have a score for."""

    questions: tuple[Question, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]
    clusters: tuple[str, ...] | None
    left_out: int
    """Questions that only one of the two has a score for."""


def pair(first: ScoreSet, second: ScoreSet, metric: str) -> Paired:
    """Pair the per-question scores of two models in one metric, in the order of the first."""
    values, other = first.question_values(metric), second.question_values(metric)
    common = tuple(question for question in values if question in other)
    return Paired(
        questions=common,
        first=tuple(values[question] for question in common),
        second=tuple(other[question] for question in common),
        clusters=clusters_of(common, first, second),
        left_out=len(values.keys() ^ other.keys()),
    )


def clusters_of(questions: Iterable[Question], *sets: ScoreSet) -> tuple[str, ...] | None:
    """Return the cluster of each question; None where no cluster holds more than one of them."""
    known: dict[Question, str] = {}
    for scores in reversed(sets):
        known.update(scores.clusters())
    if not known:
        return None
    questions = list(questions)
    # A question without a cluster is one of its own; the prefix keeps it apart from every named one.
    clusters = tuple(
        f'cluster {known[question]}' if question in known else f'question {question}' for question in questions
    )
    return clusters if len(set(clusters)) < len(clusters) else None


def check_same_questions(sets: Iterable[ScoreSet]) -> None:
    """Refuse scores in which one index means different questions.

    Raises:
        ValueError: If a prompt or a target of the same benchmark, subset and index differs between two sets.
    """
    seen: dict[tuple[str, Question], tuple[Attempt, ScoreSet]] = {}
    for scores in sets:
        differing = []
        for attempt in scores.attempts:
            before, holder = seen.setdefault((scores.benchmark, attempt.question), (attempt, scores))
            what = _difference(before, attempt)
            if what:
                differing.append((attempt, what, holder))
        if differing:
            attempt, what, holder = differing[0]
            subset, group = attempt.question
            question = f'question {group}{f" of subset {subset}" if subset else ""}'
            raise ValueError(
                f'{scores.benchmark}: {question} has another {what} for {scores.model} ({scores.source}) than for '
                f'{holder.model} ({holder.source}), and so have {len(differing) - 1} more: these are other questions, '
                'which cannot be paired. Compare runs of the same records, in the same order and with the same prompt '
                'template.'
            )


def _difference(before: Attempt, after: Attempt) -> str:
    if None not in (before.target, after.target) and before.target != after.target:
        return 'target'
    if None not in (before.prompt, after.prompt) and before.prompt != after.prompt:
        return 'prompt'
    return ''
