"""Compares models: each one's value with its interval, each pair's difference with its test, and ranks with ties."""

import os
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from ..scores import PERCENT, ROUNDING, Metric, Question, ScoreSet
from ..signature import run_signature
from .aggregated import Aggregate, bootstrap_interval, exchange_test
from .intervals import Interval, difference_interval, mean_interval, unpaired_interval, within_unit
from .pairing import check_same_questions, clusters_of, pair
from .ranking import RankRange, rank_ranges, reversals
from .results import BenchmarkResult, Comparison, ModelResult, Options, PairResult, VersionResult
from .significance import alone, holm, paired_test

ALL_METRICS = 'all'


def compare(sets: Sequence[ScoreSet], options: Options | None = None) -> Comparison:
    """Compare models.

    Args:
        sets: Of any number of models and benchmarks, by one or more versions of the scoring.
        options: How.

    Raises:
        ValueError: If there is nothing to compare, one index means different questions, or a metric is unknown.
    """
    options = options or Options()
    if not sets:
        raise ValueError('there are no scores to compare.')
    check_same_questions(sets)
    results = []
    unknown = set(options.metrics) - {ALL_METRICS}
    known: set[str] = set()
    for benchmark in dict.fromkeys(scores.benchmark for scores in sets):
        of_benchmark = [scores for scores in sets if scores.benchmark == benchmark]
        metrics = _metrics(of_benchmark)
        known |= metrics.keys()
        for metric in _chosen(metrics, options.metrics):
            unknown -= {metric.name, metric.key}
            results.append(_compare_metric(of_benchmark, metric, options))
    if unknown:
        raise ValueError(
            f'no benchmark here has a metric {", ".join(sorted(unknown))}; there are {", ".join(sorted(known))}.'
        )
    return Comparison(tuple(results), options)


def _metrics(sets: Sequence[ScoreSet]) -> dict[str, Metric]:
    """Return every metric of a benchmark by name: the reports', then those that only the replies have."""
    metrics: dict[str, Metric] = {}
    for scores in sets:
        for metric in scores.metrics:
            if metric.name not in metrics or metric.primary:
                metrics.setdefault(metric.name, metric)
        for attempt in scores.attempts:
            for name in attempt.values:
                metrics.setdefault(name, Metric(name))
    return metrics


def _chosen(metrics: dict[str, Metric], names: Collection[str]) -> list[Metric]:
    if ALL_METRICS in names:
        return list(metrics.values())
    if names:
        return [metric for metric in metrics.values() if {metric.name, metric.key} & set(names)]
    primary = [metric for metric in metrics.values() if metric.primary]
    return (primary or list(metrics.values()))[:1]


def _compare_metric(sets: Sequence[ScoreSet], metric: Metric, options: Options) -> BenchmarkResult:
    versions = []
    for version in dict.fromkeys(scores.version for scores in sets):
        of_version = _with_distinct_names([scores for scores in sets if scores.version == version])
        sides = [_Side(scores, metric, options) for scores in of_version]
        sides = sorted((side for side in sides if side.questions), key=_best_first(metric))
        if sides:
            versions.append(_compare_version(sides, metric, version, options))
    sign = -1 if metric.higher_is_better is False else 1
    first, last = (
        {result.model: sign * result.interval.value for result in version.models}
        for version in (versions[0], versions[-1])
    )
    return BenchmarkResult(
        benchmark=sets[0].benchmark,
        metric=metric.name,
        higher_is_better=metric.higher_is_better,
        scale=metric.scale,
        versions=tuple(versions),
        reversals=tuple(reversals(first, last)) if metric.higher_is_better is not None else (),
    )


def _with_distinct_names(sets: Sequence[ScoreSet]) -> list[ScoreSet]:
    """Tell several runs of one model apart by their folders."""
    counts = Counter(scores.model for scores in sets)
    shared = os.path.commonpath([Path(scores.source).parent for scores in sets])
    named = [
        scores.renamed(f'{scores.model} ({os.path.relpath(scores.source, shared)})')
        if counts[scores.model] > 1
        else scores
        for scores in sets
    ]
    repeated = [name for name, count in Counter(scores.model for scores in named).items() if count > 1]
    if repeated:
        raise ValueError(f'{repeated[0]} has two sets of scores for {sets[0].benchmark}.')
    return named


def _best_first(metric: Metric) -> 'Callable[[_Side], tuple[float, str]]':
    sign = 1 if metric.higher_is_better is False else -1
    return lambda side: (sign * side.value, side.scores.model)


class _Side:
    """One model in one metric, whether it is a mean of per-question scores or not."""

    def __init__(self, scores: ScoreSet, metric: Metric, options: Options) -> None:
        self.scores, self.metric, self._options = scores, metric, options
        self.reported = next((own for own in scores.metrics if own.name == metric.name), None)
        self.values = scores.question_values(metric.name)
        self.note = ''

    @cached_property
    def questions(self) -> list[Question]:
        return list(self.values) if self.is_mean else self.scores.usable_questions if self.reported else []

    @cached_property
    def is_mean(self) -> bool:
        """Whether the reported number is the mean of the per-question scores."""
        if not self.values:
            return False
        mean = sum(self.values.values()) / len(self.values)
        return self.reported is None or self.reported.value is None or abs(mean - self.reported.value) <= ROUNDING

    @cached_property
    def aggregate(self) -> Aggregate | None:
        """The number as a function of questions; None where this installation makes another one of the scores."""
        try:
            return Aggregate(self.scores, self.reported or self.metric)
        except ValueError as error:
            self.note = str(error)
            return None

    @cached_property
    def value(self) -> float:
        if self.is_mean:
            return sum(self.values.values()) / len(self.values)
        if self.aggregate is not None:
            return self.aggregate.value
        assert self.reported is not None and self.reported.value is not None
        return self.reported.value

    def interval(self) -> Interval:
        if self.is_mean:
            found = mean_interval(list(self.values.values()), clusters_of(self.values, self.scores))
            return within_unit(found) if self.metric.scale == PERCENT else found
        if self.aggregate is None:
            return Interval(self.value, None, None, 'none')
        return bootstrap_interval(
            self.aggregate,
            self.questions,
            clusters_of(self.questions, self.scores),
            seed=self._options.seed,
            resamples=self._options.resamples,
        )


