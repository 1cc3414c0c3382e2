"""The `evalscope` command itself on SearchQA, in a process of its own, against a chat server on 127.0.0.1."""

import json
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import sample_files
from openai_server import Messages, serve

Row = Dict[str, Any]
Run = Callable[..., 'subprocess.CompletedProcess[str]']
SAMPLE = sample_files('searchqa')
RECORDS = read_records(SAMPLE.records)
REPLIES = [reply or '' for reply in read_replies(SAMPLE.replies)]  # a server returns some text for every request


def _canned(messages: Messages) -> str:
    """The sample's reply to the question that the prompt asks last."""
    prompt = messages[-1]['content']
    return REPLIES[max(range(len(RECORDS)), key=lambda index: prompt.rfind(f'Question: {RECORDS[index]["question"]}'))]


def _evaluate(run_process: Run, url: str, out: Path, *options: str, **dataset_args: Any) -> Any:
    arguments = json.dumps({'searchqa': dataset_args})
    return run_process(
        'evalscope', 'eval', '--model', 'canned', '--api-url', url, '--api-key', 'EMPTY', '--eval-type', 'openai_api',
        '--datasets', 'searchqa', '--dataset-args', arguments, '--work-dir', out, '--no-timestamp', *options,
        loopback=True,
    )  # fmt: skip


def _report(out: Path) -> Dict[str, Any]:
    """The report's metrics by name, with the number of questions of each."""
    report = json.loads((out / 'reports' / 'canned' / 'searchqa.json').read_text(encoding='utf-8'))
    return {metric['identity']['name']: (metric['score'], metric['num']) for metric in report['metrics']}


def _expected(records: List[Row]) -> Dict[str, Any]:
    metrics = replay('searchqa', records, REPLIES).metrics
    return {name: (pytest.approx(value, abs=1e-4), len(records)) for name, value in metrics.items()}


@pytest.mark.loopback
def test_the_sample_scores_as_in_a_replay_and_counts_every_question(run_process: Run, tmp_path: Path) -> None:
    out = tmp_path / 'out'
    with serve(_canned) as server:
        result = _evaluate(run_process, server.url, out, local_path=str(SAMPLE.records))
        assert result.returncode == 0, result.stderr[-3000:]
        assert len(server.requests) == len(RECORDS)
        assert _report(out) == _expected(RECORDS)
        assert _report(out)['unanswered_ratio'] == (pytest.approx(1 / 3, abs=1e-4), 9)
        assert 'undeclared metric' not in result.stdout + result.stderr

        # The same run again takes everything from its cache.
        again = _evaluate(run_process, server.url, out, '--use-cache', str(out), local_path=str(SAMPLE.records))
        assert again.returncode == 0, again.stderr[-3000:]
        assert len(server.requests) == len(RECORDS)
        assert _report(out) == _expected(RECORDS)


@pytest.mark.loopback
def test_rescoring_after_a_correction_uses_the_corrected_gold_answers(run_process: Run, tmp_path: Path) -> None:
    out, file = tmp_path / 'out', tmp_path / 'validation.jsonl'
    file.write_text('\n'.join(map(json.dumps, RECORDS)), encoding='utf-8')
    with serve(_canned) as server:
        assert _evaluate(run_process, server.url, out, local_path=str(file)).returncode == 0
    corrected = [{**record, 'answers': ['Lise Meitner']} for record in RECORDS]
    file.write_text('\n'.join(map(json.dumps, corrected)), encoding='utf-8')
    with serve(_canned) as server:
        result = _evaluate(
            run_process, server.url, out, '--use-cache', str(out), '--rerun-review', local_path=str(file)
        )
    assert result.returncode == 0, result.stderr[-3000:]
    assert server.requests == []
    assert _report(out) == _expected(corrected) != _expected(RECORDS)


@pytest.mark.loopback
def test_three_examples_of_a_training_file_are_shown(run_process: Run, tmp_path: Path) -> None:
    folder = tmp_path / 'searchqa'
    folder.mkdir()
    for split in ('train', 'validation'):
        lines = [json.dumps({**record, 'question': f'{split}: {record["question"]}'}) for record in RECORDS]
        (folder / f'{split}.jsonl').write_text('\n'.join(lines), encoding='utf-8')
    with serve(lambda _: 'x') as server:
        result = _evaluate(
            run_process, server.url, tmp_path / 'out', '--limit', '2', local_path=str(folder), few_shot_num=3
        )
    assert result.returncode == 0, result.stderr[-3000:]
    for request in server.requests:
        (message,) = request['messages']
        assert [message['content'].count(f'Question: {split}: ') for split in ('train', 'validation')] == [3, 1]
        assert message['content'].count('<answer>Danube</answer>') == 1
    assert len(server.requests) == 2


@pytest.mark.loopback
@pytest.mark.parametrize(
    ('records', 'settings', 'problem'),
    [
        (RECORDS, {'extra_params': {'max_context_chars': -5}}, "'max_context_chars' is -5"),
        (RECORDS, {'few_shot_num': 3}, 'few-shot examples come from the split'),
        ([*RECORDS, {**RECORDS[0], 'answers': []}], {}, "record 'synthetic-a1' (index 9): field 'answers'"),
    ],
)
def test_a_bad_setting_or_record_ends_the_run_before_any_request(
    run_process: Run, tmp_path: Path, records: List[Row], settings: Row, problem: str
) -> None:
    file = tmp_path / 'validation.jsonl'
    file.write_text('\n'.join(map(json.dumps, records)), encoding='utf-8')
    with serve(_canned) as server:
        result = _evaluate(run_process, server.url, tmp_path / 'out', local_path=str(file), **settings)
    assert result.returncode != 0
    assert problem in result.stderr
    assert server.requests == []


def test_benchmark_info_shows_the_extra_parameter(run_process: Run) -> None:
    result = run_process('evalscope', 'benchmark-info', 'searchqa')
    assert result.returncode == 0, result.stderr[-3000:]
    for shown in ('max_context_chars', '6000', 'SearchQA', 'lucadiliello/searchqa', 'exact_match', 'unanswered_ratio'):
        assert shown in result.stdout
