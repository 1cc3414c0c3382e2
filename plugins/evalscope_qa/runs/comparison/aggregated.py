"""Metrics that are no mean of per-question scores, such as macro F1: their intervals and tests.

Questions are resampled and the adapter's own ``aggregate_scores`` makes the number of them, so that the interval is one
of the number that is reported.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from ... import engine
from ..reviews import label
from ..scores import ROUNDING, Metric, Question, ScoreSet
from ..settings import scoring_settings, task_settings
from .intervals import LEVEL, Interval
from .significance import PairTest

if TYPE_CHECKING:
    from evalscope.api.metric import SampleScore

RESAMPLES = 1_000
_REMEMBERED = 10_000
"""Draws whose metric a model remembers."""


class NotReproduced(ValueError):
    """The installed adapter makes another number of the recorded scores than the run reports."""


class Aggregate:
    """One aggregated metric of one model, as a function of questions."""

    def __init__(self, scores: ScoreSet, metric: Metric) -> None:
        """Args:
            scores: With the reviews of a run.
            metric: One of the numbers of its report.

        Raises:
            ValueError: If the adapter cannot be set up.
            NotReproduced: If it makes another number of the recorded scores than the run reports.
        """
        self._scores, self._metric = scores, metric
        with engine.failing_step(f'{scores.benchmark}: setting up the adapter', ValueError):
            self._adapter = engine.configured_adapter(
                scores.benchmark, scoring_settings(scores.config, scores.benchmark), **task_settings(scores.config)
            )
        # The same questions are drawn again for each pair that a model is in, because the seed is the same.
        self._value = lru_cache(maxsize=_REMEMBERED)(self._value_of)
        self._copies: dict[tuple[Question, int], list[SampleScore]] = {}
        self.value = self(self.questions)
        if metric.value is not None and abs(self.value - metric.value) > ROUNDING:
            raise NotReproduced(
                f'{scores.benchmark} {self._adapter.benchmark_meta.evaluation_version} of this installation makes '
                f'{metric.name} {self.value:.4f} of the recorded scores, the run reports {metric.value:.4f}: score '
                'the run again first (evalscope-qa rescore)'
            )

    @property
    def questions(self) -> list[Question]:
        """The questions that have a reply which could be scored."""
        return self._scores.usable_questions

    def __call__(self, questions: Sequence[Question]) -> float:
        """Return the metric of some questions, one of which may be there more than once.

        Raises:
            ValueError: If the adapter fails, or has no such metric.
        """
        return self._value(tuple(questions))

    def _value_of(self, questions: tuple[Question, ...]) -> float:
        occurrences = dict.fromkeys(questions, 0)
        chosen = []
        for question in questions:
            chosen.append((question, self.scores(question, occurrences[question])))
            occurrences[question] += 1
        return self.of_scores(chosen)

    def of_scores(self, chosen: 'Iterable[tuple[Question, list[SampleScore]]]') -> float:
        """Return the metric of questions with their scores.

        Subsets are aggregated each for itself and averaged by their number of questions, as in evalscope's report.
        """
        by_subset: dict[str, list[SampleScore]] = {}
        for question, scores in chosen:
            by_subset.setdefault(question[0], []).extend(scores)
        total = weight = 0.0
        for scores in by_subset.values():
            value, count = self._of_subset(scores)
            total += value * count
            weight += count
        return total / weight if weight else 0.0

    def scores(self, question: Question, number: int = 0) -> 'list[SampleScore]':
        """Return a question's scores; those of its further occurrences are another question's to the aggregation."""
        key = (question, number)
        if key not in self._copies:
            originals = self._by_question[question]
            self._copies[key] = (
                originals
                if number == 0
                else [
                    score.model_copy(
                        update={'sample_id': f'{score.sample_id}#{number}', 'group_id': f'{question[1]}#{number}'}
                    )
                    for score in originals
                ]
            )
        return self._copies[key]

    def _of_subset(self, scores: 'list[SampleScore]') -> tuple[float, int]:
        with engine.failing_step(f'{self._scores.benchmark}: aggregating the scores', ValueError):
            aggregates = self._adapter.aggregate_scores(sample_scores=scores)
        for aggregate in aggregates:
            if self._metric.name in (label(aggregate.identity), aggregate.identity.key):
                return aggregate.score, aggregate.num or len(scores)
        raise ValueError(f'{self._scores.benchmark}: the installed adapter has no metric {self._metric.name}')

    @cached_property
    def _by_question(self) -> 'dict[Question, list[SampleScore]]':
        from evalscope.api.metric import SampleScore

        found: dict[Question, list[SampleScore]] = {}
        for attempt in self._scores.attempts:
            if attempt.usable:
                score = SampleScore.model_validate(attempt.row['sample_score'])
                found.setdefault(attempt.question, []).append(score)
        return found


Statistic = Callable[[Sequence[Question]], float]


def bootstrap_interval(
    statistic: Statistic,
    questions: Sequence[Question],
    clusters: Sequence[str] | None = None,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return the percentile bootstrap interval of a statistic over questions, or over clusters of them.

    Questions are drawn within their subset, whose sizes are no chance.

    Args:
        statistic: A function of questions; for a pair of models the difference of their metrics.
        questions: The questions.
        clusters: The cluster of each, drawn at once; None where questions are independent.
        seed: Of the draws.
        resamples: How many to draw.
    """
    value = statistic(questions)
    method = f'bootstrap, {resamples:,} drawn'
    strata = _strata(questions, clusters)
    if all(len(stratum) < 2 for stratum in strata):
        return Interval(value, None, None, method)
    fixed = [unit for stratum in strata if len(stratum) < 2 for unit in stratum]
    drawn = [stratum for stratum in strata if len(stratum) > 1]

    def of_positions(*positions: Any) -> float:
        units = [stratum[int(at)] for stratum, chosen in zip(drawn, positions, strict=True) for at in chosen]
        return statistic([question for unit in (*fixed, *units) for question in unit])

    result = stats.bootstrap(
        [np.arange(len(stratum)) for stratum in drawn],
        of_positions,
        vectorized=False,
        n_resamples=resamples,
        batch=100,  # bounds the memory
        confidence_level=LEVEL,
        method='percentile',
        rng=np.random.default_rng(seed),
    )
    low, high = result.confidence_interval
    return Interval(value, float(low), float(high), method, float(result.standard_error))


