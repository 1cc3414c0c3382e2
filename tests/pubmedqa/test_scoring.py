"""Accuracy, macro averages and ratios, against scikit-learn and by hand."""

from typing import Dict, List, Optional

import pytest
from evalscope_qa.pubmedqa.scoring import CLASSES, METRICS, aggregate_verdicts, score_verdict
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

GOLD = st.sampled_from(CLASSES)
PREDICTION = st.sampled_from([*CLASSES, None])
OUTCOMES = st.lists(st.tuples(GOLD, PREDICTION), min_size=1, max_size=60)
QUALITY = ('accuracy', 'precision', 'recall', 'f1_score')
RATIOS = ('yes_ratio', 'no_ratio', 'maybe_ratio', 'unanswered_ratio')


def metrics(outcomes: list) -> Dict[str, float]:
    golds = [gold for gold, _ in outcomes]
    predictions = [prediction for _, prediction in outcomes]
    correct = [score_verdict(gold, prediction) for gold, prediction in outcomes]
    return aggregate_verdicts(golds, predictions, correct)


def by_scikit_learn(golds: List[str], predictions: List[Optional[str]]) -> Dict[str, float]:
    """The formula of the benchmark's page: unanswered is a fourth predicted value."""
    predicted = [prediction or 'UNANSWERED' for prediction in predictions]
    precision, recall, f1, _ = precision_recall_fscore_support(
        golds, predicted, labels=list(CLASSES), average='macro', zero_division=0
    )
    return {'accuracy': accuracy_score(golds, predicted), 'precision': precision, 'recall': recall, 'f1_score': f1}


@given(OUTCOMES)
def test_quality_metrics_are_those_of_scikit_learn(outcomes: list) -> None:
    expected = by_scikit_learn(*map(list, zip(*outcomes, strict=True)))
    got = metrics(outcomes)
    assert {name: got[name] for name in QUALITY} == pytest.approx(expected, abs=1e-12)


@given(OUTCOMES)
def test_every_metric_is_reported_and_lies_between_0_and_1(outcomes: list) -> None:
    got = metrics(outcomes)
    assert tuple(got) == METRICS
    assert all(0.0 <= value <= 1.0 for value in got.values())


@given(OUTCOMES)
def test_ratios_are_shares_of_the_questions_and_sum_to_1(outcomes: list) -> None:
    got = metrics(outcomes)
    for prediction, name in zip((*CLASSES, None), RATIOS, strict=True):
        assert got[name] == sum(answer == prediction for _, answer in outcomes) / len(outcomes)
    assert sum(got[name] for name in RATIOS) == pytest.approx(1.0, abs=1e-15)


@given(OUTCOMES, st.randoms(use_true_random=False), st.integers(2, 7))
def test_neither_order_nor_repetition_changes_a_digit(outcomes: list, random: object, times: int) -> None:
    shuffled = list(outcomes)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert metrics(shuffled) == metrics(outcomes)
    assert metrics(shuffled * times) == metrics(outcomes)


@given(st.lists(GOLD, max_size=60))
def test_a_perfect_model_scores_exactly_1(golds: List[str]) -> None:
    got = metrics([(gold, gold) for gold in [*golds, *CLASSES]])
    assert [got[name] for name in QUALITY] == [1.0] * 4


@given(OUTCOMES, st.data())
def test_making_an_answer_right_never_lowers_a_metric(outcomes: list, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(outcomes) - 1))
    gold = outcomes[index][0]
    before, after = metrics(outcomes), metrics([*outcomes[:index], (gold, gold), *outcomes[index + 1 :]])
    assert all(after[name] >= before[name] for name in QUALITY)


@given(OUTCOMES, st.data())
def test_giving_no_answer_never_raises_accuracy_or_recall(outcomes: list, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(outcomes) - 1))
    before = metrics(outcomes)
    after = metrics([*outcomes[:index], (outcomes[index][0], None), *outcomes[index + 1 :]])
    assert after['accuracy'] <= before['accuracy']
    assert after['recall'] <= before['recall']
    assert after['unanswered_ratio'] >= before['unanswered_ratio']


