"""The adapter between evalscope and the pure functions: prompts, scores, filters, judges, aggregation."""

import json
from typing import Any, Callable, Dict, Optional

import pytest
from evalscope.api.dataset import Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import SampleScore
from evalscope.api.model import ModelOutput
from evalscope_qa.rjua_qa.scoring import METRICS, SECTION_METRICS
from openai_server import serve

Row = Dict[str, Any]
Make = Callable[..., Any]
RIGHT = 'test 回答 1。\n诊断：test病1、肾积水\n建议：多饮水、复查'
HALF = 'test 回答 1。\n诊断：test病1\n建议：多饮水'
HALF_F1 = 2 / 3


def _sample(adapter: Any, record: Row) -> Sample:
    sample = adapter.record_to_sample(record)
    sample.id, sample.group_id = 0, 0
    return sample


def _state(adapter: Any, record: Row, reply: Optional[str]) -> TaskState:
    output = None if reply is None else ModelOutput.from_content(model='canned', content=reply)
    state = TaskState(model='canned', sample=_sample(adapter, record), output=output, completed=True)
    state.output = output  # type: ignore[assignment]
    return state


def _score(adapter: Any, record: Row, reply: Optional[str]) -> Any:
    return adapter.calculate_metrics(_state(adapter, record, reply)).score


def _prompts(adapter: Any) -> list[str]:
    return [sample.input[-1].text for sample in adapter.load_dataset()['default']]


# -- prompts ----------------------------------------------------------------------------------------------------------


def test_the_prompt_holds_question_passages_and_request_in_this_order(adapter: Make, row: Make, folder: Make) -> None:
    record = row(1, question=' 怎么{办}？\n', context=['Context：甲{0}', ' Context：乙\n'])
    (prompt,) = _prompts(adapter({'local_path': folder(test=[record])}))
    parts = [
        '患者的问题：怎么{办}？\n\n参考资料：\nContext：甲{0}\n\nContext：乙\n\n',
        '请根据参考资料',
        '\n诊断：',
        '\n建议：',
    ]
    assert [prompt.count(part) for part in parts] == [1, 1, 1, 1]
    assert sorted(parts, key=prompt.index) == parts
    assert '无' in prompt and '、' in prompt


@pytest.mark.parametrize(
    ('context', 'shown'), [('Context：甲', 'Context：甲'), ([], '无'), ('', '无'), ([' ', ''], '无')]
)
def test_one_passage_or_none(adapter: Make, row: Make, context: Any, shown: str) -> None:
    assert _sample(adapter(), row(1, context=context)).input == f'患者的问题：test 问题 1？\n\n参考资料：\n{shown}'


def test_templates_and_system_prompt_of_the_user_apply(adapter: Make, row: Make, folder: Make) -> None:
    path = folder(test=[row(1)], train=[row(2, 'train', disease='无')])
    made = adapter({'local_path': path, 'prompt_template': 'P {question} P', 'system_prompt': '简短。'})
    question = '患者的问题：test 问题 1？\n\n参考资料：\nContext：test 资料 1\n\nContext：其他资料'
    (sample,) = made.load_dataset()['default']
    assert [(message.role, message.text) for message in sample.input] == [
        ('system', '简短。'), ('user', f'P {question} P'),
    ]  # fmt: skip
    template = 'F {fewshot} Q {question}'
    (prompt,) = _prompts(adapter({'local_path': path, 'few_shot_num': 1, 'few_shot_prompt_template': template}))
    example = '患者的问题：train 问题 2？\n\n参考资料：\nContext：train 资料 2\n\nContext：其他资料'
    assert prompt == f'F {example}\n\ntrain 回答 2。\n诊断：无\n建议：多饮水、复查 Q {question}'


def test_the_default_few_shot_prompt_shows_the_examples_before_the_question(
    adapter: Make, row: Make, folder: Make
) -> None:
    path = folder(test=[row(1)], train=[row(number, 'train') for number in range(3)])
    (prompt,) = _prompts(adapter({'local_path': path, 'few_shot_num': 2}))
    parts = [
        'train 问题 0？',
        'train 回答 0。\n诊断：train病0、肾积水\n建议：多饮水、复查',
        'train 问题 1？',
        'test 问题 1？',
        '请根据参考资料',
    ]
    assert sorted(parts, key=prompt.index) == parts
    assert 'train 问题 2' not in prompt
    assert 'test 回答' not in prompt


# -- the extra parameter ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize('extra', [{}, {'rouge_tokenizer': 'char'}, {'rouge_tokenizer': 'jieba'}])
def test_rouge_l_compares_characters_or_words(adapter: Make, row: Make, extra: Row) -> None:
    score = _score(adapter({'extra_params': extra}), row(1, answer='体外碎石'), '体外')
    words = extra.get('rouge_tokenizer') == 'jieba'
    assert score.value['rouge_l'] == pytest.approx(2 * 1 / 3 if words else 2 * 2 / 6)


