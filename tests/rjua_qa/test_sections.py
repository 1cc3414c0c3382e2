"""Reading a reply: what opens a section, what belongs to it, which of several counts, and what text is left."""

import json
from typing import List, Optional

import pytest
from evalscope_qa.rjua_qa.names import OTHER_NAMES
from evalscope_qa.rjua_qa.sections import parse_reply, read_reply
from hypothesis import given
from hypothesis import strategies as st

Items = Optional[List[str]]
A, AB = ['肾结石'], ['肾结石', '肾积水']
X, XY = ['多饮水'], ['多饮水', '药物排石']


def _read(reply: str) -> tuple[Items, Items]:
    parsed = parse_reply(reply)
    return parsed.disease, parsed.advice


# -- headings ---------------------------------------------------------------------------------------------------------


DISEASE_NAMES = [
    '诊断', '诊断结果', '诊断结论', '诊断意见', '诊断考虑', '诊断如下', '诊断是', '诊断为', '初步诊断', '最终诊断',
    '可能的诊断', '可能诊断', '最可能的诊断', '临床诊断', '主要诊断', '我的诊断', '我的诊断是', '您的初步诊断',
    '初步诊断结果', '诊断（初步）', '诊断1',
]  # fmt: skip
ADVICE_NAMES = [
    '建议', '治疗建议', '检查建议', '诊疗建议', '处理建议', '就医建议', '生活建议', '进一步检查建议', '检查及治疗建议',
    '建议如下', '我的建议', '医生的建议', '最终建议',
]  # fmt: skip


@pytest.mark.parametrize('name', DISEASE_NAMES)
def test_each_name_of_the_diagnosis(name: str) -> None:
    assert _read(f'您好。\n{name}：肾结石、肾积水\n建议：多饮水') == (AB, X)
    assert _read(f'**{name}**\n\n1. 肾结石\n2. 肾积水\n\n**建议**\n多饮水') == (AB, X)
    assert _read(f'{{"{name}": ["肾结石", "肾积水"], "建议": "多饮水"}}') == (AB, X)


@pytest.mark.parametrize('name', ADVICE_NAMES)
def test_each_name_of_the_advice(name: str) -> None:
    assert _read(f'您好。\n诊断：肾结石\n{name}：多饮水、药物排石') == (A, XY)
    assert _read(f'| 诊断 | 肾结石 |\n|---|---|\n| {name} | 多饮水、药物排石 |') == (A, XY)
    assert _read(f'诊断：肾结石；{name}：多饮水、药物排石') == (A, XY)


@pytest.mark.parametrize('name', OTHER_NAMES)
def test_a_name_of_neither_opens_no_section_and_ends_the_one_before(name: str) -> None:
    assert _read(f'{name}：肾癌') == _read(f'{{"{name}": "肾癌"}}') == _read(f'| {name} | 肾癌 |') == (None, None)
    assert _read(f'诊断：肾结石 {name}：肾癌、肾炎') == (A, None)
    assert _read(f'诊断：\n- 肾结石\n- 肾积水\n{name}：\n- 肾癌\n建议：多饮水') == (AB, X)
    assert _read(f'### 诊断\n肾结石\n### {name}\n肾癌\n### 建议\n多饮水') == (A, X)


@pytest.mark.parametrize(
    ('reply', 'disease'),
    [
        ('诊断是肾结石。', A),
        ('最终诊断为肾结石、肾积水', AB),
        ('我的诊断是肾结石', A),
        ('诊断是肾结石，建议多饮水。', None),
        ('诊断是否明确', None),
        ('您好，我的诊断是肾结石', None),
    ],
)
def test_what_a_diagnosis_is_said_to_be_counts_where_the_line_says_nothing_else(reply: str, disease: Items) -> None:
    assert _read(reply) == (disease, None)


