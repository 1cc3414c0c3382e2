"""The `evalscope` command itself, in a process of its own, against a chat server on 127.0.0.1."""

import json
import subprocess
from pathlib import Path
from typing import Any, Callable

import evalscope
import pytest
import yaml
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import sample_files
from openai_server import Messages, serve

pytestmark = pytest.mark.loopback

Run = Callable[..., 'subprocess.CompletedProcess[str]']
SAMPLE = sample_files('pubmedqa')
RECORDS = read_records(SAMPLE.records)
REPLIES = [reply or '' for reply in read_replies(SAMPLE.replies)]


def _text(messages: Messages) -> str:
    """The user's text, whether it came as a string or, from the built-in, as a list of parts."""
    content = messages[-1]['content']
    return content if isinstance(content, str) else '\n'.join(part['text'] for part in content)


def _canned(messages: Messages) -> str:
    """The sample's reply to the question that the prompt asks last."""
    prompt = _text(messages)
    asked = [index for index, record in enumerate(RECORDS) if f'Question: {record["question"]}' in prompt]
    return REPLIES[max(asked, key=lambda index: prompt.rfind(RECORDS[index]['question']))]


def _evaluate(run_process: Run, url: str, work_dir: Path, *options: str, local_path: Path, **settings: Any) -> Any:
    environment = settings.pop('environment', {})
    dataset_args = json.dumps({'pubmedqa': {'local_path': str(local_path), **settings}})
    return run_process(
        'evalscope', 'eval', '--model', 'canned', '--api-url', url, '--api-key', 'EMPTY', '--eval-type', 'openai_api',
        '--datasets', 'pubmedqa', '--dataset-args', dataset_args, '--work-dir', work_dir, '--no-timestamp', *options,
        loopback=True, **environment,
    )  # fmt: skip


def _report(work_dir: Path) -> dict[str, Any]:
    """The report's metrics by name, with the number of questions of each."""
    report = json.loads((work_dir / 'reports' / 'canned' / 'pubmedqa.json').read_text(encoding='utf-8'))
    return {metric['identity']['name']: (metric['score'], metric['num']) for metric in report['metrics']}


def test_plain_eval_scores_with_the_corrected_adapter(run_process: Run, tmp_path: Path) -> None:
    with serve(_canned) as server:
        result = _evaluate(run_process, server.url, tmp_path / 'out', '--limit', '20', local_path=SAMPLE.records)
    assert result.returncode == 0, result.stderr[-3000:]
    assert len(server.requests) == 20
    expected = replay('pubmedqa', RECORDS[:20], REPLIES[:20])
    assert _report(tmp_path / 'out') == {
        name: (pytest.approx(value, abs=1e-4), 20) for name, value in expected.metrics.items()
    }
    snapshot = yaml.safe_load((tmp_path / 'out' / 'configs' / 'task_config.yaml').read_text(encoding='utf-8'))
    assert _find(snapshot, 'evaluation_version') == ['v1.3']
    assert 'undeclared metric' not in result.stderr + result.stdout


def _find(tree: Any, key: str) -> list[Any]:
    if isinstance(tree, dict):
        return [value for name, value in tree.items() if name == key] + [
            found for value in tree.values() for found in _find(value, key)
        ]
    return [found for value in tree for found in _find(value, key)] if isinstance(tree, list) else []


def test_a_run_of_the_built_in_is_rescored_from_its_own_predictions(run_process: Run, tmp_path: Path) -> None:
    folder = tmp_path / 'data'
    folder.mkdir()
    (folder / 'test.jsonl').write_text('\n'.join(map(json.dumps, RECORDS)), encoding='utf-8')
    out = tmp_path / 'out'
    with serve(_canned, accept_parts=True) as server:
        first = _evaluate(run_process, server.url, out, local_path=folder, environment={'EVALSCOPE_PLUGINS': 'off'})
        assert first.returncode == 0, first.stderr[-3000:]
        asked = len(server.requests)
        assert asked == len(RECORDS)
        assert 'unanswered_ratio' not in _report(out)

        refused = _evaluate(run_process, server.url, out, '--use-cache', str(out), local_path=folder)
        assert refused.returncode != 0
        assert 'rerun_review' in refused.stderr

        rescored = _evaluate(run_process, server.url, out, '--use-cache', str(out), '--rerun-review', local_path=folder)
    assert rescored.returncode == 0, rescored.stderr[-3000:]
    assert len(server.requests) == asked
    expected = replay('pubmedqa', RECORDS, REPLIES)
    assert _report(out) == {
        name: (pytest.approx(value, abs=1e-4), len(RECORDS)) for name, value in expected.metrics.items()
    }


def test_repeats_prompts_filters_and_system_prompt_work(run_process: Run, tmp_path: Path) -> None:
    def answer(messages: Messages) -> str:
        return f'Final answer: MAYBE ### {_canned(messages)}'

    with serve(answer) as server:
        result = _evaluate(
            run_process, server.url, tmp_path / 'out', '--limit', '5', '--repeats', '3', local_path=SAMPLE.records,
            prompt_template='Read this.\n{question}\nOne word.', system_prompt='You are terse.',
            filters={'remove_until': '###'},
        )  # fmt: skip
    assert result.returncode == 0, result.stderr[-3000:]
    assert len(server.requests) == 15
    for request in server.requests:
        system, user = request['messages']
        assert system == {'role': 'system', 'content': 'You are terse.'}
        assert user['content'].startswith('Read this.\nAbstract: ')
        assert user['content'].endswith('\nOne word.')
    expected = replay('pubmedqa', RECORDS[:5], REPLIES[:5])
    report = _report(tmp_path / 'out')
    assert report['accuracy'] == (pytest.approx(expected.metrics['accuracy'], abs=1e-4), 15)
    assert report['unanswered_ratio'] == (pytest.approx(expected.metrics['unanswered_ratio'], abs=1e-4), 15)


def test_a_malformed_record_stops_the_run_before_any_request(run_process: Run, tmp_path: Path) -> None:
    bad = [*RECORDS[:3], {**RECORDS[3], 'answer': 'perhaps'}]
    (tmp_path / 'bad.jsonl').write_text('\n'.join(map(json.dumps, bad)), encoding='utf-8')
    with serve(_canned) as server:
        result = _evaluate(run_process, server.url, tmp_path / 'out', local_path=tmp_path / 'bad.jsonl')
    assert result.returncode != 0
    assert "field 'answer'" in result.stderr
    assert server.requests == []


def test_benchmark_info_shows_the_corrected_benchmark(run_process: Run) -> None:
    result = run_process('evalscope', 'benchmark-info', 'pubmedqa')
    assert result.returncode == 0, result.stderr[-3000:]
    assert evalscope.__version__
    assert 'unanswered' in result.stdout
