"""What a published record must hold, and what is said about one that does not."""

from typing import Any, Dict

import pytest
from evalscope_qa.records import RecordError
from evalscope_qa.replay import replay

RECORD = {
    'context': '[DOC] [TLE] Norway [PAR] Oslo is its capital .',
    'question': 'Capital of Norway',
    'answers': ['Oslo'],
    'key': 'q7',
    'labels': [{'start': [25], 'end': [28]}],
}


def _load(**changes: Any) -> None:
    record = {name: value for name, value in {**RECORD, **changes}.items() if value is not ...}
    replay('searchqa', [RECORD, record], ['Oslo', 'Oslo'])


@pytest.mark.parametrize(
    'changes',
    [
        {},
        {'labels': ...},
        {'key': ...},
        {'key': None},
        {'context': ''},
        {'answers': ['Oslo', 'Oslo', 'Kristiania']},
        {'answers': ['The', '...']},
        {'extra': 1},
    ],
)
def test_a_usable_record_is_used(changes: Dict[str, Any]) -> None:
    _load(**changes)


@pytest.mark.parametrize(
    ('changes', 'field', 'problem'),
    [
        ({'answers': []}, 'answers', 'at least 1 item'),
        ({'answers': ...}, 'answers', 'is missing'),
        ({'answers': None}, 'answers', 'valid list'),
        ({'answers': 'Oslo'}, 'answers', 'valid list'),
        ({'answers': {'text': ['Oslo']}}, 'answers', 'valid list'),
        ({'answers': ['Oslo', 3]}, 'answers.1', 'valid string'),
        ({'answers': [['Oslo']]}, 'answers.0', 'valid string'),
        ({'answers': [None]}, 'answers.0', 'valid string'),
        ({'question': ''}, 'question', 'is blank'),
        ({'question': ' \n\u3000'}, 'question', 'is blank'),
        ({'question': ...}, 'question', 'is missing'),
        ({'question': 5}, 'question', 'valid string'),
        ({'question': b'Capital of Norway'}, 'question', 'valid string'),
        ({'context': ...}, 'context', 'is missing'),
        ({'context': ['[DOC] x']}, 'context', 'valid string'),
        ({'key': 7}, 'key', 'valid string'),
    ],
)
def test_a_bad_record_is_named_with_its_field(changes: Dict[str, Any], field: str, problem: str) -> None:
    with pytest.raises(RecordError) as error:
        _load(**changes)
    message = str(error.value)
    assert message.startswith('searchqa: ')
    assert f"field '{field}'" in message
    assert problem in message
    assert f'record {changes.get("key", "q7")!r} (index 1)' in message


def test_a_record_without_a_key_is_named_by_its_place() -> None:
    with pytest.raises(RecordError, match="searchqa: record 1: field 'answers'"):
        _load(key=..., answers=[])


def test_keys_may_repeat() -> None:
    assert replay('searchqa', [RECORD, RECORD], ['Oslo', None]).num == 2
