"""The scripts of docs/examples give the metrics of a replay in one process, bit for bit, whatever framework is used."""

import json
import runpy
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import PACKAGE
from kernel_block import NOT_ALLOWED

EXAMPLES = Path(__file__).parents[2] / 'docs' / 'examples'
KERNEL_BLOCK = Path(__file__).parents[1] / 'kernel_block.py'
SAMPLE = PACKAGE / 'pubmedqa' / 'sample'
FILES = (SAMPLE / 'ranking_records.jsonl', SAMPLE / 'ranking_replies_a.jsonl')


def needed(package: str) -> None:
    """Skip a test whose package is not there."""
    if find_spec(package) is None:
        pytest.skip(f'{package} is not installed: install the extra scale, or run the session examples of nox')


@pytest.fixture(scope='module')
def pairs(run_in: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of pairs of a record and its reply, in files of seven."""
    folder = tmp_path_factory.mktemp('pairs')
    written = run_in(folder)(sys.executable, EXAMPLES / 'pairs.py', *FILES, 'pairs', '7', cold=True)
    assert written.stdout.splitlines()[-1:] == ['30 questions'], written.stderr
    assert len(list((folder / 'pairs').glob('*.parquet'))) == 5
    return folder / 'pairs'


@pytest.fixture
def short_folder() -> Iterator[str]:
    """A folder for Ray, whose sockets have longer names than pytest's folders leave room for."""
    with tempfile.TemporaryDirectory(prefix='ray', ignore_cleanup_errors=True) as folder:
        yield folder


def assert_metrics_of_a_replay(done: Any) -> None:
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    expected = replay('pubmedqa', read_records(FILES[0]), read_replies(FILES[1]))
    assert (found['metrics'], found['num']) == (expected.metrics, expected.num)


@pytest.mark.parametrize('workers', [1, 2])
def test_datasets_give_the_metrics_of_a_replay(workers: int, run_process: Callable[..., Any], pairs: Path) -> None:
    needed('datasets')
    script = EXAMPLES / 'score_with_datasets.py'
    assert_metrics_of_a_replay(run_process(sys.executable, script, 'pubmedqa', pairs, workers, cold=True))


@pytest.mark.loopback
def test_ray_data_gives_the_metrics_of_a_replay(
    run_process: Callable[..., Any], pairs: Path, tmp_path: Path, short_folder: str
) -> None:
    needed('ray')
    # The kernel blocks the network, and not the hook: half of Ray is not Python, and older ones look localhost up.
    done = run_process(
        *(sys.executable, KERNEL_BLOCK, 250, sys.executable, EXAMPLES / 'score_with_ray.py', 'pubmedqa', pairs, 2),
        cold=True,
        PYTHONPATH='',
        RAY_TMPDIR=short_folder,
        RAY_USAGE_STATS_ENABLED='0',
        HOME=str(tmp_path),  # Ray puts a token there
    )
    if done.returncode == NOT_ALLOWED:
        pytest.skip('this system does not let a process leave the network')
    assert_metrics_of_a_replay(done)


def test_ray_stays_on_the_loopback_of_a_machine_with_a_network(run_process: Callable[..., Any]) -> None:
    needed('ray')
    code = 'import score_with_ray; print(score_with_ray.ray.util.get_node_ip_address())'
    done = run_process(sys.executable, '-c', code, cold=True, PYTHONPATH=str(EXAMPLES))
    assert done.stdout.splitlines()[-1:] == ['127.0.0.1'], done.stderr


def test_pairs_that_do_not_fit_are_an_error(run_process: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / 'replies.jsonl').write_text('"YES"\n"NO"\n', encoding='utf-8')
    done = run_process(sys.executable, EXAMPLES / 'pairs.py', FILES[0], 'replies.jsonl', 'pairs', cold=True)
    assert done.returncode == 2
    assert done.stderr.endswith('error: 30 records, but 2 replies\n')


@pytest.mark.parametrize(
    ('arguments', 'said'),
    [
        (('pubmedqa', 'nowhere'), 'no Parquet files in nowhere: pairs.py writes them'),
        (('pubmedqa', '.'), 'no Parquet files in .: pairs.py writes them'),
        (('pubmed', 'PAIRS'), "Benchmark 'pubmed' not found."),
        (('pubmedqa', 'PAIRS', '0'), '0 workers cannot score'),
    ],
    ids=['no folder', 'an empty folder', 'an unknown benchmark', 'no workers'],
)
def test_what_cannot_be_scored_is_said_before_a_framework_starts(
    arguments: tuple[str, ...],
    said: str,
    pairs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'argv', ['score', *(str(pairs) if word == 'PAIRS' else word for word in arguments)])
    script = runpy.run_path(str(EXAMPLES / 'pairs.py'))
    with pytest.raises(SystemExit, match='2'):
        script['scoring_arguments']('What a script does.')
    assert f'score: error: {said}' in capsys.readouterr().err
