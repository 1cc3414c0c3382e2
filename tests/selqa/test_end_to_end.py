"""The `evalscope` command itself, in a process of its own, against a chat server on 127.0.0.1."""

import json
import subprocess
from itertools import chain
from pathlib import Path
from typing import Any, Callable

import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import sample_files
from openai_server import Messages, serve
from selqa.rankings import word_overlap

pytestmark = pytest.mark.loopback

Run = Callable[..., 'subprocess.CompletedProcess[str]']


def answers(records: list[dict[str, Any]], replies: list[Any]) -> Callable[[Messages], str]:
    """A model that knows the reply to each question; an empty one where there is none."""
    by_question = {record['question']: reply or '' for record, reply in zip(records, replies, strict=True)}

    def answer(messages: Messages) -> str:
        text = messages[-1]['content']
        return by_question[text.split('Question: ')[-1].split('\n')[0]]

    return answer


def evaluate(
    run_process: Run, url: str, work_dir: Path, dataset_args: dict[str, Any], *options: object
) -> dict[str, dict[str, tuple[float, int]]]:
    """Run the command and return each report's metrics by name, with the number of questions of each."""
    result = run_process(
        'evalscope', 'eval', '--model', 'canned', '--api-url', url, '--api-key', 'EMPTY', '--eval-type', 'openai_api',
        '--datasets', *dataset_args, '--dataset-args', json.dumps(dataset_args), '--work-dir', work_dir,
        '--no-timestamp', *options,
        loopback=True,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr[-3000:]
    assert 'undeclared metric' not in result.stderr + result.stdout
    reports = {}
    for benchmark in dataset_args:
        text = (work_dir / 'reports' / 'canned' / f'{benchmark}.json').read_text(encoding='utf-8')
        reports[benchmark] = {
            metric['identity']['name']: (metric['score'], metric['num']) for metric in json.loads(text)['metrics']
        }
    return reports


def rounded(metrics: dict[str, float], questions: int) -> dict[str, Any]:
    """As a report has them: four decimals."""
    return {name: (pytest.approx(value, abs=1e-4), questions) for name, value in metrics.items()}


def test_the_shipped_samples(run_process: Run, tmp_path: Path) -> None:
    samples = {name: sample_files(name) for name in ('selqa_selection', 'selqa_triggering')}
    records = {name: read_records(sample.records) for name, sample in samples.items()}
    replies = {name: read_replies(sample.replies) for name, sample in samples.items()}
    answer = answers([*chain(*records.values())], [*chain(*replies.values())])
    with serve(answer) as server:
        reports = evaluate(
            run_process,
            server.url,
            tmp_path / 'out',
            {name: {'local_path': str(sample.records)} for name, sample in samples.items()},
        )
    for name in samples:
        expected = replay(name, records[name], replies[name])
        assert reports[name] == rounded(expected.metrics, expected.num)
    assert len(server.requests) == sum(map(len, records.values()))


def test_20_real_questions(run_process: Run, tmp_path: Path, data_dir: Path) -> None:
    records = read_records(data_dir / 'selqa' / 'selqa-ass-test.json')
    replies = [word_overlap(record) for record in records]
    arguments = {'selqa_selection': {'local_path': str(data_dir / 'selqa')}}
    by_question = {record['question']: reply for record, reply in zip(records[:20], replies, strict=False)}
    assert len(by_question) == 20
    with serve(answers(records[:20], replies[:20])) as server:
        reports = evaluate(run_process, server.url, tmp_path / 'out', arguments, '--limit', 20)
    expected = replay('selqa_selection', records[:20], replies[:20])
    assert reports['selqa_selection'] == rounded(expected.metrics, 20)
    assert len(server.requests) == 20
