"""Tests of pairs against enumeration, published values and statsmodels."""

import gc
from itertools import product

import pytest
from evalscope_qa.runs.comparison.significance import alone, holm, mcnemar, paired_test
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as oracle_mcnemar
from statsmodels.stats.multitest import multipletests

SCORES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=1, max_size=8
)


@pytest.mark.parametrize(('first', 'second', 'p'), [(11, 1, 26 / 4096), (0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625)])
def test_mcnemar_by_hand(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second).p == pytest.approx(p)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_that_of_statsmodels(first: int, second: int) -> None:
    assert mcnemar(first, second).p == pytest.approx(oracle_mcnemar([[7, first], [second, 9]], exact=True).pvalue)


def test_yes_no_scores_get_mcnemar() -> None:
    assert alone([1, 1, 0, 1], [0, 1, 0, 0]) == (2, 0)
    found = paired_test([1, 1, 0, 1], [0, 1, 0, 0])
    assert (found.method, found.p) == ('exact McNemar', 0.5)


@given(SCORES)
def test_few_questions_are_permuted_in_every_way(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*[*pairs, (0.5, 0.25)], strict=True)  # 0.5 keeps them from being yes/no
    differences = [a - b for a, b in zip(first, second, strict=True)]
    observed = abs(sum(differences))
    ways = [
        abs(sum(sign * difference for sign, difference in zip(signs, differences, strict=True))) >= observed
        for signs in product((1, -1), repeat=len(differences))
    ]
    found = paired_test(first, second)
    assert found.method == 'exact permutation'
    assert found.p == pytest.approx(sum(ways) / len(ways))


def test_clusters_are_exchanged_as_one() -> None:
    # Three clusters, each with one model ahead throughout: only 2 of 8 ways are as far from 0, however many questions.
    first, second, clusters = [1.0] * 12, [0.0] * 12, [str(index // 4) for index in range(12)]
    found = paired_test(first, second, clusters)
    assert (found.method, found.p) == ('exact permutation', 0.25)


def test_equal_models_are_never_separated() -> None:
    assert paired_test([0.5, 0.25], [0.5, 0.25]).p == 1.0


def test_drawn_permutations_repeat_themselves_by_their_seed() -> None:
    first, second = [index % 7 / 7 for index in range(60)], [index % 5 / 6 for index in range(60)]
    found = [paired_test(first, second, seed=seed) for seed in (4, 4, 5)]
    assert found[0].method == 'permutation, 10,000 drawn'
    assert found[0] == found[1] != found[2]
    assert found[0].p == pytest.approx(found[2].p, abs=0.02)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(gc, 'collect', lambda: 0)  # statsmodels calls it each time, for 0.2 s in a process of this size
        expected = list(multipletests(p_values, method='holm')[1])
    assert holm(p_values) == pytest.approx(expected)


def test_holm_by_hand() -> None:
    """0.01 x 4, 0.03 x 3, then not below the one before it."""
    assert holm([0.04, 0.01, 0.03, 0.5]) == pytest.approx([0.09, 0.04, 0.09, 0.5])
    assert holm([]) == []
