"""What is put on top of an installed adapter: what a reply earns, what is kept of it, and what is aggregated."""

from typing import Any

import pytest
from evalscope.api.benchmark import BenchmarkMeta
from evalscope.api.dataset import Sample
from evalscope.api.messages import ChatMessageUser
from evalscope.api.metric import Score
from evalscope.api.registry import BENCHMARK_REGISTRY
from evalscope_qa.choice.aggregates import yes_no_metrics
from evalscope_qa.choice.making import make
from evalscope_qa.engine import aggregate, score, task_config, task_state

OPTIONS = ['lime', 'basalt', 'slate', 'chalk']
PROMPT = 'Which?\nA) lime\nB) basalt\nC) slate\nD) chalk'


def strict(name: str, **arguments: Any) -> Any:
    """A strict adapter, as evalscope makes one, without putting it into the registry."""
    made = make(name, BENCHMARK_REGISTRY[name])
    assert isinstance(made, BenchmarkMeta), made
    config = task_config({name: arguments}, judge={'strategy': 'rule'})
    made._update(config.dataset_args[name])
    return made.data_adapter(benchmark_meta=made, task_config=config)


def question(target: Any = 'B', options: Any = OPTIONS, prompt: str = PROMPT, **metadata: Any) -> Sample:
    return Sample(
        input=[ChatMessageUser(content=prompt)], target=target, choices=options, metadata=metadata, id=0, group_id=0
    )


def scored(adapter: Any, sample: Sample, reply: Any) -> Score:
    return score(adapter, task_state(sample, reply)).score


CHOICE = [
    # reply, credit, what is extracted, how it is read
    ('ANSWER: B', 1, 'B', 'named'),
    ('The answer is basalt.', 1, 'B', 'said: text'),
    ('ANSWER: C', 0, 'C', 'named'),
    ('', 0, '', 'empty'),
    (None, 0, '', 'empty'),
    ("Don't know.", 0, '', 'refused'),
    ('A, B', 0, '', 'nothing stated'),
    ('ANSWER: B\nANSWER: C', 0, '', 'several'),
    ('ANSWER: E', 0, '', 'nothing stated'),
    ('<think>ANSWER: B', 0, '', 'cut off'),
    (PROMPT, 0, '', 'echo'),
]


@pytest.mark.parametrize(('reply', 'credit', 'extracted', 'rule'), CHOICE, ids=[repr(row[0]) for row in CHOICE])
@pytest.mark.parametrize('name', ['mmlu', 'a_okvqa', 'ceval', 'super_gpqa', 'gpqa_diamond'])
def test_a_reply_earns_what_its_reading_earns(name: str, reply: Any, credit: int, extracted: str, rule: str) -> None:
    found = scored(strict(name, few_shot_num=0), question(), reply)
    assert set(found.value.values()) == {float(credit)}
    assert (found.extracted_prediction, type(found.extracted_prediction)) == (extracted, str)
    assert found.prediction == (reply or '')
    assert found.metadata['answered'] is bool(extracted)
    assert found.metadata['reading'] == rule


