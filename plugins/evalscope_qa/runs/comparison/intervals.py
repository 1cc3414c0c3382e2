"""Intervals of means and of differences of means: t, Wilson, and standard errors that know of clusters."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

LEVEL = 0.95
"""Confidence level of every interval."""


@dataclass(frozen=True)
class Interval:
    """A value and what it may be in truth."""

    value: float
    low: float | None
    """None where no interval can be had, such as from one question."""
    high: float | None
    method: str
    standard_error: float | None = None


def mean_interval(values: Sequence[float], clusters: Sequence[str] | None = None) -> Interval:
    """Return the interval of a mean of per-question scores.

    Yes/no scores without clusters get Wilson's interval; other scores the t interval, with the standard error of
    cluster sums where there are clusters (https://arxiv.org/abs/2411.00640, section 2.2, with the factor G/(G-1)).

    Args:
        values: One score a question.
        clusters: The cluster of each question; None where questions are independent.

    Raises:
        ValueError: If there is no value.
    """
    if not len(values):
        raise ValueError('there is no score to take the mean of.')
    if clusters is None and is_yes_no(values):
        right, count = round(sum(values)), len(values)
        interval = stats.binomtest(right, count).proportion_ci(LEVEL, method='wilson')
        error = float(np.sqrt(right / count * (1 - right / count) / count))
        return Interval(right / count, float(interval.low), float(interval.high), 'Wilson', error)
    return _t_interval(values, clusters, 't')


def within_unit(interval: Interval) -> Interval:
    """Return the interval of a ratio without what is below 0 or above 1, where t goes for few questions."""
    if interval.low is None or interval.high is None:
        return interval
    return replace(interval, low=max(0.0, interval.low), high=min(1.0, interval.high))


def difference_interval(
    first: Sequence[float], second: Sequence[float], clusters: Sequence[str] | None = None
) -> Interval:
    """Return the interval of the mean difference, first minus second, of paired scores.

    Where no question separates the two there is no interval: the differences then say nothing of how far they spread.

    Raises:
        ValueError: If there is no pair, or the two differ in length.
    """
    differences = _differences(first, second)
    if not len(differences):
        raise ValueError('there is no question that both have a score for.')
    if not differences.any():
        return Interval(0.0, None, None, 'no question separates them')
    return _t_interval(differences, clusters, 'paired t')


def unpaired_interval(first: Sequence[float], second: Sequence[float]) -> Interval:
    """Return Welch's interval of the difference of means, which knows nothing of the pairs: what pairing is worth."""
    a, b = np.asarray(first, float), np.asarray(second, float)
    value = float(a.mean() - b.mean())
    variance = np.array([a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)]) if min(len(a), len(b)) > 1 else np.zeros(2)
    if not variance.any():
        return Interval(value, None, None, 'Welch')
    with warnings.catch_warnings():
        # scipy warns of moments that are not used here where all scores of one model are the same.
        warnings.simplefilter('ignore', RuntimeWarning)
        interval = stats.ttest_ind(a, b, equal_var=False).confidence_interval(LEVEL)
    return Interval(value, float(interval.low), float(interval.high), 'Welch', float(np.sqrt(variance.sum())))


def standard_error(values: Any, clusters: Sequence[str] | None = None) -> tuple[float, int]:
    """Return the standard error of a mean and its degrees of freedom; without clusters the ordinary one.

    Args:
        values: One number a question.
        clusters: The cluster of each.

    Returns:
        The standard error, nan from fewer than two clusters, and the number of clusters less one.
    """
    values = np.asarray(values, float)
    sums = cluster_sums(values - values.mean(), clusters)
    count = len(sums)
    if count < 2:
        return float('nan'), 0
    return float(np.sqrt(count / (count - 1) * np.square(sums).sum()) / len(values)), count - 1


def cluster_sums(values: Any, clusters: Sequence[str] | None) -> Any:
    """Return the sum of each cluster's values; the values themselves where there are no clusters."""
    values = np.asarray(values, float)
    if clusters is None:
        return values
    _, positions = np.unique(np.asarray(clusters), return_inverse=True)
    return np.bincount(positions, weights=values)


def is_yes_no(values: Sequence[float]) -> bool:
    """Tell whether every score is 0 or 1."""
    return all(value in (0, 1) for value in values)


def _t_interval(values: Any, clusters: Sequence[str] | None, method: str) -> Interval:
    value = float(np.mean(values))
    error, freedom = standard_error(values, clusters)
    method += ', clustered' if clusters is not None else ''
    if not freedom:
        return Interval(value, None, None, method)
    if error == 0:
        return Interval(value, value, value, method, error)
    low, high = stats.t.interval(LEVEL, freedom, loc=value, scale=error)
    return Interval(value, float(low), float(high), method, error)


def _differences(first: Sequence[float], second: Sequence[float]) -> Any:
    if len(first) != len(second):
        raise ValueError(f'{len(first)} scores cannot be paired with {len(second)}.')
    return np.asarray(first, float) - np.asarray(second, float)
