"""Hands inspect_ai scorers a finished task, as inspect_ai's own solvers leave it, and reads their score."""

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .forms import Asked

_MODEL = 'mockllm/model'


def inspect_arguments(scorer: Any, asked: 'Asked') -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return state and target.

    Where the question has options, inspect_ai's solver ``multiple_choice`` has read the reply and marked what it
    chooses, because scorers of options look at the marks alone.
    """
    from inspect_ai.model import ChatMessageUser, ModelName, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState, multiple_choice

    question = asked.question
    state = TaskState(
        model=ModelName(_MODEL),
        sample_id=1,
        epoch=1,
        input=question.prompt_text,
        messages=[ChatMessageUser(content=question.prompt_text)],
        target=Target(asked.golds),
        choices=question.options or None,
        metadata=dict(asked.columns),
    )

    async def answered(state: Any, **settings: Any) -> Any:
        state.output = ModelOutput.from_content(_MODEL, asked.reply)
        state.messages.append(state.output.message)
        return state

    solve = multiple_choice(multiple_correct=len(asked.golds) > 1) if question.options else None
    finished = asyncio.run(solve(state, answered) if solve else answered(state))
    return (finished, Target(asked.golds)), {}


def inspect_given(score: Any) -> tuple[float, str]:
    """Return a score as a number, and the answer that was read.

    Raises:
        TypeError: If it is none of inspect_ai's scores, or has several values.
    """
    from inspect_ai.scorer import Score

    if not isinstance(score, Score):
        raise TypeError(f'it returned {score!r:.80}, and not a Score')
    if isinstance(score.value, (dict, list)):
        raise TypeError(f'it returned a Score with the values {score.value!r:.80}; one number is expected')
    return _as_float(score.value), score.answer or ''


@lru_cache(maxsize=1024)
def _as_float(value: str | int | float | bool) -> float:
    """Return what inspect_ai makes of a value; kept, so that where a score is traced the scorer alone returns it."""
    from inspect_ai.scorer import value_to_float

    return value_to_float()(value)