@pytest.mark.parametrize('value', ['word', '', None, 1, 'CHAR'])
def test_another_tokenizer_is_refused_before_anything_is_loaded(adapter: Make, value: Any) -> None:
    with pytest.raises(ValueError, match=r"not in choices \['char', 'jieba'\]"):
        adapter({'extra_params': {'rouge_tokenizer': value}})


# -- scores -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('reply', 'f1_disease', 'f1_advice', 'rouge_l', 'extracted'),
    [
        (RIGHT, 1.0, 1.0, 1.0, '诊断：test病1、肾积水\n建议：多饮水、复查'),
        (HALF, HALF_F1, HALF_F1, 1.0, '诊断：test病1\n建议：多饮水'),
        ('test 回答 1。', 0.0, 0.0, 1.0, ''),
        ('诊断：无', 0.0, 0.0, None, '诊断：无'),
        ('<think>诊断：test病1', 0.0, 0.0, 0.0, ''),
        ('', 0.0, 0.0, 0.0, ''),
        (None, 0.0, 0.0, 0.0, ''),
    ],
)
def test_the_score_of_a_reply(
    adapter: Make, row: Make, reply: Optional[str], f1_disease: float, f1_advice: float, rouge_l: Any, extracted: str
) -> None:
    score = _score(adapter(), row(1), reply)
    assert list(score.value) == list(METRICS)
    assert (score.value['f1_disease'], score.value['f1_advice']) == (f1_disease, f1_advice)
    assert score.value['final_accuracy'] == pytest.approx((2 * f1_disease + f1_advice) / 3)
    if rouge_l is not None:
        assert score.value['rouge_l'] == rouge_l
    assert score.extracted_prediction == extracted
    assert score.prediction == (reply or '')
    assert score.main_score_name == 'final_accuracy'
    assert score.metadata['answered'] == bool(extracted)


@pytest.mark.parametrize('lists', [('', ''), ('无', '无'), ('test病1', '')])
@pytest.mark.parametrize('reply', ['', None, '我不知道。', '<think>诊断：无\n建议：无'])
def test_an_unanswered_reply_is_not_credited_whatever_the_gold_lists_are(
    adapter: Make, row: Make, lists: tuple[str, str], reply: Optional[str]
) -> None:
    made = adapter()
    state = _state(made, row(1, disease=lists[0], advice=lists[1]), reply)
    sample_score = made.calculate_metrics(state)
    assert [sample_score.score.value[metric] for metric in SECTION_METRICS] == [0.0, 0.0, 0.0]
    metrics = {each.metric_name: each.score for each in made.aggregate_scores(sample_scores=[sample_score])}
    assert metrics.pop('unanswered_ratio') == 1.0
    metrics.pop('rouge_l')
    assert set(metrics.values()) == {0.0}


def test_an_output_without_choices_is_unanswered(adapter: Make, row: Make) -> None:
    made = adapter()
    state = _state(made, row(1), RIGHT)
    state.output = ModelOutput(model='canned', choices=[])
    score = made.calculate_metrics(state).score
    assert score.value == dict.fromkeys(METRICS, 0.0)
    assert score.metadata['answered'] is False


def test_filters_of_the_user_run_first(adapter: Make, row: Make) -> None:
    made = adapter({'filters': {'remove_until': '###'}})
    score = _score(made, row(1), f'诊断：肾结石\n### {RIGHT}')
    assert score.value == dict.fromkeys(METRICS, 1.0)
    assert score.extracted_prediction == '诊断：test病1、肾积水\n建议：多饮水、复查'


def test_gold_is_the_current_samples_even_with_the_metadata_of_an_older_run(adapter: Make, row: Make) -> None:
    made = adapter()
    state = _state(made, row(1), RIGHT)
    state.metadata.update({'id': 'other', 'disease': '其他', 'advice': '其他', 'answer': '其他'})
    assert made.calculate_metrics(state).score.value == dict.fromkeys(METRICS, 1.0)


# -- aggregation ------------------------------------------------------------------------------------------------------


def _scores(made: Any, row: Make) -> list[SampleScore]:
    return [
        made.calculate_metrics(_state(made, row(1), reply))
        for reply in (RIGHT, HALF, '诊断：肾积水、甲病', '不知道', None)
    ]


EXPECTED = {
    'f1_disease': (1 + 2 / 3 + 0.5) / 5,
    'f1_advice': (1 + 2 / 3) / 5,
    'f1_disease_micro': 2 * 4 / (2 * 4 + 1 + 6),  # TP 2 + 1 + 1, FP 1, FN 0 + 1 + 1 + 2 + 2
    'f1_advice_micro': 2 * 3 / (2 * 3 + 0 + 7),  # TP 2 + 1, FN 0 + 1 + 2 + 2 + 2
    'unanswered_ratio': 2 / 5,
}


def test_every_question_asked_is_in_every_metric(adapter: Make, row: Make) -> None:
    made = adapter()
    aggregates = made.aggregate_scores(sample_scores=_scores(made, row))
    metrics = {each.metric_name: each.score for each in aggregates}
    assert {name: metrics[name] for name in EXPECTED} == pytest.approx(EXPECTED)
    assert metrics['final_accuracy'] == pytest.approx((2 * EXPECTED['f1_disease'] + EXPECTED['f1_advice']) / 3)
    assert {each.num for each in aggregates} == {5}


