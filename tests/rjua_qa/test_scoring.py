"""Set F1 and the aggregates against scikit-learn, hand-computed values, and the rules of every benchmark here."""

import json
import random
from fractions import Fraction
from typing import List, NamedTuple, Optional, Sequence

import pytest
from evalscope_qa.rjua_qa.schema import Gold
from evalscope_qa.rjua_qa.scoring import (
    METRICS,
    SECTION_METRICS,
    ItemCounts,
    ReplyCounts,
    aggregate_replies,
    count_items,
    count_reply,
    final_accuracy,
    score_reply,
    set_f1,
)
from evalscope_qa.rjua_qa.sections import ParsedReply, read_reply
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score
from sklearn.preprocessing import MultiLabelBinarizer

ITEMS = list('甲乙丙丁戊己')
SETS = st.lists(st.sampled_from(ITEMS), unique=True, max_size=5)


class Case(NamedTuple):
    """A gold record's lists and what a reply gives; None for a section that is not there."""

    disease: List[str]
    advice: List[str]
    predicted_disease: Optional[List[str]]
    predicted_advice: Optional[List[str]]
    text: str = '您好'

    @property
    def gold(self) -> Gold:
        return Gold(answer='您好', disease=self.disease, advice=self.advice)

    @property
    def reply(self) -> ParsedReply:
        return ParsedReply(self.predicted_disease, self.predicted_advice, self.text)

    def answered_with(self, disease: Optional[List[str]], advice: Optional[List[str]]) -> 'Case':
        return self._replace(predicted_disease=disease, predicted_advice=advice)


CASES = st.builds(Case, SETS, SETS, st.none() | SETS, st.none() | SETS, st.sampled_from(['您好', '好', '', '再见']))


def _aggregate(cases: Sequence[Case]) -> dict[str, float]:
    return aggregate_replies(
        [score_reply(case.reply, case.gold) for case in cases],
        [count_reply(case.reply, case.gold) for case in cases],
        [case.reply.answered for case in cases],
    )


# -- one set ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('gold', 'predicted', 'counts', 'expected'),
    [
        (['甲'], ['甲'], (1, 0, 0), 1.0),
        (['甲', '乙'], ['乙', '甲'], (2, 0, 0), 1.0),
        (['甲', '乙'], ['甲'], (1, 0, 1), 2 / 3),
        (['甲'], ['甲', '乙'], (1, 1, 0), 2 / 3),
        (['甲', '乙', '丙'], ['甲', '丁'], (1, 1, 2), 0.4),
        (['甲'], ['乙'], (0, 1, 1), 0.0),
        (['甲'], [], (0, 0, 1), 0.0),
        ([], ['甲'], (0, 1, 0), 0.0),
        ([], [], (0, 0, 0), 1.0),
        (['前列腺 增生'], ['前列腺增生 '], (1, 0, 0), 1.0),
        (['甲', '甲'], ['甲'], (1, 0, 0), 1.0),
        (['CT'], ['ct'], (0, 1, 1), 0.0),
    ],
)
def test_the_f1_of_two_sets(
    gold: List[str], predicted: List[str], counts: tuple[int, int, int], expected: float
) -> None:
    assert count_items(gold, predicted) == ItemCounts(*counts)
    assert set_f1(ItemCounts(*counts)) == expected


@given(SETS, SETS)
def test_the_f1_is_that_of_precision_and_recall(gold: List[str], predicted: List[str]) -> None:
    shared = len(set(gold) & set(predicted))
    if not gold and not predicted:
        expected = Fraction(1)
    elif not shared:
        expected = Fraction(0)
    else:
        precision, recall = Fraction(shared, len(predicted)), Fraction(shared, len(gold))
        expected = 2 * precision * recall / (precision + recall)
    assert set_f1(count_items(gold, predicted)) == float(expected)


def test_the_diseases_count_double() -> None:
    assert final_accuracy(1.0, 1.0) == 1.0
    assert final_accuracy(0.0, 0.0) == 0.0
    assert final_accuracy(0.5, 0.0) == pytest.approx(1 / 3)
    assert final_accuracy(0.0, 0.5) == pytest.approx(1 / 6)


