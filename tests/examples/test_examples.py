"""The scripts of docs/examples give the metrics of a replay in one process, bit for bit, whatever framework is used."""

import json
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import PACKAGE

EXAMPLES = Path(__file__).parents[2] / 'docs' / 'examples'
SAMPLE = PACKAGE / 'pubmedqa' / 'sample'
FILES = (SAMPLE / 'ranking_records.jsonl', SAMPLE / 'ranking_replies_a.jsonl')
OFFLINE = {'HF_HUB_OFFLINE': '1', 'RAY_raylet_start_wait_time_s': '200', 'RAY_USAGE_STATS_ENABLED': '0'}


@pytest.fixture(scope='module')
def pairs(run_in: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of pairs of a record and its reply, in files of seven."""
    folder = tmp_path_factory.mktemp('pairs')
    written = run_in(folder)(sys.executable, EXAMPLES / 'pairs.py', *FILES, 'pairs', '7', cold=True)
    assert written.stdout.splitlines()[-1:] == ['30 questions'], written.stderr
    assert len(list((folder / 'pairs').glob('*.parquet'))) == 5
    return folder / 'pairs'


@pytest.mark.loopback
@pytest.mark.parametrize('workers', [1, 2])
@pytest.mark.parametrize(('script', 'package'), [('score_with_datasets.py', 'datasets'), ('score_with_ray.py', 'ray')])
def test_an_example_gives_the_metrics_of_a_replay(
    script: str, package: str, workers: int, run_process: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    if find_spec(package) is None:
        pytest.skip(f'{package} is not installed: install the extra scale, or run the session examples of nox')
    done = run_process(
        *(sys.executable, EXAMPLES / script, 'pubmedqa', request.getfixturevalue('pairs'), str(workers)),
        cold=True,
        loopback=True,
        **OFFLINE,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    expected = replay('pubmedqa', read_records(FILES[0]), read_replies(FILES[1]))
    assert (found['metrics'], found['num']) == (expected.metrics, expected.num)


def test_pairs_that_do_not_fit_are_an_error(run_process: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / 'replies.jsonl').write_text('"YES"\n"NO"\n', encoding='utf-8')
    done = run_process(sys.executable, EXAMPLES / 'pairs.py', FILES[0], 'replies.jsonl', 'pairs', cold=True)
    assert done.returncode == 1
    assert '30 records, but 2 replies' in done.stderr
