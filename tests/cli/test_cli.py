"""The ``evalscope-qa`` command: what it prints, its exit status, and what it says of wrong input."""

import csv
import json
import logging
import os
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa import discovery
from evalscope_qa.cli import main
from evalscope_qa.discovery.policy import Decision
from evalscope_qa.replay.samples import PACKAGE, shipped_benchmarks

SAMPLE = PACKAGE / 'pubmedqa' / 'sample'
RECORDS = SAMPLE / 'ranking_records.jsonl'
REPLIES_A = SAMPLE / 'ranking_replies_a.jsonl'
REPLIES_B = SAMPLE / 'ranking_replies_b.jsonl'


def _replay(*arguments: object) -> int:
    return main(['replay', *map(str, arguments)])


@pytest.mark.parametrize(
    ('replies', 'rows'),
    [
        (
            REPLIES_A,
            ['accuracy 0.8000', 'precision 1.0000', 'recall 0.8000', 'f1 0.8889', 'unanswered_ratio 0.2000'],
        ),
        (
            REPLIES_B,
            ['accuracy 0.9000', 'precision 0.9000', 'recall 0.9000', 'f1 0.9000', 'unanswered_ratio 0.0000'],
        ),
    ],
)
def test_replay_prints_the_ranking_example(capsys: pytest.CaptureFixture[str], replies: Path, rows: list[str]) -> None:
    assert _replay('pubmedqa', '--records', RECORDS, '--replies', replies) == 0
    lines = [' '.join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == 'pubmedqa v1.4, 30 questions'
    assert set(rows) <= set(lines)


def test_replay_writes_json_and_one_row_a_question(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = tmp_path / 'rows.csv'
    assert _replay('pubmedqa', '--records', RECORDS, '--replies', REPLIES_A, '--json', '--per-sample', table) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result['benchmark'], result['evaluation_version'], result['num']) == ('pubmedqa', 'v1.4', 30)
    assert result['metrics']['recall'] == pytest.approx(0.8)
    assert [sample['answered'] for sample in result['samples']].count(False) == 6
    with table.open(encoding='utf-8', newline='') as stream:
        rows = list(csv.DictReader(stream))
    assert [row['gold'] for row in rows] == [sample['gold'] for sample in result['samples']]
    assert sum(float(row['accuracy']) for row in rows) == 24


def test_replay_shows_a_progress_bar_on_long_input_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    records = [json.loads(line) for line in RECORDS.read_text(encoding='utf-8').splitlines()]
    many = [{**records[index % 30], 'question': f'Question {index}?'} for index in range(1000)]
    (tmp_path / 'records.json').write_text(json.dumps(many), encoding='utf-8')
    (tmp_path / 'replies.json').write_text(json.dumps(['YES'] * 1000), encoding='utf-8')
    assert _replay('pubmedqa', '--records', tmp_path / 'records.json', '--replies', tmp_path / 'replies.json') == 0
    assert 'Scoring: 100%' in capsys.readouterr().err
    assert _replay('pubmedqa', '--records', RECORDS, '--replies', REPLIES_A) == 0
    assert 'Scoring' not in capsys.readouterr().err


@pytest.mark.parametrize(
    ('arguments', 'message'),
    [
        (['pubmedqa', '--records', 'none.json', '--replies', REPLIES_A], 'none.json: no such file'),
        (['pubmedqa', '--records', RECORDS, '--replies', 'none.json'], 'none.json: no such file'),
        (['pubmedqaa', '--records', RECORDS, '--replies', REPLIES_A], "Did you mean: 'pubmedqa'"),
        (
            ['searchqa', '--records', RECORDS, '--replies', REPLIES_A],
            "searchqa: record 0: field 'answers': is missing",
        ),
        (
            ['pubmedqa', '--records', RECORDS, '--replies', REPLIES_A, '--dataset-args', '{'],
            '--dataset-args is not valid JSON',
        ),
        (
            ['pubmedqa', '--records', RECORDS, '--replies', REPLIES_A, '--dataset-args', '[]'],
            '--dataset-args must be a JSON object',
        ),
        (
            ['pubmedqa', '--records', RECORDS, '--replies', REPLIES_A, '--dataset-args', '[' * 200_000],
            '--dataset-args is not valid JSON',
        ),
        (
            [
                'pubmedqa',
                '--records',
                RECORDS,
                '--replies',
                REPLIES_A,
                '--dataset-args',
                '{"extra_params": {"foo": 1}}',
            ],
            'pubmedqa: setting up the adapter with dataset_args extra_params: KeyError: ',
        ),
        (
            ['arc', '--records', RECORDS, '--replies', REPLIES_A],
            "arc: converting record 0: KeyError: 'choices'",
        ),
        (['pubmedqa', '--records', PACKAGE, '--replies', REPLIES_A], 'not a regular file'),
        (['pubmedqa', '--records', os.devnull, '--replies', REPLIES_A], f'{os.devnull}: not a regular file'),
    ],
)
def test_wrong_input_is_one_clear_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[Any], message: str
) -> None:
    assert _replay(*arguments) == 2
    said = capsys.readouterr().err
    error = said.strip().splitlines()[-1]
    assert error.startswith('evalscope-qa replay: error: ')
    assert message in error
    assert 'Traceback' not in said


