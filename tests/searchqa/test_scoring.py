"""Exact match, F1 and sub-EM: against hand-computed values, the MRQA 2019 rules, and the definition of sub-EM."""

import re
import string
from fractions import Fraction
from typing import Dict, List, Tuple

import pytest
from evalscope_qa.searchqa.scoring import (
    METRICS,
    aggregate_answers,
    exact_match,
    f1,
    normalize_answer,
    score_answer,
    sub_em,
)
from hypothesis import assume, example, given
from hypothesis import strategies as st

ZERO = {'exact_match': 0.0, 'f1': 0.0, 'sub_em': 0.0}
ONE = {'exact_match': 1.0, 'f1': 1.0, 'sub_em': 1.0}


# -- normalisation ----------------------------------------------------------------------------------------------------


def mrqa_normalize(text: str) -> str:
    """SQuAD's normalisation as the MRQA 2019 evaluation states it, one step after the other, character by character."""
    text = text.lower()
    text = ''.join(character for character in text if character not in set(string.punctuation))
    text = re.sub(r'\b(a|an|the)\b', ' ', text)
    return ' '.join(text.split())


NORMALIZED = [
    ('The Beatles', 'beatles'),
    ('A.B.C.', 'abc'),
    ('a', ''),
    ('an', ''),
    ('tHe', ''),
    ('The.', ''),
    ('...!?', ''),
    ('', ''),
    (' \t\n', ''),
    ('theatre', 'theatre'),
    ('Anna and the King', 'anna and king'),
    ("rock 'n' roll", 'rock n roll'),
    ('rock-and-roll', 'rockandroll'),
    ('the-end', 'theend'),
    ('U.S.A', 'usa'),
    ('a.n', ''),  # punctuation goes first, and what is left is an article
    ('t-h-e', ''),
    ('snake_case', 'snakecase'),
    ('a_', ''),
    ('two  words\nand\tmore', 'two words and more'),
    ('no\u00a0break\u2003space\x1cand\x0bmore', 'no break space and more'),
    ('Straße', 'straße'),
    ('İstanbul', 'i̇stanbul'),
    ('“The End”', '“ end”'),  # quotation marks outside ASCII stay, and end a word
    ('the–end', '–end'),
    ('the\u2019s', '\u2019s'),
    ('été a', 'été'),
    ('a\u0301', '\u0301'),  # a combining accent is no word character for the regular expression
    ('théâtre', 'théâtre'),
    ('the\x00end', '\x00end'),
    ('a\x7fa', '\x7f'),
    ('中the文', '中the文'),
    ('中，the，文', '中， ，文'),
    ('\ud800 the', '\ud800'),
    ('the\ud800', '\ud800'),
    ('ﬁne', 'ﬁne'),
    ('½ a', '½'),
    ('$100', '100'),
]


@pytest.mark.parametrize(('text', 'expected'), NORMALIZED, ids=[repr(text) for text, _ in NORMALIZED])
def test_the_normal_form(text: str, expected: str) -> None:
    assert normalize_answer(text) == expected
    assert mrqa_normalize(text) == expected


pieces = st.sampled_from(
    ['a', 'an', 'the', 'The', 'A', ' ', '  ', '\n', '\x1c', '\x00', '\x7f', '.', '-', '_', "'", '–', '“', '\u2019',
     '\u0301', '\u00a0', 'é', 'É', 'İ', 'ß', '中', '，', '1', 'x', 'Paris', 'new', 'york', '\ud800', '\u200b', '²']
)  # fmt: skip
texts = st.one_of(st.lists(pieces, max_size=12).map(''.join), st.text(max_size=20))


@given(texts)
def test_the_normal_form_is_squads_on_any_text(text: str) -> None:
    assert normalize_answer(text) == mrqa_normalize(text)


# -- the MRQA 2019 rules ----------------------------------------------------------------------------------------------


def mrqa_f1(prediction: str, gold: str) -> float:
    """Token F1 of the MRQA 2019 evaluation: tokens are struck off one by one; nothing shared is 0."""
    left = mrqa_normalize(prediction).split()
    right = mrqa_normalize(gold).split()
    unmatched, shared = list(right), 0
    for token in left:
        if token in unmatched:
            unmatched.remove(token)
            shared += 1
    if shared == 0:
        return 0.0
    precision, recall = shared / len(left), shared / len(right)
    return (2 * precision * recall) / (precision + recall)


def mrqa_exact_match(prediction: str, gold: str) -> float:
    return 1.0 if mrqa_normalize(prediction) == mrqa_normalize(gold) else 0.0


def defined_sub_em(prediction: str, gold: str) -> float:
    """Sub-EM by looking for one text at every place of the other; empty matches empty alone."""
    left, right = mrqa_normalize(prediction), mrqa_normalize(gold)
    if not left or not right:
        return 1.0 if left == right else 0.0
    short, long = sorted((left, right), key=len)
    return 1.0 if any(long[start : start + len(short)] == short for start in range(len(long))) else 0.0


