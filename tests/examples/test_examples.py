"""The scripts of docs/examples give the metrics of a replay in one process, bit for bit, whatever framework is used."""

import json
import re
import runpy
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import ReplayResult, read_replies, replay
from evalscope_qa.replay.samples import PACKAGE
from kernel_block import NOT_ALLOWED

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / 'docs' / 'examples'
KERNEL_BLOCK = ROOT / 'tests' / 'kernel_block.py'
RECORDS = PACKAGE / 'pubmedqa' / 'sample' / 'ranking_records.jsonl'
BLOCK = re.compile(r'<!-- examples -->\n```bash\n(.*?)```\n', re.DOTALL)


class Clone(NamedTuple):
    """A folder in which the commands of docs/scale.md are typed: the clone, as far as they see it."""

    run: Callable[..., Any]
    commands: list[list[str]]
    expected: ReplayResult


@pytest.fixture(scope='module')
def clone(run_in: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """The folder after the first two commands, which write replies and pairs."""
    folder = tmp_path_factory.mktemp('clone')
    for name in ('docs', 'tests'):
        (folder / name).symlink_to(ROOT / name)
    found = BLOCK.search((ROOT / 'docs' / 'scale.md').read_text(encoding='utf-8'))
    assert found is not None
    commands = [line.split() for line in found[1].splitlines()]
    run = run_in(folder)
    for words in commands[:2]:
        done = run(sys.executable, *words[1:], cold=True)
        assert done.returncode == 0, done.stderr
    assert len(list((folder / 'pairs').glob('*.parquet'))) == 3
    files = folder / 'short' / 'records.jsonl', folder / 'short' / 'replies.jsonl'
    return Clone(run, commands[2:], replay('pubmedqa', read_records(files[0]), read_replies(files[1])))


@pytest.fixture
def short_folder() -> Iterator[str]:
    """A folder for Ray, whose sockets have longer names than pytest's folders leave room for."""
    with tempfile.TemporaryDirectory(prefix='ray', ignore_cleanup_errors=True) as folder:
        yield folder


def needed(package: str) -> None:
    """Skip a test whose package is not there."""
    if find_spec(package) is None:
        pytest.skip(f'{package} is not installed: install the extra scale, or run the session examples of nox')


def assert_metrics_of_a_replay(done: Any, expected: ReplayResult) -> None:
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found['metrics'], found['num']) == (expected.metrics, expected.num)


@pytest.mark.parametrize('workers', ['1', '2'])
def test_datasets_give_the_metrics_of_a_replay(workers: str, clone: Clone) -> None:
    needed('datasets')
    (_, script, *arguments, _), *_ = clone.commands
    assert script.endswith('score_with_datasets.py')
    assert_metrics_of_a_replay(clone.run(sys.executable, script, *arguments, workers, cold=True), clone.expected)


@pytest.mark.loopback
def test_ray_data_gives_the_metrics_of_a_replay(clone: Clone, tmp_path: Path, short_folder: str) -> None:
    needed('ray')
    _, (_, script, *arguments), _ = clone.commands
    assert script.endswith('score_with_ray.py')
    # The kernel blocks the network, and not the hook: half of Ray is not Python, and older ones look localhost up.
    done = clone.run(
        *(sys.executable, KERNEL_BLOCK, 250, sys.executable, script, *arguments),
        cold=True,
        PYTHONPATH='',
        RAY_TMPDIR=short_folder,
        RAY_USAGE_STATS_ENABLED='0',
        HOME=str(tmp_path),  # Ray puts a token there
    )
    if done.returncode == NOT_ALLOWED:
        pytest.skip('this system does not let a process leave the network')
    assert_metrics_of_a_replay(done, clone.expected)


def test_the_replay_beside_them_prints_the_same_metrics(clone: Clone) -> None:
    *_, words = clone.commands
    done = clone.run(*words)
    assert done.returncode == 0, done.stderr
    printed = dict(line.split() for line in done.stdout.splitlines() if len(line.split()) == 2)
    assert {name: f'{value:.4f}' for name, value in clone.expected.metrics.items()}.items() <= printed.items()


def test_ray_stays_on_the_loopback_of_a_machine_with_a_network(run_process: Callable[..., Any]) -> None:
    needed('ray')
    code = 'import score_with_ray; print(score_with_ray.ray.util.get_node_ip_address())'
    done = run_process(sys.executable, '-c', code, cold=True, PYTHONPATH=str(EXAMPLES))
    assert done.stdout.splitlines()[-1:] == ['127.0.0.1'], done.stderr


def test_pairs_that_do_not_fit_are_an_error(run_process: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / 'replies.jsonl').write_text('"YES"\n"NO"\n', encoding='utf-8')
    done = run_process(sys.executable, EXAMPLES / 'pairs.py', RECORDS, 'replies.jsonl', 'pairs', cold=True)
    assert done.returncode == 2
    assert done.stderr.endswith('error: 30 records, but 2 replies\n')


@pytest.mark.parametrize(
    ('arguments', 'said'),
    [
        (('pubmedqa', 'nowhere'), 'no Parquet files in nowhere: pairs.py writes them'),
        (('pubmedqa', '.'), 'no Parquet files in .: pairs.py writes them'),
        (('pubmed', 'pairs'), "Benchmark 'pubmed' not found."),
        (('pubmedqa', 'pairs', '0'), '0 workers cannot score'),
    ],
    ids=['no folder', 'an empty folder', 'an unknown benchmark', 'no workers'],
)
def test_what_cannot_be_scored_is_said_before_a_framework_starts(
    arguments: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'pairs').mkdir()
    (tmp_path / 'pairs' / 'pairs-0.parquet').touch()
    monkeypatch.setattr(sys, 'argv', ['score', *arguments])
    script = runpy.run_path(str(EXAMPLES / 'pairs.py'))
    with pytest.raises(SystemExit, match='2'):
        script['scoring_arguments']('What a script does.')
    assert f'score: error: {said}' in capsys.readouterr().err