def test_verbose_shows_the_traceback_of_an_error_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert _replay('arc', '--records', RECORDS, '--replies', REPLIES_A, '--verbose') == 2
    said = capsys.readouterr().err
    assert 'in record_to_sample' in said
    assert said.strip().splitlines()[-1] == "evalscope-qa replay: error: arc: converting record 0: KeyError: 'choices'"


def test_empty_records_and_replies_are_an_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / 'empty.json').write_text('[]', encoding='utf-8')
    assert _replay('pubmedqa', '--records', tmp_path / 'empty.json', '--replies', tmp_path / 'empty.json') == 2
    assert 'pubmedqa: there is nothing to score' in capsys.readouterr().err


def test_a_reply_that_utf8_cannot_hold_is_written_with_escapes(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    (tmp_path / 'record.json').write_text(RECORDS.read_text(encoding='utf-8').splitlines()[0], encoding='utf-8')
    (tmp_path / 'reply.json').write_text('["\\ud800 YES"]', encoding='utf-8')
    files = ['--records', tmp_path / 'record.json', '--replies', tmp_path / 'reply.json']
    table = tmp_path / 'rows.csv'
    assert _replay('pubmedqa', *files, '--json', '--per-sample', table) == 0
    assert json.loads(capsysbinary.readouterr().out)['samples'][0]['reply'] == '\ud800 YES'
    with table.open(encoding='utf-8', newline='') as stream:
        assert [row['reply'] for row in csv.DictReader(stream)] == ['\\ud800 YES']


@pytest.mark.parametrize('scored', [0, 3])
def test_a_replay_that_fails_keeps_the_rows_before_and_without_any_leaves_the_file_alone(
    scored: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from evalscope_qa.pubmedqa.pubmedqa_adapter import PubMedQAAdapter

    calculate, calls = PubMedQAAdapter.calculate_metrics, []

    def fail(self: Any, task_state: Any) -> Any:
        calls.append(task_state)
        if len(calls) > scored:
            raise ValueError('no more')
        return calculate(self, task_state)

    monkeypatch.setattr(PubMedQAAdapter, 'calculate_metrics', fail)
    table = tmp_path / 'rows.csv'
    table.write_text('before', encoding='utf-8')
    assert _replay('pubmedqa', '--records', RECORDS, '--replies', REPLIES_A, '--per-sample', table) == 2
    said = capsys.readouterr().err
    assert f'scoring the reply to question {scored}: ValueError: no more' in said
    if not scored:
        assert table.read_text(encoding='utf-8') == 'before'
        return
    assert f'{table} holds the rows of the 3 questions before\n' in said
    with table.open(encoding='utf-8', newline='') as stream:
        assert [row['index'] for row in csv.DictReader(stream)] == ['0', '1', '2']


def test_replies_and_questions_that_differ_in_number_are_an_error_with_both_counts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / 'replies.json').write_text('["YES", null]', encoding='utf-8')
    assert _replay('pubmedqa', '--records', RECORDS, '--replies', tmp_path / 'replies.json') == 2
    assert '30 questions (from 30 records) but 2 replies' in capsys.readouterr().err


def test_list_shows_every_benchmark_of_the_package_as_active(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['list', '--json']) == 0
    listing = json.loads(capsys.readouterr().out)
    active = {item['benchmark'] for item in listing['benchmarks'] if item['status'] == 'active'}
    assert set(shipped_benchmarks()) <= active
    assert listing['pth_in_force'] is True
    assert main(['list']) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in shipped_benchmarks())
    assert 'The .pth file is in force' in printed


def test_list_ends_in_status_1_when_a_plugin_failed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Decision('broken', 'some-plugin', '1.0', 'some.module', status='failed', reason='ImportError: no')
    monkeypatch.setattr(discovery, 'decisions', lambda: [failed])
    monkeypatch.setattr(discovery, 'pth_in_force', lambda: False)
    assert main(['list']) == 1
    printed = capsys.readouterr().out
    assert 'ImportError: no' in printed
    assert 'not in force' in printed


def test_no_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    assert 'COMMAND' in capsys.readouterr().err


def test_the_command_leaves_logging_and_environment_of_its_process_as_they_were() -> None:
    before = logging.root.manager.disable, dict(os.environ)
    assert _replay('pubmedqa', '--records', RECORDS, '--replies', REPLIES_A) == 0
    assert (logging.root.manager.disable, dict(os.environ)) == before
