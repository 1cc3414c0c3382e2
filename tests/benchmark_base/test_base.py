"""The one rule of the package, on a benchmark that is none of its own.

An unanswered reply earns nothing, whatever a judge says, and is counted.
"""

from typing import Any, Sequence

import pytest
from evalscope.api.benchmark import BenchmarkMeta
from evalscope.api.dataset import Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import SampleScore, Score
from evalscope.api.model import ModelOutput
from evalscope.config import TaskConfig
from evalscope.constants import JudgeStrategy
from evalscope_qa.benchmark_base import QuestionAnsweringAdapter
from evalscope_qa.reading import Reading


class LettersAdapter(QuestionAnsweringAdapter):
    """Reads one letter; also compares how long the reply is, which needs no answer."""

    judge_metric_name = 'accuracy'
    question_metrics = {'accuracy': 'accuracy', 'closeness': 'closeness', 'length': 'length'}  # noqa: RUF012
    metrics_without_answer = frozenset({'length'})

    def read_reply(self, text: str, task_state: TaskState) -> Reading:
        letters = [letter for letter in text.strip() if letter in 'ABC']
        if len(letters) == 1:
            return Reading(letters[0], 'said')
        return Reading(None, 'several' if letters else 'empty')

    def score_reading(self, reading: Reading, task_state: TaskState) -> tuple[dict[str, float], dict[str, Any]]:
        right = float(reading.answer == task_state.target)
        # A careless benchmark: it credits what it could not read.
        return {'accuracy': right, 'closeness': right or 0.5, 'length': 0.25}, {'gold': task_state.target}

    def aggregate_questions(self, scores: Sequence[Score]) -> dict[str, float]:
        asked = len(scores)
        return {
            'accuracy': sum(score.value['accuracy'] for score in scores) / asked if asked else 0.0,
            'golds': float(len({score.metadata['gold'] for score in scores})),
        }


def _adapter(**meta: Any) -> LettersAdapter:
    settings = {'metric_list': ['accuracy', 'golds', 'unanswered_ratio'], 'primary_metric': 'accuracy', **meta}
    meta = BenchmarkMeta(name='letters', dataset_id='nobody/letters', **settings)
    return LettersAdapter(benchmark_meta=meta, task_config=TaskConfig(model='canned', eval_type='mock_llm'))


def _state(reply: str | None, gold: str = 'A', number: int = 0) -> TaskState:
    sample = Sample(input='?', target=gold, id=number, group_id=number)
    state = TaskState(model='canned', sample=sample, completed=True)
    state.output = None if reply is None else ModelOutput.from_content(model='canned', content=reply)  # type: ignore
    return state


def _judged(monkeypatch: pytest.MonkeyPatch, adapter: LettersAdapter, strategy: str, credit: float | None) -> None:
    """Let a judge give every reply the same credit; None for a judge that fails."""

    def judge(original_prediction: str, filtered_prediction: str, **_: Any) -> Score:
        return Score(
            value={} if credit is None else {'accuracy': credit},
            status='excluded' if credit is None else 'success',
            prediction=original_prediction,
            extracted_prediction=filtered_prediction,
            main_score_name='accuracy',
            metadata={'source': 'llm_judge'},
        )

    monkeypatch.setattr(LettersAdapter, 'judge_strategy', strategy)
    monkeypatch.setattr(adapter, 'score_with_judge_contracts', judge)


@pytest.mark.parametrize(
    ('reply', 'extracted', 'rule', 'values'),
    [
        ('A', 'A', 'said', (1.0, 1.0, 0.25)),
        ('B', 'B', 'said', (0.0, 0.5, 0.25)),
        ('A or B', '', 'several', (0.0, 0.0, 0.25)),
        ('', '', 'empty', (0.0, 0.0, 0.25)),
        (None, '', 'empty', (0.0, 0.0, 0.25)),
    ],
)
def test_a_score_says_how_the_reply_was_read(
    reply: str | None, extracted: str, rule: str, values: tuple[float, ...]
) -> None:
    score = _adapter().calculate_metrics(_state(reply)).score
    assert score.extracted_prediction == extracted
    assert score.prediction == (reply or '')
    assert score.metadata == {'gold': 'A', 'answered': bool(extracted), 'reading': rule}
    assert score.value == dict(zip(LettersAdapter.question_metrics, values, strict=True))
    assert score.main_score_name == 'accuracy'