HEADINGS = [
    '{}：', '{}:', '{} ：', '{} : ', '{}﹕', '{}∶', '  {}：', '\u3000\u3000{}：', '\t{}：',
    '**{}：**', '**{}**：', '**{}** ：', '**{}:** ', '*{}*：', '***{}***：', '__{}__：', '_{}：_', '`{}`：',
    '# {}：', '### {}：', '### **{}**：', '## {} ##：', '> {}：', '> **{}：**',
    '- {}：', '- **{}**：', '* {}：', '+ {}：', '• {}：', '·{}：', '● {}：', '—— {}：',
    '1. {}：', '1、{}：', '1）{}：', '（1）{}：', '一、{}：', '（一）{}：', '①{}：', '① {}：', '⑴{}：', 'I. {}：',
    'Ⅰ. {}：', '1️⃣ {}：', '**1. {}：**', '### 一、{}：', '### 1. **{}**：', '**一、{}**：',
    '【{}】', '【{}】：', '<{}>',
    '{} — ', '**{}** - ', '{} | ',
    '**【{}】**', '**【{}】**：', '[{}]：', '「{}」：', '《{}》：', '1. 【{}】', '### 【{}】',
    '🩺 {}：', '✅ **{}**：', '“{}”：', '"{}"：', "'{}'：", '"{}": ',
]  # fmt: skip


@pytest.mark.parametrize('heading', HEADINGS)
def test_marks_around_a_heading(heading: str) -> None:
    reply = f'您好。\n{heading.format("诊断")}肾结石、肾积水\n{heading.format("建议")}多饮水；药物排石。'
    assert _read(reply) == (AB, XY)


ALONE = [
    '{}', '**{}**', '### {}', '### {} ###', '## **{}**', '- **{}**', '一、{}', '1. {}', '### 一、{}', '【{}】',
    '【{}】：', '{}：', '### {}：', '**{}：**', '{}\n---', '{} ', '① {}',
]  # fmt: skip


@pytest.mark.parametrize('between', ['\n', '\n\n'])
@pytest.mark.parametrize('heading', ALONE)
def test_a_heading_alone_on_its_line(heading: str, between: str) -> None:
    reply = f'{heading.format("诊断")}{between}肾结石、肾积水\n\n{heading.format("建议")}{between}多饮水；药物排石。'
    assert _read(reply) == (AB, XY)


@pytest.mark.parametrize(
    'text',
    [
        '我的诊断是肾结石，建议多饮水。',
        '根据诊断：肾结石',
        '诊断依据：超声提示肾结石',
        '诊断方面，考虑肾结石：',
        '~~诊断：肾结石~~',
        '診斷：腎結石',
        '以上诊断：肾结石',
        '医生说：“诊断：肾结石”',
        '诊断需要结合超声。',
        '**诊断**需要结合超声。',
        '建议您：多饮水',
        '建议多饮水：每日两升',
        '本诊断：肾结石',
        '（诊断：肾结石）',
        '“诊断：肾结石”是上次医生的话。',
        '“诊断”需要结合超声：',
        '「诊断」需要结合超声。',
        '《诊断》一书：很好',
        '肾结石诊断：',
        '诊断肾结石',
        '诊断 肾结石',
        '诊 断：肾结石',
        '诊\n断：肾结石',
        'diagnosis: 肾结石',
    ],
)
def test_a_name_in_passing_is_no_section(text: str) -> None:
    assert _read(text) == (None, None)
    assert not parse_reply(text).answered
    assert _read(f'{text}\n诊断：肾积水\n建议：药物排石') == (['肾积水'], ['药物排石'])


def test_a_name_in_passing_after_the_sections_changes_nothing() -> None:
    assert _read('诊断：肾结石\n建议：多饮水\n以上诊断：仅供参考，建议：及时就医。') == (A, X)
    assert _read('诊断：肾结石\n建议：\n- 多饮水\n以上诊断：仅供参考') == (A, X)


def test_two_sections_on_one_line() -> None:
    assert _read('诊断：肾结石。建议：多饮水、药物排石。') == (A, XY)
    assert _read('诊断：肾结石、肾积水；治疗建议：多饮水') == (AB, X)
    assert _read('建议：多饮水 诊断：肾结石') == (A, X)
    assert _read('**诊断：**肾结石 **建议：**多饮水') == (A, X)
    assert _read('诊断：肾结石（治疗建议：多饮水）') == (['肾结石(治疗建议:多饮水)'], None)


