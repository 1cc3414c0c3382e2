"""A reward is the score that the adapter gives a reply in a run; no reply raises, and none unanswered earns any."""

import inspect
import json
import pickle
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
from evalscope_qa import engine
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import sample_files
from evalscope_qa.rewards import Reward, compute_score, training_rows
from evalscope_qa.rewards import functions as reward_functions
from evalscope_qa.rewards.ground_truths import FORMS, target
from hypothesis import given, settings
from hypothesis import strategies as st

BENCHMARKS = list(FORMS)
RIGHT = {
    'searchqa': ('<answer>Oslo</answer>', ['Oslo', 'Kristiania']),
    'pubmedqa': ('YES', 'YES'),
    'selqa_selection': ('[2] > [1]', '{"answers": [2], "sentences": 3}'),
    'rjua_qa': (
        '多饮水。\n诊断：肾结石\n建议：复查',
        '{"answer": "多饮水。", "disease": ["肾结石"], "advice": ["复查"]}',
    ),
}
PRIMARY = {
    'searchqa': 'exact_match',
    'pubmedqa': 'accuracy',
    'selqa_selection': 'average_precision',
    'rjua_qa': 'final_accuracy',
}


@pytest.mark.parametrize('benchmark', BENCHMARKS)
def test_the_rewards_of_the_sample_are_the_scores_of_a_replay(benchmark: str) -> None:
    files = sample_files(benchmark)
    records, replies = read_records(files.records), read_replies(files.replies)
    expected = [sample.scores for sample in replay(benchmark, records, replies).samples]
    rows = list(training_rows(benchmark, records))
    for metric in engine.configured_adapter(benchmark).question_metrics:
        rewards = [
            compute_score(benchmark, reply, row['ground_truth'], row['extra_info'], metric=metric)
            for reply, row in zip(replies, rows, strict=True)
        ]
        scores = [scores[metric] for scores in expected]
        if metric == 'rouge_l':  # which compares texts, of an unanswered reply too: no reward
            answered = [sample.answered for sample in replay(benchmark, records, replies).samples]
            scores = [score if said else 0.0 for score, said in zip(scores, answered, strict=True)]
        assert rewards == scores
        assert len(set(rewards)) > 1
    assert [row['reward_model']['ground_truth'] for row in rows] == [row['ground_truth'] for row in rows]


def test_the_rewards_of_recorded_replies_are_the_scores_of_a_replay(data_dir: Path) -> None:
    published = {str(record['id']): record for record in read_records(data_dir / 'pubmedqa' / 'ori_pqal.json')}
    recorded = read_records(data_dir / 'replies' / 'pubmedqa_gpt.jsonl')
    recorded += read_records(data_dir / 'replies' / 'pubmedqa_instructgpt.jsonl')
    recorded += [  # of another benchmark: hard to read, whatever is asked
        {'id': '10158597', 'reply': row['reply']}
        for row in read_records(data_dir / 'replies' / 'choice_mmlu_pro.jsonl')
    ]
    records = [published[str(row['id'])] for row in recorded]
    unnamed = [{name: value for name, value in record.items() if name != 'id'} for record in records]
    replies = [row['reply'] for row in recorded]
    assert len(replies) == 1341
    for benchmark, others in (('pubmedqa', unnamed), ('searchqa', None), ('selqa_selection', None), ('rjua_qa', None)):
        if others is None:  # replies to other questions are read all the same
            sample = read_records(sample_files(benchmark).records)
            others = [sample[number % len(sample)] for number in range(len(replies))]
            for name in ('id', 'key'):
                others = [{key: value for key, value in record.items() if key != name} for record in others]
            if benchmark == 'searchqa':
                others = [{**record, 'key': None} for record in others]
        expected = [sample.scores[PRIMARY[benchmark]] for sample in replay(benchmark, others, replies).samples]
        rows = training_rows(benchmark, others)
        assert expected == [
            compute_score(benchmark, reply, row['ground_truth'], row['extra_info'])
            for reply, row in zip(replies, rows, strict=True)
        ]


