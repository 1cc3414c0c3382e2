"""Ranks with ties, and what two rankings of the same models disagree about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class RankRange:
    """The ranks a model may have: what no test separates is a tie."""

    best: int
    worst: int

    def __str__(self) -> str:
        return str(self.best) if self.best == self.worst else f'{self.best}-{self.worst}'


def rank_ranges(models: Sequence[str], better: Iterable[tuple[str, str]]) -> dict[str, RankRange]:
    """Return each model's ranks.

    Args:
        models: The models.
        better: The pairs that a test separates, the better model first.
    """
    separated = set(better)
    return {
        model: RankRange(
            best=1 + sum((other, model) in separated for other in models),
            worst=len(models) - sum((model, other) in separated for other in models),
        )
        for model in models
    }


def reversals(before: Mapping[str, float], after: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return the pairs of models whose order two scorings disagree about.

    Args:
        before: Each model's value, higher being better.
        after: By the other scoring.

    Returns:
        Each pair with the one first that was ahead before. A pair that either scoring has level is not among them.
    """
    common = [model for model in before if model in after]
    return [
        (ahead, behind)
        for ahead in common
        for behind in common
        if before[ahead] > before[behind] and after[ahead] < after[behind]
    ]