def _compare_version(sides: Sequence[_Side], metric: Metric, version: str, options: Options) -> VersionResult:
    pairs = _pairs(sides, options)
    sign = -1 if metric.higher_is_better is False else 1
    better = [
        (found.first, found.second) if sign * found.interval.value > 0 else (found.second, found.first)
        for found in pairs
        if found.separated
    ]
    ranks = rank_ranges([side.scores.model for side in sides], better)
    return VersionResult(
        version=version,
        models=tuple(_model_result(side, ranks[side.scores.model]) for side in sides),
        pairs=tuple(pairs),
        signature=run_signature([side.scores for side in sides], metric.name),
    )


def _model_result(side: _Side, ranks: RankRange) -> ModelResult:
    interval = side.interval()
    unanswered = Counter(side.scores.unanswered().values())
    return ModelResult(
        model=side.scores.model,
        source=side.scores.source,
        questions=len(side.questions),
        repeats=max(Counter(attempt.question for attempt in side.scores.attempts).values()),
        interval=interval,
        unanswered=unanswered.total(),
        unanswered_by_reason=dict(unanswered.most_common()),
        ranks=ranks,
        note=side.note,
    )


def _pairs(sides: Sequence[_Side], options: Options) -> list[PairResult]:
    found = [result for pair in combinations(sides, 2) if (result := _pair(*pair, options)) is not None]
    return [
        replace(result, corrected_p=p)
        for result, p in zip(found, holm([result.test.p for result in found]), strict=True)
    ]


def _pair(first: _Side, second: _Side, options: Options) -> PairResult | None:
    """Return what is known of two models; None where they share no question or their metric cannot be made again."""
    if first.is_mean and second.is_mean:
        return _mean_pair(first, second, options)
    if first.aggregate is not None and second.aggregate is not None:
        return _aggregated_pair(first, second, options)
    return None


def _mean_pair(first: _Side, second: _Side, options: Options) -> PairResult | None:
    paired = pair(first.scores, second.scores, first.metric.name)
    if not paired.questions:
        return None
    return PairResult(
        **_who(first, second, paired.questions),
        left_out=paired.left_out,
        interval=difference_interval(paired.first, paired.second, paired.clusters),
        unpaired=unpaired_interval(paired.first, paired.second),
        test=paired_test(
            paired.first, paired.second, paired.clusters, seed=options.seed, permutations=options.permutations
        ),
        **_alone(first, second, paired.questions),
    )


def _aggregated_pair(first: _Side, second: _Side, options: Options) -> PairResult | None:
    of_first, of_second = first.aggregate, second.aggregate
    assert of_first is not None and of_second is not None
    others = set(second.questions)
    common = [question for question in first.questions if question in others]
    if not common:
        return None
    clusters = clusters_of(common, first.scores, second.scores)
    return PairResult(
        **_who(first, second, common),
        left_out=len(set(first.questions) ^ others),
        interval=bootstrap_interval(
            lambda questions: of_first(questions) - of_second(questions),
            common,
            clusters,
            seed=options.seed,
            resamples=options.resamples,
        ),
        unpaired=None,
        test=exchange_test(of_first, of_second, common, clusters, seed=options.seed, permutations=options.resamples),
        **_alone(first, second, common),
    )


def _who(first: _Side, second: _Side, questions: Sequence[Question]) -> dict[str, Any]:
    return {
        'first': first.scores.model,
        'second': second.scores.model,
        'questions': len(questions),
        'corrected_p': float('nan'),  # known once all pairs are
    }


def _alone(first: _Side, second: _Side, questions: Sequence[Question]) -> dict[str, Any]:
    """Count who was right alone, by the replies' main score where the metric has none, and who was unanswered alone."""
    values = [_per_question(side) for side in (first, second)]
    both = [question for question in questions if all(question in of_side for of_side in values)]
    counts = alone(*([of_side[question] for question in both] for of_side in values))
    unanswered = [side.scores.unanswered() for side in (first, second)]
    reasons = [
        dict(
            Counter(own[question] for question in questions if question in own and question not in other).most_common()
        )
        for own, other in (unanswered, reversed(unanswered))
    ]
    return {
        'first_alone': counts[0],
        'second_alone': counts[1],
        'first_unanswered_alone': reasons[0],
        'second_unanswered_alone': reasons[1],
    }


def _per_question(side: _Side) -> dict[Question, float]:
    if side.values:
        return side.values
    main = next((name for attempt in side.scores.attempts for name in attempt.values), None)
    return side.scores.question_values(main) if main else {}
