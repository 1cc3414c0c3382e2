"""The models' order before and after, in every metric that ranks."""

from collections.abc import Iterator, Sequence

from ..comparison.ranking import reversals
from .results import RankingChange, RescoredBenchmark


def ranking_changes(results: Sequence[RescoredBenchmark]) -> Iterator[RankingChange]:
    """Return the rankings of each benchmark with several models, in each metric that both versions have."""
    for benchmark in dict.fromkeys(result.benchmark for result in results):
        of_benchmark = [result for result in results if result.benchmark == benchmark]
        for name in dict.fromkeys(change.name for result in of_benchmark for change in result.metrics):
            before, after = {}, {}
            for result in of_benchmark:
                for change in result.metrics:
                    ranked = change.name == name and change.higher_is_better is not None
                    if ranked and change.before is not None and change.after is not None:
                        sign = 1 if change.higher_is_better else -1
                        model = _name(result, of_benchmark)
                        before[model], after[model] = sign * change.before, sign * change.after
            if len(before) > 1:
                # Rounded as reports are, for before is such a number and after is not.
                after = {model: round(value, 4) for model, value in after.items()}
                yield RankingChange(benchmark, name, _ranks(before), _ranks(after), tuple(reversals(before, after)))


def _name(result: RescoredBenchmark, others: Sequence[RescoredBenchmark]) -> str:
    several = sum(other.model == result.model for other in others) > 1
    return f'{result.model} ({result.source})' if several else result.model


def _ranks(values: dict[str, float]) -> dict[str, int]:
    """Return each model's rank, best first; equal values share the best of their ranks."""
    return {
        model: 1 + sum(other > value for other in values.values())
        for model, value in sorted(values.items(), key=lambda item: -item[1])
    }
