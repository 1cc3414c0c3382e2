"""Records are read from every published file form, and a malformed one is an error that says where."""

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from evalscope_qa.records import RecordChecker, RecordError, read_records
from pydantic import BaseModel, ConfigDict, field_validator

TWO = [{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'ü\u2028y'}]
LINES = '\n'.join(json.dumps(record, ensure_ascii=False) for record in TWO)


@pytest.mark.parametrize(
    ('name', 'content'),
    [
        ('array.json', json.dumps(TWO)),
        ('lines.jsonl', LINES),
        ('lines.json', LINES),
        ('trailing.jsonl', LINES + '\n\n'),
        ('bom.jsonl', '\ufeff' + LINES),
        ('bom.json', '\ufeff' + json.dumps(TWO)),
        ('windows.jsonl', LINES.replace('\n', '\r\n')),
        ('indented.json', json.dumps(TWO, indent=2, ensure_ascii=False)),
    ],
)
def test_every_json_form_is_told_from_its_content(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_bytes(content.encode())
    assert read_records(tmp_path / name) == TWO


def test_one_record_on_one_line_is_one_record(tmp_path: Path) -> None:
    (tmp_path / 'one.jsonl').write_text('{"a": 1}', encoding='utf-8')
    assert read_records(tmp_path / 'one.jsonl') == [{'a': 1}]


def test_a_table_of_objects_by_id_becomes_records_with_that_id(tmp_path: Path) -> None:
    (tmp_path / 'table.json').write_text('{"17": {"a": 1}, "18": {"a": 2, "id": "own"}}', encoding='utf-8')
    assert read_records(tmp_path / 'table.json') == [{'id': '17', 'a': 1}, {'id': 'own', 'a': 2}]


def test_one_object_with_objects_inside_is_one_record(tmp_path: Path) -> None:
    (tmp_path / 'one.json').write_text('{"question": "q", "context": {"contexts": ["c"]}}', encoding='utf-8')
    assert read_records(tmp_path / 'one.json') == [{'question': 'q', 'context': {'contexts': ['c']}}]


def test_csv_cells_may_hold_line_breaks_and_a_megabyte(tmp_path: Path) -> None:
    long = 'y' * 1_000_000
    (tmp_path / 'table.csv').write_text(f'a,b\n1,"x\nz"\n2,{long}\n', encoding='utf-8', newline='')
    assert read_records(tmp_path / 'table.csv') == [{'a': '1', 'b': 'x\nz'}, {'a': '2', 'b': long}]


@pytest.mark.parametrize(
    ('name', 'content', 'records'),
    [
        ('blank.csv', '\na,b\n\n1,2\n\n3,4\n\n', [{'a': '1', 'b': '2'}, {'a': '3', 'b': '4'}]),
        ('windows.csv', 'a,b\r\n1,\r\n"",2\r\n', [{'a': '1', 'b': ''}, {'a': '', 'b': '2'}]),
        ('single.csv', 'a\n1\n""\n2\n\n\n', [{'a': '1'}, {'a': ''}, {'a': '2'}]),
        ('bare.csv', 'a', []),
        ('index.csv', ',a\n0,x\n', [{'': '0', 'a': 'x'}]),
        ('quotes.csv', 'a\nsaid "yes"\n"said ""no"""\n', [{'a': 'said "yes"'}, {'a': 'said "no"'}]),
        ('tabs.tsv', 'a\tb\n1,2\t3\n', [{'a': '1,2', 'b': '3'}]),
    ],
)
def test_every_row_of_a_table_is_one_record_of_all_its_cells(
    tmp_path: Path, name: str, content: str, records: list[dict[str, str]]
) -> None:
    (tmp_path / name).write_text(content, encoding='utf-8', newline='')
    assert read_records(tmp_path / name) == records


@pytest.mark.parametrize(
    ('name', 'content', 'message'),
    [
        ('more.csv', 'a\n[2], [1], [3]\n', 'line 2: the row has 3 cells, the header 1 column'),
        ('trailing.csv', 'a,b\n1,2\n3,4,\n', 'line 3: the row has 3 cells, the header 2 columns'),
        ('fewer.csv', 'a,b\n"1\n1",2\n3\n4,5\n', 'line 4: the row has 1 cell, the header 2 columns'),
        ('empty.csv', 'a\n1\n\n2\n', 'line 3: the row has 0 cells, the header 1 column'),
        ('tabs.tsv', 'a\tb\n1\t2\t3\n', 'line 2: the row has 3 cells, the header 2 columns'),
        ('twice.csv', 'a,b,a\n1,2,3\n', "line 1: two columns are called 'a'"),
        ('nothing.csv', '', 'there is no header'),
        ('blank.csv', '\n\n', 'there is no header'),
        ('open.csv', 'a,b\n1,2\n3,"4\n5,6\n', 'line 3: the row is not valid CSV: unexpected end of data'),
        ('closed.csv', 'a,b\n"1" or 2,3\n', 'line 2: the row is not valid CSV: '),
    ],
)
def test_a_table_that_does_not_fit_its_header_says_where(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, encoding='utf-8', newline='')
    with pytest.raises(ValueError, match=message) as caught:
        read_records(tmp_path / name, 'demo')
    assert str(caught.value).startswith('demo: ') and name in str(caught.value)


def test_parquet_lists_stay_lists(tmp_path: Path) -> None:
    records = [{'answers': ['a', 'b'], 'key': 'k'}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records), tmp_path / 'r.parquet')
    assert read_records(tmp_path / 'r.parquet') == records


