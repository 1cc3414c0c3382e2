"""How callables are found, which form they have, what each form hands them, and how their scores are read."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from audit import callables
from evalscope_qa.audit.scorers.forms import FORMS, Asked, FilterChain, call, check_arguments, find_form
from evalscope_qa.audit.scorers.loading import load_scorer
from evalscope_qa.audit.scorers.options import ScorerError, ScorerOptions
from evalscope_qa.audit.scorers.question_file import parse_question

CALLABLES = Path(__file__).with_name('callables.py')


def asked(reply: str, gold: Any = '42', prompt: Any = 'How many?', **fields: Any) -> Asked:
    question = parse_question({'prompt': prompt, 'gold': gold, **fields})
    return Asked(reply, question.gold, question, question.columns)


@pytest.fixture
def inspect_ai(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Put the stand-in in the place of inspect_ai."""

    def forget() -> None:
        for name in [name for name in sys.modules if name.partition('.')[0] == 'inspect_ai']:
            monkeypatch.delitem(sys.modules, name)

    forget()
    monkeypatch.syspath_prepend(str(Path(__file__).with_name('stand_in')))
    import inspect_ai.scorer

    yield inspect_ai.scorer
    forget()


def score_here(name: str) -> Any:
    return load_scorer(f'{CALLABLES}:{name}').scorer


@pytest.mark.parametrize(
    ('name', 'form'),
    [
        ('clean', 'plain'),
        ('waits', 'plain'),
        ('half', 'plain'),
        ('by_question', 'record'),
        ('compute_score', 'verl'),
        ('contains', 'trl'),
        ('chat', 'trl'),
        ('Reward', 'trl'),
        ('chain', 'lm-eval'),
        ('LastNumber', 'lm-eval'),
    ],
)
def test_a_signature_tells_the_form(name: str, form: str) -> None:
    assert find_form('', score_here(name), name).name == form


@pytest.mark.parametrize('name', ['unclear', 'optional_gold'])
def test_a_form_that_cannot_be_told_is_asked_for_and_all_are_named(name: str) -> None:
    with pytest.raises(ScorerError, match=re.escape(f'{name}(')) as raised:
        find_form('', score_here(name), name)
    assert all(f'{form.name}: ' in str(raised.value) for form in FORMS)
    assert find_form('plain', score_here(name), name).name == 'plain'


def test_a_form_that_is_none_is_refused() -> None:
    with pytest.raises(ScorerError, match='--form sql: there is no such form'):
        find_form('sql', callables.clean, 'clean')


@pytest.mark.parametrize(
    ('form', 'question', 'expected'),
    [
        ('plain', asked('r'), (('r', '42'), {})),
        ('plain', asked('r', 42), (('r', 42), {})),
        ('plain', asked('r', ['4', '2']), (('r', ['4', '2']), {})),
        ('record', asked('r', id=7), (('r', {'prompt': 'How many?', 'gold': '42', 'id': 7}), {})),
        (
            'verl',
            asked('r', extra_info={'index': 3}, data_source='sums'),
            ((), {'data_source': 'sums', 'solution_str': 'r', 'ground_truth': '42', 'extra_info': {'index': 3}}),
        ),
        ('verl', asked('r'), ((), {'data_source': '', 'solution_str': 'r', 'ground_truth': '42', 'extra_info': None})),
        (
            'trl',
            asked('r', id=7),
            ((), {'completions': ['r'], 'prompts': ['How many?'], 'gold': ['42'], 'id': [7]}),
        ),
        (
            'trl',
            asked('r', prompt=[{'role': 'user', 'content': 'How many?'}]),
            (
                (),
                {
                    'completions': [[{'role': 'assistant', 'content': 'r'}]],
                    'prompts': [[{'role': 'user', 'content': 'How many?'}]],
                    'gold': ['42'],
                },
            ),
        ),
        (
            'lm-eval',
            asked('r', 'B', choices=['wool', 'iron']),
            (([['r']], [{'prompt': 'How many?', 'gold': 'B', 'choices': ['wool', 'iron']}]), {}),
        ),
        (
            'lm-eval',
            asked('r', 'B', options={'A': 'wool', 'B': 'iron'}),
            (
                (
                    [['r']],
                    [
                        {
                            'prompt': 'How many?',
                            'gold': 'B',
                            'options': {'A': 'wool', 'B': 'iron'},
                            'choices': ['wool', 'iron'],
                        }
                    ],
                ),
                {},
            ),
        ),
    ],
)
def test_each_form_hands_over_what_it_says(form: str, question: Asked, expected: Any) -> None:
    assert find_form(form, callables.contains, '').arguments(callables.contains, question) == expected


