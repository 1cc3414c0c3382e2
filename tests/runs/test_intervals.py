"""Intervals against scipy, statsmodels, published values and hand computation."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from evalscope_qa.runs.comparison.aggregated import bootstrap_interval
from evalscope_qa.runs.comparison.intervals import (
    difference_interval,
    mean_interval,
    standard_error,
    unpaired_interval,
    within_unit,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

SCORES = st.lists(st.sampled_from([0.0, 0.2, 0.5, 1.0]), min_size=2, max_size=30)


@pytest.mark.parametrize(('right', 'count'), [(0, 10), (8, 10), (10, 10), (264, 263 + 1), (1, 2)])
def test_yes_no_scores_have_wilsons_interval(right: int, count: int) -> None:
    found = mean_interval([1.0] * right + [0.0] * (count - right))
    assert found.method == 'Wilson'
    assert (found.low, found.high) == pytest.approx(proportion_confint(right, count, method='wilson'))


def test_wilsons_published_example() -> None:
    """81 of 263: 0.2553 to 0.3662 (Newcombe, Statistics in Medicine 17, 1998, table I, method 3)."""
    found = mean_interval([1.0] * 81 + [0.0] * 182)
    assert (round(found.low or 0, 4), round(found.high or 0, 4)) == (0.2553, 0.3662)


def test_other_scores_have_the_t_interval() -> None:
    values = [0.0, 0.25, 0.5, 1.0]
    # Mean 0.4375; sum of squares 0.546875; standard error sqrt(0.546875 / 3 / 4); t(3) is 3.1824.
    found = mean_interval(values)
    assert (found.value, found.method) == (0.4375, 't')
    width = 3.182446 * math.sqrt(0.546875 / 12)
    assert (found.low, found.high) == pytest.approx((0.4375 - width, 0.4375 + width), rel=1e-6)


@given(SCORES)
def test_the_t_interval_is_that_of_scipys_test(values: list[float]) -> None:
    found = mean_interval([*values, 0.2])  # 0.2 keeps it from being yes/no
    if len({*values, 0.2}) == 1:
        assert (found.low, found.high) == pytest.approx((found.value, found.value))
        return
    known = stats.ttest_1samp([*values, 0.2], 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx(tuple(known))


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([0.0, 0.3, 0.5, 1.0])), min_size=3, max_size=40))
def test_clustered_standard_errors_are_those_of_statsmodels(pairs: list[tuple[int, float]]) -> None:
    groups, values = zip(*pairs, strict=True)
    if len(set(groups)) < 2:
        assert math.isnan(standard_error(values, [str(group) for group in groups])[0])
        return
    error, freedom = standard_error(values, [str(group) for group in groups])
    fit = sm.OLS(np.array(values), np.ones(len(values))).fit(cov_type='cluster', cov_kwds={'groups': np.array(groups)})
    assert error == pytest.approx(float(fit.bse[0]), abs=1e-12)
    assert freedom == len(set(groups)) - 1


@given(SCORES)
def test_clusters_of_one_question_change_nothing(values: list[float]) -> None:
    alone = standard_error(values, [str(index) for index in range(len(values))])
    assert alone == pytest.approx(standard_error(values))


def test_clusters_widen_the_interval_of_questions_that_go_together() -> None:
    values = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    clusters = [str(index // 3) for index in range(12)]
    # Cluster sums of deviations 1.5, -1.5, 1.5, -1.5: sqrt(4/3 * 9) / 12 against sqrt(12/11 * 3) / 12.
    assert standard_error(values, clusters) == pytest.approx((math.sqrt(12) / 12, 3))
    assert standard_error(values) == pytest.approx((math.sqrt(36 / 11) / 12, 11))
    assert mean_interval(values, clusters).method == 't, clustered'


def test_the_unpaired_interval_is_welchs_and_warns_of_nothing(recwarn: pytest.WarningsRecorder) -> None:
    # Means 1 and 0.1; variances 0 and 0.09 * 30/29 over 30: 29 degrees of freedom.
    found = unpaired_interval([1.0] * 30, [1.0] * 3 + [0.0] * 27)
    width = stats.t.ppf(0.975, 29) * math.sqrt(0.09 / 29)
    assert (found.low, found.high) == pytest.approx((0.9 - width, 0.9 + width))
    # What other tests left open is warned of whenever it is collected.
    assert [str(warned.message) for warned in recwarn if warned.category is not ResourceWarning] == []


def test_a_ratio_is_between_0_and_1() -> None:
    found = mean_interval([0.0, 0.5, 1.0])
    assert found.low is not None and found.low < 0
    assert (within_unit(found).low, within_unit(found).high) == (0.0, 1.0)
    assert within_unit(mean_interval([0.5])).low is None


def test_paired_differences() -> None:
    # Differences 1, 0, 0, 1: mean 0.5, standard deviation 1/sqrt(3), standard error 1/sqrt(12).
    found = difference_interval([1, 1, 0, 1], [0, 1, 0, 0])
    assert found.standard_error == pytest.approx(1 / math.sqrt(12))
    width = stats.t.ppf(0.975, 3) / math.sqrt(12)
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.5 - width, 0.5 + width))


def test_no_interval_where_no_question_separates_two() -> None:
    found = difference_interval([1, 0, 1], [1, 0, 1])
    assert (found.value, found.low, found.high) == (0.0, None, None)


def test_one_question_has_a_value_and_no_interval() -> None:
    assert mean_interval([0.5]).low is None
    assert difference_interval([0.5], [0.25]).low is None
    assert unpaired_interval([0.5], [0.25]).low is None


@pytest.mark.parametrize('call', [lambda: mean_interval([]), lambda: difference_interval([], [])])
def test_nothing_has_no_value(call: object) -> None:
    with pytest.raises(ValueError, match='there is no'):
        call()  # type: ignore[operator]


def test_the_bootstrap_of_a_mean_is_near_its_t_interval() -> None:
    values = dict(zip([('', index) for index in range(400)], np.random.default_rng(3).random(400), strict=True))
    found = bootstrap_interval(
        lambda questions: float(np.mean([values[question] for question in questions])), list(values), resamples=2000
    )
    known = mean_interval(list(values.values()))
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=0.004)
    assert found.standard_error == pytest.approx(known.standard_error, rel=0.06)


def test_the_bootstrap_draws_whole_clusters_and_keeps_the_size_of_subsets() -> None:
    questions = [(subset, index) for subset, size in (('a', 6), ('b', 3), ('c', 1)) for index in range(size)]
    seen = []

    def statistic(drawn: list) -> float:
        seen.append([sum(question[0] == subset for question in drawn) for subset in 'abc'])
        return 0.0

    bootstrap_interval(statistic, questions, resamples=20)
    assert seen[1:] == [[6, 3, 1]] * (len(seen) - 1)

    drawn_pairs = []
    bootstrap_interval(
        lambda drawn: float(drawn_pairs.append(drawn) or 0),
        questions[:6],
        [str(index // 2) for _, index in questions[:6]],
        resamples=20,
    )
    for drawn in drawn_pairs:
        assert all(drawn[at + 1] == ('a', drawn[at][1] + 1) and drawn[at][1] % 2 == 0 for at in range(0, 6, 2))


def test_the_bootstrap_repeats_itself_by_its_seed() -> None:
    questions = [('', index) for index in range(50)]

    def statistic(drawn: list) -> float:
        return sum(index for _, index in drawn) / len(drawn)

    first, again, other = (bootstrap_interval(statistic, questions, seed=seed, resamples=200) for seed in (1, 1, 2))
    assert first == again
    assert first != other
