"""Scores one model's predictions on one benchmark again."""

import os
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import engine
from ...records import read_records
from ..layout import ReviewFile, RunFolder, read_rows
from ..reviews import label, read_attempt, read_scores
from ..scores import NO_REASON, Attempt, ScoreSet
from ..settings import scoring_settings, task_settings
from ..signature import run_signature
from .results import Flip, MetricChange, RescoredBenchmark
from .states import Questions, task_states

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.evaluator import TaskState
    from evalscope.api.metric import AggScore, SampleScore

_RULE_JUDGE = {'judge': {'strategy': 'rule'}}
"""No judge model is asked, whatever the benchmark's default."""


@dataclass(frozen=True)
class ScoredAgain:
    """One model on one benchmark, in evalscope's objects."""

    adapter: 'DefaultDataAdapter'
    model: str
    subsets: 'dict[str, list[tuple[TaskState, SampleScore]]]'
    aggregates: 'dict[str, list[AggScore]]'
    before: ScoreSet
    missing_predictions: int
    unreviewed_predictions: int


def score_again(run: RunFolder, model: str, benchmark: str, records: Path | None = None) -> ScoredAgain:
    """Score one model's predictions on one benchmark again, with the scoring that this process has.

    Args:
        run: The run.
        model: One of its models.
        benchmark: One of the model's benchmarks.
        records: The dataset's records, for what the run does not say of its questions.

    Raises:
        NotRebuilt: If a question cannot be made again of what the run left.
        ValueError: If a file is malformed, or the adapter fails: names the step.
    """
    with engine.failing_step(f'{benchmark}: setting up the adapter'):
        adapter = engine.configured_adapter(
            benchmark, scoring_settings(run.config, benchmark), **task_settings(run.config), **_RULE_JUDGE
        )
    questions = None
    if records is not None:
        questions = Questions(engine.questions(adapter, read_records(records, benchmark)))
    before = read_scores(run, model, benchmark)
    subsets: dict[str, list[tuple[TaskState, SampleScore]]] = {}
    aggregates = {}
    missing = unreviewed = 0
    for file in run.files_of(model, benchmark):
        attempts = [attempt for attempt in before.attempts if attempt.question[0] == file.subset]
        predictions = _predictions(run, file)
        reviewed = {attempt.index for attempt in attempts}
        missing += len(reviewed - predictions.keys())
        unreviewed += len(predictions.keys() - reviewed)
        states = task_states(adapter, attempts, predictions, questions)
        scores = _score_all(adapter, states)
        subsets[file.subset] = list(zip(states, scores, strict=True))
        with engine.failing_step(f'{benchmark}: aggregating the scores'):
            aggregates[file.subset] = adapter.aggregate_scores(sample_scores=scores)
    return ScoredAgain(adapter, model, subsets, aggregates, before, missing, unreviewed)


def _score_all(adapter: 'DefaultDataAdapter', states: 'Sequence[TaskState]') -> 'list[SampleScore]':
    """Score in threads, as the evaluator does: some benchmarks wait for a process that they start for each reply."""
    if adapter.use_batch_scoring:
        return list(engine.score_all(adapter, states))

    def score(state: 'TaskState') -> 'SampleScore':
        with engine.failing_step(f'{adapter.name}: scoring the reply to question {state.sample_id}'):
            return engine.score(adapter, state)

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(score, states))


def _predictions(run: RunFolder, file: ReviewFile) -> dict[Hashable, dict[str, Any]]:
    path = run.prediction_file(file)
    return {row.get('index'): row for row in read_rows(path)} if path.is_file() else {}