@pytest.mark.parametrize(
    ('reply', 'disease', 'advice'),
    [
        ('您好，您可能有肾结石。诊断：肾结石。建议：多饮水、药物排石。', A, XY),
        ('您好！诊断：肾结石、肾积水；治疗建议：多饮水', AB, X),
        ('您好。诊断：肾结石\n建议：多饮水', A, X),
        ('您好。诊断：肾积水\n诊断：肾结石', A, None),
        ('您好。我的诊断：肾结石', A, None),
        ('考虑您的情况，诊断：肾结石；建议：多饮水。', A, X),
    ],
)
def test_a_section_may_start_within_a_line(reply: str, disease: Items, advice: Items) -> None:
    assert _read(reply) == (disease, advice)


def test_a_section_in_another_line_stands_back_behind_those_in_lines_that_start_with_one() -> None:
    assert _read('诊断：肾结石\n建议：多饮水\n以上仅供参考，但是，诊断：须由医生作出。') == (A, X)
    assert _read('诊断：肾积水；建议：复查\n\n更正：\n诊断：肾结石；建议：多饮水') == (A, X)
    assert _read('您好，诊断：肾积水；建议：多饮水\n诊断：肾结石') == (A, X)


# -- lists ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    'items',
    [
        '肾结石、肾积水',
        ' 肾结石，肾积水。',
        '\n肾结石、肾积水',
        '\n肾结石\n肾积水',
        '\n\n肾结石\n肾积水\n\n这是因为结石堵住了输尿管。',
        '\n1. 肾结石\n2. 肾积水',
        '\n1. 肾结石；\n2. 肾积水。\n这是因为结石堵住了输尿管。',
        '\n\n- 肾结石\n\n- 肾积水\n\n这是因为结石堵住了输尿管。',
        '\n  - 肾结石\n  - 肾积水',
        '\n1. 肾结石\n   左侧，约1厘米。\n2. 肾积水\n   轻度。',
        '\n- 肾结石\n  - 依据：超声\n  说明：左侧\n- 肾积水\n  - **理由**：超声',
        '1. 肾结石\n2. 肾积水',
        ' 1. 肾结石\n\n 2. 肾积水\n祝早日康复',
        '①肾结石②肾积水',
        '\n考虑如下：\n1. 肾结石\n2. 肾积水',
        '考虑如下：\n1. 肾结石\n2. 肾积水',
        '\n```\n肾结石\n肾积水\n```',
        '\n- 肾结石\n- 肾积水\n---\n- 仅供参考',
        '\n肾结石\n肾积水\n依据：超声',
        '\n肾结石\n肾积水\n### 说明\n略',
        '\n肾结石\n肾积水\n【说明】略',
        '\n肾结石\n肾积水\n1. 说明',
        '肾结石、\n肾积水',
        '肾结石，\n肾积水。\n祝早日康复',
        '\n1. 肾结石、\n肾积水\n祝早日康复',
        '\nA. 肾结石\nB. 肾积水\n祝早日康复',
        '肾结石、~~肾癌~~肾积水',
        '[“肾结石”, “肾积水”]',
        '["肾结石", "肾积水"]',
        '**肾结石**、**肾积水**',
        '\r\n1. 肾结石\r\n2. 肾积水\r\n',
        '肾结石、肾积水 |',
    ],
)
def test_what_belongs_to_a_section(items: str) -> None:
    assert _read(f'您好。\n诊断：{items}') == (AB, None)
    assert _read(f'您好。\n诊断：{items}\n建议：多饮水') == (AB, X)
    assert _read(f'您好。\n建议：多饮水\n诊断：{items}') == (AB, X)
    assert _read(f'您好。\n建议：{items}') == (None, AB)