# -- one question -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('reply', 'disease', 'advice', 'f1_disease', 'f1_advice'),
    [
        ('诊断：甲、乙\n建议：丙', ['甲', '乙'], ['丙'], 1.0, 1.0),
        ('诊断：甲\n建议：丙、丁', ['甲', '乙'], ['丙'], 2 / 3, 2 / 3),
        ('诊断：甲', ['甲'], ['丙'], 1.0, 0.0),
        ('建议：丙', ['甲'], ['丙'], 0.0, 1.0),
        ('诊断：无\n建议：丙', [], ['丙'], 1.0, 1.0),
        ('建议：丙', [], ['丙'], 1.0, 1.0),  # the predicted set is empty, whether or not a section says so
        ('诊断：无\n建议：无', [], [], 1.0, 1.0),
        ('诊断：无', ['甲'], ['丙'], 0.0, 0.0),
        ('我无法判断。', [], [], 0.0, 0.0),
        ('', [], [], 0.0, 0.0),
        ('<think>诊断：无\n建议：无', [], [], 0.0, 0.0),
    ],
)
def test_the_scores_of_a_reply(
    reply: str, disease: List[str], advice: List[str], f1_disease: float, f1_advice: float
) -> None:
    scores = score_reply(read_reply(reply), Gold(answer='您好', disease=disease, advice=advice))
    assert set(scores) == set(METRICS)
    assert (scores['f1_disease'], scores['f1_advice']) == (f1_disease, f1_advice)
    assert scores['final_accuracy'] == pytest.approx((2 * f1_disease + f1_advice) / 3)


def test_an_unanswered_reply_has_the_rouge_l_of_its_text_and_an_empty_one_none() -> None:
    gold = Gold(answer='您好，多饮水', disease=['甲'], advice=['乙'])
    assert score_reply(read_reply('您好'), gold)['rouge_l'] == 2 * 2 / (2 + 6)
    assert score_reply(read_reply(''), gold)['rouge_l'] == 0.0
    assert score_reply(read_reply('您好，多饮水\n诊断：丙'), gold)['rouge_l'] == 1.0


def test_rouge_l_compares_words_on_request() -> None:
    gold = Gold(answer='体外碎石', disease=[], advice=[])
    assert score_reply(read_reply('体外'), gold, 'jieba')['rouge_l'] == pytest.approx(2 / 3)


# -- all questions ----------------------------------------------------------------------------------------------------


@given(st.lists(CASES, min_size=1, max_size=8))
def test_the_aggregates_are_those_of_scikit_learn(cases: List[Case]) -> None:
    """Means are compared where every question is answered: an unanswered one has 0 whatever the gold set is."""
    result = _aggregate(cases)
    for section in ('disease', 'advice'):
        gold = MultiLabelBinarizer(classes=ITEMS).fit_transform([getattr(case, section) for case in cases])
        predicted = MultiLabelBinarizer(classes=ITEMS).fit_transform(
            [getattr(case, f'predicted_{section}') or [] for case in cases]
        )
        plain = [case for case in cases if case.reply.answered]
        if len(plain) == len(cases):
            expected = f1_score(gold, predicted, average='samples', zero_division=1)
            assert result[f'f1_{section}'] == pytest.approx(expected)
        if gold.any() or predicted.any():
            expected = f1_score(gold, predicted, average='micro')
            assert result[f'f1_{section}_micro'] == pytest.approx(expected)
    assert result['unanswered_ratio'] == pytest.approx(sum(not case.reply.answered for case in cases) / len(cases))
    f1_means = result['f1_disease'], result['f1_advice']
    assert result['final_accuracy'] == pytest.approx((2 * f1_means[0] + f1_means[1]) / 3)


