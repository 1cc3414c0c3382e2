"""The `evalscope` command itself on RJUA-QA, in a process of its own, against a chat server on 127.0.0.1."""

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
SAMPLE = sample_files('rjua_qa')
RECORDS = read_records(SAMPLE.records)
REPLIES = [reply or '' for reply in read_replies(SAMPLE.replies)]  # a server returns some text for every request


def _canned(messages: Messages) -> str:
    """The sample's reply to the question that the prompt asks last."""
    prompt = messages[-1]['content']
    return REPLIES[max(range(len(RECORDS)), key=lambda index: prompt.rfind(RECORDS[index]['question']))]


def _evaluate(run_process: Run, url: str, out: Path, *options: str, **dataset_args: Any) -> Any:
    arguments = json.dumps({'rjua_qa': dataset_args})
    return run_process(
        'evalscope', 'eval', '--model', 'canned', '--api-url', url, '--api-key', 'EMPTY', '--eval-type', 'openai_api',
        '--datasets', 'rjua_qa', '--dataset-args', arguments, '--work-dir', out, '--no-timestamp', *options,
        loopback=True,
    )  # fmt: skip


def _write(file: Path, records: List[Row]) -> None:
    file.write_text('\n'.join(json.dumps(record, ensure_ascii=False) for record in records), encoding='utf-8')


def _report(out: Path) -> Dict[str, Any]:
    """The report's metrics by name, with the number of questions of each."""
    report = json.loads((out / 'reports' / 'canned' / 'rjua_qa.json').read_text(encoding='utf-8'))
    return {metric['identity']['name']: (metric['score'], metric['num']) for metric in report['metrics']}


def _expected(records: List[Row]) -> Dict[str, Any]:
    metrics = replay('rjua_qa', records, REPLIES).metrics
    return {name: (pytest.approx(value, abs=1e-4), len(records)) for name, value in metrics.items()}


@pytest.mark.loopback
def test_the_sample_scores_as_in_a_replay_and_again_from_the_cache(run_process: Run, tmp_path: Path) -> None:
    out = tmp_path / 'out'
    with serve(_canned) as server:
        result = _evaluate(run_process, server.url, out, local_path=str(SAMPLE.records))
        assert result.returncode == 0, result.stderr[-3000:]
        assert len(server.requests) == 6
        for request in server.requests:
            (message,) = request['messages']
            assert message['content'].count('患者的问题：') == message['content'].count('参考资料：') == 1
        report = _report(out)
        assert report == _expected(RECORDS)
        assert report['f1_disease'] == (pytest.approx(14 / 30, abs=1e-4), 6)
        assert report['f1_disease_micro'] == (pytest.approx(12 / 17, abs=1e-4), 6)
        assert report['unanswered_ratio'] == (0.5, 6)
        assert 'undeclared metric' not in result.stdout + result.stderr

        again = _evaluate(run_process, server.url, out, '--use-cache', str(out), local_path=str(SAMPLE.records))
        assert again.returncode == 0, again.stderr[-3000:]
        assert len(server.requests) == 6
        assert _report(out) == report


@pytest.mark.loopback
def test_rescoring_after_a_correction_uses_the_corrected_gold_lists(run_process: Run, tmp_path: Path) -> None:
    out, file = tmp_path / 'out', tmp_path / 'RJUA_test.json'
    _write(file, RECORDS)
    with serve(_canned) as server:
        assert _evaluate(run_process, server.url, out, local_path=str(tmp_path)).returncode == 0
    corrected = [{**record, 'disease': '左肾结石', 'advice': '抗感染治疗'} for record in RECORDS]
    _write(file, corrected)
    with serve(_canned) as server:
        result = _evaluate(
            run_process, server.url, out, '--use-cache', str(out), '--rerun-review', local_path=str(tmp_path)
        )
    assert result.returncode == 0, result.stderr[-3000:]
    assert server.requests == []
    assert _report(out) == _expected(corrected) != _expected(RECORDS)


@pytest.mark.loopback
def test_valid_is_evaluated_with_words_and_examples_of_train(run_process: Run, tmp_path: Path) -> None:
    folder = tmp_path / 'rjua'
    folder.mkdir()
    _write(folder / 'RJUA_valid.json', RECORDS)
    _write(folder / 'RJUA_train.json', [{**record, 'question': f'训练：{record["id"]}'} for record in RECORDS])
    with serve(_canned) as server:
        result = _evaluate(
            run_process, server.url, tmp_path / 'out', '--limit', '2', local_path=str(folder), eval_split='valid',
            few_shot_num=2, extra_params={'rouge_tokenizer': 'jieba'},
        )  # fmt: skip
    assert result.returncode == 0, result.stderr[-3000:]
    assert len(server.requests) == 2
    for request in server.requests:
        prompt = request['messages'][-1]['content']
        assert [prompt.count(f'训练：synthetic-{number}\n') for number in range(1, 5)] == [1, 1, 0, 0]
    expected = replay('rjua_qa', RECORDS[:2], REPLIES[:2], {'extra_params': {'rouge_tokenizer': 'jieba'}}).metrics
    report = {name: score for name, (score, _) in _report(tmp_path / 'out').items()}
    assert report == pytest.approx(expected, abs=1e-4)
    assert report['rouge_l'] != pytest.approx(replay('rjua_qa', RECORDS[:2], REPLIES[:2]).metrics['rouge_l'], abs=1e-4)


@pytest.mark.loopback
@pytest.mark.parametrize(
    ('records', 'settings', 'problem'),
    [
        ([{**RECORDS[0], 'disease': None}], {}, "record 'synthetic-1' (index 0): field 'disease'"),
        ([*RECORDS, {'id': 'x'}], {}, "record 'x' (index 6): field 'question': is missing"),
        (RECORDS, {'extra_params': {'rouge_tokenizer': 'word'}}, "not in choices ['char', 'jieba']"),
        (RECORDS, {'local_path': None}, 'http://data.openkg.cn/dataset/rjua-qadatasets'),
        (RECORDS, {'few_shot_num': 1}, "no file of the split 'train'"),
    ],
)
def test_a_bad_record_or_setting_ends_the_run_before_any_request(
    run_process: Run, tmp_path: Path, records: List[Row], settings: Row, problem: str
) -> None:
    _write(tmp_path / 'RJUA_test.json', records)
    arguments = {'local_path': str(tmp_path), **settings}
    with serve(_canned) as server:
        result = _evaluate(run_process, server.url, tmp_path / 'out', **arguments)
    assert result.returncode != 0
    assert problem in result.stderr
    assert server.requests == []


def test_benchmark_info_shows_the_dataset_and_the_extra_parameter(run_process: Run) -> None:
    result = run_process('evalscope', 'benchmark-info', 'rjua_qa')
    assert result.returncode == 0, result.stderr[-3000:]
    for shown in ('RJUA-QA', 'rouge_tokenizer', 'rjua-qadatasets', 'final_accuracy', 'f1_advice_micro', 'rouge_l'):
        assert shown in result.stdout