@pytest.mark.parametrize(
    'reply',
    [
        '一、诊断：\n1. 肾结石\n2. 肾积水\n二、建议：\n1. 多饮水\n2. 药物排石\n三、注意事项：\n1. 忌酒',
        '1. 诊断：\n- 肾结石\n- 肾积水\n2. 建议：\n- 多饮水\n- 药物排石\n3. 注意事项：\n- 忌酒',
        '- **诊断**：\n  - 肾结石\n  - 肾积水\n- **建议**：\n  - 多饮水\n  - 药物排石\n- 注意事项：\n  - 忌酒',
        '1. 诊断：1）肾结石\n2）肾积水\n2. 建议：1）多饮水\n2）药物排石\n3. 注意事项：忌酒',
        '### 诊断\n- 肾结石\n- 肾积水\n\n### 建议\n- 多饮水\n- 药物排石\n\n### 注意事项\n- 忌酒',
        '**诊断**\n\n1. 肾结石\n2. 肾积水\n\n**建议**\n\n1. 多饮水\n2. 药物排石\n\n**注意事项**\n\n1. 忌酒',
    ],
)
def test_a_list_ends_before_the_next_heading_even_if_that_is_no_section(reply: str) -> None:
    assert _read(reply) == (AB, XY)


@pytest.mark.parametrize(
    ('reply', 'disease', 'advice'),
    [
        ('诊断：肾结石\n1. 依据\n建议：多饮水', A, X),
        ('诊断：肾结石\n\n建议：多饮水\n\n祝您早日康复！', A, X),
        ('诊断：\n建议：', None, None),
        ('诊断：无\n建议：无。', [], []),
        ('诊断：肾结石', A, None),
        ('建议：多饮水', None, X),
        ('诊断：\n\n依据：超声\n建议：多饮水', None, X),
        ('诊断：\n建议如下：\n建议：多饮水', None, X),
        ('诊断：\n考虑如下：\n肾结石\n建议：多饮水', A, X),
        ('诊断：\n### 说明\n略\n建议：多饮水', None, X),
        ('诊断：无法确定\n建议：多饮水', None, X),
        ('诊断：目前尚不能明确诊断\n建议：多饮水', None, X),
        ('诊断：肾结石\n建议：多饮水。药物排石', A, ['多饮水。药物排石']),
        ('诊断：肾结石 | 建议：多饮水', A, X),
        ('建议：\n检查：CT\n治疗：多饮水', None, ['检查:CT', '治疗:多饮水']),
        ('建议：\n饮食：多饮水\n药物排石', None, ['饮食:多饮水', '药物排石']),
    ],
)
def test_small_sections(reply: str, disease: Items, advice: Items) -> None:
    assert _read(reply) == (disease, advice)


# -- which section counts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('reply', 'disease', 'advice'),
    [
        ('诊断：肾积水\n建议：复查\n\n更正：\n诊断：肾结石\n建议：多饮水', A, X),
        ('诊断：肾积水\n建议：复查\n\n因此，最终\n### 诊断\n肾结石\n### 建议\n多饮水', A, X),
        ('更正：\n诊断：肾积水\n建议：多饮水\n诊断：肾结石', None, X),
        ('诊断：肾 结石\n建议：多饮水\n诊断：肾结石', A, X),
        ('诊断：肾积水、肾结石\n诊断：1. 肾结石 2. 肾积水', AB, None),
        ('诊断：肾积水\n建议：多饮水\n诊断：肾结石', None, X),
        ('诊断：肾积水\n诊断结果：肾结石', None, None),
        ('诊断：肾结石\n诊断：无', None, None),
        ('建议：多饮水\n诊断：肾结石\n建议：复查', A, None),
    ],
)
def test_sections_that_differ_cancel_each_other_unless_one_is_introduced_as_the_right_one(
    reply: str, disease: Items, advice: Items
) -> None:
    assert _read(reply) == (disease, advice)


@pytest.mark.parametrize(
    ('reply', 'disease', 'advice'),
    [
        ('<answer>诊断：肾结石\n建议：多饮水</answer>', A, X),
        ('诊断：肾积水\n<answer>诊断：肾结石</answer>\n建议：多饮水', A, X),
        ('<answer>诊断：肾结石\n建议：多饮水</answer>\n诊断：肾积水\n建议：复查', A, X),
        ('<answer>诊断：肾积水\n建议：多饮水</answer>\n不对，更正：\n诊断：肾结石', A, X),
        ('诊断：<answer>肾结石</answer>\n建议：<answer>多饮水</answer>', A, X),
        ('<Final_Answer>{"诊断": "肾结石"}</Final_Answer>', A, None),
        ('诊断：肾积水\n<answer>诊断：肾结石</answ', A, None),
        ('<answer>诊断：\n肾结石</answer>肾积水', A, None),
        ('{"诊断": ["肾结石"]}\n诊断：肾积水', A, None),
        ('诊断：肾积水\n{"诊断": ["肾结石"]}', A, None),
        ('您好，诊断：肾积水；建议：复查\n诊断：肾结石', A, ['复查']),
        ('### 诊断\n您可能有肾结石。\n### 治疗建议\n- 复查\n\n诊断：肾结石\n建议：多饮水', A, X),
        ('初步诊断：肾积水\n诊断：肾结石', A, None),
        ('诊断：肾结石\n可能的诊断：肾积水', A, None),
        ('诊断：肾积水\n最终诊断：肾结石', A, None),
        ('最终诊断：肾结石\n诊断：肾积水', A, None),
    ],
)
def test_the_section_that_commits_itself_most_decides(reply: str, disease: Items, advice: Items) -> None:
    assert _read(reply) == (disease, advice)


