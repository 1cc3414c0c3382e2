"""Tests whether two models differ: exact McNemar, the paired permutation test, and Holm's correction for many pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from .intervals import cluster_sums, is_yes_no

PERMUTATIONS = 10_000


@dataclass(frozen=True)
class PairTest:
    """The result of one test."""

    p: float
    method: str


def paired_test(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[str] | None = None,
    *,
    seed: int = 0,
    permutations: int = PERMUTATIONS,
) -> PairTest:
    """Test whether two models' scores of the same questions differ.

    Scores of 0 and 1 get McNemar's exact test; others, and those of clusters, the permutation test that exchanges the
    two models' scores, a cluster at once.

    Args:
        first: One score a question.
        second: The other model's, of the same questions.
        clusters: The cluster of each question; None where questions are independent.
        seed: Of the permutations, where there are too many to try all.
        permutations: How many to draw.
    """
    if clusters is None and is_yes_no(first) and is_yes_no(second):
        return mcnemar(*alone(first, second))
    sums = cluster_sums(np.asarray(first, float) - np.asarray(second, float), clusters)
    sums = sums[sums != 0]  # exchanging equals changes nothing
    exact = 2 ** len(sums) <= permutations
    if len(sums) < 2:
        return PairTest(1.0, 'exact permutation')  # either way round is as far from 0; scipy wants two observations
    result = stats.permutation_test(
        (sums,),
        np.sum,
        permutation_type='samples',
        vectorized=True,
        n_resamples=permutations,
        batch=max(1, 1_000_000 // len(sums)),  # bounds the memory: 8 MB of sums at once
        rng=np.random.default_rng(seed),
    )
    return PairTest(float(result.pvalue), 'exact permutation' if exact else f'permutation, {permutations:,} drawn')


def alone(first: Sequence[float], second: Sequence[float]) -> tuple[int, int]:
    """Return on how many questions each of the two scored more than the other."""
    a, b = np.asarray(first, float), np.asarray(second, float)
    return int((a > b).sum()), int((b > a).sum())


def mcnemar(first_alone: int, second_alone: int) -> PairTest:
    """Return McNemar's exact test: the questions that only one of the two has right, under a fair coin."""
    count = first_alone + second_alone
    p = float(stats.binomtest(first_alone, count).pvalue) if count else 1.0
    return PairTest(p, 'exact McNemar')


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p values (Scandinavian Journal of Statistics 6, 1979), in the given order.

    scipy has no such function: ``false_discovery_control`` controls another error.
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, position in enumerate(sorted(range(len(p_values)), key=lambda index: p_values[index])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[position]))
        adjusted[position] = highest
    return adjusted
