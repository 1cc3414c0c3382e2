"""The adapter between evalscope and the pure functions: prompts, local files, scores, judges, aggregation."""

import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import pytest
from evalscope.api.dataset import Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import SampleScore
from evalscope.api.model import ModelOutput
from evalscope_qa.records import RecordError, read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import sample_files
from openai_server import serve

Row = Dict[str, Any]
Make = Callable[..., Any]
ZERO = {'exact_match': 0.0, 'f1': 0.0, 'sub_em': 0.0}
ONE = {'exact_match': 1.0, 'f1': 1.0, 'sub_em': 1.0}


def _state(reply: Optional[str], answers: List[str]) -> TaskState:
    sample = Sample(input='Context:\nx\n\nQuestion: y', target=answers, id=0, group_id=0)
    output = None if reply is None else ModelOutput.from_content(model='canned', content=reply)
    state = TaskState(model='canned', sample=sample, output=output, completed=True)
    state.output = output  # type: ignore[assignment]
    return state


def _prompts(adapter: Any) -> List[str]:
    return [sample.input[-1].text for sample in adapter.load_dataset()['default']]


# -- prompts ----------------------------------------------------------------------------------------------------------


def test_the_prompt_holds_context_question_and_request_in_this_order(adapter: Make, row: Make, folder: Make) -> None:
    (prompt,) = _prompts(adapter({'local_path': folder(validation=[row(1, question='What {is} it?')])}))
    parts = ['[DOC] validation passage 1', 'What {is} it?', '<answer></answer>']
    assert [prompt.count(part) for part in parts] == [1, 1, 1]
    assert sorted(parts, key=prompt.index) == parts


LONG = ' '.join(f'[DOC] {"x" * 994}' for _ in range(8))  # passages of 1,000 characters, and a space between two


@pytest.mark.parametrize(
    ('extra', 'kept'),
    [({}, 5004), ({'max_context_chars': 6005}, 6005), ({'max_context_chars': 0}, 8007), ({'max_context_chars': 7}, 7)],
)
def test_the_context_is_cut_to_the_extra_parameter(
    adapter: Make, row: Make, folder: Make, extra: Row, kept: int
) -> None:
    path = folder(validation=[row(1, context=LONG)])
    (prompt,) = _prompts(adapter({'local_path': path, 'extra_params': extra}))
    assert f'Context:\n{LONG[:kept]}\n\nQuestion: ' in prompt


@pytest.mark.parametrize('value', [-1, 6000.0, '6000', None, True])
def test_a_bad_extra_parameter_is_refused_before_anything_is_loaded(adapter: Make, value: Any) -> None:
    with pytest.raises(ValueError, match='max_context_chars'):
        adapter({'extra_params': {'max_context_chars': value}})


def test_templates_and_system_prompt_of_the_user_apply(adapter: Make, row: Make, folder: Make) -> None:
    path = folder(validation=[row(1)], train=[row(1, 'train')])
    made = adapter({'local_path': path, 'prompt_template': 'P {question} P', 'system_prompt': 'Be brief.'})
    (sample,) = made.load_dataset()['default']
    assert [(message.role, message.text) for message in sample.input] == [
        ('system', 'Be brief.'),
        ('user', 'P Context:\n[DOC] validation passage 1\n\nQuestion: validation clue 1 P'),
    ]
    template = 'F {fewshot} Q {question}'
    (prompt,) = _prompts(adapter({'local_path': path, 'few_shot_num': 1, 'few_shot_prompt_template': template}))
    assert prompt == (
        'F Context:\n[DOC] train passage 1\n\nQuestion: train clue 1\n<answer>train answer 1</answer>'
        ' Q Context:\n[DOC] validation passage 1\n\nQuestion: validation clue 1'
    )


# -- local files ------------------------------------------------------------------------------------------------------