@pytest.mark.parametrize('benchmark', BENCHMARKS)
@pytest.mark.parametrize(
    'piece', ['no ', '[1] ', '<think>', '</think>', '<answer>x</answer>', '答案是NO', '<', 'ﷺ', '"', '\ud800']
)
def test_a_megabyte_is_rewarded_as_a_replay_scores_it(benchmark: str, piece: str) -> None:
    record = read_records(sample_files(benchmark).records)[0]
    (row,) = training_rows(benchmark, [record])
    length = 1_000_000 // len(piece.encode('utf-8', 'surrogatepass'))
    for reply in (piece * length, piece * length + RIGHT[benchmark][0]):
        (sample,) = replay(benchmark, [record], [reply]).samples
        assert (
            compute_score(benchmark, reply, row['ground_truth'], row['extra_info']) == sample.scores[PRIMARY[benchmark]]
        )


@pytest.mark.parametrize('benchmark', BENCHMARKS)
def test_a_right_reply_earns_1_and_an_unanswered_one_0(benchmark: str) -> None:
    right, gold = RIGHT[benchmark]
    assert compute_score(benchmark, right, gold) == 1.0
    for reply in (None, '', ' \n', '\x00', '<think>' + right, "I don't know.", '无法确定', '[]', '{"answer": null}'):
        assert compute_score(benchmark, reply, gold) == 0.0
        assert type(compute_score(benchmark, reply, gold)) is float


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.sampled_from(BENCHMARKS))
def test_no_reply_raises(reply: str, benchmark: str) -> None:
    assert 0.0 <= compute_score(benchmark, reply, RIGHT[benchmark][1]) <= 1.0


@pytest.mark.parametrize('benchmark', BENCHMARKS)
def test_the_prompt_repeated_earns_nothing(benchmark: str) -> None:
    for record in read_records(sample_files(benchmark).records)[:3]:
        (row,) = training_rows(benchmark, [record])
        prompt = row['extra_info']['prompt']
        for extra_info in ({'prompt': prompt}, {'prompt': row['prompt']}, {'prompt': numpy.array(row['prompt'])}):
            assert compute_score(benchmark, prompt, row['ground_truth'], extra_info) == 0.0


SELQA_RECORD = {'candidates': ['', 'a', 'b'], 'answers': [2]}


@pytest.mark.parametrize(
    ('benchmark', 'ground_truth', 'expected'),
    [
        ('searchqa', 'Oslo', ['Oslo']),
        ('searchqa', ['Oslo', 'x'], ['Oslo', 'x']),
        ('searchqa', ('Oslo',), ['Oslo']),
        ('searchqa', numpy.array(['Oslo', 'x'], dtype=object), ['Oslo', 'x']),
        ('searchqa', {'answers': ['Oslo']}, ['Oslo']),
        ('searchqa', {'target': numpy.array(['Oslo'])}, ['Oslo']),
        ('pubmedqa', 'yes', 'YES'),
        ('pubmedqa', ' Maybe ', 'MAYBE'),
        ('pubmedqa', {'answer': 'no'}, 'NO'),
        ('pubmedqa', {'answer': None, 'final_decision': 'no'}, 'NO'),
        ('selqa_selection', {'answers': numpy.array([2, 1]), 'sentences': 3}, {'answers': [2, 1], 'sentences': 3}),
        ('selqa_selection', '{"answers": [2], "sentences": 3}', {'answers': [2], 'sentences': 3}),
        ('selqa_selection', SELQA_RECORD, {'answers': [2], 'sentences': 2}),
        (
            'rjua_qa',
            {'answer': 'a', 'disease': numpy.array(['b'], dtype=object), 'advice': []},
            {'answer': 'a', 'disease': ['b'], 'advice': []},
        ),
        ('rjua_qa', '{"answer": "a", "disease": [], "advice": []}', {'answer': 'a', 'disease': [], 'advice': []}),
    ],
)
def test_every_form_of_a_ground_truth(benchmark: str, ground_truth: Any, expected: Any) -> None:
    found = target(benchmark, ground_truth)
    assert (json.loads(found) if isinstance(expected, dict) else found) == expected