@pytest.mark.parametrize('strategy', [JudgeStrategy.LLM, JudgeStrategy.LLM_RECALL])
@pytest.mark.parametrize(('reply', 'answered'), [('B', True), ('A or B', False), ('', False), (None, False)])
def test_a_judge_credits_answered_replies_alone(
    monkeypatch: pytest.MonkeyPatch, strategy: str, reply: str | None, answered: bool
) -> None:
    adapter = _adapter()
    _judged(monkeypatch, adapter, strategy, credit=1.0)
    score = adapter.calculate_metrics(_state(reply)).score
    expected = (1.0, 0.5, 0.25) if answered else (0.0, 0.0, 0.25)
    assert score.value == dict(zip(LettersAdapter.question_metrics, expected, strict=True))
    assert score.main_value == expected[0]
    assert score.extracted_prediction == ('B' if answered else '')
    assert (score.metadata['answered'], score.metadata['source']) == (answered, 'llm_judge')


@pytest.mark.parametrize('strategy', [JudgeStrategy.LLM, JudgeStrategy.LLM_RECALL])
def test_a_judge_that_fails_leaves_the_score_of_the_rules(monkeypatch: pytest.MonkeyPatch, strategy: str) -> None:
    adapter = _adapter()
    _judged(monkeypatch, adapter, strategy, credit=None)
    score = adapter.calculate_metrics(_state('A')).score
    assert score.value == {'accuracy': 1.0, 'closeness': 1.0, 'length': 0.25}
    assert score.metadata['answered'] is True


def _scores(adapter: LettersAdapter, *replies: str | None) -> list[SampleScore]:
    return [adapter.calculate_metrics(_state(reply, number=number)) for number, reply in enumerate(replies)]


def test_unanswered_replies_are_in_every_denominator_and_counted() -> None:
    adapter = _adapter()
    aggregates = adapter.aggregate_scores(sample_scores=_scores(adapter, 'A', 'B', 'A or B', None))
    assert [(each.metric_name, each.score, each.num) for each in aggregates] == [
        ('accuracy', 0.25, 4), ('golds', 1.0, 4), ('unanswered_ratio', 0.5, 4),
    ]  # fmt: skip


def test_no_question_is_zero_of_every_metric() -> None:
    for aggregation in ('mean', 'mean_and_pass_at_k'):
        aggregates = _adapter(aggregation=aggregation).aggregate_scores(sample_scores=[])
        assert [(each.metric_name, each.score, each.num) for each in aggregates] == [
            ('accuracy', 0.0, 0), ('golds', 0.0, 0), ('unanswered_ratio', 0.0, 0),
        ]  # fmt: skip


@pytest.mark.parametrize(
    'foreign',
    [
        Score(value={'accuracy': 1.0, 'closeness': 1.0, 'length': 1.0}),
        Score(value={'accuracy': 1.0}, metadata={'answered': True}),
        Score(value={'acc': 1.0}, metadata=None),
    ],
)
def test_scores_of_another_version_are_refused(foreign: Score) -> None:
    with pytest.raises(ValueError, match=r'letters: these scores come from another version.*--rerun-review'):
        _adapter().aggregate_scores(sample_scores=[SampleScore(score=foreign, sample_id=0)])


def test_another_aggregation_is_of_every_metric_of_a_question_and_leaves_the_others() -> None:
    adapter = _adapter(aggregation='mean_and_pass_at_k')
    aggregates = adapter.aggregate_scores(sample_scores=_scores(adapter, 'A', 'B', None))
    found = {(each.metric_name, each.aggregation): each.score for each in aggregates}
    assert found['accuracy', 'mean'] == pytest.approx(1 / 3)
    assert {aggregation for _, aggregation in found} == {'mean', 'pass_at_k', 'identity'}
    assert {name for name, aggregation in found if aggregation == 'mean'} == set(LettersAdapter.question_metrics)
    assert {name for name, aggregation in found if aggregation == 'identity'} == {'golds', 'unanswered_ratio'}
    assert (adapter.primary_metric.name, adapter.primary_metric.aggregation) == ('accuracy', 'mean')