MANY = [
    # benchmark, question, replies with what each earns
    ('coin_flip', question('NO', None, answer='NO'), {'ANSWER: NO': 1, 'No answer.': 0, 'not NO': 0, 'ANSWER: YES': 0}),
    ('pope', question('NO', None, answer='NO'), {'no': 1, 'No, there is none.': 1, 'Not sure.': 0, 'yes': 0}),
    ('halueval', question('YES', None, answer='yes'), {'Yes': 1, 'Yes and no.': 0, 'No': 0}),
    ('hallusion_bench', question('YES', None), {'Yes.': 1, 'No answer.': 0}),
    ('drivel_binary', question('YES', None, answer='YES'), {'YES': 1, '': 0}),
    ('boolq', question('B', ['Yes', 'No']), {'ANSWER: B': 1, 'No.': 1, 'No answer.': 0, 'Yes.': 0, 'ANSWER: A': 0}),
    ('mmlu_redux', question(['A', 'B']), {'ANSWER: B': 1, 'ANSWER: C': 0}),
    ('cmmmu', question('B', None, type='选择', answer='B', option1='x', option2='y', option3='z', option4='w'),
     {'B': 1, '选B': 1, '': 0, 'A或B': 0, '我不知道。': 0, '选C': 0}),
    ('cmmmu', question('对', None, type='判断', answer='对'), {'正确': 1, '错误': 0, '': 0, '不正确': 0}),
    ('cmmmu', question('42', None, type='填空', answer='42'), {'42': 1, '': 0, '<think>42': 0, '43': 0}),
    ('bbh', question('B', None, task_type='multiple_choice'), {'So the answer is (B).': 1, 'It is not B.': 0}),
    ('bbh', question('False', None, 'True and False is', task_type='free_form'),
     {'So the answer is False.': 1, '<think>So the answer is False.': 0}),
    ('real_world_qa', question('b', None), {'ANSWER: B': 1, 'It is not B.': 0, '<think>\nANSWER: B': 0}),
    ('real_world_qa', question('3', None, 'How many dogs?'), {'ANSWER: 3': 1, '<think>\nANSWER: 3': 0}),
    ('air_bench_foundation', question('B', None, choices={'A': 'x', 'B': 'y'}), {'B': 1, 'not B': 0, '': 0}),
]  # fmt: skip
NEWER = [
    ('phyx_mc', question('B', None), {'B': 1, 'The correct option is B: basalt': 1, '**B** or A': 0, '': 0}),
    ('agieval', question('AC', prompt=f'[LETTERS] {PROMPT}', subset='jec-qa-kd'), {'答案：AC': 1, '答案：A': 0, '': 0}),
    ('agieval', question('4', None, 'What is 2 + 2?', subset='math'), {'': 0, '<think>\\boxed{4}': 0}),
    ('math_verse', question('B', None, question_type='multi-choice'), {'ANSWER: B': 1, 'It is not B.': 0}),
    ('math_vision', question('B', question_type='multi_choice'), {'ANSWER: B': 1, "Don't know.": 0}),
    ('tir_bench', question('B', None, task='instrument'), {'Answer: B': 1, '': 0, 'No answer.': 0, 'not B': 0}),
    ('tir_bench', question('72', None, 'How many?', task='instrument'), {'': 0, '<think>72': 0}),
    ('logic_vista', question('AC', list('ABCDEFGHI')), {'ANSWER: A, C': 1, 'ANSWER: A': 0, "Don't know.": 0}),
    ('safety_bench', question('B', ['是。', '否。']), {'B': 1, '(B) 否。': 1, 'A, B': 0, 'not B': 0}),
]
"""Those that not every supported release has, or has without the question's kind."""


@pytest.mark.parametrize(
    ('name', 'asked', 'replies'), MANY + NEWER, ids=[f'{row[0]}-{row[1].target}' for row in MANY + NEWER]
)
def test_each_kind_of_question_earns_by_the_installed_scoring(
    name: str, asked: Sample, replies: dict[str, int]
) -> None:
    if name not in BENCHMARK_REGISTRY:
        pytest.skip(f'this evalscope has no {name}')
    adapter = strict(name)
    earned = {reply: scored(adapter, asked.model_copy(deep=True), reply).value for reply in replies}
    assert {reply: max(values.values()) for reply, values in earned.items()} == replies


def test_the_users_filters_come_first() -> None:
    adapter = strict('mmlu', few_shot_num=0, filters={'remove_until': '###'})
    assert scored(adapter, question(), 'ANSWER: C ### ANSWER: B').value == {'accuracy': 1.0}


def test_examples_before_the_question_are_no_part_of_its_prompt() -> None:
    adapter = strict('mmlu', few_shot_num=5)
    template = adapter.prompt_template.format(letters='A,B,C,D', question='Which?', choices='A) lime')
    state = task_state(question(prompt=f'Here are examples:\nQ?\nA) one\nANSWER: A\n\n{template}'), 'B')
    assert adapter.prompt_of(state).text.startswith(' A,B,C,D')
    assert 'ANSWER: A\n' not in adapter.prompt_of(state).text