def test_a_reward_without_further_columns_is_handed_those_it_names() -> None:
    arguments = find_form('trl', callables.skips_refusals, '').arguments(callables.skips_refusals, asked('r', id=7))
    assert arguments == ((), {'completions': ['r'], 'gold': ['42']})


@pytest.mark.parametrize(
    ('form', 'value', 'score', 'answer'),
    [
        ('plain', True, 1.0, ''),
        ('plain', {'score': 0.5, 'pred': '7'}, 0.5, '7'),
        ('verl', {'score': -1, 'pred': None}, -1.0, ''),
        ('trl', [0.25], 0.25, ''),
        ('trl', [None], None, ''),
        ('lm-eval', ['42'], 1.0, '42'),
        ('lm-eval', [['43', '42']], 0.0, '43'),
        ('lm-eval', [[]], 0.0, ''),
    ],
)
def test_what_is_returned_is_read_as_the_form_says(form: str, value: Any, score: float | None, answer: str) -> None:
    given = find_form(form, None, '').given(value, asked('r'))
    assert (given.score, given.answer) == (score, answer)


def test_numbers_of_numpy_are_numbers() -> None:
    import numpy

    assert find_form('plain', None, '').given(numpy.float32(0.5), asked('r')).score == 0.5
    assert find_form('trl', None, '').given(numpy.array([0.5]), asked('r')).score == 0.5


@pytest.mark.parametrize(
    ('form', 'value', 'problem'),
    [
        ('plain', None, 'returned None, and not a number'),
        ('plain', '1.0', "returned '1.0', and not a number"),
        ('plain', [1.0], 'returned \\[1.0\\], and not a number'),
        ('plain', 'x' * 200, 'returned .{80}, and not a number'),
        ('verl', {'reward': 1.0}, "has no 'score'"),
        ('trl', 1.0, 'for one completion, and not a list of one number'),
        ('trl', [1.0, 1.0], 'not a list of one number'),
    ],
)
def test_what_is_no_score_is_an_error_that_shows_it(form: str, value: Any, problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        find_form(form, None, '').given(value, asked('r'))


@pytest.mark.loopback  # an event loop wakes itself through a pair of sockets
def test_a_coroutine_is_waited_for() -> None:
    question = asked('ANSWER: B', 'B')
    assert call(find_form('', callables.waits, ''), callables.waits, question).score == 1.0


def test_filters_are_applied_one_after_another() -> None:
    chain = score_here('chain')
    assert isinstance(chain, FilterChain)
    given = call(find_form('', chain, ''), chain, asked('It is 7, no, 42.'))
    assert (given.score, given.answer) == (1.0, '42')


@pytest.mark.parametrize(
    ('name', 'form', 'problem'),
    [
        ('three', 'plain', "missing a required argument: 'tolerance'"),
        ('contains', 'trl', "missing a required argument: 'solution'. The fields of q.jsonl: line 1 are prompt, gold"),
        ('clean', 'verl', "missing a required argument: 'reply'"),
    ],
)
def test_a_callable_that_wants_other_arguments_is_refused(name: str, form: str, problem: str) -> None:
    scorer = getattr(callables, name)
    with pytest.raises(ScorerError) as raised:
        check_arguments(find_form(form, scorer, name), scorer, asked('r'), name, 'q.jsonl: line 1')
    assert problem in str(raised.value)
    assert str(raised.value).startswith(f'{name}(')


def test_what_has_no_signature_is_called_all_the_same() -> None:
    form = find_form('plain', max, 'max')
    check_arguments(form, max, asked('r'), 'max', 'q.jsonl: line 1')
    with pytest.raises(ScorerError, match='pass --form'):
        find_form('', max, 'max')


# -- loading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('spec', 'problem'),
    [
        ('no_such_module:score', 'no_such_module cannot be imported: ModuleNotFoundError'),
        (f'{CALLABLES}:none', 'has no none; it has '),
        (f'{CALLABLES}:number', 'of type int, which cannot be called'),
        (f'{CALLABLES}:NeedsSettings', 'called without arguments to make the callable, and that fails: TypeError'),
    ],
)
def test_what_cannot_be_loaded_is_named_with_the_reason(spec: str, problem: str) -> None:
    with pytest.raises(ScorerError, match=re.escape(f'--scorer {spec}: ')) as raised:
        load_scorer(spec)
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    ('spec', 'cause', 'package'),
    [
        (f'{CALLABLES}:clean', 'callables.clean', 'callables'),
        (f'{CALLABLES}:half', 'callables.clean', 'callables'),
        (f'{CALLABLES}:Reward', 'callables.Reward.__call__', 'callables'),
        (f'{CALLABLES}:chain', 'callables.LastNumber.apply', 'callables'),
        ('difflib:SequenceMatcher.ratio', 'difflib.SequenceMatcher.ratio', 'difflib'),
        ('math:fsum', 'math:fsum', 'math'),
    ],
)
def test_the_function_that_scores_is_the_cause(spec: str, cause: str, package: str) -> None:
    loaded = load_scorer(spec)
    assert loaded.cause.name == cause
    assert package in loaded.packages


