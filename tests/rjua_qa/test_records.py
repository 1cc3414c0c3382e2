"""Malformed records stop a run with benchmark, record and field; everything a published record may be is read."""

from typing import Any, Callable, Dict

import pytest
from evalscope_qa.records import RecordError
from evalscope_qa.replay import replay

Row = Dict[str, Any]
Make = Callable[..., Any]
MISSING = object()


@pytest.mark.parametrize(
    ('field', 'value', 'named', 'problem'),
    [
        *[(field, MISSING, field, 'is missing') for field in ('question', 'context', 'answer', 'disease', 'advice')],
        *[(field, None, field, 'valid') for field in ('question', 'context', 'answer', 'disease', 'advice')],
        *[(field, 5, field, 'valid') for field in ('question', 'context', 'answer', 'disease', 'advice')],
        *[(field, ['a'], field, 'valid string') for field in ('question', 'answer', 'disease', 'advice')],
        ('context', {'0': 'a'}, 'context', 'valid list'),
        ('context', ['a', 5], 'context.1', 'valid string'),
        ('context', [['a']], 'context.0', 'valid string'),
        ('question', ' \n', 'question', 'is blank'),
        ('answer', '\u3000', 'answer', 'is blank'),
        ('answer', 'a\ud800', 'answer', 'half a surrogate pair'),
        ('context', ['a', '\udfff'], 'context.1', 'half a surrogate pair'),
    ],
)  # fmt: skip
def test_a_bad_field_is_named(row: Make, field: str, value: Any, named: str, problem: str) -> None:
    bad = row(1)
    if value is MISSING:
        del bad[field]
    else:
        bad[field] = value
    with pytest.raises(RecordError, match=problem) as error:
        replay('rjua_qa', [row(0), bad], ['', ''])
    assert str(error.value).startswith(f"rjua_qa: record 'test-1' (index 1): field '{named}': ")


def test_a_record_without_id_is_named_by_its_place(row: Make) -> None:
    bad = row(1, disease=None)
    del bad['id']
    with pytest.raises(RecordError, match=r"^rjua_qa: record 1: field 'disease'"):
        replay('rjua_qa', [row(0), bad], ['', ''])


def test_a_record_that_is_no_object(row: Make) -> None:
    with pytest.raises(RecordError, match=r'^rjua_qa: record 0: '):
        replay('rjua_qa', [[row(0)]], [''])  # type: ignore[list-item]


def test_a_bad_id_is_refused(row: Make) -> None:
    with pytest.raises(RecordError, match="field 'id"):
        replay('rjua_qa', [row(0, id=['4'])], [''])


@pytest.mark.parametrize('split', ['test', 'train'])
def test_a_bad_record_of_a_file_stops_the_loading(adapter: Make, row: Make, folder: Make, split: str) -> None:
    rows = {name: [row(number, name) for number in range(3)] for name in ('test', 'train')}
    del rows[split][1]['advice']
    with pytest.raises(RecordError, match=rf"^rjua_qa: record '{split}-1' \(index 1\): field 'advice': is missing"):
        adapter({'local_path': folder(**rows), 'few_shot_num': 2}).load_dataset()


@pytest.mark.parametrize(
    ('changes', 'disease', 'advice'),
    [
        ({}, ['test病1', '肾积水'], ['多饮水', '复查']),
        ({'context': 'Context：一段'}, ['test病1', '肾积水'], ['多饮水', '复查']),
        ({'context': []}, ['test病1', '肾积水'], ['多饮水', '复查']),
        ({'id': 5}, ['test病1', '肾积水'], ['多饮水', '复查']),
        ({'extra': 1}, ['test病1', '肾积水'], ['多饮水', '复查']),
        ({'disease': '', 'advice': '无'}, [], []),
        ({'disease': '甲病；乙病;丙病，丁病,甲病', 'advice': ' 复查。'}, ['甲病', '乙病', '丙病', '丁病'], ['复查']),
        ({'disease': '尿路感染（急性）'}, ['尿路感染(急性)'], ['多饮水', '复查']),
    ],
)  # fmt: skip
def test_what_a_record_may_be(row: Make, changes: Row, disease: list[str], advice: list[str]) -> None:
    reply = f'test 回答 1。\n诊断：{"、".join(disease) or "无"}\n建议：{"、".join(advice) or "无"}'
    result = replay('rjua_qa', [row(1, **changes)], [reply])
    assert result.metrics['final_accuracy'] == 1.0
    assert result.samples[0].extracted == reply.split('\n', 1)[1]


def test_ids_may_repeat(row: Make) -> None:
    assert replay('rjua_qa', [row(1), row(1)], ['', '']).num == 2
