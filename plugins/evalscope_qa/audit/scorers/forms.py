"""The forms in which a score is asked for: what is handed to the callable, and how what it returns is read."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .inspect_ai_state import inspect_arguments, inspect_given
from .options import ScorerError
from .question_file import AskedQuestion, Gold


@dataclass(frozen=True)
class Asked:
    """A question with the gold that it has now, and a reply to it."""

    reply: str
    gold: Gold
    question: AskedQuestion
    columns: Mapping[str, Any]
    """The fields of the question, the gold that it has now among them."""

    @property
    def golds(self) -> list[str]:
        """The golds as text."""
        return self.gold if isinstance(self.gold, list) else [str(self.gold)]


@dataclass(frozen=True)
class Given:
    """What a callable made of a reply."""

    score: float | None
    """None where it says that the reply is not to be counted."""
    answer: str = ''
    """What it took for the answer, where it says so."""


Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class Form:
    """One form."""

    name: str
    shown: str
    """The call, in one line."""
    fits: Callable[[Any, Sequence[str]], bool]
    """Whether a callable, with the names of its parameters, is of this form beyond doubt."""
    arguments: Callable[[Any, Asked], Arguments]
    given: Callable[[Any, Asked], Given]


_REPLIES = (
    'reply',
    'response',
    'completion',
    'prediction',
    'predicted',
    'pred',
    'output',
    'text',
    'model_output',
    'solution_str',
)
_GOLDS = ('gold', 'golds', 'target', 'targets', 'reference', 'references', 'expected', 'ground_truth', 'label', 'truth')
_QUESTIONS = ('question', 'record', 'row', 'doc', 'sample', 'item', 'example')


def _number(value: Any, asked: Asked) -> Given:
    """Read a number, or a dictionary whose ``score`` is one, as verl's reward functions may return."""
    answer: Any = ''
    if isinstance(value, dict):
        if 'score' not in value:
            raise TypeError(f"it returned {_shown(value)}, which has no 'score'")
        answer, value = value.get('pred'), value['score']
    return Given(_as_float(value), answer if isinstance(answer, str) else '')


def _only_number(value: Any, asked: Asked) -> Given:
    """Read a list of one number; None says that a reward does not apply to a reply."""
    scores = value.tolist() if hasattr(value, 'tolist') else value
    if not isinstance(scores, (list, tuple)) or len(scores) != 1:
        raise TypeError(f'it returned {_shown(value)} for one completion, and not a list of one number')
    return Given(None if scores[0] is None else _as_float(scores[0]))


def _filtered(value: Any, asked: Asked) -> Given:
    """Compare the answer that is left of the only reply with the golds, exactly."""
    answer = next(iter(value))
    if not isinstance(answer, str):  # no filter took the first of the replies to a question
        answer = next(iter(answer), '')
    return Given(float(answer in asked.golds), str(answer))


def _as_float(value: Any) -> float:
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f'it returned {_shown(value)}, and not a number')
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f'it returned {_shown(value)}, and not a number') from error


def _trl_arguments(scorer: Any, asked: Asked) -> Arguments:
    """Return a batch of one: every field is a list; completions are messages where the prompt is."""
    messages = isinstance(asked.question.prompt, list)
    columns = {
        **{name: [value] for name, value in asked.columns.items() if name not in ('prompt', 'completions')},
        'prompts': [asked.question.prompt],
        'completions': [[{'role': 'assistant', 'content': asked.reply}] if messages else asked.reply],
    }
    parameters = inspect.signature(scorer).parameters.values()
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        taken = {parameter.name for parameter in parameters}
        columns = {name: value for name, value in columns.items() if name in taken}
    return (), columns


def _verl_arguments(scorer: Any, asked: Asked) -> Arguments:
    return (), {
        'data_source': asked.columns.get('data_source', ''),
        'solution_str': asked.reply,
        'ground_truth': asked.columns.get('ground_truth', asked.gold),
        'extra_info': asked.columns.get('extra_info'),
    }


def _lm_eval_arguments(scorer: Any, asked: Asked) -> Arguments:
    return ([[asked.reply]], [{'choices': asked.question.options, **asked.columns}]), {}


