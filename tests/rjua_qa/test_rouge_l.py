"""Rouge-L against hand-computed values, a plain dynamic program, and evalscope's own Rouge-L."""

from fractions import Fraction
from typing import Sequence

import pytest
from evalscope_qa.rjua_qa.rouge_l import TOKENIZERS, rouge_l, tokenize
from hypothesis import given, settings
from hypothesis import strategies as st


def plain_lcs(left: Sequence[str], right: Sequence[str]) -> int:
    """Length of the longest common subsequence, by the textbook's table."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for row, one in enumerate(left, start=1):
        for column, other in enumerate(right, start=1):
            table[row][column] = (
                table[row - 1][column - 1] + 1 if one == other else max(table[row - 1][column], table[row][column - 1])
            )
    return table[-1][-1]


def plain_f(left: Sequence[str], right: Sequence[str]) -> Fraction:
    """2PR / (P + R), in exact arithmetic."""
    lcs = plain_lcs(left, right)
    if lcs == 0:
        return Fraction(0)
    precision, recall = Fraction(lcs, len(left)), Fraction(lcs, len(right))
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize(
    ('reply', 'answer', 'expected'),
    [
        ('肾结石', '肾结石', 1.0),
        ('肾结石', '肾积水', 1 / 3),  # 肾: P 1/3, R 1/3
        ('左肾结石', '肾石', 2 / 3),  # 肾石: P 2/4, R 2/2
        ('多饮水', '建议多饮水，注意休息', 6 / 13),  # 多饮水: P 3/3, R 3/10
        ('石结肾', '肾结石', 1 / 3),
        ('abc', '肾结石', 0.0),
        ('肾 结\n石\u3000', '肾结石', 1.0),
        ('您好,多饮水', '您好，多饮水', 1.0),
        ('ＣＴ', 'CT', 1.0),
        ('', '肾结石', 0.0),
        ('肾结石', '', 0.0),
        ('', '', 0.0),
        (' \n', '\u3000', 0.0),
    ],
)
def test_values_computed_by_hand(reply: str, answer: str, expected: float) -> None:
    assert rouge_l(reply, answer) == pytest.approx(expected, abs=1e-15)


TEXT = st.text(alphabet='肾结石积水，。 \nab１', max_size=60)


@given(TEXT, TEXT)
def test_it_is_the_f1_of_the_textbooks_longest_common_subsequence(reply: str, answer: str) -> None:
    expected = plain_f(tokenize(reply), tokenize(answer))
    assert rouge_l(reply, answer) == pytest.approx(float(expected), abs=1e-15)
    assert rouge_l(reply, answer) == rouge_l(answer, reply)


@settings(deadline=None)  # jieba loads its dictionary at its first use
@given(TEXT.filter(lambda text: text.strip() != ''), st.sampled_from(TOKENIZERS))
def test_equal_texts_score_exactly_one(text: str, tokenizer: str) -> None:
    assert rouge_l(text, text, tokenizer) == 1.0


SENTENCES = st.lists(
    st.sampled_from(['肾结石', '肾积水', '多饮水', '建议', '体外碎石', '，', '。', ' ', 'CT']), max_size=25
)


@given(SENTENCES.map(''.join), SENTENCES.map(''.join))
def test_words_are_compared_on_request(reply: str, answer: str) -> None:
    words = tokenize(reply, 'jieba'), tokenize(answer, 'jieba')
    assert rouge_l(reply, answer, 'jieba') == pytest.approx(float(plain_f(*words)), abs=1e-15)


def test_the_two_tokenizers() -> None:
    assert tokenize('您好， 多饮水') == '您好,多饮水'
    assert tokenize('建议体外碎石， 多喝水', 'jieba') == ['建议', '体外', '碎石', ',', '多喝水']
    assert rouge_l('体外', '体外碎石') == 2 * 2 / 6
    assert rouge_l('体外', '体外碎石', 'jieba') == 2 * 1 / 3
    with pytest.raises(ValueError, match="tokenizer 'word': expected one of char, jieba"):
        rouge_l('', '', 'word')


REPLY, ANSWER = '您好，考虑为肾结石，建议多饮水，并做体外碎石。', '您好，您是左肾结石，建议体外碎石，术后多饮水。'


@pytest.mark.parametrize(
    ('reply', 'answer', 'characters', 'words', 'theirs'),
    [
        (REPLY, ANSWER, 0.608696, 0.571429, 0.571429),
        (REPLY.replace('，', ','), ANSWER, 0.608696, 0.571429, 0.428571),
        (ANSWER, ANSWER, 1.0, 1.0, 0.999999995),
        ('', ANSWER, 0.0, 0.0, 0.0),
    ],
)
def test_how_evalscopes_own_rouge_l_differs(
    reply: str, answer: str, characters: float, words: float, theirs: float
) -> None:
    """The table of docs/rjua_qa.md."""
    from evalscope.metrics import compute_rouge_score_one_sample_zh

    assert rouge_l(reply, answer) == pytest.approx(characters, abs=1e-6)
    assert rouge_l(reply, answer, 'jieba') == pytest.approx(words, abs=1e-6)
    evalscope = compute_rouge_score_one_sample_zh([reply], [answer])['Rouge-L-F']
    assert evalscope == pytest.approx(theirs, abs=1e-9 if theirs > 0.99 else 1e-6)


def test_lone_surrogates_are_characters_like_others() -> None:
    assert rouge_l('\ud800肾', '肾\ud800') == 0.5
