"""What a system has to answer: the questions in order, with the ids and prompts that a run would have."""

import json
from pathlib import Path

import pytest
from evalscope_qa import engine
from evalscope_qa.cli import main
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_reply_file, replay
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks


def questions(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[dict]:
    assert main(['questions', *map(str, arguments)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize('benchmark', shipped_benchmarks())
def test_every_prompt_is_the_one_that_a_model_is_sent(benchmark: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = sample_files(benchmark)
    rows = questions(capsys, benchmark, '--records', files.records, '--dataset-args', json.dumps(files.dataset_args))
    adapter = engine.configured_adapter(benchmark, files.dataset_args)
    samples = list(engine.questions(adapter, read_records(files.records)))
    assert [row['prompt'] for row in rows] == [engine.prompt_text(sample.input) for sample in samples]


def test_answers_to_the_questions_go_back_by_id(tmp_path: Path) -> None:
    files, asked, replies = sample_files('searchqa'), tmp_path / 'questions.jsonl', tmp_path / 'replies.jsonl'
    assert main(['questions', 'searchqa', '--records', str(files.records), '-o', str(asked)]) == 0
    rows = [json.loads(line) for line in asked.read_text(encoding='utf-8').splitlines()]
    answered = [{'id': row['id'], 'reply': 'an answer', 'prompt': row['prompt']} for row in reversed(rows)]
    replies.write_text(''.join(json.dumps(row) + '\n' for row in answered), encoding='utf-8')
    result = replay('searchqa', read_records(files.records), read_reply_file(replies))
    assert [sample.id for sample in result.samples] == [row['id'] for row in rows]


def test_a_built_in_with_options_and_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / 'records.jsonl'
    file.write_text(
        '{"question": "Which?", "choices": ["x", "y"], "answer": 1, "subject": "anatomy"}\n', encoding='utf-8'
    )
    arguments = ['questions', 'mmlu', '--records', str(file), '--dataset-args', '{"few_shot_num": 5}']
    assert main(arguments) == 0
    captured = capsys.readouterr()
    row = json.loads(captured.out)
    assert 'A) x\nB) y' in row['prompt']
    assert row['id'] == '0' and 'messages' not in row
    assert 'mmlu: without the 5 examples of a run.' in captured.err


def test_more_than_one_message_is_shown_as_messages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / 'records.jsonl'
    file.write_text(
        '{"question": "Which?", "choices": ["x", "y"], "answer": 1, "subject": "anatomy"}\n', encoding='utf-8'
    )
    settings = '{"few_shot_num": 0, "system_prompt": "Be short."}'
    row = questions(capsys, 'mmlu', '--records', file, '--dataset-args', settings)[0]
    assert [message['role'] for message in row['messages']] == ['system', 'user']
    assert row['messages'][0]['content'] == 'Be short.'


def test_no_question_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / 'records.json'
    file.write_text('[]', encoding='utf-8')
    assert main(['questions', 'pubmedqa', '--records', str(file)]) == 2
    assert 'pubmedqa: no question in 0 records' in capsys.readouterr().err
