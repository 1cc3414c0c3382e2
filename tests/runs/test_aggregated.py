"""Metrics that are no mean: the adapter's own aggregation is resampled, and it alone."""

import numpy as np
import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies
from evalscope_qa.replay.samples import PACKAGE
from evalscope_qa.runs import Options, ScoreSet, compare, read_runs
from evalscope_qa.runs.comparison.aggregated import Aggregate, bootstrap_interval, exchange_test
from scored_runs import write_scored_run
from sklearn.metrics import f1_score

SAMPLE = PACKAGE / 'pubmedqa' / 'sample'
LABELS = ['YES', 'NO', 'MAYBE']


@pytest.fixture(scope='module')
def sets(tmp_path_factory: pytest.TempPathFactory) -> list[ScoreSet]:
    """Two models on the ranking example: thirty questions, ten of each label."""
    folder = tmp_path_factory.mktemp('runs')
    records = read_records(SAMPLE / 'ranking_records.jsonl')
    for model in 'ab':
        replies = read_replies(SAMPLE / f'ranking_replies_{model}.jsonl')
        write_scored_run(folder / model, 'pubmedqa', records, replies, model)
    return read_runs([folder])


def metric(scores: ScoreSet, name: str) -> Aggregate:
    return Aggregate(scores, next(found for found in scores.metrics if found.name == name))


def macro_f1(scores: ScoreSet, questions: list) -> float:
    """Macro F1 by scikit-learn; a reply without an answer is a class of its own that is not averaged over."""
    found = {attempt.question: attempt for attempt in scores.attempts}
    gold = [found[question].target[0] for question in questions]
    read = [found[question].extracted or 'none' for question in questions]
    return float(f1_score(gold, read, labels=LABELS, average='macro', zero_division=0))


def test_the_aggregate_of_all_questions_is_the_reported_number(sets: list[ScoreSet]) -> None:
    for scores in sets:
        for reported in scores.metrics:
            assert Aggregate(scores, reported).value == pytest.approx(reported.value, abs=1e-4)


def test_the_aggregate_of_drawn_questions_is_scikit_learns(sets: list[ScoreSet]) -> None:
    random = np.random.default_rng(7)
    for scores in sets:
        aggregate = metric(scores, 'f1')
        for _ in range(20):
            drawn = [aggregate.questions[at] for at in random.integers(0, len(aggregate.questions), 30)]
            if {target for question in drawn for target in _target(scores, question)} == set(LABELS):
                assert aggregate(drawn) == pytest.approx(macro_f1(scores, drawn))


def _target(scores: ScoreSet, question: tuple) -> tuple[str, ...]:
    return next(attempt.target or () for attempt in scores.attempts if attempt.question == question)


def test_the_interval_is_the_percentiles_of_the_drawn_metric(sets: list[ScoreSet]) -> None:
    scores = sets[0]
    aggregate = metric(scores, 'f1')
    found = bootstrap_interval(aggregate, aggregate.questions, seed=5, resamples=300)
    random = np.random.default_rng(5)
    drawn = [
        aggregate([aggregate.questions[at] for at in positions])
        for positions in np.concatenate([random.integers(0, 30, (100, 30)) for _ in range(3)])
    ]
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))


def test_a_metric_is_compared_through_the_adapter(sets: list[ScoreSet]) -> None:
    result = compare(sets, Options(('f1',), resamples=200)).benchmarks[0].versions[0]
    values = {model.model: round(model.interval.value, 4) for model in result.models}
    assert values == {'a': 0.8889, 'b': 0.9}
    assert {model.interval.method for model in result.models} == {'bootstrap, 200 drawn'}
    pair = result.pairs[0]
    assert (pair.first, pair.questions, pair.test.method) == ('b', 30, 'permutation, 200 drawn')
    assert pair.interval.value == pytest.approx(0.0111, abs=1e-4)
    assert pair.interval.low < 0 < pair.interval.high  # type: ignore[operator]
    assert sum(pair.second_unanswered_alone.values()) == 6  # A abstains on two questions of each label


def test_exchanging_few_replies_tries_every_way(sets: list[ScoreSet]) -> None:
    first, second = (metric(scores, 'f1') for scores in sets)
    questions = first.questions[::6]
    differences = []
    for way in range(2 ** len(questions)):
        sides: tuple[list, list] = ([], [])
        for at, question in enumerate(questions):
            swapped = way >> at & 1
            sides[swapped].append((question, first.scores(question)))
            sides[1 - swapped].append((question, second.scores(question)))
        differences.append(first.of_scores(sides[0]) - first.of_scores(sides[1]))
    observed = differences[0]
    tail = min(
        sum(value >= observed - 1e-12 for value in differences), sum(value <= observed + 1e-12 for value in differences)
    )
    found = exchange_test(first, second, questions)
    assert found.method == 'exact permutation'
    assert found.p == pytest.approx(min(1.0, 2 * tail / len(differences)))


def test_no_interval_where_this_installation_makes_another_number(sets: list[ScoreSet]) -> None:
    from dataclasses import replace

    altered = [replace(scores, metrics=tuple(replace(found, value=0.5) for found in scores.metrics)) for scores in sets]
    result = compare(altered, Options(('f1',))).benchmarks[0].versions[0]
    assert [(model.interval.value, model.interval.low) for model in result.models] == [(0.5, None)] * 2
    assert 'the run reports 0.5000: score the run again first' in result.models[0].note
    assert result.pairs == ()