def test_a_score_is_the_same_where_the_reading_has_not_come_through() -> None:
    adapter = strict('mmlu', few_shot_num=0)
    for reply, value in (('ANSWER: B', 1.0), ("Don't know.", 0.0)):
        assert adapter.match_score(reply, 'D', 'B', task_state(question(), reply)).value == {'accuracy': value}


class Judged:
    """An installed adapter of which a judge has scored alone, and given credit."""

    def calculate_metrics(self, task_state: Any) -> Any:
        found = super().calculate_metrics(task_state)  # type: ignore[misc]
        found.score = Score(prediction=task_state.output.completion, value={'accuracy': 1.0})
        return found


def test_a_judge_gives_no_credit_to_a_reply_without_an_answer() -> None:
    made = make('mmlu', BENCHMARK_REGISTRY['mmlu'])
    assert isinstance(made, BenchmarkMeta)
    base = made.data_adapter.__mro__[2]
    judged = type('WithAJudge', (Judged, base), {})
    made.data_adapter = type('Strict', (made.data_adapter.__mro__[1], judged), {'row': made.data_adapter.row})
    adapter = made.data_adapter(benchmark_meta=made, task_config=task_config({'mmlu': {'few_shot_num': 0}}))
    assert scored(adapter, question(), 'It is basalt, B.').value == {'accuracy': 0.0}
    right = scored(adapter, question(), 'ANSWER: C')
    assert (right.value, right.extracted_prediction, right.metadata['answered']) == ({'accuracy': 1.0}, 'C', True)


# Aggregates.


def test_the_share_of_the_unanswered_is_reported_with_its_reasons() -> None:
    adapter = strict('mmlu', few_shot_num=0)
    replies = ['ANSWER: B', "Don't know.", "I don't know.", '']
    found = aggregate(adapter, [score(adapter, task_state(question(), reply)) for reply in replies])
    assert {name: value.score for name, value in found.items()} == {'accuracy': 0.25, 'unanswered_ratio': 0.75}
    assert found['unanswered_ratio'].metadata == {'reasons': {'refused': 2, 'empty': 1}}
    assert {value.num for value in found.values()} == {4}


@pytest.mark.parametrize('name', ['coin_flip', 'pope', 'halueval', 'drivel_binary'])
def test_precision_recall_and_f1_are_over_every_question_asked(name: str) -> None:
    adapter = strict(name)
    pairs = [('YES', 'YES'), ('YES', ''), ('YES', 'NO'), ('NO', 'NO'), ('NO', 'YES'), ('NO', 'No answer.')]
    scores = [score(adapter, task_state(question(gold, None, answer=gold), reply)) for gold, reply in pairs]
    found = {key: value.score for key, value in aggregate(adapter, scores).items()}
    # Of three YES one is found, and of two replies that say YES one is right.
    assert found == pytest.approx(
        {
            'accuracy': 2 / 6, 'precision': 1 / 2, 'recall': 1 / 3, 'f1': 2 / 5, 'yes_ratio': 2 / 6,
            'unanswered_ratio': 2 / 6,
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ('golds', 'answers', 'values'),
    [
        ([], [], (0, 0, 0, 0)),
        (['YES'], [''], (0, 0, 0, 0)),
        (['NO'], [''], (0, 0, 0, 0)),
        (['YES', 'YES'], ['YES', ''], (1, 1 / 2, 2 / 3, 1 / 2)),
        (['YES', 'NO'], ['YES', 'YES'], (1 / 2, 1, 2 / 3, 1)),
    ],
)
def test_yes_no_metrics_are_those_counted_by_hand(golds: Any, answers: Any, values: Any) -> None:
    assert tuple(yes_no_metrics(golds, answers).values()) == pytest.approx(values)


def test_no_question_gives_zeros() -> None:
    for name in ('coin_flip', 'pope'):
        found = aggregate(strict(name), [])
        assert {value.score for value in found.values()} == {0.0}


def test_scores_of_another_version_are_refused() -> None:
    adapter = strict('mmlu', few_shot_num=0)
    other = score(adapter, task_state(question(), 'B'))
    other.score.metadata = {}
    with pytest.raises(ValueError, match=r'mmlu: these scores come from another version. Score again with --rerun'):
        adapter.aggregate_scores([other])