LONG = '1' * 5000  # Python turns at most 4300 digits into an integer
DEEP = '[' * 200_000 + ']' * 200_000


@pytest.mark.parametrize(
    ('content', 'message'),
    [
        ('{"a": 1}\n{"a": \n', 'line 2 is not valid JSON'),
        ('{"a": 1}\n[1]\n', 'line 2 is of type list'),
        ('[{"a": 1}, 7]', 'element 1 is of type int'),
        ('[{"a": 1}', 'not valid JSON'),
        ('"text"', 'the document is of type str'),
        ('{"17": {"a": 1}, "18": null}', "entry '18' is of type NoneType"),
        ('{"17": {"a": 1}, "17": {"a": 2}}', "the key '17' stands twice"),
        ('{"a": 1}\n{"a": 2, "a": 3}\n', "line 2: the key 'a' stands twice"),
        ('{"a": 1}\n{"a": 1,}\n', 'line 2 is not valid JSON: [^:]* at column [89]\\.$'),
        (
            f'{{"a": {LONG}}}\n{{"a": 1}}\n',
            'line 1: the integer 11111111111111111111... of 5000 characters is too long',
        ),
        (
            f'{{"a": 1}}\n{{"a": {LONG}}}\n',
            'line 2: the integer 11111111111111111111... of 5000 characters is too long',
        ),
        (f'{{\n"a": {LONG}}}', 'bad.json: the integer 11111111111111111111... of 5000 characters is too long'),
        (f'[{{"a": {LONG}}}]', 'the integer 11111111111111111111... of 5000 characters is too long'),
        (f'{{"a": {DEEP}}}\n{{"a": 1}}\n', 'line 1: arrays and objects are nested too deeply'),
        (f'{{"a": 1}}\n{{"a": {DEEP}}}\n', 'line 2: arrays and objects are nested too deeply'),
        (f'[\n{DEEP}]', 'bad.json: arrays and objects are nested too deeply'),
    ],
)
def test_a_file_that_cannot_be_read_says_what_for_and_where(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / 'bad.json').write_text(content, encoding='utf-8')
    with pytest.raises(ValueError, match=message) as caught:
        read_records(tmp_path / 'bad.json', 'demo')
    assert str(caught.value).startswith('demo: ') and 'bad.json' in str(caught.value)


def test_a_missing_file_and_a_foreign_encoding_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match='no such file; pass the path'):
        read_records(tmp_path / 'none.json')
    (tmp_path / 'records.jsonl').mkdir()
    for path in (tmp_path / 'records.jsonl', Path('/dev/null')):
        with pytest.raises(ValueError, match='not a regular file; pass the path'):
            read_records(path)
    (tmp_path / 'bad.parquet').write_bytes(b'PAR1')
    with pytest.raises(ValueError, match=r'demo: .*bad\.parquet: not a parquet file'):
        read_records(tmp_path / 'bad.parquet', 'demo')
    (tmp_path / 'gbk.json').write_bytes('[{"a": "诊断"}]'.encode('gbk'))
    with pytest.raises(ValueError, match='convert the file to UTF-8'):
        read_records(tmp_path / 'gbk.json')


class _Question(BaseModel):
    model_config = ConfigDict(strict=True)

    id: str
    answers: list[str]

    @field_validator('answers')
    @classmethod
    def _not_empty(cls, answers: list[str]) -> list[str]:
        if not answers:
            raise ValueError('at least one answer is needed')
        return answers


@pytest.mark.parametrize(
    ('record', 'message'),
    [
        ({'id': 'q7'}, "demo: record 'q7' (index 1): field 'answers': is missing. Correct"),
        ({'id': 'q7', 'answers': []}, "field 'answers': at least one answer is needed (got [])"),
        ({'id': 'q7', 'answers': ['a', 3]}, "field 'answers.1': Input should be a valid string (got 3)"),
        ({'answers': ['a']}, "demo: record 1: field 'id': is missing"),
        ({'id': 'q0', 'answers': ['a']}, "record 'q0' (index 1): field 'id': the id was already used by record 0"),
        ('text', "demo: record 1: field '(the record itself)':"),
        ({'id': 'q7', 'answers': 'x' * 500}, f"(got '{'x' * 76}...)"),
    ],
)
def test_a_malformed_record_names_benchmark_record_and_field(record: Any, message: str) -> None:
    checker = RecordChecker('demo')
    assert checker.check(_Question, {'id': 'q0', 'answers': ['a']}, id_field='id').answers == ['a']
    with pytest.raises(RecordError) as caught:
        checker.check(_Question, record, id_field='id')
    assert message in str(caught.value)


def test_a_record_handed_over_once_a_repeat_is_no_duplicate() -> None:
    checker = RecordChecker('demo', repeats=2)
    for identifier in ('q0', 'q0', 'q1', 'q1'):
        checker.check(_Question, {'id': identifier, 'answers': ['a']}, id_field='id')
    with pytest.raises(RecordError, match=r"record 'q0' \(index 2\)"):
        checker.check(_Question, {'id': 'q0', 'answers': ['a']}, id_field='id')