@pytest.mark.parametrize(
    ('reply', 'advice'),
    [
        ('治疗建议：多饮水\n检查建议：超声', ['多饮水', '超声']),
        ('检查建议：超声\n治疗建议：多饮水', ['超声', '多饮水']),
        ('检查建议：超声、多饮水\n治疗建议：多饮水', ['超声', '多饮水']),
        ('检查建议：超声\n治疗建议：复查\n治疗建议：多饮水', None),
        ('建议：复查\n检查建议：超声\n治疗建议：多饮水', ['复查', '超声', '多饮水']),
        ('检查建议：CT\n治疗建议：手术\n更正：\n建议：多饮水', X),
        ('检查建议：CT\n更正：\n治疗建议：多饮水\n检查建议：超声', ['多饮水', '超声']),
        ('诊疗建议：\n治疗建议：多饮水\n检查建议：超声', ['多饮水', '超声']),
        ('{"建议": "多饮水", "检查建议": "超声"}', ['多饮水', '超声']),
    ],
)
def test_the_parts_of_the_advice_add_up(reply: str, advice: Items) -> None:
    assert _read(reply) == (None, advice)


def test_numbered_diagnoses_add_up() -> None:
    assert _read('诊断1：肾结石\n诊断2：肾积水') == _read('诊断一：肾结石；诊断二：肾积水') == (AB, None)


@pytest.mark.parametrize('turn', ['问题：我腰痛。', '用户：我腰痛。', '===', 'Question: pain', 'User: 我腰痛'])
def test_another_turn_ends_the_reply(turn: str) -> None:
    assert _read(f'诊断：肾结石\n建议：多饮水\n\n{turn}\n诊断：肾积水\n建议：复查') == (A, X)


# -- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    'reply',
    [
        '| 诊断 | 肾结石、肾积水 |\n| 建议 | 多饮水、药物排石 |',
        '| 项目 | 内容 |\n|---|---|\n| **诊断** | 肾结石、肾积水 |\n| **建议：** | 多饮水、药物排石 |',
        '| 诊断 | 肾结石、肾积水 | 依据超声 |\n| 建议 | 多饮水、药物排石 | |',
        '| 诊断 | 肾结石、肾积水 | 建议 | 多饮水、药物排石 |',
        '| 诊断 | 肾结石、肾积水 |\n|:---|:---:|\n| 建议 | 多饮水、药物排石 |',
        '| 诊断 | 建议 |\n|---|---|\n| 肾结石 | 多饮水 |\n| 肾积水 | 药物排石 |\n\n| 肾癌 | 手术 |',
        '| 序号 | 诊断结果 | 治疗建议 |\n| - | - | - |\n| 1 | 肾结石、肾积水 | 1. 多饮水<br>2. 药物排石 |',
    ],
)
def test_a_table(reply: str) -> None:
    parsed = parse_reply(f'您好。\n\n{reply}\n\n祝好')
    assert (parsed.disease, parsed.advice, parsed.text) == (AB, XY, '您好。')
    assert parsed.reading == 'table row'