def test_few_shot_examples_of_a_folder_come_from_its_training_file(adapter: Make, row: Make, folder: Make) -> None:
    path = folder(validation=[row(1)], train=[row(number, 'train', context=LONG) for number in range(5)])
    (prompt,) = _prompts(adapter({'local_path': path, 'few_shot_num': 3}))
    assert [f'train clue {number}\n' in prompt for number in range(5)] == [True, True, True, False, False]
    assert prompt.count('<answer>train answer ') == 3
    assert prompt.count(LONG[:5004]) == 3
    assert LONG[:5005] not in prompt


def test_random_few_shot_examples_come_from_the_whole_training_file(adapter: Make, row: Make, folder: Make) -> None:
    path = folder(validation=[row(1)], train=[row(number, 'train') for number in range(50)])
    settings = {'local_path': path, 'few_shot_num': 3, 'few_shot_random': True}
    (prompt,) = _prompts(adapter(settings, seed=1))
    assert prompt == _prompts(adapter(settings, seed=1))[0]
    shown = [number for number in range(50) if f'train clue {number}\n' in prompt]
    assert len(shown) == 3
    assert max(shown) > 2


def test_one_file_has_no_few_shot_examples(adapter: Make, row: Make, folder: Make) -> None:
    file = str(Path(folder(validation=[row(1)])) / 'validation.jsonl')
    assert len(_prompts(adapter({'local_path': file}))) == 1
    with pytest.raises(ValueError, match=r'searchqa: few-shot examples .* folder with train\.jsonl') as error:
        adapter({'local_path': file, 'few_shot_num': 3}).load_dataset()
    assert file in str(error.value)


def test_a_clue_that_is_asked_is_no_example_whatever_its_passages(adapter: Make, row: Make, folder: Make) -> None:
    again = row(1, 'train', question='  VALIDATION clue  1', context='[DOC] Others.')
    path = folder(validation=[row(1)], train=[row(2, 'train'), again])
    with pytest.raises(ValueError, match='number 2 is one of the questions evaluated'):
        adapter({'local_path': path, 'few_shot_num': 2}).load_dataset()


def test_a_folder_without_training_file_has_no_few_shot_examples(adapter: Make, row: Make, folder: Make) -> None:
    with pytest.raises(FileNotFoundError, match="no file of the split 'train'"):
        adapter({'local_path': folder(validation=[row(1)]), 'few_shot_num': 3}).load_dataset()


def test_a_local_path_that_is_not_there_is_no_dataset_id(adapter: Make, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match='nowhere: no such file or folder'):
        adapter({'local_path': str(tmp_path / 'nowhere')}).load_dataset()


@pytest.mark.parametrize('split', ['validation', 'train'])
def test_a_bad_record_of_either_split_is_named(adapter: Make, row: Make, folder: Make, split: str) -> None:
    rows = {name: [row(number, name) for number in range(3)] for name in ('validation', 'train')}
    rows[split][1]['answers'] = 'not a list'
    with pytest.raises(RecordError, match=rf"searchqa: record '{split}-1' \(index 1\): field 'answers'"):
        adapter({'local_path': folder(**rows), 'few_shot_num': 2}).load_dataset()


def test_limit_and_repeats_apply_to_local_files(adapter: Make, row: Make, folder: Make) -> None:
    made = adapter({'local_path': folder(validation=[row(number) for number in range(5)])}, limit=2, repeats=2)
    samples = made.load_dataset()['default']
    assert [(sample.group_id, sample.metadata['key']) for sample in samples] == [
        (0, 'validation-0'), (0, 'validation-0'), (1, 'validation-1'), (1, 'validation-1'),
    ]  # fmt: skip


