"""NFKC in pieces is NFKC, and enclosed numbers stay apart from what they number."""

import random
import sys
import unicodedata

import pytest
from evalscope_qa.rjua_qa.normalization import MARK_END, MARK_START, nfkc, prepare, without_marks
from hypothesis import given
from hypothesis import strategies as st

CHINESE = st.text(alphabet='肾结石，、；。：（）１Ａ①②Ⅲ℃ｶﾞがか\u3099e\u0301\n a', max_size=400)


LONG = '肾' * 1000
"""In front of a text, makes it one that is normalised in pieces."""


@given(st.one_of(CHINESE, st.text(max_size=300)), st.integers(min_value=0, max_value=64))
def test_nfkc_in_pieces_is_nfkc(text: str, more: int) -> None:
    for each in (text, f'{LONG}{"结" * more}{text}'):
        assert nfkc(each) == unicodedata.normalize('NFKC', each)


def test_nfkc_of_every_character_between_chinese_ones() -> None:
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    random.Random(0).shuffle(characters)
    text = ''.join(f'{character}肾' for character in characters)
    assert nfkc(text) == unicodedata.normalize('NFKC', text)


@pytest.mark.parametrize('before', ['e', 'か', 'ｶ', '肾', '1'])
def test_no_character_at_which_text_is_cut_joins_the_one_before(before: str) -> None:
    """Cuts may stand anywhere, so each distance to the cut is tried."""
    for length in range(28, 70):
        text = LONG + before * length + '\u0301\u0327' + '肾' + before + '\u3099' + '，'
        assert nfkc(text) == unicodedata.normalize('NFKC', text)


def test_combining_characters_are_sorted_as_far_as_a_reader_could_tell() -> None:
    text = 'a' + '\u0315\u0300' * 15 + '肾'
    assert nfkc(LONG + text) == LONG + unicodedata.normalize('NFKC', text)
    hostile = 'a' + '\u0315\u0300' * 5000
    assert sorted(nfkc(hostile)) == sorted(unicodedata.normalize('NFKC', hostile))


@pytest.mark.parametrize(
    ('text', 'prepared'),
    [
        ('诊断：Ａ，Ｂ；Ｃ', '诊断:A,B;C'),
        ('１．肾结石', '1.肾结石'),
        ('a\r\nb\rc\u2028d\u2029e\x85f', 'a\nb\nc\nd\ne\nf'),
        ('\ufeff肾\u200b结\u2060石', '肾结石'),
        ('①2型糖尿病', f'{MARK_START}1{MARK_END}2型糖尿病'),
        ('⑳', f'{MARK_START}20{MARK_END}'),
        ('㉑', f'{MARK_START}21{MARK_END}'),
        ('㊿', f'{MARK_START}50{MARK_END}'),
        ('❿', f'{MARK_START}10{MARK_END}'),
        ('㊀', f'{MARK_START}1{MARK_END}'),
        ('⑴⒈㈠', '(1)1.(一)'),
    ],
)
def test_prepared_text(text: str, prepared: str) -> None:
    assert prepare(text) == prepared


@given(CHINESE)
def test_without_marks_prepared_text_is_nfkc(text: str) -> None:
    assert without_marks(prepare(text.replace('\r', ''))) == unicodedata.normalize('NFKC', text.replace('\r', ''))


@given(CHINESE)
def test_preparing_twice_changes_nothing_more(text: str) -> None:
    assert prepare(prepare(text)) == prepare(text)
