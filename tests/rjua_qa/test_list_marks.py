"""The table of list marks: each entry is a mark, and numbers that need their list are marks in one only."""

import pytest
from evalscope_qa.rjua_qa.items import read_items
from evalscope_qa.rjua_qa.list_marks import NUMBERINGS, Numbering, counts, numbers_of_lists
from hypothesis import given
from hypothesis import strategies as st

TWO = ['肾结石', '肾积水']
FIRST_TWO = {'1': ('1', '2'), '一': ('一', '二'), 'I': ('I', 'II'), 'A': ('A', 'B'), 'a': ('a', 'b')}
ENTRIES = [(numbering, numerals) for numbering in NUMBERINGS for numerals in numbering.numerals]
ALONE = [(numbering, numerals) for numbering in NUMBERINGS for numerals in numbering.alone]
NOT_ALONE = [entry for entry in ENTRIES if entry not in ALONE]


def _marks(numbering: Numbering, numerals: str) -> list[str]:
    return [f'{numbering.opening}{numeral}{numbering.closing}' for numeral in FIRST_TWO[numerals]]


@pytest.mark.parametrize('between', ['\n', ' ', '；', '，'])
@pytest.mark.parametrize('space', ['', ' '])
@pytest.mark.parametrize(('numbering', 'numerals'), ENTRIES)
def test_numbers_that_count_up_are_no_part_of_the_items(
    numbering: Numbering, numerals: str, space: str, between: str
) -> None:
    first, second = _marks(numbering, numerals)
    assert read_items(f'{first}{space}肾结石{between}{second}{space}肾积水') == TWO


@pytest.mark.parametrize(('numbering', 'numerals'), ALONE)
def test_a_number_that_needs_no_list_is_a_mark_where_an_item_starts(numbering: Numbering, numerals: str) -> None:
    _, second = _marks(numbering, numerals)
    assert read_items(f'{second}肾结石') == ['肾结石']
    assert read_items(f'肾积水\n{second}肾结石；{second}肾炎') == ['肾积水', '肾结石', '肾炎']


@pytest.mark.parametrize(('numbering', 'numerals'), [entry for entry in NOT_ALONE if entry[0].closing != '、'])
def test_a_number_that_needs_its_list_is_text_without_it(numbering: Numbering, numerals: str) -> None:
    first, second = _marks(numbering, numerals)
    assert read_items(f'{first}肾结石') == [f'{first}肾结石']
    assert read_items(f'{second}肾结石') == [f'{second}肾结石']


@pytest.mark.parametrize(
    ('text', 'items'),
    [
        ('1.肾结石\n2.2型糖尿病\n3.肾积水', ['肾结石', '2型糖尿病', '肾积水']),
        ('1.2型糖尿病\n2.肾结石', ['2型糖尿病', '肾结石']),
        ('1.24小时尿检查；2.超声', ['24小时尿检查', '超声']),
        ('1.5cm结石', ['1.5cm结石']),
        ('1.5cm肾结石\n2.5cm肾积水', ['1.5cm肾结石', '2.5cm肾积水']),
        ('1.5cm、2.5cm结石', ['1.5cm', '2.5cm结石']),
        ('尿检8:30、20:30', ['尿检8:30', '20:30']),
    ],
)
def test_a_number_before_a_digit_is_a_mark_in_a_list_that_has_others(text: str, items: list[str]) -> None:
    assert read_items(text) == items


@pytest.mark.parametrize(
    ('text', 'items'),
    [
        ('**A.** 肾结石\n**B.** 肾积水', TWO),
        ('A. 肾结石\n\nB. 肾积水', TWO),
        ('(1).肾结石\n(2).肾积水', TWO),
        ('①.肾结石 ②：肾积水', TWO),
        ('1、肾结石；1、肾积水', TWO),
        ('1、肾结石；3、肾积水', TWO),
        ('1.甲 2.乙\n1.丙 2.丁', ['甲', '乙', '丙', '丁']),
        ('E. coli感染', ['E. coli感染']),
        ('维生素A、B、C', ['维生素A', 'B', 'C']),
        ('A、B、C', ['A', 'B', 'C']),
        ('PSA、B超、CT', ['PSA', 'B超', 'CT']),
        ('多饮水 [1]，复查 [2]', ['多饮水 [1]', '复查 [2]']),
        ('G1、肾癌', ['G1', '肾癌']),
    ],
)
def test_what_does_not_count_up_from_where_an_item_starts_is_text(text: str, items: list[str]) -> None:
    assert read_items(text) == items


@pytest.mark.parametrize(
    ('numeral', 'expected'),
    [
        ('12', [('1', 12)]), ('一', [('一', 1)]), ('十', [('一', 10)]), ('二十一', [('一', 21)]),
        ('九十八', [('一', 98)]),
        ('I', [('I', 1), ('A', 9)]), ('IV', [('I', 4)]), ('b', [('a', 2)]), ('二一', []), ('IIII', []),
    ],
)  # fmt: skip
def test_what_a_numeral_counts(numeral: str, expected: list[tuple[str, int]]) -> None:
    assert counts(numeral) == expected


def test_a_text_of_numbers_alone_is_no_list() -> None:
    assert numbers_of_lists('1.2.3.4.5.') == []
    assert read_items('1、' * 5000) == ['1']


@given(st.text(alphabet='AB12IV.、：:()[] \n结石;', max_size=30))
def test_the_numbers_of_lists_are_apart_and_hold_no_item(text: str) -> None:
    position = 0
    for start, end in numbers_of_lists(text):
        assert position <= start < end
        assert not set(text[start:end]) & set('结石\n')
        position = end