# -- scores -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('reply', 'answers', 'extracted', 'expected', 'reading'),
    [
        ('<answer>Oslo</answer>', ['Oslo'], 'Oslo', ONE, 'marked: <answer>'),
        ('<answer>Rome</answer>', ['Oslo'], 'Rome', ZERO, 'marked: <answer>'),
        ('It is\nthe Oslo.', ['Oslo'], 'the Oslo.', ONE, 'last line'),
        ('<answer>The.</answer>', ['Oslo'], 'The.', ZERO, 'marked: <answer>'),
        ('<answer>The.</answer>', ['An'], 'The.', ONE, 'marked: <answer>'),
        ('<answer>a</answer>', [' '], 'a', ONE, 'marked: <answer>'),
        ('', ['The'], '', ZERO, 'empty'),
        ('<answer> </answer>', [''], '', ZERO, 'nothing stated'),
        (None, ['The'], '', ZERO, 'empty'),
        ('<think>Oslo', ['Oslo'], '', ZERO, 'cut off'),
    ],
)
def test_the_score_of_a_reply(
    adapter: Make, reply: Optional[str], answers: List[str], extracted: str, expected: Row, reading: str
) -> None:
    score = adapter().calculate_metrics(_state(reply, answers)).score
    assert score.value == expected
    assert score.extracted_prediction == extracted
    assert score.prediction == (reply or '')
    assert score.main_score_name == 'exact_match'
    assert score.metadata == {'answered': bool(extracted), 'reading': reading}


def test_an_output_without_choices_is_unanswered(adapter: Make) -> None:
    state = _state('x', ['The'])
    state.output = ModelOutput(model='canned', choices=[])
    score = adapter().calculate_metrics(state).score
    assert (score.value, score.metadata) == (ZERO, {'answered': False, 'reading': 'empty'})


def test_filters_of_the_user_run_before_the_extraction(adapter: Make) -> None:
    made = adapter({'filters': {'remove_until': '### final:'}})
    score = made.calculate_metrics(_state('<answer>Rome</answer> ### final: Oslo', ['Oslo'])).score
    assert (score.value, score.extracted_prediction) == (ONE, 'Oslo')


# -- aggregation ------------------------------------------------------------------------------------------------------


def test_every_question_asked_is_in_every_mean(adapter: Make) -> None:
    made = adapter()
    replies = ['Oslo', None, '', 'Rome', '<answer>Oslo, Norway</answer>', '<think>Oslo']
    scores = [made.calculate_metrics(_state(reply, ['Oslo'])) for reply in replies]
    aggregates = made.aggregate_scores(sample_scores=scores)
    assert {aggregate.metric_name: aggregate.score for aggregate in aggregates} == {
        'exact_match': 1 / 6, 'f1': pytest.approx((1 + 2 / 3) / 6), 'sub_em': 2 / 6, 'unanswered_ratio': 3 / 6,
    }  # fmt: skip
    assert {aggregate.num for aggregate in aggregates} == {6}


def test_no_scores_are_zeros_of_every_metric(adapter: Make) -> None:
    aggregates = adapter().aggregate_scores(sample_scores=[])
    assert [(each.metric_name, each.score, each.num) for each in aggregates] == [
        (name, 0.0, 0) for name in adapter().metric_list
    ]


def test_scores_that_were_stored_as_json_aggregate_alike(adapter: Make) -> None:
    made = adapter()
    scores = [made.calculate_metrics(_state(reply, ['Oslo', 'Oslo, Norway'])) for reply in ('Oslo', 'x Oslo', None)]
    stored = [SampleScore.model_validate(json.loads(score.model_dump_json())) for score in scores]
    assert made.aggregate_scores(sample_scores=stored) == made.aggregate_scores(sample_scores=scores)


def test_another_aggregation_that_the_user_asks_for_is_evalscopes(adapter: Make, tmp_path: Path) -> None:
    made = adapter({'aggregation': 'mean_and_pass_at_k'}, repeats=2)
    scores = []
    for index, reply in enumerate(['Oslo', 'Rome', 'Rome', None]):
        state = _state(reply, ['Oslo'])
        state._sample_id, state._group_id = index, index // 2
        scores.append(made.calculate_metrics(state))
    aggregates = made.aggregate_scores(sample_scores=scores)
    found = {(each.metric_name, each.aggregation, each.dimensions.get('k')): each.score for each in aggregates}
    assert found['exact_match', 'mean', None] == 0.25
    assert found['exact_match', 'pass_at_k', 2] == 0.5
    assert found['unanswered_ratio', 'identity', None] == 0.25
    report = made.generate_report({'default': aggregates}, model_name='canned', output_dir=str(tmp_path))
    primary = report.primary_metric_identity
    assert (primary.name, primary.aggregation, len(report.metrics)) == ('exact_match', 'mean', len(aggregates))


