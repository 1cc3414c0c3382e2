"""Several processes give what one gives, bit for bit and in order; one that dies loses nothing, and is said."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.cli import main
from evalscope_qa.engine import StepFailed
from evalscope_qa.pubmedqa.pubmedqa_adapter import PubMedQAAdapter
from evalscope_qa.records import read_records
from evalscope_qa.replay import ReplayInterrupted, SpooledReplies, read_replies, replay, workers
from evalscope_qa.replay.samples import PACKAGE
from replay.any_benchmark import BENCHMARKS, inputs_of

RECORDS = PACKAGE / 'pubmedqa' / 'sample' / 'ranking_records.jsonl'
REPLIES = RECORDS.with_name('ranking_replies_a.jsonl')


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(workers, 'CHUNK', 4)
    yield
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize('count', [2, 3])
@pytest.mark.parametrize('benchmark', BENCHMARKS)
def test_any_number_of_processes_gives_the_result_of_one(benchmark: str, count: int) -> None:
    records, replies, settings = inputs_of(benchmark)
    expected = replay(benchmark, records, replies, settings)
    found = replay(benchmark, records, replies, settings, workers=count)
    assert found == expected
    assert [value.hex() for value in found.metrics.values()] == [value.hex() for value in expected.metrics.values()]
    assert [sample.index for sample in found.samples] == list(range(len(found.samples)))


def test_replies_by_id_are_scored_by_processes_too() -> None:
    records = [{**record, 'id': f'r{number}'} for number, record in enumerate(read_records(RECORDS))]
    replies = {f'r{number}': reply for number, reply in reversed(list(enumerate(read_replies(REPLIES))))}
    assert replay('pubmedqa', records, replies, workers=2) == replay('pubmedqa', records, replies)


def test_processes_that_are_started_anew_give_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = tmp_path / 'own_benchmark.py'
    module.write_text(
        'from evalscope.api.benchmark import BenchmarkMeta\n'
        'from evalscope.api.registry import BENCHMARK_REGISTRY, register_benchmark\n'
        'from evalscope_qa.pubmedqa.pubmedqa_adapter import PubMedQAAdapter\n'
        'BENCHMARK_REGISTRY.pop("own_benchmark", None)\n'
        '@register_benchmark(BenchmarkMeta(name="own_benchmark", dataset_id="x", pretty_name="x",'
        ' metric_list=["accuracy"], primary_metric="accuracy", prompt_template="{question}"))\n'
        'class OwnAdapter(PubMedQAAdapter):\n    pass\n',
        encoding='utf-8',
    )
    from evalscope_qa.importing import import_all

    import_all([str(module)])
    monkeypatch.setattr(workers, 'START_METHOD', 'spawn')
    records, replies = read_records(RECORDS), SpooledReplies(REPLIES)
    expected = replay('own_benchmark', records, replies)
    assert replay('own_benchmark', records, replies, workers=2, modules=[str(module)]) == expected


def _scoring(monkeypatch: pytest.MonkeyPatch, before: Callable[[int], None]) -> None:
    calculate = PubMedQAAdapter.calculate_metrics

    def calculate_metrics(self: Any, task_state: Any) -> Any:
        before(task_state.sample_id)
        return calculate(self, task_state)

    monkeypatch.setattr(PubMedQAAdapter, 'calculate_metrics', calculate_metrics)


@pytest.mark.parametrize('deadly', [0, 6, 29])
def test_a_worker_that_is_killed_loses_nothing_and_is_said(
    deadly: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    records, replies = read_records(RECORDS), read_replies(REPLIES)
    expected = replay('pubmedqa', records, replies)
    parent = os.getpid()

    def die_once(number: int) -> None:
        mark = tmp_path / 'died'
        if number == deadly and not mark.exists():
            mark.touch()
            assert os.getpid() != parent
            os.kill(os.getpid(), signal.SIGKILL)

    _scoring(monkeypatch, die_once)
    said: list[str] = []
    rows: list[Any] = []
    assert replay('pubmedqa', records, replies, workers=2, notice=said.append, on_sample=rows.append) == expected
    assert rows == expected.samples
    size = 2 if deadly == 29 else 4
    assert said == [
        f'pubmedqa: a worker process ended by signal SIGKILL at the reply to question {deadly}; its {size} replies are '
        'scored again by another'
    ]


def test_a_reply_that_ends_every_worker_is_named_and_what_is_before_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    _scoring(monkeypatch, lambda number: os._exit(3) if number == 6 else None)
    rows: list[Any] = []
    with pytest.raises(
        StepFailed, match=r'reply to question 6: the worker process ended with exit status 3, as another'
    ):
        replay('pubmedqa', read_records(RECORDS), read_replies(REPLIES), workers=2, on_sample=rows.append)
    assert [row.index for row in rows] == [0, 1, 2, 3]


def test_a_worker_that_is_killed_while_it_waits_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    records, replies = read_records(RECORDS), read_replies(REPLIES)
    expected = replay('pubmedqa', records, replies)
    said: list[str] = []
    killed: list[int] = []

    def kill_one(sample: Any) -> None:
        if not killed:
            child = multiprocessing.active_children()[0]
            killed.append(child.pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    assert replay('pubmedqa', records, replies, workers=2, on_sample=kill_one, notice=said.append) == expected
    assert all('ended by signal SIGKILL at the repl' in text for text in said)


def test_a_reply_that_the_adapter_fails_over_is_the_error_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(number: int) -> None:
        if number >= 6:
            raise KeyError('no gold')

    _scoring(monkeypatch, fail)
    for count in (1, 2):
        rows: list[Any] = []
        with pytest.raises(
            StepFailed, match=r"^pubmedqa: scoring the reply to question 6: KeyError: 'no gold'$"
        ) as caught:
            replay('pubmedqa', read_records(RECORDS), read_replies(REPLIES), workers=count, on_sample=rows.append)
        assert [row.index for row in rows] == list(range(6))
        assert 'no gold' in str(caught.value.__cause__)


def test_ctrl_c_ends_all_processes_and_gives_the_result_so_far() -> None:
    records, replies = read_records(RECORDS), read_replies(REPLIES)

    def interrupt(sample: Any) -> None:
        if sample.index == 5:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(ReplayInterrupted, match=r'interrupted after [56] of 30 questions') as caught:
        replay('pubmedqa', records, replies, workers=2, on_sample=interrupt)
    count = caught.value.result.num
    assert caught.value.result.metrics == replay('pubmedqa', records[:count], replies[:count]).metrics


@pytest.mark.parametrize('count', [0, -1])
def test_no_worker_is_an_error(count: int, capsys: pytest.CaptureFixture[str]) -> None:
    words = ['replay', 'pubmedqa', '--records', str(RECORDS), '--replies', str(REPLIES), '--workers', str(count)]
    assert main(words) == 2
    assert f'pubmedqa: workers is {count}; expected 1 or more' in capsys.readouterr().err


def test_the_command_with_workers_writes_what_it_writes_without(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    written = []
    for count in ('1', '2'):
        table = tmp_path / f'{count}.csv'
        words = ['replay', 'pubmedqa', '--records', str(RECORDS), '--replies', str(REPLIES), '--workers', count]
        assert main([*words, '--per-sample', str(table), '--json']) == 0
        captured = capfd.readouterr()
        assert captured.err == ''
        written.append((captured.out, table.read_bytes()))
    assert written[0] == written[1]
