"""An evaluation version names scoring semantics: the sample's replies give the version's numbers, exactly.

tests/snapshots/<benchmark>.json maps each version to the metrics its adapter gave. Old versions stay. To add one, run
`python tests/replay/test_snapshots.py`, which writes the current version's and never changes another.
"""

import json
from pathlib import Path

import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import ReplayResult, read_replies, replay
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks

SNAPSHOTS = Path(__file__).parents[1] / 'snapshots'


def _replay_sample(benchmark: str) -> ReplayResult:
    files = sample_files(benchmark)
    return replay(benchmark, read_records(files.records), read_replies(files.replies), files.dataset_args)


def _snapshots(benchmark: str) -> dict[str, dict[str, float]]:
    path = SNAPSHOTS / f'{benchmark}.json'
    return json.loads(path.read_text(encoding='utf-8')) if path.exists() else {}


@pytest.mark.parametrize('benchmark', shipped_benchmarks())
def test_numbers_change_only_with_the_evaluation_version(benchmark: str) -> None:
    result = _replay_sample(benchmark)
    snapshots = _snapshots(benchmark)
    assert result.evaluation_version in snapshots, (
        f'{benchmark} {result.evaluation_version} has no snapshot: describe the version in docs/, then add it with '
        f'`python {Path(__file__).name}`.'
    )
    assert result.metrics == snapshots[result.evaluation_version], (
        f'{benchmark} gives other numbers under version {result.evaluation_version}. Raise the minor version in its '
        'BenchmarkMeta when records, prompt, extraction, scoring or aggregation change meaning, and add its snapshot.'
    )


@pytest.mark.parametrize('benchmark', shipped_benchmarks())
def test_the_current_version_is_the_newest_snapshot(benchmark: str) -> None:
    versions = sorted(_snapshots(benchmark), key=lambda version: [int(part) for part in version[1:].split('.')])
    assert versions[-1:] == [_replay_sample(benchmark).evaluation_version]


if __name__ == '__main__':
    for name in shipped_benchmarks():
        replayed = _replay_sample(name)
        recorded = _snapshots(name)
        recorded.setdefault(replayed.evaluation_version, replayed.metrics)
        (SNAPSHOTS / f'{name}.json').write_text(json.dumps(recorded, indent=2) + '\n', encoding='utf-8')