def summarize(again: ScoredAgain) -> RescoredBenchmark:
    """Compare the scores with those of the run."""
    before, name = again.before, again.adapter.name
    after = list(_attempts_after(again))
    by_index = {(attempt.question[0], attempt.index): attempt for attempt in before.attempts}
    # A metric that one version does not have has not changed; one that a version could not score has.
    metrics = _metric_names(before.attempts) & _metric_names(attempt for attempt, _ in after)
    flips: list[Flip] = []
    credited = 0
    unanswered: Counter[str] = Counter()
    for attempt, score in after:
        old = by_index[attempt.question[0], attempt.index]
        flip = _flip(again, old, attempt, score, metrics)
        flips += [flip] if flip else []
        if not attempt.answered:
            unanswered[attempt.reason or NO_REASON] += 1
            credited += _main_value(old) > 0
    return RescoredBenchmark(
        model=again.model,
        benchmark=name,
        source=before.source,
        version_before=before.version,
        version_after=again.adapter.benchmark_meta.evaluation_version,
        questions=len(after),
        metrics=tuple(_metric_changes(again)),
        changed=len(flips),
        credited_unanswered=credited,
        unanswered_by_reason=dict(unanswered.most_common()),
        signature=run_signature(
            [before],
            '+'.join(dict.fromkeys(label(found.identity) for found in _all(again.aggregates))),
            version=again.adapter.benchmark_meta.evaluation_version,
        ),
        flips=tuple(flips),
        note=_note(again),
    )


def _attempts_after(again: ScoredAgain) -> 'Iterator[tuple[Attempt, SampleScore]]':
    for subset, pairs in again.subsets.items():
        for state, score in pairs:
            row = {'index': state.sample_id, 'sample_score': score.model_dump(mode='json')}
            yield read_attempt(row, subset), score


def _metric_names(attempts: Iterable[Attempt]) -> set[str]:
    return {name for attempt in attempts for name in attempt.values}


def _flip(
    again: ScoredAgain, old: Attempt, new: Attempt, score: 'SampleScore', metrics: Collection[str]
) -> Flip | None:
    old_values, new_values = (found.values if found.usable else {} for found in (old, new))
    changed = tuple(name for name in sorted(metrics) if old_values.get(name) != new_values.get(name))
    if not changed:
        return None
    return Flip(
        model=again.model,
        benchmark=again.adapter.name,
        subset=new.question[0],
        index=new.index,
        metrics=changed,
        target='\n'.join(old.target or ()),
        reply=score.score.prediction or '',
        read_before=old.extracted,
        read_after=new.extracted,
        scores_before=tuple(old_values.get(name) for name in changed),
        scores_after=tuple(new_values.get(name) for name in changed),
        reason=new.reason or ('' if new.answered else NO_REASON),
    )


def _main_value(attempt: Attempt) -> float:
    score = attempt.row['sample_score']['score']
    main = score.get('main_score_name') or next(iter(score['value']), None)
    return float(score['value'].get(main) or 0) if main is not None else 0.0


def _metric_changes(again: ScoredAgain) -> Iterator[MetricChange]:
    known = {metric.name: metric for metric in again.before.metrics}
    if not known:
        for name in dict.fromkeys(name for attempt in again.before.attempts for name in attempt.values):
            values = again.before.question_values(name).values()
            if values:
                yield MetricChange(name, sum(values) / len(values), _reported(again.aggregates, name))
        return
    names = [*known, *(label(found.identity) for found in _all(again.aggregates))]
    for name in dict.fromkeys(names):
        metric = known.get(name)
        yield MetricChange(
            name=name,
            before=metric.value if metric else None,
            after=_reported(again.aggregates, name),
            higher_is_better=metric.higher_is_better if metric else None,
            scale=metric.scale if metric else 1.0,
        )


def _reported(aggregates: 'Mapping[str, Sequence[AggScore]]', name: str) -> float | None:
    """Return a number as evalscope's report would hold it: subsets averaged by their number of questions."""
    total = weight = 0.0
    for found in _all(aggregates):
        if name in (label(found.identity), found.identity.key):
            total += found.score * found.num
            weight += found.num
    return total / weight if weight else None


def _all(aggregates: 'Mapping[str, Sequence[AggScore]]') -> 'list[AggScore]':
    return [found for of_subset in aggregates.values() for found in of_subset]


def _note(again: ScoredAgain) -> str:
    parts = []
    if again.missing_predictions:
        parts.append(f'{again.missing_predictions} replies are the text in the reviews: there is no prediction of them')
    if again.unreviewed_predictions:
        parts.append(f'{again.unreviewed_predictions} predictions without a review are left as they are')
    return '; '.join(parts)