# -- JSON -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize('wrap', ['{}', '```json\n{}\n```', '```\n{}\n```', '您好：\n{}\n祝好', '结果是{}。', '[{}]'])
@pytest.mark.parametrize('indent', [None, 2])
@pytest.mark.parametrize(
    ('disease', 'advice'),
    [
        (['肾结石', '肾积水'], ['多饮水', '药物排石']),
        ('肾结石、肾积水', '多饮水；药物排石。'),
        ('1. 肾结石\n2. 肾积水', '1.多饮水 2.药物排石'),
        (['肾结石、肾积水'], ['多饮水。', '药物排石。']),
        (['1. 肾结石', '2. 肾积水'], ['- 多饮水', '- 药物排石']),
        (['“肾结石”', '"肾积水"'], ["'多饮水'", '「药物排石」']),
        ([['肾结石'], ['肾积水']], {'饮食': '多饮水', '药物': ['药物排石']}),
        ([{'名称': '肾结石'}, {'名称': '肾积水'}], [None, '多饮水', True, '药物排石']),
    ],
)
def test_a_json_object(wrap: str, indent: Optional[int], disease: object, advice: object) -> None:
    text = json.dumps({'诊断': disease, '建议': advice}, ensure_ascii=False, indent=indent)
    assert _read(wrap.replace('{}', text)) == (AB, XY)


@pytest.mark.parametrize(
    ('reply', 'disease', 'advice'),
    [
        (json.dumps({'诊断': ['肾结石'], '建议': '多饮水'}), A, X),  # \u escapes
        ('{"建议": ["多饮水"], "诊断": ["肾结石"]}', A, X),
        ('{"诊断结果": "肾结石", "诊疗建议": "多饮水"}', A, X),
        ('{"检查建议": ["多饮水"], "治疗建议": ["药物排石"]}', None, XY),
        ('{"结果": {"诊断": "肾结石"}, "其他": [{"建议": "多饮水"}]}', A, X),
        ('{"诊断：": "肾结石", "**建议**": "多饮水"}', A, X),
        ('｛"诊断"：["肾结石"]，"建议"：["多饮水"]｝', A, X),
        ('{"诊断": [], "建议": null}', [], None),
        ('{"诊断": "无", "建议": ["无"]}', [], []),
        ('{"诊断": "", "建议": {}}', None, None),
        ('{"说明": "诊断：肾积水", "诊断": "肾结石"}', A, None),
        ('{"说明": "略"}\n诊断：肾结石', A, None),
        ('{"a": {"b": 1}} {"诊断": "肾结石"}', A, None),
        ('{见下} {"诊断": "肾结石", "建议": "多饮水"}', A, X),
        ('{"诊断": "肾\\ud800结石"}', ['肾\ufffd结石'], None),
        ('{"诊断": "肾\n结石"}', ['肾', '结石'], None),
        ('{"诊断": NaN, "建议": 1e999999999}', ['NaN'], ['1e999999999']),
        ('{"disease": ["肾结石"]}', None, None),
        ('["诊断", "肾结石"]', None, None),
        ('"诊断"', None, None),
    ],
)
def test_keys_and_values_of_json(reply: str, disease: Items, advice: Items) -> None:
    assert _read(reply) == (disease, advice)


@pytest.mark.parametrize(
    'reply',
    [
        '{"诊断": ["肾结石", "肾积水",], "建议": ["多饮水", "药物排石",],}',
        "{'诊断': ['肾结石', '肾积水'], '建议': ['多饮水', '药物排石']}",
        '{“诊断”：[“肾结石”，“肾积水”]，“建议”：[“多饮水”，“药物排石”]}',
        '```json\n{"诊断": ["肾结石", "肾积水"], "建议": ["多饮水", "药物排石',
        '{\n  "诊断": ["肾结石", "肾积水"],\n  "建议": [\n    "多饮水",\n    "药物排石"',
        '{\n  "诊断": "肾结石、肾积水",\n  // 注释\n  "建议": "多饮水、药物排石"\n}',
        '{\n  "诊断": [\n    "肾结石",\n    "肾积水",\n  ],\n  "建议": [\n    "多饮水",\n    "药物排石",\n  ],\n}',
        '{\n  "诊断": [\n    "肾结石",\n    "肾积水",\n  ],\n  "依据": "略",\n  "建议": ["多饮水", "药物排石"],\n}',
        '"诊断": ["肾结石", "肾积水"]\n"建议": ["多饮水", "药物排石"]',
        "{'诊断': '肾结石、肾积水', '建议': '多饮水，药物排石'}",
        '{“诊断”：“肾结石、肾积水”，“建议”：“多饮水、药物排石”}',
        '诊断: ["肾结石", "肾积水"], 建议: ["多饮水", "药物排石"]',
        '{"诊断": ["肾结石", "肾积水"],\n"建议": ["多饮水",\n "药物排石"],\n}',
        '{"诊断": ["肾结石",\n "肾积水"],\n"建议": ["多饮水",\n "药物排石"',
    ],
)
def test_an_object_that_is_not_quite_json_or_is_cut_off(reply: str) -> None:
    assert _read(reply) == (AB, XY)


