"""How one reply is scored: errors, exclusions, interruptions and randomness are told apart."""

from typing import Any, Callable

import pytest
from evalscope_qa.audit.scoring.guard import Guard
from evalscope_qa.audit.scoring.scorer import Scorer
from evalscope_qa.audit.scoring.timing import ScoringStopped, child_lines, time_limit


@pytest.fixture
def scorer_of(registered: None) -> Callable[[str], Scorer]:
    def scorer(name: str) -> Scorer:
        from evalscope.api.registry import get_benchmark
        from evalscope.config import TaskConfig

        adapter = get_benchmark(name, TaskConfig(model='none', eval_type='mock_llm', datasets=[name]))
        return Scorer(adapter, Guard(), ['evalscope', 'audit'])

    return scorer


@pytest.fixture
def sample() -> Any:
    from evalscope.api.dataset import Sample

    return Sample(input='Which?', choices=['Oslo', 'Lima', 'Quito', 'Hanoi'], target='B', id=0, group_id=0)


def test_a_right_reply_has_its_metric_with_the_semantics_of_the_catalogue(
    scorer_of: Callable[[str], Scorer], sample: Any
) -> None:
    outcome = scorer_of('contract_clean').score(sample, 'ANSWER: B')
    measured = outcome.metrics['accuracy']
    assert (measured.value, measured.num) == (1.0, 1)
    assert measured.metric.is_quality and measured.metric.higher_is_better and measured.metric.best == 1.0
    assert not outcome.failed and outcome.extracted == 'B' and not outcome.drew_random


def test_an_outcome_is_kept_and_the_sample_is_not_touched(scorer_of: Callable[[str], Scorer], sample: Any) -> None:
    scorer = scorer_of('contract_clean')
    before = sample.model_dump()
    assert scorer.score(sample, 'ANSWER: B') is scorer.score(sample, 'ANSWER: B')
    assert scorer.score_as_run(sample, 'ANSWER: B') is not scorer.score(sample, 'ANSWER: B')
    assert sample.model_dump() == before


def test_what_scoring_raises_is_an_outcome_with_its_cause(scorer_of: Callable[[str], Scorer], sample: Any) -> None:
    outcome = scorer_of('breaks_no_crash').score(sample, '²')
    assert outcome.failed and outcome.error.startswith('ValueError')
    assert outcome.cause is not None and outcome.cause.name.endswith('DigitAdapter.extract_answer')


def test_a_score_without_a_value_is_left_out(scorer_of: Callable[[str], Scorer], sample: Any) -> None:
    outcome = scorer_of('breaks_abstention_counts_by_exclusion').score(sample, '')
    assert outcome.failed and outcome.left_out and not outcome.error


def test_a_response_without_a_choice_is_an_empty_reply(scorer_of: Callable[[str], Scorer], sample: Any) -> None:
    assert scorer_of('contract_clean').score(sample, None).metrics['accuracy'].value == 0.0


def test_reasoning_that_is_closed_is_moved_out_of_the_reply_as_in_a_run(
    scorer_of: Callable[[str], Scorer], sample: Any
) -> None:
    scorer = scorer_of('breaks_cut_off_reasoning')
    assert scorer.score(sample, '<think>\nANSWER: B\n</think>').metrics['accuracy'].value == 0.0
    assert scorer.score(sample, '<think>\nANSWER: B\n').metrics['accuracy'].value == 1.0


def test_the_seed_decides_a_guess_and_drawing_is_noticed(scorer_of: Callable[[str], Scorer], sample: Any) -> None:
    scorer = scorer_of('breaks_repeatable')
    outcomes = [scorer.score(sample, '', seed) for seed in range(20)]
    assert all(outcome.drew_random for outcome in outcomes)
    assert len({outcome.extracted for outcome in outcomes}) > 1
    assert scorer.score(sample, '', 3).extracted == scorer_of('breaks_repeatable').score(sample, '', 3).extracted


def test_a_computation_that_takes_too_long_is_stopped_and_located(
    scorer_of: Callable[[str], Scorer], sample: Any
) -> None:
    scorer = scorer_of('breaks_speed')
    outcome = scorer.score_as_run(sample, 'x' * 20_000, limit=0.2)
    assert outcome.stopped and scorer.stopped_here and 'stopped after 0.2 s' in outcome.error
    assert outcome.cause is not None and outcome.cause.name.endswith('SlowAdapter.burn')


def test_a_reply_can_be_prepared_and_scored_later_whatever_scoring_raises(
    scorer_of: Callable[[str], Scorer], sample: Any
) -> None:
    scorer = scorer_of('breaks_no_crash')
    scorer.prepared(sample, 'ANSWER: B')()
    scorer.prepared(sample, '²')()
    with pytest.raises(ScoringStopped), time_limit(0.05):
        scorer_of('breaks_speed').prepared(sample, 'x' * 20_000)()


def test_a_time_limit_is_lifted_after_its_block() -> None:
    with pytest.raises(ScoringStopped), time_limit(0.05):
        while True:
            pass
    with time_limit(60):
        pass
    sum(range(100_000))


def test_the_lines_of_a_child_arrive_and_its_failure_ends_them() -> None:
    import os

    def function(pipe: int) -> None:
        os.write(pipe, b'one\ntwo\n')
        raise SystemExit

    assert list(child_lines(function)) == ['one', 'two']


@pytest.mark.parametrize(
    ('name', 'owner'),
    [
        ('contract_clean', 'CleanAdapter.aggregate_scores'),
        ('mmlu', 'evalscope.metrics.aggregators.aggregators.Mean.__call__'),
    ],
)
def test_the_aggregation_has_an_owner(scorer_of: Callable[[str], Scorer], name: str, owner: str) -> None:
    assert scorer_of(name).aggregation_owner().name.endswith(owner)