@given(texts, st.lists(texts, min_size=1, max_size=5))
@example('the', ['an', 'x'])
@example('new new york', ['york new', 'new york city'])
@example('x y z', ['x b c d'])  # 2/7, whose last bit depends on the order of the operations
def test_answered_replies_score_as_the_mrqa_evaluation_does(prediction: str, golds: List[str]) -> None:
    assume(prediction.strip())
    scores = score_answer(prediction, golds)
    assert scores['exact_match'] == max(mrqa_exact_match(prediction, gold) for gold in golds)
    assert scores['sub_em'] == max(defined_sub_em(prediction, gold) for gold in golds)
    empty_match = not mrqa_normalize(prediction) and any(not mrqa_normalize(gold) for gold in golds)
    # The one difference: two texts that normalise to nothing are the same answer here.
    assert scores['f1'] == (1.0 if empty_match else max(mrqa_f1(prediction, gold) for gold in golds))


@given(texts, texts)
def test_each_metric_of_one_pair_is_that_of_its_oracle(prediction: str, gold: str) -> None:
    normalized = normalize_answer(prediction), normalize_answer(gold)
    assert exact_match(*normalized) == mrqa_exact_match(prediction, gold)
    assert sub_em(*normalized) == defined_sub_em(prediction, gold)
    assert f1(*normalized) == (mrqa_f1(prediction, gold) if any(normalized) else 1.0)


# -- values computed by hand ------------------------------------------------------------------------------------------

PAIRS = [
    # prediction, gold, exact match, F1, sub-EM
    ('Paris', 'Paris', 1, Fraction(1), 1),
    ('paris!', 'The Paris', 1, Fraction(1), 1),
    ('Paris', 'Paris, France', 0, Fraction(2, 3), 1),
    ('Paris, France', 'Paris', 0, Fraction(2, 3), 1),
    ('London', 'Paris', 0, Fraction(0), 0),
    ('New York City', 'York New', 0, Fraction(4, 5), 0),
    ('York', 'New York City', 0, Fraction(1, 2), 1),
    ('John Lennon', 'Lennon', 0, Fraction(2, 3), 1),
    ('art', 'Bonaparte', 0, Fraction(0), 1),  # containment is of text, not of words
    ('duran duran duran', 'duran duran', 0, Fraction(4, 5), 1),
    ('duran', 'duran duran', 0, Fraction(2, 3), 1),
    ('x duran y duran', 'duran z duran duran', 0, Fraction(1, 2), 0),
    ('one two three four', 'four three', 0, Fraction(2, 3), 0),
]


@pytest.mark.parametrize(('prediction', 'gold', 'em', 'token_f1', 'sub'), PAIRS)
def test_hand_computed_values(prediction: str, gold: str, em: int, token_f1: Fraction, sub: int) -> None:
    expected = {'exact_match': em, 'f1': pytest.approx(float(token_f1), abs=1e-15), 'sub_em': sub}
    assert score_answer(prediction, [gold]) == expected


# Each kind of text without content, both as prediction and as gold. Nothing was answered where it is blank.
EMPTY = {'empty': '', 'blank': ' \n', 'article': 'The', 'punctuation': '?!', 'articles': 'a, an; the'}


@pytest.mark.parametrize('metric', METRICS)
@pytest.mark.parametrize('kind', EMPTY)
class TestTextWithoutContent:
    def test_as_prediction_it_matches_no_gold_with_content(self, kind: str, metric: str) -> None:
        assert score_answer(EMPTY[kind], ['Paris'])[metric] == 0.0

    def test_as_gold_it_is_matched_by_no_prediction_with_content(self, kind: str, metric: str) -> None:
        assert score_answer('Paris', [EMPTY[kind]])[metric] == 0.0

    @pytest.mark.parametrize('other', EMPTY)
    def test_it_matches_another_one_if_something_was_answered(self, kind: str, metric: str, other: str) -> None:
        assert score_answer(EMPTY[kind], [EMPTY[other]])[metric] == (0.0 if kind in ('empty', 'blank') else 1.0)

    def test_beside_a_gold_with_content_it_takes_nothing_away(self, kind: str, metric: str) -> None:
        assert score_answer('Paris', [EMPTY[kind], 'Paris'])[metric] == 1.0
        assert score_answer('London', [EMPTY[kind], 'Paris'])[metric] == 0.0


@pytest.mark.parametrize('metric', [exact_match, f1, sub_em])
def test_each_metric_of_normalised_texts_that_are_empty(metric) -> None:  # type: ignore[no-untyped-def]
    assert (metric('', ''), metric('', 'paris'), metric('paris', ''), metric('paris', 'paris')) == (1, 0, 0, 1)


@pytest.mark.parametrize(
    ('prediction', 'gold', 'expected'),
    [('', 'Paris', 0.0), ('The.', 'Paris', 0.0), ('London', 'The', 0.0), ('Paris', 'Paris, France', 1.0)],
)
def test_sub_em_of_the_replies_that_an_empty_string_once_matched(prediction: str, gold: str, expected: float) -> None:
    assert score_answer(prediction, [gold])['sub_em'] == expected