# -- the reply proper, and the name of the reading --------------------------------------------------------------------


@pytest.mark.parametrize(
    ('reply', 'reading', 'disease'),
    [
        ('诊断：肾结石', 'sections', A),
        ('诊断：\n- 肾结石', 'sections', A),
        ('您好，诊断：肾结石', 'sections', A),
        ('{"诊断": "肾结石"}', 'json', A),
        ('{"诊断": "肾结石",', 'json', A),
        ('| 诊断 | 肾结石 |', 'table row', A),
        ('<answer>诊断：肾结石</answer>', 'marked: <answer>', A),
        ('<think>诊断：肾积水</think>诊断：肾结石', 'sections', A),
        ('诊断：肾积水\n建议：手术</think>\n诊断：肾结石', 'sections', A),
        ('诊断：肾结石\n<think>诊断：肾积水', 'sections', A),
        ('analysis诊断：肾积水assistantfinal诊断：肾结石', 'sections', A),
        ('诊断：肾结石<|im_end|>', 'sections', A),
        ('', 'empty', None),
        (' \u200b\n', 'empty', None),
        ('```\n```', 'empty', None),
        ('</s>', 'empty', None),
        ('<think>诊断：肾积水', 'cut off', None),
        ('<think>略</think>', 'empty', None),
        ('很抱歉，我无法提供医学诊断，请您到医院就诊。', 'refused', None),
        ('诊断：无法判断\n建议：', 'refused', None),
        ('诊断：肾积水\n诊断：肾结石', 'several', None),
        ('诊断：肾结石\n' * 2000, 'sections', A),
        ('诊断：肾结石\n' * 5000, 'sections', A),  # of which the two ends are read
        ('诊断：\n' * 5000, 'several', None),
        ('您好，考虑为尿道狭窄，建议尿道造影检查。', 'nothing stated', None),
        ('None', 'nothing stated', None),
        ('诊断：\n建议：', 'nothing stated', None),
    ],
)
def test_every_reading_has_a_name(reply: str, reading: str, disease: Items) -> None:
    parsed = read_reply(reply)
    assert (parsed.reading, parsed.disease) == (reading, disease)
    assert '肾积水' not in parsed.text or reading == 'several'


def test_what_a_reply_repeats_of_its_prompt_is_no_answer() -> None:
    prompt = '患者的问题：我腰痛。\n\n格式如下：\n\n诊断：疾病1、疾病2\n建议：检查或治疗1、检查或治疗2'
    assert not read_reply(prompt, prompt).answered
    assert read_reply(prompt, prompt).reading == 'echo'
    assert read_reply(f'{prompt}\n诊断：肾结石', prompt).disease == A