@pytest.mark.parametrize(
    ('named', 'problem'),
    [
        ({'scorers': ['rewards']}, 'expected module:function or file.py:function'),
        ({'scorers': ['rewards:']}, 'expected module:function'),
        ({'scorers': ['/none/rewards.py:score']}, 'there is no file /none/rewards.py'),
        ({'scorers': ['rewards:score', 'rewards:score']}, 'rewards:score is named twice'),
        ({'scorers': ['rewards:score'], 'score_range': (1.0, 1.0)}, 'expected the worst score, then the best one'),
    ],
)
def test_options_that_do_not_fit_are_refused(named: dict[str, Any], problem: str) -> None:
    with pytest.raises(ScorerError, match=re.escape(problem)):
        ScorerOptions(**{'questions': Path('q.jsonl'), **named})


def test_options_reach_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'rewards.py').write_text('')
    options = ScorerOptions(['rewards.py:score', 'pkg:score'], Path('q.jsonl'), 'verl', (-1.0, 1.0), ['pkg'])
    moved = ScorerOptions.from_dict(options.to_dict())
    assert moved.scorers == [f'{tmp_path / "rewards.py"}:score', 'pkg:score']
    assert moved.questions == tmp_path / 'q.jsonl'
    assert moved.names == options.names == ['rewards.py:score', 'pkg:score']
    assert (moved.form, moved.score_range, moved.packages) == ('verl', (-1.0, 1.0), ['pkg'])


# -- inspect_ai, whose place a stand-in takes --------------------------------------------------------------------------


@pytest.mark.loopback
@pytest.mark.parametrize(
    ('name', 'reply', 'gold', 'score', 'answer'),
    [
        ('choice', 'ANSWER: B', 'B', 1.0, 'B'),
        ('choice', 'ANSWER: A', 'B', 0.0, 'A'),
        ('choice', 'B', 'B', 0.0, ''),
        ('choice', 'ANSWER: AB', ['A', 'B'], 1.0, 'AB'),
        ('end', 'It is B', 'B', 1.0, ''),
    ],
)
def test_an_inspect_scorer_sees_the_options_that_a_reply_marks(
    inspect_ai: Any, name: str, reply: str, gold: Any, score: float, answer: str
) -> None:
    scorer = load_scorer(f'inspect_ai.scorer:{name}').scorer
    form = find_form('', scorer, name)
    assert form.name == 'inspect'
    given = call(form, scorer, asked(reply, gold, choices=['wool', 'iron']))
    assert (given.score, given.answer) == (score, answer)


@pytest.mark.loopback
def test_an_inspect_scorer_of_text_needs_no_options(inspect_ai: Any) -> None:
    scorer = load_scorer('inspect_ai.scorer:end').scorer
    assert call(find_form('', scorer, ''), scorer, asked('It is 42')).score == 1.0


@pytest.mark.loopback
@pytest.mark.parametrize(('reply', 'problem'), [('several', 'one number is expected'), ('none', 'not a Score')])
def test_an_inspect_score_of_several_values_is_an_error(inspect_ai: Any, reply: str, problem: str) -> None:
    scorer = load_scorer('inspect_ai.scorer:odd').scorer
    with pytest.raises(TypeError, match=problem):
        call(find_form('', scorer, ''), scorer, asked(reply))


def test_what_is_no_scorer_of_inspect_is_left_as_it_is(inspect_ai: Any) -> None:
    assert load_scorer('inspect_ai.util:registry_info').scorer.__name__ == 'registry_info'