def test_giving_no_answer_instead_of_a_wrong_one_raises_precision_and_so_macro_f1() -> None:
    """Macro F1 counts a wrong answer twice: a miss of its gold class and a false alarm of the predicted class.

    Withdrawing it takes the false alarm back. That is the formula of scikit-learn and of the paper's script, kept here.
    """
    right = [(gold, gold) for gold in CLASSES]
    guessed, withdrawn = metrics([*right, ('YES', 'NO')]), metrics([*right, ('YES', None)])
    assert guessed['f1_score'] == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert withdrawn['f1_score'] == pytest.approx((2 / 3 + 1 + 1) / 3)
    assert withdrawn['recall'] == guessed['recall']


Y, N, M = CLASSES
BY_HAND = [
    ('all unanswered', [(Y, None), (N, None), (M, None)], (0, 0, 0, 0), (0, 0, 0, 1)),
    ('one right answer, two classes without gold', [(Y, Y)], (1, 1 / 3, 1 / 3, 1 / 3), (1, 0, 0, 0)),
    ('one wrong answer', [(Y, N)], (0, 0, 0, 0), (0, 1, 0, 0)),
    ('half of one class unanswered', [(Y, Y), (Y, None), (N, N), (M, M)], (3 / 4, 1, 5 / 6, 8 / 9), (1 / 4,) * 4),
    ('YES to all', [(Y, Y), (Y, Y), (N, Y), (M, Y)], (1 / 2, 1 / 6, 1 / 3, 2 / 9), (1, 0, 0, 0)),
    (
        'a class answered by mistake only',
        [(Y, Y), (Y, M), (N, N), (N, N)],
        (3 / 4, 2 / 3, 1 / 2, (2 / 3 + 1) / 3),
        (1 / 4, 1 / 2, 1 / 4, 0),
    ),
    ('ranking example, model A', [(c, c) for c in CLASSES] * 8 + [(c, None) for c in CLASSES] * 2,
     (4 / 5, 1, 4 / 5, 8 / 9), (4 / 15, 4 / 15, 4 / 15, 1 / 5)),
    ('ranking example, model B', [(c, c) for c in CLASSES] * 9 + [(Y, N), (N, M), (M, Y)],
     (9 / 10,) * 4, (1 / 3, 1 / 3, 1 / 3, 0)),
]  # fmt: skip


@pytest.mark.parametrize(('outcomes', 'quality', 'ratios'), [case[1:] for case in BY_HAND], ids=[c[0] for c in BY_HAND])
def test_values_worked_out_by_hand(outcomes: list, quality: tuple, ratios: tuple) -> None:
    got = metrics(outcomes)
    assert tuple(got[name] for name in QUALITY) == pytest.approx(quality, abs=1e-15)
    assert tuple(got[name] for name in RATIOS) == pytest.approx(ratios, abs=1e-15)


def test_no_question_is_zero_everywhere() -> None:
    assert aggregate_verdicts([], [], []) == dict.fromkeys(METRICS, 0.0)


def test_a_judge_moves_accuracy_alone() -> None:
    golds, predictions = [Y, N, M], [Y, Y, None]
    by_rule = aggregate_verdicts(golds, predictions, [1.0, 0.0, 0.0])
    judged = aggregate_verdicts(golds, predictions, [1.0, 0.5, 0.0])
    assert judged == {**by_rule, 'accuracy': 0.5}


@pytest.mark.parametrize(('gold', 'prediction', 'score'), [(Y, Y, 1.0), (Y, N, 0.0), (M, None, 0.0), (N, N, 1.0)])
def test_a_question_scores_1_for_its_gold_class_only(gold: str, prediction: Optional[str], score: float) -> None:
    assert score_verdict(gold, prediction) == score


@given(OUTCOMES)
def test_a_lost_question_would_be_an_error(outcomes: list) -> None:
    assume(len(outcomes) > 1)
    golds, predictions = map(list, zip(*outcomes, strict=True))
    with pytest.raises(ValueError, match='zip'):
        aggregate_verdicts(golds, predictions[1:], [0.0] * len(golds))