# -- text and summary -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('reply', 'text'),
    [
        ('您好，是肾结石。\n诊断：肾结石\n建议：多饮水', '您好,是肾结石。'),
        ('诊疗建议：\n治疗建议：多饮水\n检查建议：超声', '诊疗建议:\n治疗建议:多饮水\n检查建议:超声'),
        ('您好。\n<answer>诊断：肾结石</answer>', '您好。'),
        ('<answer>您好。\n诊断：肾结石</answer>', '\n您好。'),
        ('您好。\n```json\n{"诊断": "肾结石",', '您好。'),
        ('### 诊断结果\n诊断：肾结石', '### 诊断结果\n诊断:肾结石'),
        ('您好，是肾结石。诊断：肾结石。建议：多饮水', '您好,是肾结石。'),
        ('您好，是肾结石。\n\n### 诊断\n肾结石\n\n### 建议\n多饮水', '您好,是肾结石。'),
        ('您好，\n是肾结石。\n**诊断：**肾结石', '您好,\n是肾结石。'),
        ('您好。\n```json\n{"诊断": "肾结石"}\n```', '您好。'),
        ('您好。\n建议：多饮水\n诊断：肾结石', '您好。'),
        ('您好。\n建议：多饮水\n诊断：肾结石\n建议：多饮水', '您好。'),
        (
            '您好。\n诊断：肾积水\n建议：复查\n更正：\n诊断：肾结石\n建议：多饮水',
            '您好。\n诊断:肾积水\n建议:复查\n更正:',
        ),
        ('诊断：肾结石\n建议：多饮水', '诊断:肾结石\n建议:多饮水'),
        ('---\n诊断：肾结石', '---\n诊断:肾结石'),
        ('```text\n诊断：肾结石\n```', '```text\n诊断:肾结石\n```'),
        ('诊断：肾结石\n\n您好，多饮水。', '诊断:肾结石\n\n您好,多饮水。'),
        ('{"诊断": "肾结石"}', '{"诊断": "肾结石"}'),
        ('①您好', '1您好'),
        ('①您好\n诊断：肾结石', '1您好'),
        ('我无法判断。', '我无法判断。'),
        ('', ''),
    ],
)
def test_the_text_is_what_stands_before_the_sections_that_count_else_everything(reply: str, text: str) -> None:
    assert parse_reply(reply).text == text


@pytest.mark.parametrize(
    ('reply', 'summary'),
    [
        ('建议：多饮水；药物排石。\n诊断：1. 肾结石\n2. 肾积水', '诊断：肾结石、肾积水\n建议：多饮水、药物排石'),
        ('诊断：无', '诊断：无'),
        ('建议：', ''),
        ('您好', ''),
        ('', ''),
    ],
)
def test_the_summary_shows_the_sections_as_the_prompt_asks_for_them(reply: str, summary: str) -> None:
    parsed = parse_reply(reply)
    assert parsed.summary() == summary
    assert parsed.answered == bool(summary)
    assert _read(summary) == (parsed.disease, parsed.advice)


# -- any content ------------------------------------------------------------------------------------------------------

FRAGMENTS = st.sampled_from(
    ['诊断', '建议', '治疗建议', '：', ':', '\n', '{', '}', '"', '[', ']', '、', '；', '1.', '①', '一、', '(', '**',
     '# ', '- ', '【', '】', '```', '无', '。', '肾结石', ' ', '\\', '<think>', '</think>', '\u0301', '\ud800', '\x00',
     '\ufdd0']
)  # fmt: skip


@given(st.lists(FRAGMENTS, max_size=40).map(''.join))
def test_no_content_raises_and_every_item_is_one(reply: str) -> None:
    parsed = parse_reply(reply)
    for items in (parsed.disease, parsed.advice):
        keys = [''.join(item.split()) for item in items or []]
        assert len(set(keys)) == len(keys)
        assert all(any(map(str.isalnum, key)) and not set(key) & set('、，,；;') and key != '无' for key in keys)
    assert parsed.answered == (parsed.disease is not None or parsed.advice is not None) == bool(parsed.summary())


@pytest.mark.parametrize(
    'content',
    ['诊断', '诊断：', '诊断：\n', '诊断：a\n', '{', '{"', '{"a":', '{"诊断":', '[', '"', '\\', '\n', ' ', '*', '#',
     '`', '、', '1、', '1.', '①', '：', '\u0315\u0300', '<think', '。诊断', '诊断：a。', '- a\n', '{"诊断":"a"}',
     '9' * 5000, 'ｶﾞ'],
)  # fmt: skip
def test_a_megabyte_of_anything_is_read(content: str) -> None:
    """None of these may take more than linear time: tests/benchmarks/rjua_qa_replies.py times them."""
    long = content * (300_000 // len(content))
    for reply in (
        long,
        f'诊断：{long}',
        f'诊断：\n{long}',
        f'{{"诊断": "{long}',
        f'{long}\n诊断：肾结石\n建议：多饮水',
    ):
        parse_reply(reply)
