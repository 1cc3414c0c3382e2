"""Replies are paired with questions by position or by id: what fits nothing is an error, and the two never mix."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.cli import main
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, read_reply_file, replay
from evalscope_qa.replay.samples import PACKAGE
from scored_runs import write_scored_run

SAMPLE = PACKAGE / 'pubmedqa' / 'sample'
RECORDS = SAMPLE / 'ranking_records.jsonl'
REPLIES = SAMPLE / 'ranking_replies_a.jsonl'


def records_of(*ids: Any, field: str = 'id') -> list[dict[str, Any]]:
    """Records whose gold answers are yes, no, yes, no ..."""
    published = read_records(RECORDS)
    golds = {gold: next(record for record in published if record['answer'] == gold) for gold in ('yes', 'no')}
    found = []
    for number, name in enumerate(ids):
        record = dict(golds['no' if number % 2 else 'yes'])
        record.pop('id', None)
        record['question'] = f'Question {number}?'
        found.append({field: name, **record} if name is not None else record)
    return found


@pytest.mark.parametrize('ids', [('a', 'b', 'c', 'd'), (11, 7, 3, 5), ('11', '7', '3', '5')])
def test_replies_by_id_are_put_in_the_order_of_the_records(ids: tuple) -> None:
    golds = dict(zip(ids, ['yes', 'no', 'yes', 'no'], strict=True))
    result = replay('pubmedqa', records_of(*ids), {str(name): golds[name] for name in reversed(ids)})
    assert result.metrics['accuracy'] == 1.0
    assert [sample.id for sample in result.samples] == [str(name) for name in ids]


@pytest.mark.parametrize(
    ('replies', 'message'),
    [
        ({'a': '', 'b': ''}, r'of which there are 4: 2 questions have no reply \(c, d\)\.'),
        ({**dict.fromkeys('abcd', ''), 'x': ''}, r'1 reply is of no question \(x\)'),
        (dict.fromkeys('vwxyz', ''), r'4 questions have no reply \(a, b, c, \.\.\.\); 5 replies are of no question'),
    ],
)
def test_ids_that_do_not_match_are_an_error_with_examples_and_counts(replies: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replay('pubmedqa', records_of(*'abcd'), replies)


def test_an_id_that_comes_twice_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / 'replies.jsonl'
    file.write_text('{"id": "a", "reply": "yes"}\n{"id": "a", "reply": "no"}\n', encoding='utf-8')
    with pytest.raises(ValueError, match=r'1 question has no reply \(b\); 1 id comes twice \(a\)'):
        replay('pubmedqa', records_of('a', 'b'), read_reply_file(file))


def test_rows_with_and_without_an_id_do_not_mix(tmp_path: Path) -> None:
    file = tmp_path / 'replies.jsonl'
    file.write_text('{"id": "a", "reply": "yes"}\n{"reply": "no"}\n', encoding='utf-8')
    with pytest.raises(ValueError, match='line 1 goes by id, line 2 goes by position; give every reply an id, or none'):
        read_reply_file(file)


@pytest.mark.parametrize(
    ('content', 'fields'),
    [
        ('{"a": "yes", "b": "no"}', {}),
        ('{"b": {"reply": "no"}, "a": {"reply": "yes"}}', {}),
        ('{"id": "b", "reply": "no"}\n{"id": "a", "reply": "yes"}\n', {}),
        ('{"pubid": "b", "reply": "no"}\n{"pubid": "a", "reply": "yes"}\n', {}),
        ('{"name": "b", "text": "no"}\n{"name": "a", "text": "yes"}', {'reply_field': 'text', 'id_field': 'name'}),
        ('{"id": 9, "name": "b", "reply": "no"}\n{"id": 8, "name": "a", "reply": "yes"}', {'id_field': 'name'}),
    ],
)
def test_every_form_of_replies_with_ids(tmp_path: Path, content: str, fields: dict[str, str]) -> None:
    (tmp_path / 'replies.json').write_text(content, encoding='utf-8')
    replies = read_reply_file(tmp_path / 'replies.json', **fields)
    assert replies.by == 'id'
    assert replay('pubmedqa', records_of('a', 'b'), replies).metrics['accuracy'] == 1.0


def test_ids_in_csv(tmp_path: Path) -> None:
    (tmp_path / 'replies.csv').write_text('id,reply\n7,no\n3,yes\n', encoding='utf-8')
    result = replay('pubmedqa', records_of(3, 7), read_reply_file(tmp_path / 'replies.csv'))
    assert result.metrics['accuracy'] == 1.0


@pytest.mark.parametrize(
    ('content', 'fields', 'message'),
    [
        ('{"reply": "x"}', {'id_field': 'name'}, "has no field 'name'"),
        ('{"text": "x", "n": 1}\n{"text": "y", "n": 2}', {}, "no field 'reply'; .*Name the one with --reply-field"),
        ('{"id": null, "reply": "x"}', {}, 'expected text or a number'),
        ('{"index": 0, "model_output": {"choices": 3}}', {}, 'the model output is not one that evalscope writes'),
    ],
)
def test_a_row_that_cannot_be_used(tmp_path: Path, content: str, fields: dict[str, str], message: str) -> None:
    (tmp_path / 'replies.jsonl').write_text(content, encoding='utf-8')
    with pytest.raises(ValueError, match=message):
        read_reply_file(tmp_path / 'replies.jsonl', **fields)


def test_another_field_may_identify_the_records() -> None:
    records = records_of('a', 'b', field='label')
    assert replay('pubmedqa', records, {'b': 'no', 'a': 'yes'}, id_field='label').metrics['accuracy'] == 1.0


@pytest.mark.parametrize('ids', [(None, None), ('same', 'same')])
def test_records_whose_ids_do_not_tell_them_apart_go_by_number(ids: tuple) -> None:
    records = records_of(*ids, field='key')
    result = replay('pubmedqa', records, {'1': 'no', '0': 'yes'})
    assert (result.metrics['accuracy'], [sample.id for sample in result.samples]) == (1.0, ['0', '1'])


def predictions(folder: Path) -> Path:
    write_scored_run(folder, 'pubmedqa', read_records(RECORDS), read_replies(REPLIES))
    return folder / 'predictions' / 'model' / 'pubmedqa_default.jsonl'


def test_evalscopes_predictions_are_replies(tmp_path: Path) -> None:
    file = predictions(tmp_path)
    lines = file.read_text(encoding='utf-8').splitlines(keepends=True)
    file.write_text(''.join(reversed(lines)), encoding='utf-8')  # a run writes them as they come
    result = replay('pubmedqa', read_records(RECORDS), read_reply_file(file))
    assert result.metrics == replay('pubmedqa', read_records(RECORDS), read_replies(REPLIES)).metrics


def test_predictions_to_other_questions_are_refused(tmp_path: Path) -> None:
    file = predictions(tmp_path)
    records = read_records(RECORDS)
    with pytest.raises(ValueError, match=r'30 of 30 predictions were made to other questions .*\(numbers 0, 1, 2\)'):
        replay('pubmedqa', records[1:] + records[:1], read_reply_file(file))
    with pytest.raises(ValueError, match=r'the numbers of the questions, of which there are 29: 1 reply is of no'):
        replay('pubmedqa', records[1:], read_reply_file(file))


def test_gold_labels_of_the_official_split_by_id(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data_dir / 'pubmedqa'
    arguments = ['--records', str(folder / 'ori_pqal.json'), '--replies', str(folder / 'test_ground_truth.json')]
    assert main(['replay', 'pubmedqa_official', *arguments, '--json']) == 0
    result = json.loads(capsys.readouterr().out)
    assert {result['metrics'][name] for name in ('accuracy', 'precision', 'recall', 'f1')} == {1.0}
    assert result['metrics']['unanswered_ratio'] == 0.0
    labels = json.loads((folder / 'test_ground_truth.json').read_text(encoding='utf-8'))
    assert {sample['id']: sample['gold'].lower() for sample in result['samples']} == labels


def test_the_command_prints_signature_bare_number_and_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / 'table.csv'
    arguments = ['replay', 'pubmedqa', '--records', str(RECORDS), '--replies', str(REPLIES)]
    assert main([*arguments, '--per-sample', str(table)]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith('benchmark:pubmedqa|version:v') and '|n:30|data:sha256=' in line
    assert '|settings:default|' in line
    with table.open(encoding='utf-8', newline='') as stream:
        rows = list(csv.DictReader(stream))
    assert [row['id'] for row in rows] == [str(number) for number in range(30)]  # the records have no id
    assert main([*arguments, '--signature-only']) == 0
    assert capsys.readouterr().out == line + '\n'
    assert main([*arguments, '-b']) == 0
    assert capsys.readouterr().out == '0.8000\n'


def test_the_signature_tells_records_settings_and_replies_apart() -> None:
    records = records_of('a', 'b')
    same = [replay('pubmedqa', records, replies).signature for replies in (['yes', 'no'], ['', ''])]
    assert same[0] == same[1]
    other = replay('pubmedqa', records_of('a', 'c'), ['', '']).signature
    changed = replay('pubmedqa', records, ['', ''], {'system_prompt': 'Think|hard.'}).signature
    assert len({same[0], other, changed}) == 3
    assert '|settings:system_prompt=Think/hard.|' in changed
