"""One engine makes questions, task states, scores and metric names, for replay, audit and demo alike."""

from typing import Any

import pytest
from evalscope.api.messages import ChatMessageSystem, ChatMessageUser
from evalscope.api.model import ModelOutput
from evalscope_qa import engine
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks
from hypothesis import given
from hypothesis import strategies as st

CHOICE_RECORD = {
    'id': 'q1',
    'question': 'Which is a metal?',
    'choices': {'text': ['iron', 'oxygen'], 'label': ['A', 'B']},
    'answerKey': 'A',
}


def _shipped(benchmark: str) -> tuple[Any, list[dict[str, Any]]]:
    files = sample_files(benchmark)
    return engine.configured_adapter(benchmark, files.dataset_args), read_records(files.records)


@pytest.mark.parametrize('benchmark', shipped_benchmarks())
def test_a_question_is_sent_as_a_run_sends_it(benchmark: str) -> None:
    files = sample_files(benchmark)
    arguments = {'local_path': str(files.records), 'system_prompt': 'Be brief.', **files.dataset_args}
    run = engine.configured_adapter(benchmark, arguments)
    sent = [sample.input for subset in run.load_dataset().values() for sample in subset]
    assert isinstance(sent[0][0], ChatMessageSystem)
    adapter = engine.configured_adapter(benchmark, {'system_prompt': 'Be brief.', **files.dataset_args})
    samples = list(engine.questions(adapter, read_records(files.records)))
    assert [engine.prompt_text(sample.input) for sample in samples] == [engine.prompt_text(input) for input in sent]
    assert [sample.id for sample in samples] == list(range(len(samples)))


def test_a_few_shot_prompt_is_that_without_examples_and_the_setting_stays() -> None:
    zero = engine.configured_adapter('arc', {'few_shot_num': 0})
    three = engine.configured_adapter('arc', {'few_shot_num': 3})
    (expected,), (sample,) = (list(engine.questions(adapter, [CHOICE_RECORD])) for adapter in (zero, three))
    assert engine.prompt_text(sample.input) == engine.prompt_text(expected.input)
    assert 'Which is a metal?' in engine.prompt_text(sample.input)
    assert three.few_shot_num == 3


def test_examples_that_stand_in_the_adapter_are_in_the_prompt() -> None:
    adapter = engine.configured_adapter('gpqa_diamond', {'few_shot_num': 5})
    choices = {'Correct Answer': 'iron', **{f'Incorrect Answer {number}': f'{number}' for number in (1, 2, 3)}}
    (sample,) = engine.questions(adapter, [{'Question': 'Which is a metal?', **choices}])
    prompt = engine.prompt_text(sample.input)
    assert prompt.index('Hardy-Weinberg equilibrium') < prompt.index('Which is a metal?')


def test_records_are_converted_one_at_a_time() -> None:
    adapter = engine.configured_adapter('arc')
    taken = []

    def records() -> Any:
        for number in range(3):
            taken.append(number)
            yield CHOICE_RECORD

    samples = engine.questions(adapter, records())
    next(samples)
    assert taken == [0]


def test_the_adapters_filter_decides_which_records_are_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = engine.configured_adapter('arc')
    monkeypatch.setattr(adapter, 'sample_filter', lambda sample: sample.target == 'B')
    samples = list(engine.questions(adapter, [CHOICE_RECORD, {**CHOICE_RECORD, 'answerKey': 'B'}]))
    assert [(sample.id, sample.target) for sample in samples] == [(0, 'B')]


@pytest.mark.parametrize('benchmark', shipped_benchmarks())
def test_no_output_and_an_output_without_choices_score_alike(benchmark: str) -> None:
    adapter, records = _shipped(benchmark)
    for sample in engine.questions(adapter, records):
        no_choice = engine.task_state(sample, None)
        assert no_choice.output.choices == []
        no_output = engine.task_state(sample, None)
        no_output.output = None
        scores = [engine.score(adapter, state) for state in (no_choice, no_output)]
        assert scores[0].score.value == scores[1].score.value
        assert not any(engine.is_answered(score) for score in scores)


def test_the_state_of_a_reply_holds_the_prompt_and_the_reply() -> None:
    adapter, records = _shipped('pubmedqa')
    sample = next(engine.questions(adapter, records))
    state = engine.task_state(sample, 'YES')
    assert [message.role for message in state.messages] == ['user', 'assistant']
    assert isinstance(state.user_prompt, ChatMessageUser)
    assert records[0]['question'] in state.user_prompt.text
    assert state.output.completion == state.messages[-1].text == 'YES'


