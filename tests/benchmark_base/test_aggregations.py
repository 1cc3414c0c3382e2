"""Every aggregation of evalscope, for every benchmark, in a run of the command with repeats."""

import json
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest
from evalscope.api.registry import AGGREGATION_REGISTRY
from evalscope.metrics.semantics.catalog import METRIC_DEFINITIONS
from evalscope_qa.engine import configured_adapter
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks

Run = Callable[..., 'subprocess.CompletedProcess[str]']

BAYES = 'bayes_at_n'
BENCHMARKS = shipped_benchmarks()
AGGREGATIONS = sorted(AGGREGATION_REGISTRY)
AT_K = {
    'mean_and_pass_at_k': 'pass_at_k',
    'mean_and_vote_at_k': 'vote_at_k',
    'mean_and_pass_hat_k': 'pass_hat_k',
}
PRIMARY = {name: configured_adapter(name).primary_metric.name for name in BENCHMARKS}
RIGHT_OR_WRONG = tuple(name for name in BENCHMARKS if PRIMARY[name] in ('accuracy', 'exact_match'))


def _settings(benchmark: str, aggregation: str) -> dict[str, Any]:
    sample = sample_files(benchmark)
    return {'local_path': str(sample.records), **sample.dataset_args, 'aggregation': aggregation}


def _evaluate(run_process: Run, work_dir: Path, aggregation: str, benchmarks: tuple[str, ...]) -> dict[str, Any]:
    """Run the command on two questions of each sample, twice each; the reports by benchmark."""
    dataset_args = {benchmark: _settings(benchmark, aggregation) for benchmark in benchmarks}
    done = run_process(
        'evalscope', 'eval', '--model', 'mock', '--eval-type', 'mock_llm', '--datasets', *benchmarks,
        '--dataset-args', json.dumps(dataset_args), '--repeats', '2', '--limit', '2', '--work-dir', work_dir,
        '--no-timestamp',
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    reports = work_dir / 'reports' / 'mock'
    return {name: json.loads((reports / f'{name}.json').read_text(encoding='utf-8')) for name in benchmarks}


def test_the_aggregations_below_are_evalscopes() -> None:
    assert {'mean', 'clipped_mean', 'weighted_mean', *AT_K} <= set(AGGREGATIONS)


@pytest.mark.parametrize('aggregation', [name for name in AGGREGATIONS if name != BAYES])
def test_a_run_of_every_benchmark_ends_in_a_report_with_every_metric(
    run_process: Run, tmp_path: Path, aggregation: str
) -> None:
    reports = _evaluate(run_process, tmp_path / 'out', aggregation, tuple(BENCHMARKS))
    for benchmark, report in reports.items():
        identities = [metric['identity'] for metric in report['metrics']]
        names = [identity['name'] for identity in identities]
        assert set(configured_adapter(benchmark).metric_list) <= set(names)
        assert report['primary_metric_identity']['name'] == PRIMARY[benchmark]
        assert report['primary_metric_identity']['aggregation'] in ('identity', 'mean', aggregation)
        counted = {each['num'] for each in report['metrics'] if 'k' not in each['identity']['dimensions']}
        assert counted == {4}  # each of two questions, asked twice
        at_k = [each['dimensions']['k'] for each in identities if each['aggregation'] == AT_K.get(aggregation)]
        assert set(at_k) == ({1, 2} if aggregation in AT_K else set())


@pytest.mark.parametrize('benchmark', BENCHMARKS)
def test_every_metric_of_a_question_has_a_name_in_evalscopes_catalogue(benchmark: str) -> None:
    assert set(configured_adapter(benchmark).question_metrics.values()) <= set(METRIC_DEFINITIONS)


@pytest.mark.skipif(BAYES not in AGGREGATIONS, reason='evalscope has bayes_at_n from 1.14.1 on')
def test_bayes_at_n_is_of_the_main_metric_where_that_is_right_or_wrong(run_process: Run, tmp_path: Path) -> None:
    reports = _evaluate(run_process, tmp_path / 'out', BAYES, RIGHT_OR_WRONG)
    for benchmark, report in reports.items():
        assert {metric['identity']['name'] for metric in report['metrics']} == {PRIMARY[benchmark]}
        # No reply of two is right: (0 + 1) / (2 + 2).
        scores = {metric['identity']['aggregation']: metric['score'] for metric in report['metrics']}
        assert scores[BAYES] == 0.25
        assert report['primary_metric_identity']['aggregation'] == BAYES


@pytest.mark.parametrize('benchmark', [name for name in BENCHMARKS if name not in RIGHT_OR_WRONG])
def test_bayes_at_n_is_refused_before_anything_is_loaded_where_scores_lie_between(benchmark: str) -> None:
    expected = 'can lie between' if BAYES in AGGREGATIONS else 'is not registered'
    with pytest.raises(ValueError, match=f"{benchmark}: .*'bayes_at_n'.*{expected}"):
        configured_adapter(benchmark, {'aggregation': BAYES})


@pytest.mark.parametrize('benchmark', BENCHMARKS)
def test_an_unknown_aggregation_is_refused_before_anything_is_loaded(benchmark: str) -> None:
    with pytest.raises(ValueError, match=f"{benchmark}: aggregation 'meen': .* not registered"):
        configured_adapter(benchmark, {'aggregation': 'meen'})
