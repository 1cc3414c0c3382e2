"""NFKC in pieces is NFKC, circled numbers stay, and markup goes."""

import random
import sys
import unicodedata

import pytest
from evalscope_qa.rjua_qa.normalization import nfkc, prepare
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
        ('①２型糖尿病⑳㉑㊿❿㊀', '①2型糖尿病⑳㉑㊿❿㊀'),
        ('１️⃣', '1️⃣'),
        ('<b>肾结石</b>、<strong class="a">肾积水</strong>', '肾结石、肾积水'),
        ('肾结石<br/>肾积水</p>', '肾结石\n肾积水\n'),
        ('| 诊断 | 肾结石<br>肾积水 |', '| 诊断 | 肾结石、肾积水 |'),
        ('PSA<b值、<4ng/ml、<诊断>', 'PSA<b值、<4ng/ml、<诊断>'),
        ('肾结石&nbsp;&amp;&#x80be;积水&甲;', '肾结石 &肾积水&甲;'),
        ('\\boxed{\\text{肾结石}}、\\mathrm{pH}', '肾结石、pH'),
        ('⑴⒈㈠', '(1)1.(一)'),
    ],
)
def test_prepared_text(text: str, prepared: str) -> None:
    assert prepare(text) == prepared


@given(CHINESE)
def test_prepared_text_is_nfkc_but_for_circled_numbers(text: str) -> None:
    text = text.replace('\r', '')
    assert nfkc(prepare(text)) == unicodedata.normalize('NFKC', text)


@given(CHINESE)
def test_preparing_twice_changes_nothing_more(text: str) -> None:
    assert prepare(prepare(text)) == prepare(text)