def test_the_declared_metrics_are_those_that_are_reported(adapter: Make, row: Make) -> None:
    made = adapter()
    aggregates = made.aggregate_scores(sample_scores=_scores(made, row))
    assert [each.metric_name for each in aggregates] == made.metric_list
    assert made.primary_metric.name == 'final_accuracy'


def test_no_scores_are_zeros_of_every_metric(adapter: Make) -> None:
    aggregates = adapter().aggregate_scores(sample_scores=[])
    assert [(each.metric_name, each.score, each.num) for each in aggregates] == [
        (name, 0.0, 0) for name in adapter().metric_list
    ]


def test_scores_that_were_stored_as_json_aggregate_alike(adapter: Make, row: Make) -> None:
    made = adapter()
    scores = _scores(made, row)
    stored = [SampleScore.model_validate(json.loads(score.model_dump_json())) for score in scores]
    assert made.aggregate_scores(sample_scores=stored) == made.aggregate_scores(sample_scores=scores)


def test_another_aggregation_that_the_user_asks_for_is_evalscopes(adapter: Make, row: Make) -> None:
    made = adapter({'aggregation': 'mean_and_pass_at_k'}, repeats=2)
    scores = []
    for index, reply in enumerate([RIGHT, '不知道', '不知道', None]):
        state = _state(made, row(1), reply)
        state._sample_id, state._group_id = index, index // 2
        scores.append(made.calculate_metrics(state))
    aggregates = made.aggregate_scores(sample_scores=scores)
    found = {(each.metric_name, each.aggregation, each.dimensions.get('k')): each.score for each in aggregates}
    assert found['final_accuracy', 'mean', None] == 0.25
    assert found['final_accuracy', 'pass_at_k', 2] == 0.5
    assert found['f1_disease_micro', 'identity', None] == pytest.approx(2 * 2 / (2 * 2 + 6))
    assert found['unanswered_ratio', 'identity', None] == 0.75


# -- a judge ----------------------------------------------------------------------------------------------------------


def _judged(adapter: Make, row: Make, url: str, strategy: str, reply: Optional[str]) -> Any:
    model = {'model_id': 'judge', 'api_url': url, 'api_key': 'EMPTY', 'eval_type': 'openai_api'}
    made = adapter(judge={'strategy': strategy, 'models': [model]})
    made.validate_judge_strategy()
    return _score(made, row(1), reply)


@pytest.mark.loopback
@pytest.mark.parametrize(
    ('strategy', 'reply', 'verdict', 'final_accuracy', 'f1', 'called'),
    [
        ('llm', HALF, 'A', 1.0, HALF_F1, True),
        ('llm', RIGHT, 'B', 0.0, 1.0, True),
        ('llm', '不知道', 'A', 0.0, 0.0, True),
        ('llm', None, 'A', 0.0, 0.0, True),
        ('llm_recall', RIGHT, 'B', 1.0, 1.0, False),
        ('llm_recall', HALF, 'A', 1.0, HALF_F1, True),
        ('llm_recall', HALF, 'B', HALF_F1, HALF_F1, True),
        ('llm_recall', '<think>诊断：test病1', 'A', 0.0, 0.0, True),
        ('rule', HALF, 'A', HALF_F1, HALF_F1, False),
        ('auto', HALF, 'A', HALF_F1, HALF_F1, False),
    ],
)
def test_a_judge_decides_the_final_accuracy_alone_and_credits_no_unanswered_reply(
    adapter: Make, row: Make, strategy: str, reply: Optional[str], verdict: str, final_accuracy: float, f1: float,
    called: bool,
) -> None:  # fmt: skip
    with serve(lambda _: json.dumps({'reasoning': 'because', 'verdict': verdict})) as server:
        score = _judged(adapter, row, server.url, strategy, reply)
    assert score.value['final_accuracy'] == pytest.approx(final_accuracy)
    assert score.main_value == score.value['final_accuracy']
    assert (score.value['f1_disease'], score.value['f1_advice']) == pytest.approx((f1, f1))
    assert set(score.value) == set(METRICS)
    assert score.metadata['answered'] == (reply in (RIGHT, HALF))
    assert score.extracted_prediction.startswith('诊断：test病1') == (reply in (RIGHT, HALF))
    assert set(score.metadata['counts']) == {'disease', 'advice'}
    assert bool(server.requests) == called


@pytest.mark.loopback
@pytest.mark.parametrize('strategy', ['llm', 'llm_recall'])
def test_a_judge_that_fails_leaves_the_rules_score(adapter: Make, row: Make, strategy: str) -> None:
    with serve(lambda _: 'no verdict') as server:
        score = _judged(adapter, row, server.url, strategy, HALF)
    assert score.value['final_accuracy'] == pytest.approx(HALF_F1)
    assert score.metadata['answered'] is True