def test_the_mean_and_the_micro_f1_differ() -> None:
    cases = [
        Case(['甲'], ['丁'], ['甲'], ['丁']),
        Case(['甲', '乙', '丙'], ['丁'], ['甲', '戊'], ['己']),
    ]
    result = _aggregate(cases)
    assert result['f1_disease'] == pytest.approx((1 + 0.4) / 2)
    assert result['f1_disease_micro'] == pytest.approx(2 * 2 / (2 * 2 + 1 + 2))
    assert result['f1_advice'] == 0.5
    assert result['f1_advice_micro'] == 0.5
    assert result['final_accuracy'] == pytest.approx((2 * 0.7 + 0.5) / 3)


@pytest.mark.parametrize(
    ('cases', 'expected'),
    [
        ([], 0.0),
        ([Case([], [], [], [])], 1.0),
        ([Case([], [], None, [])], 1.0),
        ([Case([], [], None, None)], 0.0),
        ([Case([], [], [], []), Case([], [], None, None)], 0.0),
        ([Case(['甲'], ['甲'], None, None)], 0.0),
        ([Case([], [], ['甲'], ['甲'])], 0.0),
    ],
)
def test_the_micro_f1_of_empty_sets(cases: List[Case], expected: float) -> None:
    result = _aggregate(cases)
    assert result['f1_disease_micro'] == result['f1_advice_micro'] == expected


def test_no_questions_have_zeros() -> None:
    assert set(_aggregate([]).values()) == {0.0}


@given(st.lists(CASES, min_size=1, max_size=8), st.integers(min_value=2, max_value=4), st.randoms())
def test_order_and_repetition_change_nothing(cases: List[Case], times: int, rng: random.Random) -> None:
    shuffled = [case for case in cases for _ in range(times)]
    rng.shuffle(shuffled)
    assert _aggregate(shuffled) == _aggregate(cases)


@given(st.lists(CASES, min_size=1, max_size=8))
def test_a_perfect_model_scores_exactly_one(cases: List[Case]) -> None:
    perfect = [case.answered_with(case.disease, case.advice)._replace(text='您好') for case in cases]
    assert _aggregate(perfect) == {
        **dict.fromkeys([*METRICS, 'f1_disease_micro', 'f1_advice_micro'], 1.0), 'unanswered_ratio': 0.0
    }  # fmt: skip


@given(st.lists(CASES, min_size=1, max_size=8))
def test_an_unanswered_question_is_never_credited(cases: List[Case]) -> None:
    result = _aggregate([case.answered_with(None, None) for case in cases])
    assert [result[metric] for metric in (*SECTION_METRICS, 'f1_disease_micro', 'f1_advice_micro')] == [0.0] * 5
    assert result['unanswered_ratio'] == 1.0


@given(st.lists(CASES, min_size=1, max_size=8))
def test_making_a_reply_right_lowers_no_metric(cases: List[Case]) -> None:
    before = _aggregate(cases)
    first = cases[0].answered_with(cases[0].disease, cases[0].advice)._replace(text='您好')
    after = _aggregate([first, *cases[1:]])
    for metric in before.keys() - {'unanswered_ratio'}:
        assert after[metric] >= before[metric], metric


@given(st.lists(CASES, min_size=1, max_size=8))
def test_withdrawing_an_answer_raises_no_mean_f1(cases: List[Case]) -> None:
    before, after = _aggregate(cases), _aggregate([cases[0].answered_with(None, None), *cases[1:]])
    for metric in SECTION_METRICS:
        assert after[metric] <= before[metric]


def test_withdrawing_a_wrong_answer_can_raise_the_micro_f1() -> None:
    """It sums false positives, of which no answer has none; docs/rjua_qa.md says so."""
    right, wrong = Case(['甲'], [], ['甲'], []), Case(['乙'], [], ['丙'], [])
    assert _aggregate([right, wrong])['f1_disease_micro'] == 0.5
    assert _aggregate([right, wrong.answered_with(None, None)])['f1_disease_micro'] == pytest.approx(2 / 3)


def test_counts_survive_json() -> None:
    counts = ReplyCounts(ItemCounts(1, 2, 3), ItemCounts(4, 5, 6))
    assert ReplyCounts.of(json.loads(json.dumps(counts.to_json()))) == counts