@given(st.lists(st.sampled_from(['<think>', '</think>', '<think', '>', 'YES', ' ', '\n', 'think'])).map(''.join))
def test_a_reply_has_the_text_and_the_reasoning_that_evalscopes_models_give(reply: str) -> None:
    ours, evalscopes = engine.model_output(reply), ModelOutput.from_content(model='m', content=reply)
    assert ours.completion == evalscopes.completion
    assert _reasoning(ours) == _reasoning(evalscopes)


def _reasoning(output: ModelOutput) -> list[str]:
    content = output.message.content
    return [] if isinstance(content, str) else [part.reasoning for part in content if part.type == 'reasoning']


def test_batch_scoring_is_completed_in_batches_of_the_order_given(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter, records = _shipped('pubmedqa')
    files = sample_files('pubmedqa')
    samples = list(engine.questions(adapter, records))
    replies = read_replies(files.replies)
    expected = [engine.score(adapter, engine.task_state(*pair)) for pair in zip(samples, replies, strict=True)]
    batches = []

    def batch_calculate_metrics(states: list, scores: list) -> list:
        batches.append(len(states))
        for number, score in enumerate(scores):
            score.score.value['place'] = number
        return scores

    monkeypatch.setattr(engine, 'BATCH', 10)
    monkeypatch.setattr(adapter, 'use_batch_scoring', True)
    monkeypatch.setattr(adapter, 'batch_calculate_metrics', batch_calculate_metrics)
    states = (engine.task_state(*pair) for pair in zip(samples, replies, strict=True))
    scores = list(engine.score_all(adapter, states))
    assert batches == [10, 10, 4]
    assert [score.score.value.pop('place') for score in scores] == [*range(10), *range(10), *range(4)]
    assert [score.score.value for score in scores] == [score.score.value for score in expected]


def test_metrics_of_one_name_are_told_apart_by_their_identity() -> None:
    adapter = engine.configured_adapter('arc', {'metric_list': ['acc', 'accuracy']})
    samples = list(engine.questions(adapter, [CHOICE_RECORD]))
    scores = [engine.score(adapter, engine.task_state(sample, 'ANSWER: A')) for sample in samples]
    aggregates = engine.aggregate(adapter, scores)
    assert [aggregate.score for aggregate in aggregates.values()] == [1.0] * len(aggregates)
    assert len(aggregates) == len(adapter.aggregate_scores(sample_scores=scores))


def test_a_setting_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="a benchmark has no setting 'extra_param'"):
        engine.configured_adapter('arc', {'extra_param': {}})


def _fields(output: ModelOutput) -> dict[str, Any]:
    fields = output.model_dump()
    for choice in fields['choices']:
        choice['message'].pop('id')  # drawn at random by evalscope
    return fields


_PIECES = [
    '<think>',
    '</think>',
    '<think signature="a">',
    '<thinker',
    '<think',
    '>',
    'YES',
    ' ',
    '\n',
    '\0',
    'é',
    '\ud800',
]


@given(st.lists(st.sampled_from(_PIECES)).map(''.join))
def test_an_output_is_the_one_that_evalscope_makes_of_the_text(reply: str) -> None:
    ours, evalscopes = engine.model_output(reply), ModelOutput.from_content(model=engine.MODEL, content=reply)
    assert ours.completion == evalscopes.completion
    if isinstance(evalscopes.message.content, list) or '<think' not in reply:
        assert _fields(ours) == _fields(evalscopes)


def test_outputs_share_nothing_that_scoring_may_change() -> None:
    one, other = engine.model_output('YES'), engine.model_output('NO')
    one.completion = 'MAYBE'
    one.choices.append(other.choices[0])
    assert (other.completion, len(other.choices), engine.model_output('YES').completion) == ('NO', 1, 'YES')


@pytest.mark.parametrize('piece', ['<thinkx', '<think>', '<think ', '<think signature="', '</think>', '<'])
def test_a_long_reply_of_markers_is_made_an_output_in_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    for reply in (text, f'{text}</think>{text}', f'<thinkx</think>{text}'):
        assert engine.model_output(reply).completion.count('<') <= reply.count('<')
