"""Whole replies: the kinds that models give, and what may be added to a reply without changing what it says."""

import json
import os
from pathlib import Path
from typing import List, Optional

import pytest
from evalscope_qa.rjua_qa.items import EMPTY, read_items
from evalscope_qa.rjua_qa.sections import read_reply
from hypothesis import given
from hypothesis import strategies as st

Items = Optional[List[str]]
DATA = os.environ.get('EVALSCOPE_QA_DATA')

ITEM = st.text(alphabet='肾结石积水左右侧膀胱炎癌CT12', min_size=1, max_size=6).map('病{}'.format)
ITEMS = st.lists(ITEM, min_size=1, max_size=4, unique=True)
PROSE = '您好，根据您的描述，考虑泌尿系疾病，请放心。'


def _read(reply: str) -> tuple[Items, Items]:
    parsed = read_reply(reply)
    return parsed.disease, parsed.advice


def _lines(disease: List[str], advice: List[str]) -> str:
    return f'诊断：{"、".join(disease)}\n建议：{"、".join(advice)}'


@pytest.mark.parametrize(
    ('reply', 'disease', 'advice'),
    [
        ('诊断：肾结石 (左侧)\n建议：首先多饮水，其次复查', ['肾结石 (左侧)'], ['首先多饮水', '其次复查']),
        ('诊断：尿路感染(急性)；肾积水\n建议：①多饮水②复查', ['尿路感染(急性)', '肾积水'], ['多饮水', '复查']),
        ('诊断：“肾结石”、<b>肾积水</b>\n建议：1)多饮水 2)复查', ['肾结石', '肾积水'], ['多饮水', '复查']),
        ('诊断：左肾结石（1.5cm）、肾积水\n建议：复查', ['左肾结石(1.5cm)', '肾积水'], ['复查']),
        ('诊断：睾丸扭转\n建议：手术\n\n温馨提示：以上内容仅供参考。', ['睾丸扭转'], ['手术']),
        ('诊断：肾结石\n祝您早日康复', ['肾结石'], None),
        ('**诊断：**\n1. 肾结石、肾积水\n说明：略。\n\n2. 肾', ['肾结石', '肾积水'], None),
        ('**诊断：肾结石、肾积水 **\n\n [30年前] | 故事', ['肾结石', '肾积水'], None),
        ('```json\n{"诊断": ["膀胱炎"], "建议": ["多饮水", "复查"]]\n```', ['膀胱炎'], ['多饮水', '复查']),
        ('诊断：肾结石\n建议：多饮水\n```', ['肾结石'], ['多饮水']),
        ('您好，考虑为尿道狭窄，建议尿道造影检查，必要时手术。', None, None),
        ('很抱歉，我无法提供医学诊断。', None, None),
    ],
)
def test_replies_of_models(reply: str, disease: Items, advice: Items) -> None:
    assert _read(reply) == (disease, advice)


@given(ITEMS, ITEMS)
def test_emphasis_fences_prose_tags_and_stop_tokens_change_nothing(disease: List[str], advice: List[str]) -> None:
    plain = _lines(disease, advice)
    for reply in (
        plain,
        f'**诊断：**{"、".join(f"**{item}**" for item in disease)}\n**建议**：`{"、".join(advice)}`',
        f'```\n{plain}\n```',
        f'{PROSE}\n\n{plain}',
        f'{plain}\n\n{PROSE}',
        f'<think>诊断：病</think>{plain}<|im_end|>',
        f'<answer>{plain}</answer>',
        f'## {plain.replace("建议", "## 建议")}',
        f'> {plain.replace("建议", "> 建议")}',
        plain.replace('、', ' ，\n'),
        f'{plain}。',
        f'{PROSE}{plain.replace(chr(10), "；")}',
        json.dumps({'诊断': disease, '建议': advice}),
        f'| 诊断 | {"、".join(disease)} |\n|---|---|\n| 建议 | {"；".join(advice)} |',
    ):
        assert _read(reply) == (disease, advice), reply


@given(ITEMS, st.sampled_from(['1. ', '1、', '1）', '（1）', '①', '一、', '- ', '• ', '* ', '[1] ']), st.booleans())
def test_list_marks_change_nothing(items: List[str], mark: str, emphasized: bool) -> None:
    count = {'1': '1234', '①': '①②③④', '一': '一二三四'}
    sign = next((sign for sign in count if sign in mark), '')
    marks = [mark.replace(sign, count[sign][place]) if sign else mark for place in range(len(items))]
    shown = [f'**{item}**' if emphasized else item for item in items]
    lines = '\n'.join(f'{mark}{item}' for mark, item in zip(marks, shown, strict=True))
    assert _read(f'诊断：\n{lines}\n\n建议：\n\n{lines}') == (items, items)


@given(ITEMS, ITEMS, ITEMS, ITEMS)
def test_two_replies_that_differ_are_none_unless_the_second_is_a_correction(
    disease: List[str], advice: List[str], other_disease: List[str], other_advice: List[str]
) -> None:
    one, other = _lines(disease, advice), _lines(other_disease, other_advice)
    expected = (
        disease if set(disease) == set(other_disease) else None,
        advice if set(advice) == set(other_advice) else None,
    )
    read = _read(f'{one}\n\n{other}')
    assert [items and set(items) for items in read] == [items and set(items) for items in expected]
    assert _read(f'{one}\n\n更正：\n{other}') == (other_disease, other_advice)


@given(ITEMS)
def test_a_reply_is_split_as_the_published_list_is(items: List[str]) -> None:
    for published in ('、'.join(items), '；'.join(items), f'{"，".join(items)}。'):
        assert _read(f'诊断：{published}') == (read_items(published), None)


@pytest.mark.skipif(DATA is None, reason='EVALSCOPE_QA_DATA is not set')
def test_the_published_record_answers_itself() -> None:
    record = json.loads((Path(str(DATA)) / 'rjua_qa' / 'RJUA_example.json').read_text(encoding='utf-8'))
    reply = f'{record["answer"]}\n诊断：{record["disease"]}\n建议：{record["advice"]}'
    parsed = read_reply(reply)
    assert parsed.disease == read_items(record['disease']) == record['disease'].split('、')
    assert parsed.advice == read_items(record['advice']) == record['advice'].split('、')
    assert EMPTY not in parsed.summary()
    assert read_reply(record['answer']).reading == 'nothing stated'