@pytest.mark.parametrize(
    ('benchmark', 'ground_truth'),
    [
        ('searchqa', ''),
        ('searchqa', []),
        ('searchqa', [3]),
        ('searchqa', None),
        ('searchqa', {'gold': 'x'}),
        ('pubmedqa', 'perhaps'),
        ('pubmedqa', ['yes']),
        ('pubmedqa', 1),
        ('selqa_selection', '[2]'),
        ('selqa_selection', 'not JSON'),
        ('selqa_selection', {'answers': [4], 'sentences': 3}),
        ('selqa_selection', {'answers': [], 'sentences': 3}),
        ('selqa_selection', {'answers': [0], 'sentences': 3}),
        ('selqa_selection', {'answers': ['2'], 'sentences': 3}),
        ('selqa_selection', {'candidates': ['', 'a'], 'answers': [0]}),
        ('rjua_qa', {'answer': 'a', 'disease': 'b', 'advice': []}),
        ('rjua_qa', {'answer': '', 'disease': [], 'advice': []}),
        ('rjua_qa', 'x' * 500),
        ('rjua_qa', None),
    ],
)
def test_another_ground_truth_is_an_error_that_says_what_is_expected(benchmark: str, ground_truth: Any) -> None:
    with pytest.raises(ValueError, match=f'^rewards: {benchmark}: the ground truth is .*; expected .+') as caught:
        compute_score(benchmark, 'any reply', ground_truth)
    assert len(str(caught.value)) < 450


def test_another_benchmark_or_metric_is_an_error_at_once() -> None:
    known = ', '.join(BENCHMARKS)
    for make in (
        lambda: Reward('gsm8k'),
        lambda: compute_score('gsm8k', 'x', 'y'),
        lambda: list(training_rows('arc', [])),
    ):
        with pytest.raises(ValueError, match=f'there is one for each of {known}'):
            make()
    with pytest.raises(ValueError, match="pubmedqa has no metric 'f1' of a question; it has accuracy"):
        Reward('pubmedqa', metric='f1')


def test_the_scorer_of_evalscope_is_not_taken_for_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, 'configured_adapter', lambda benchmark: object())
    reward_functions._adapter.cache_clear()
    with pytest.raises(ValueError, match='pubmedqa: evalscope would score by its own adapter'):
        Reward('pubmedqa')
    reward_functions._adapter.cache_clear()


# -- the forms of the trainers


def verl_naive(function: Callable[..., Any], reply: str, gold: Any, prompt: str) -> Any:
    """verl 0.9.1, experimental/reward_loop/reward_manager/naive.py and workers/reward_manager/naive.py."""
    extra_info = {'prompt': prompt, 'num_turns': None, 'rollout_reward_scores': {}}
    return function(data_source='searchqa', solution_str=reply, ground_truth=gold, extra_info=extra_info)


def verl_with_router(function: Callable[..., Any], reply: str, gold: Any, prompt: str) -> Any:
    """The same with a reward model beside it, and reward_kwargs of the configuration."""
    extra = {'reward_router_address': '127.0.0.1:1', 'reward_model_tokenizer': object(), 'metric': 'f1'}
    return function(
        data_source='searchqa', solution_str=reply, ground_truth=gold, extra_info={'prompt': prompt}, **extra
    )


def verl_positional(function: Callable[..., Any], reply: str, gold: Any, prompt: str) -> Any:
    """By position, as verl's own scorers are called."""
    return function('searchqa', reply, gold, {'prompt': prompt})


@pytest.mark.parametrize('call', [verl_naive, verl_with_router, verl_positional])
def test_the_calls_of_verl(call: Callable[..., Any]) -> None:
    parameters = list(inspect.signature(compute_score).parameters.values())
    assert [parameter.name for parameter in parameters[:4]] == [
        'data_source',
        'solution_str',
        'ground_truth',
        'extra_info',
    ]
    assert parameters[3].default is None and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD
    assert not inspect.iscoroutinefunction(compute_score)
    assert call(compute_score, '<answer>Oslo</answer>', ['Oslo'], 'Where?') == 1.0
    assert call(compute_score, 'Bergen', ['Oslo'], 'Where?') == 0.0


CHAT = [[{'role': 'assistant', 'content': '<answer>Oslo</answer>'}], [{'role': 'assistant', 'content': None}]]
PARTS = [[{'role': 'assistant', 'content': [{'type': 'text', 'text': 'Oslo'}]}], []]
TEXTS = ['<answer>Oslo</answer>', '']
ASKED = [[{'role': 'system', 'content': 'x'}, {'role': 'user', 'content': 'Where?'}]] * 2