FORMS = (
    Form(
        'lm-eval',
        'apply(resps, docs) of a filter, or of each of a list; what is left is compared with the gold, exactly',
        lambda scorer, names: isinstance(scorer, FilterChain),
        _lm_eval_arguments,
        _filtered,
    ),
    Form(
        'inspect',
        'async score(state, target), or what returns that without arguments',
        lambda scorer, names: list(names) == ['state', 'target'],
        inspect_arguments,
        lambda value, asked: Given(*inspect_given(value)),
    ),
    Form(
        'verl',
        'compute_score(data_source, solution_str, ground_truth, extra_info)',
        lambda scorer, names: {'data_source', 'solution_str', 'ground_truth'} <= set(names),
        _verl_arguments,
        _number,
    ),
    Form(
        'trl',
        'reward(completions, **columns), a list of numbers',
        lambda scorer, names: 'completions' in names,
        _trl_arguments,
        _only_number,
    ),
    Form(
        'plain',
        'score(reply, gold)',
        lambda scorer, names: len(names) >= 2 and names[0] in _REPLIES and names[1] in _GOLDS,
        lambda scorer, asked: ((asked.reply, asked.gold), {}),
        _number,
    ),
    Form(
        'record',
        'score(reply, question), with all fields of the question',
        lambda scorer, names: len(names) >= 2 and names[0] in _REPLIES and names[1] in _QUESTIONS,
        lambda scorer, asked: ((asked.reply, dict(asked.columns)), {}),
        _number,
    ),
)
"""The forms, those that a signature tells most surely first."""


class FilterChain:
    """Filters of lm-evaluation-harness, applied one after another to the replies to one question."""

    def __init__(self, filters: Sequence[Any]) -> None:
        self.filters = list(filters)

    def __call__(self, resps: Any, docs: Any) -> Any:
        for one in self.filters:
            resps = one.apply(resps, docs)
        return resps


def find_form(name: str, scorer: Any, shown: str) -> Form:
    """Return the form of a callable.

    Args:
        name: The form's name; empty to tell it from the signature.
        scorer: The callable.
        shown: What to call it in messages.

    Raises:
        ScorerError: If there is no such form, or it cannot be told; names them all.
    """
    choices = '; '.join(f'{form.name}: {form.shown}' for form in FORMS)
    if name:
        found = next((form for form in FORMS if form.name == name), None)
        if found is None:
            raise ScorerError(f'--form {name}: there is no such form; there are {choices}')
        return found
    names = _parameters(scorer)
    found = next((form for form in FORMS if form.fits(scorer, names)), None)
    if found is None:
        raise ScorerError(f'{shown}({", ".join(names)}): how to call it cannot be told; pass --form: {choices}')
    return found


def _parameters(scorer: Any) -> list[str]:
    try:
        return list(inspect.signature(scorer).parameters)
    except (TypeError, ValueError):  # one written in C may have none
        return []


def check_arguments(form: Form, scorer: Any, asked: Asked, shown: str, place: str) -> None:
    """Refuse a callable that takes other arguments than its form has.

    Raises:
        ScorerError: Names the first parameter that is wrong, and what to do.
    """
    arguments, named = form.arguments(scorer, asked)
    try:
        signature = inspect.signature(scorer)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*arguments, **named)
    except TypeError as error:
        columns = ', '.join(asked.columns)
        raise ScorerError(
            f'{shown}{signature} cannot be called in the form {form.name}, {form.shown}: {error}. '
            f'The fields of {place} are {columns}; add what is missing, or pass another --form'
        ) from error


def call(form: Form, scorer: Any, asked: Asked) -> Given:
    """Score one reply.

    Raises:
        TypeError: If what is returned is no score.
        Exception: Whatever the callable raises.
    """
    arguments, named = form.arguments(scorer, asked)
    value = scorer(*arguments, **named)
    if inspect.isawaitable(value):
        value = asyncio.run(_wait_for(value))
    return form.given(value, asked)


async def _wait_for(value: Awaitable[Any]) -> Any:
    return await value


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f'{shown[:77]}...'
