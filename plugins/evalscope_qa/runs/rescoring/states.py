"""Rebuilds the tasks of a run, as they stood before they were scored, from its predictions and reviews."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ... import engine
from ..scores import Attempt
from .choices import NoOptions, options_in_prompt, options_of

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Sample
    from evalscope.api.evaluator import TaskState


class NotRebuilt(ValueError):
    """A question cannot be made again of what the run left; says which and what to pass."""


class Questions:
    """The dataset's questions, by their prompts: what a run does not say of a question."""

    def __init__(self, samples: Iterable['Sample']) -> None:
        self._by_prompt = {engine.prompt_text(sample.input).strip(): sample for sample in samples}

    def find(self, prompt: str | None) -> 'Sample | None':
        """Return the question of a prompt, before which examples may stand; None where there is none."""
        text = (prompt or '').strip()
        if text in self._by_prompt:
            return self._by_prompt[text]
        ends = [known for known in self._by_prompt if known and text.endswith(known)]
        return self._by_prompt[max(ends, key=len)] if ends else None


def task_states(
    adapter: 'DefaultDataAdapter',
    attempts: Sequence[Attempt],
    predictions: Mapping[Any, dict[str, Any]],
    questions: Questions | None = None,
) -> 'list[TaskState]':
    """Return the task of each attempt.

    Args:
        adapter: Of the benchmark.
        attempts: The reviews of a subset.
        predictions: The predictions by index. A review without one gives its reply's text.
        questions: Of the dataset's records, where they are given.

    Raises:
        NotRebuilt: If a question's target or options cannot be had.
    """
    from evalscope.api.evaluator import TaskState

    states = []
    for attempt in attempts:
        prediction = _prediction(attempt, predictions.get(attempt.index))
        sample = _sample(adapter, attempt, prediction, questions)
        state = TaskState(
            model=prediction.model,
            sample=sample,
            messages=prediction.messages,
            output=prediction.model_output or engine.model_output(None),
            completed=True,
        )
        state.agent_trace = prediction.agent_trace
        states.append(state)
    return states


def _prediction(attempt: Attempt, row: dict[str, Any] | None) -> Any:
    from evalscope.api.evaluator.cache import ModelResult, ReviewResult

    if row is not None:
        return ModelResult.model_validate(row)
    review = ReviewResult.from_cache_item(attempt.row)
    reply = review.sample_score.score.prediction
    output = engine.model_output(reply) if reply is not None else None
    return ModelResult(index=review.index, model=engine.MODEL, model_output=output, messages=review.messages)


def _sample(adapter: 'DefaultDataAdapter', attempt: Attempt, prediction: Any, questions: Questions | None) -> 'Sample':
    from evalscope.api.benchmark import MultiChoiceAdapter
    from evalscope.api.dataset import Sample

    score = attempt.row['sample_score']
    metadata = {**(score.get('sample_metadata') or {}), **(prediction.metadata or {})}
    published = questions.find(attempt.prompt) if questions is not None else None
    if questions is not None and published is None:
        raise _not_rebuilt(adapter, attempt, 'no record gives its prompt')
    target: Any = list(published.target) if published is not None and isinstance(published.target, list) else None
    if target is None:
        target = published.target if published is not None else _target(attempt)
    if target is None:
        raise _not_rebuilt(adapter, attempt, 'its review has no target')
    choices = published.choices if published is not None else None
    if choices is None:
        wanted = isinstance(adapter, MultiChoiceAdapter)
        try:
            choices = options_of(metadata, attempt.prompt) if wanted else options_in_prompt(attempt.prompt or '')
        except NoOptions as error:
            if wanted:
                raise _not_rebuilt(adapter, attempt, f'its options cannot be had: {error}') from error
    asked = [message for message in prediction.messages if message.role != 'assistant']
    return Sample(
        input=asked or attempt.prompt or '',
        target=target,
        choices=choices,
        id=attempt.row['index'],
        group_id=score.get('group_id'),
        metadata={**(published.metadata or {}), **metadata} if published is not None else metadata,
    )


def _target(attempt: Attempt) -> str | list[str] | None:
    """Return the gold answer; one alone as text, as datasets have it."""
    if attempt.target is None:
        return ''  # evalscope writes none where the target is empty, as in benchmarks that check instructions
    return attempt.target[0] if len(attempt.target) == 1 else list(attempt.target)


def _not_rebuilt(adapter: 'DefaultDataAdapter', attempt: Attempt, problem: str) -> NotRebuilt:
    subset, _ = attempt.question
    return NotRebuilt(
        f'{adapter.name}: question {attempt.index} of subset {subset}: {problem}; pass the records of the dataset with '
        f'--records {adapter.name}=F'
    )