def test_the_declared_metrics_are_those_that_are_reported(adapter: Make) -> None:
    made = adapter()
    aggregates = made.aggregate_scores(sample_scores=[made.calculate_metrics(_state('x', ['y']))])
    assert [aggregate.metric_name for aggregate in aggregates] == made.metric_list
    assert made.primary_metric.name == 'exact_match'


# -- a judge ----------------------------------------------------------------------------------------------------------


def _judged(adapter: Make, url: str, strategy: str, reply: Optional[str], answers: List[str]) -> Any:
    model = {'model_id': 'judge', 'api_url': url, 'api_key': 'EMPTY', 'eval_type': 'openai_api'}
    made = adapter(judge={'strategy': strategy, 'models': [model]})
    made.validate_judge_strategy()
    return made.calculate_metrics(_state(reply, answers)).score


@pytest.mark.loopback
@pytest.mark.parametrize(
    ('strategy', 'reply', 'verdict', 'expected', 'calls'),
    [
        ('llm', 'The capital, Oslo', 'A', {'exact_match': 1.0, 'f1': pytest.approx(2 / 3), 'sub_em': 1.0}, 1),
        ('llm', 'Oslo', 'B', {'exact_match': 0.0, 'f1': 1.0, 'sub_em': 1.0}, 1),
        ('llm', 'Rome', 'A', {'exact_match': 1.0, 'f1': 0.0, 'sub_em': 0.0}, 1),
        ('llm', '', 'A', ZERO, 1),
        ('llm', None, 'A', ZERO, 1),
        ('llm_recall', 'Oslo', 'B', ONE, 0),
        ('llm_recall', 'Rome', 'A', {'exact_match': 1.0, 'f1': 0.0, 'sub_em': 0.0}, 1),
        ('llm_recall', 'Rome', 'B', ZERO, 1),
        ('llm_recall', '<think>Oslo', 'A', ZERO, 1),
        ('rule', 'Rome', 'A', ZERO, 0),
        ('auto', 'Rome', 'A', ZERO, 0),
    ],
)
def test_a_judge_decides_exact_match_alone_and_credits_no_unanswered_reply(
    adapter: Make, strategy: str, reply: Optional[str], verdict: str, expected: Row, calls: int
) -> None:
    with serve(lambda _: json.dumps({'reasoning': 'because', 'verdict': verdict})) as server:
        score = _judged(adapter, server.url, strategy, reply, ['Oslo'])
    assert score.value == expected
    assert score.main_value == expected['exact_match']
    assert score.metadata['answered'] == bool(reply and reply != '<think>Oslo')
    assert (len(server.requests) > 0) == (calls > 0)


@pytest.mark.loopback
@pytest.mark.parametrize('strategy', ['llm', 'llm_recall'])
def test_a_judge_that_fails_leaves_the_rules_score(adapter: Make, strategy: str) -> None:
    with serve(lambda _: 'no verdict') as server:
        score = _judged(adapter, server.url, strategy, 'Oslo, Norway', ['Oslo'])
    assert score.value == {'exact_match': 0.0, 'f1': pytest.approx(2 / 3), 'sub_em': 1.0}
    assert score.metadata['answered'] is True


# -- the shipped sample -----------------------------------------------------------------------------------------------


def test_the_sample_runs_and_shows_each_kind_of_reply() -> None:
    sample = sample_files('searchqa')
    result = replay('searchqa', read_records(sample.records), read_replies(sample.replies))
    assert [each.answered for each in result.samples] == [True, True, True, True, False, False, False, True, True]
    assert [each.scores['exact_match'] for each in result.samples] == [1, 0, 1, 1, 0, 0, 0, 0, 0]
    assert result.num == 9
    assert result.metrics['unanswered_ratio'] == 3 / 9
