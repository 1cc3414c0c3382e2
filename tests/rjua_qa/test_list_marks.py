"""Numberings that only the whole list shows to be one."""

import pytest
from evalscope_qa.rjua_qa.list_marks import with_plain_numbers, without_stray_numbers
from evalscope_qa.rjua_qa.sections import parse_reply
from hypothesis import given
from hypothesis import strategies as st

TWO = ['肾结石', '肾积水']


@pytest.mark.parametrize(
    'text',
    [
        'A. 肾结石\nB. 肾积水',
        'a. 肾结石\nb. 肾积水',
        'A、肾结石\nB、肾积水',
        'A：肾结石\nB：肾积水',
        '（A）肾结石\n（B）肾积水',
        '(a) 肾结石\n(b) 肾积水',
        'A. 肾结石\n\nB. 肾积水',
        '**A.** 肾结石\n**B.** 肾积水',
        'Ⅰ、肾结石\nⅡ、肾积水',
        'I、肾结石\nII、肾积水',
        '1 、肾结石\n2 、肾积水',
        '1：肾结石\n2：肾积水',
        '(1).肾结石\n(2).肾积水',
        '[1] 肾结石\n[2] 肾积水',
        '【1】肾结石\n【2】肾积水',
        '①.肾结石\n②.肾积水',
        '①：肾结石\n②：肾积水',
    ],
)
def test_a_list_that_counts_up_has_no_marks_in_its_items(text: str) -> None:
    assert parse_reply(f'诊断：\n{text}').disease == TWO


@pytest.mark.parametrize(
    'text',
    [
        'A、肾结石；B、肾积水',
        '（A）肾结石（B）肾积水',
        '1 、肾结石；2 、肾积水',
        '1、肾结石；1、肾积水',
        '1、肾结石；3、肾积水',
        '①.肾结石 ②.肾积水',
    ],
)
def test_so_has_a_list_on_one_line(text: str) -> None:
    assert parse_reply(f'诊断：{text}').disease == TWO


@pytest.mark.parametrize(
    ('text', 'items'),
    [
        ('\n1.肾结石\n2.2型糖尿病\n3.肾积水', ['肾结石', '2型糖尿病', '肾积水']),
        ('\n1.2型糖尿病\n2.肾结石', ['2型糖尿病', '肾结石']),
        ('\n1.24小时尿检查\n2.3.0T磁共振', ['24小时尿检查', '3.0T磁共振']),
        ('1.24小时尿检查；2.超声', ['24小时尿检查', '超声']),
        ('\n[1] 肾结石', ['肾结石']),
    ],
)
def test_a_number_may_stand_right_before_a_digit(text: str, items: list[str]) -> None:
    assert parse_reply(f'诊断：{text}').disease == items


@pytest.mark.parametrize(
    ('text', 'items'),
    [
        ('1.5cm结石', ['1.5cm结石']),
        ('1.5cm、2.5cm结石', ['1.5cm', '2.5cm结石']),
        ('\nE. coli感染', ['E. coli感染']),
        ('维生素A、B、C', ['维生素A', 'B', 'C']),
        ('A、B、C', ['A', 'B', 'C']),
        ('多饮水 [1]，复查 [2]', ['多饮水 [1]', '复查 [2]']),
        ('PSA、B超、CT', ['PSA', 'B超', 'CT']),
        ('尿检8:30、20:30', ['尿检8:30', '20:30']),
    ],
)
def test_what_does_not_count_up_from_the_start_of_a_line_is_part_of_its_item(text: str, items: list[str]) -> None:
    assert parse_reply(f'诊断：{text}').disease == items


@pytest.mark.parametrize(
    'text', ['', '肾结石、肾积水', '1. 肾结石\n2. 肾积水', '1、肾结石；2、肾积水', '(1)肾结石(2)肾积水']
)
def test_what_needs_no_other_form_is_left_as_it_is(text: str) -> None:
    assert with_plain_numbers(text) == text
    assert without_stray_numbers(text.replace('；', ';\n')) == text.replace('；', ';\n')


@given(st.text(alphabet='AB12IV.、：:()[] \n结石;', max_size=30))
def test_nothing_but_marks_is_taken_away(text: str) -> None:
    kept = [character for character in with_plain_numbers(text) if character in '结石']
    assert kept == [character for character in text if character in '结石']