def test_each_metric_takes_its_own_best_gold() -> None:
    # F1 is best on the second gold, sub-EM holds for the first alone.
    scores = score_answer('red hot chili', ['hot', 'chili red hot peppers'])
    assert scores == {'exact_match': 0.0, 'f1': pytest.approx(6 / 7), 'sub_em': 1.0}


def test_a_question_without_gold_answers_is_an_error() -> None:
    with pytest.raises(ValueError, match='without gold answers'):
        score_answer('Paris', [])


# -- properties -------------------------------------------------------------------------------------------------------

words = st.lists(st.sampled_from(['the', 'a', 'new', 'york', 'paris', 'é', '…', '.']), max_size=4).map(' '.join)
question = st.tuples(words, st.lists(words, min_size=1, max_size=4))


@given(question)
def test_scores_lie_between_0_and_1_and_exact_match_is_the_hardest(pair: Tuple[str, List[str]]) -> None:
    scores = score_answer(*pair)
    assert all(0.0 <= value <= 1.0 for value in scores.values())
    assert scores['exact_match'] <= min(scores['f1'], scores['sub_em'])


@given(question)
def test_the_order_and_repetition_of_gold_answers_change_nothing(pair: Tuple[str, List[str]]) -> None:
    prediction, golds = pair
    assert score_answer(prediction, golds) == score_answer(prediction, [*golds, *reversed(golds)])


@given(question, words)
def test_another_gold_answer_never_lowers_a_score(pair: Tuple[str, List[str]], gold: str) -> None:
    before, after = score_answer(*pair), score_answer(pair[0], [*pair[1], gold])
    assert all(after[metric] >= before[metric] for metric in METRICS)


def _aggregate(pairs: List[Tuple[str, List[str]]]) -> Dict[str, float]:
    return aggregate_answers(
        [score_answer(*pair) for pair in pairs], [bool(prediction.strip()) for prediction, _ in pairs]
    )


@given(st.lists(question, min_size=1, max_size=12), st.randoms(use_true_random=False), st.integers(1, 5))
def test_order_and_repetition_of_questions_change_no_bit(pairs, random, repeats) -> None:  # type: ignore[no-untyped-def]
    shuffled = pairs * repeats
    random.shuffle(shuffled)
    assert _aggregate(shuffled) == _aggregate(pairs)


@given(st.lists(question, min_size=1, max_size=8), st.data())
def test_a_wrong_reply_made_right_lowers_nothing_and_made_empty_raises_nothing(pairs, data) -> None:  # type: ignore[no-untyped-def]
    index = data.draw(st.integers(0, len(pairs) - 1))
    golds = pairs[index][1]
    before = _aggregate(pairs)
    unanswered = _aggregate([*pairs[:index], ('', golds), *pairs[index + 1 :]])
    assert all(unanswered[metric] <= before[metric] for metric in METRICS)
    right = data.draw(st.sampled_from(golds))
    assume(right.strip())  # a blank text is no answer, whatever the gold
    corrected = _aggregate([*pairs[:index], (right, golds), *pairs[index + 1 :]])
    assert all(corrected[metric] >= before[metric] for metric in METRICS)
    assert corrected['unanswered_ratio'] <= before['unanswered_ratio'] <= unanswered['unanswered_ratio']


@given(st.lists(words.filter(str.strip), min_size=1, max_size=30))
def test_a_perfect_model_scores_exactly_1(golds: List[str]) -> None:
    assert _aggregate([(gold.upper(), ['something else', gold]) for gold in golds]) == {**ONE, 'unanswered_ratio': 0.0}


@pytest.mark.parametrize(
    ('values', 'answered', 'expected'),
    [
        ([], [], {**ZERO, 'unanswered_ratio': 0.0}),
        ([ONE, ZERO], [True, False], {'exact_match': 0.5, 'f1': 0.5, 'sub_em': 0.5, 'unanswered_ratio': 0.5}),
        ([ZERO, ZERO], [True, True], {**ZERO, 'unanswered_ratio': 0.0}),
        (
            [{'exact_match': 0.0, 'f1': 0.1, 'sub_em': 1.0}] * 3 + [ONE],
            [True] * 4,
            {'exact_match': 0.25, 'f1': float((3 * Fraction(0.1) + 1) / 4), 'sub_em': 1.0, 'unanswered_ratio': 0.0},
        ),
    ],
)
def test_the_mean_is_over_every_question_asked(
    values: List[Dict[str, float]], answered: List[bool], expected: Dict[str, float]
) -> None:
    assert aggregate_answers(values, answered) == expected


def test_a_megabyte_is_scored() -> None:
    for piece in ('the ', 'é ', 'the–', 'x', '\x00 ', '\ud800 '):
        text = piece * (2**20 // len(piece))
        assert score_answer(text, [text]) == ONE
        assert score_answer(text, ['Paris']) == ZERO