def exchange_test(
    first: Aggregate,
    second: Aggregate,
    questions: Sequence[Question],
    clusters: Sequence[str] | None = None,
    *,
    seed: int = 0,
    permutations: int = RESAMPLES,
) -> PairTest:
    """Test whether two models differ in an aggregated metric, by exchanging their replies question by question.

    Args:
        first: One model's metric.
        second: The other's, of the same benchmark and version.
        questions: The questions that both have.
        clusters: The cluster of each, exchanged at once; None where questions are independent.
        seed: Of the permutations, where there are too many to try all.
        permutations: How many to draw.
    """
    units = [unit for stratum in _strata(questions, clusters) for unit in stratum]
    count = len(units)

    def of_positions(of_first: Any, of_second: Any) -> float:
        def mixed(positions: Any) -> float:
            return first.of_scores(
                (question, (first if at < count else second).scores(question))
                for at in positions
                for question in units[int(at) % count]
            )

        return mixed(of_first) - mixed(of_second)

    exact = 2**count <= permutations
    result = stats.permutation_test(
        (np.arange(count), np.arange(count, 2 * count)),
        of_positions,
        permutation_type='samples',
        vectorized=False,
        n_resamples=permutations,
        batch=100,
        rng=np.random.default_rng(seed),
    )
    return PairTest(float(result.pvalue), 'exact permutation' if exact else f'permutation, {permutations:,} drawn')


def _strata(questions: Sequence[Question], clusters: Sequence[str] | None) -> list[list[list[Question]]]:
    """Return what is drawn: by subset, or one stratum of clusters, each unit with its questions."""
    if clusters is None:
        by_subset: dict[Hashable, list[list[Question]]] = {}
        for question in questions:
            by_subset.setdefault(question[0], []).append([question])
        return list(by_subset.values())
    by_cluster: dict[str, list[Question]] = {}
    for question, cluster in zip(questions, clusters, strict=True):
        by_cluster.setdefault(cluster, []).append(question)
    return [list(by_cluster.values())]