def trl(function: Callable[..., Any], completions: list[Any], **columns: Any) -> Any:
    """TRL 1.16.0, GRPOTrainer._calculate_rewards: everything by keyword."""
    passed = {'trainer_state': object(), 'log_extra': print, 'log_metric': print, 'completion_ids': [[1], [2]]}
    return function(prompts=ASKED, completions=completions, **passed, **columns)


def trl_of_texts(function: Callable[..., Any], completions: list[Any], **columns: Any) -> Any:
    return function(prompts=['Where?', 'Where?'], completions=completions, **columns)


def ms_swift(function: Callable[..., Any], completions: list[Any], **columns: Any) -> Any:
    """ms-swift 4.6.0, rl_core/grpo_algorithm.py, and 3.12.0: the completions by position, all columns by keyword."""
    messages = [[*ASKED[0], {'role': 'assistant', 'content': 'the reply'}]] * 2
    return function(completions, trainer_state=object(), messages=messages, **columns)


@pytest.mark.parametrize('completions', [CHAT, PARTS, TEXTS])
@pytest.mark.parametrize('call', [trl, trl_of_texts, ms_swift])
def test_the_calls_of_trl_and_ms_swift(call: Callable[..., Any], completions: list[Any]) -> None:
    golds = [['Oslo'], ['Oslo']]
    for function in (Reward('searchqa'), reward_functions.searchqa_reward):
        assert call(function, completions, ground_truth=golds) == [1.0, 0.0]
    assert call(Reward('searchqa', ground_truth='solution'), completions, solution=golds) == [1.0, 0.0]
    sources = ['searchqa', 'pubmedqa']
    assert call(Reward(), completions, ground_truth=[['Oslo'], 'yes'], data_source=sources) == [1.0, 0.0]


@pytest.mark.parametrize('benchmark', BENCHMARKS)
def test_every_benchmark_has_a_ready_reward_with_a_name(benchmark: str) -> None:
    reward = getattr(reward_functions, f'{benchmark}_reward')
    right, gold = RIGHT[benchmark]
    assert reward([right, None], ground_truth=[gold, gold]) == [1.0, 0.0]
    assert reward.__name__ == f'{benchmark}_reward' == Reward(benchmark).__name__
    assert pickle.loads(pickle.dumps(reward))([right], ground_truth=[gold]) == [1.0]


def test_columns_that_do_not_fit_are_an_error() -> None:
    reward = Reward('searchqa')
    with pytest.raises(ValueError, match="no column 'ground_truth'; there are solution"):
        reward(['x'], solution=['y'])
    with pytest.raises(ValueError, match="no column 'data_source'"):
        Reward()(['x'], ground_truth=['y'])
    with pytest.raises(ValueError, match="2 completions, but 'ground_truth' has 1 entries"):
        reward(['x', 'y'], ground_truth=['y'])
    with pytest.raises(ValueError, match="1 completions, but 'prompts' has 2 entries"):
        reward(['x'], prompts=['a', 'b'], ground_truth=['y'])


@pytest.mark.parametrize('place', ['swift.rewards', 'swift.plugin'])
def test_the_plugin_registers_with_ms_swift(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.util import module_from_spec, spec_from_file_location

    class ORM:
        """Stands in for ms-swift's: version 4 takes arguments, version 3 takes none."""

    registry: dict[str, Any] = {}
    module = types.ModuleType(place)
    module.ORM, module.orms = ORM, registry  # type: ignore[attr-defined]
    for name in ('swift', 'swift.rewards', 'swift.plugin'):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, place, module)
    path = Path(reward_functions.__file__).with_name('ms_swift_plugin.py')
    spec = spec_from_file_location(
        'evalscope_qa.rewards.ms_swift_plugin', path
    )  # as ms-swift loads it: a file, and no part of a package
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(module_from_spec(spec))
    assert list(registry) == [f'evalscope_qa_{benchmark}' for benchmark in BENCHMARKS]
    for benchmark in BENCHMARKS:
        right, gold = RIGHT[benchmark]
        for made in (registry[f'evalscope_qa_{benchmark}'](), registry[f'evalscope_qa_{benchmark}'](args=object())):
            assert issubclass(type(made), ORM)
            assert ms_swift(made, [right, ''], ground_truth=[gold, gold]) == [1.0, 0.0]
