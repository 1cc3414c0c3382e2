"""Average precision, reciprocal rank and precision at 1 equal trec_eval's; every question asked stays in the means."""

import itertools
from fractions import Fraction

import pytest
import pytrec_eval
from evalscope_qa.selqa.ranking_metrics import (
    average_precision,
    mean_over_questions,
    precision_at_1,
    reciprocal_rank,
)
from hypothesis import given
from hypothesis import strategies as st

METRICS = (average_precision, reciprocal_rank, precision_at_1)


@pytest.mark.parametrize(
    ('relevant', 'ranking', 'expected'),
    [
        # relevant sentences, ranking, (AP, RR, P@1)
        ([1], [1], (1, 1, 1)),
        ([1], [2, 1], (1 / 2, 1 / 2, 0)),
        ([1], [3, 2, 1], (1 / 3, 1 / 3, 0)),
        ([1, 2], [1, 2, 3], (1, 1, 1)),
        ([1, 2], [2, 1, 3], (1, 1, 1)),
        ([1, 2], [1, 3, 2], ((1 + 2 / 3) / 2, 1, 1)),
        ([1, 2], [3, 1, 4, 2], ((1 / 2 + 2 / 4) / 2, 1 / 2, 0)),
        # left out is not retrieved
        ([1, 2], [1], (1 / 2, 1, 1)),
        ([1, 2, 3, 4], [9, 1], (1 / 8, 1 / 2, 0)),
        ([1], [2, 3], (0, 0, 0)),
        # a repeat counts once, at its first place
        ([1, 2], [1, 1, 1, 2], (1, 1, 1)),
        ([1], [2, 2, 2, 1], (1 / 2, 1 / 2, 0)),
        # empty prediction, empty gold, both
        ([1], [], (0, 0, 0)),
        ([], [1, 2], (0, 0, 0)),
        ([], [], (0, 0, 0)),
    ],
)
def test_values_worked_out_by_hand(relevant: list[int], ranking: list[int], expected: tuple[float, ...]) -> None:
    assert [metric(relevant, ranking) for metric in METRICS] == pytest.approx(expected, abs=1e-15)


def trec_eval(relevant: list[int], ranking: list[int], judged: int) -> tuple[float, float]:
    """MAP and reciprocal rank of one question by trec_eval, which drops a question with nothing retrieved."""
    ranking = list(dict.fromkeys(ranking))
    if not ranking:
        return 0.0, 0.0
    judgements = {str(sentence): int(sentence in relevant) for sentence in range(1, judged + 1)}
    # Whole-number scores: trec_eval takes a gap of 1e-9 for a tie.
    run = {str(sentence): float(-rank) for rank, sentence in enumerate(ranking)}
    values = pytrec_eval.RelevanceEvaluator({'q': judgements}, {'map', 'recip_rank'}).evaluate({'q': run})['q']
    return values['map'], values['recip_rank']


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[int], list[int], int]:
    """Relevant sentences, a ranking that omits, repeats and invents sentences, and the number of sentences."""
    sentences = draw(st.integers(1, 33))
    relevant = draw(st.lists(st.integers(1, sentences), min_size=1, unique=True))
    ranking = draw(st.lists(st.integers(0, sentences + 4), max_size=2 * sentences))
    return relevant, ranking, sentences


@given(questions())
def test_average_precision_and_reciprocal_rank_equal_trec_eval(question: tuple[list[int], list[int], int]) -> None:
    relevant, ranking, sentences = question
    ours = average_precision(relevant, ranking), reciprocal_rank(relevant, ranking)
    assert ours == pytest.approx(trec_eval(relevant, ranking, sentences), abs=1e-12)


@given(questions())
def test_the_definition_word_for_word(question: tuple[list[int], list[int], int]) -> None:
    relevant, repeated, _ = question
    ranking = [sentence for place, sentence in enumerate(repeated) if sentence not in repeated[:place]]
    precisions = [
        Fraction(len(set(ranking[:rank]) & set(relevant)), rank)
        for rank in range(1, len(ranking) + 1)
        if ranking[rank - 1] in relevant
    ]
    assert average_precision(relevant, repeated) == pytest.approx(float(sum(precisions) / len(relevant)), abs=1e-15)


@pytest.mark.parametrize('sentences', [1, 2, 3, 4, 5])
def test_a_ranking_is_perfect_exactly_when_the_relevant_sentences_come_first(sentences: int) -> None:
    for relevant in itertools.chain.from_iterable(
        itertools.combinations(range(sentences), size) for size in range(1, sentences + 1)
    ):
        for ranking in itertools.permutations(range(sentences)):
            first = set(ranking[: len(relevant)]) == set(relevant)
            assert (average_precision(relevant, ranking) == 1.0) == first
            assert reciprocal_rank(relevant, ranking) == 1.0 or ranking[0] not in relevant


def test_the_mean_is_over_every_question_and_leaves_no_miss_out() -> None:
    ranks = [reciprocal_rank([1], ranking) for ranking in ([1], [2, 1], [2], [])]
    assert mean_over_questions(ranks) == (1 + 1 / 2 + 0 + 0) / 4


def test_the_mean_of_no_questions_is_0() -> None:
    assert mean_over_questions([]) == 0.0


@given(st.lists(st.floats(0, 1), min_size=1), st.integers(1, 4), st.randoms())
def test_order_and_repetition_leave_the_mean_exactly_the_same(values: list[float], repeats: int, shuffler) -> None:
    again = values * repeats
    shuffler.shuffle(again)
    assert mean_over_questions(again) == mean_over_questions(values)


@given(questions())
def test_no_answer_is_never_better_than_a_wrong_one(question: tuple[list[int], list[int], int]) -> None:
    relevant, ranking, _ = question
    for metric in METRICS:
        assert metric(relevant, []) <= metric(relevant, ranking) <= metric(relevant, relevant) == 1.0
