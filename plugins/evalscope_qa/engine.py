"""Turns published records and replies into scores through any benchmark registered with evalscope, as a run does.

The one engine under replay, audit and demo: the adapter with its settings, questions as a model would be sent them,
task states, scores and aggregates. Nothing here keeps a question or a reply, so that a caller may stream them.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, Union

from pydantic import BaseModel, ValidationError

from .records import Record, RecordError

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Sample
    from evalscope.api.evaluator import TaskState
    from evalscope.api.messages import ChatMessage
    from evalscope.api.metric import AggScore, SampleScore
    from evalscope.api.model import ModelOutput
    from evalscope.config import TaskConfig

Reply = Union[str, 'ModelOutput', None]
"""Text, what a model's interface returned, or None for a request that brought nothing."""

MODEL = 'canned-replies'
"""What stands in evalscope's objects as the model's name."""
BATCH = 256
"""Replies at a time, for the benchmarks that score them in batches."""


def task_config(dataset_args: Mapping[str, Mapping[str, Any]], **settings: Any) -> 'TaskConfig':
    """Return evalscope's configuration of a task without a model.

    Args:
        dataset_args: The benchmarks, each with what ``--dataset-args`` would hold for it.
        settings: Other fields of the configuration.
    """
    from evalscope.config import TaskConfig

    return TaskConfig(
        **{
            'model': MODEL,
            'eval_type': 'mock_llm',
            'datasets': list(dataset_args),
            'dataset_args': {benchmark: dict(arguments) for benchmark, arguments in dataset_args.items()},
            **settings,
        }
    )


def configured_adapter(
    benchmark: str, dataset_args: Mapping[str, Any] | None = None, **settings: Any
) -> 'DefaultDataAdapter':
    """Return a benchmark's adapter under settings of the user.

    Args:
        benchmark: Name of any benchmark registered with evalscope, of a plugin or built in.
        dataset_args: What ``--dataset-args`` would hold for it.
        settings: Other fields of the task's configuration.

    Raises:
        ValueError: If the benchmark is unknown, or a setting is none of evalscope's, which would pass over it.
        Exception: Whatever the adapter raises over its settings.
    """
    from evalscope.api.registry import get_benchmark

    from . import discovery

    discovery.load_plugins()
    arguments = dict(dataset_args or {})
    adapter = get_benchmark(benchmark, task_config({benchmark: arguments}, **settings))
    check_setting_names(benchmark, arguments, adapter.benchmark_meta)
    return adapter


def check_setting_names(benchmark: str, dataset_args: Mapping[str, Any], meta: Any) -> None:
    """Refuse settings that evalscope would pass over in silence.

    Args:
        benchmark: Its name.
        dataset_args: Its settings.
        meta: evalscope's metadata of the benchmark, whose attributes are the settings there are.

    Raises:
        ValueError: Names the first setting that does not exist.
    """
    for name in dataset_args:
        if name != 'local_path' and not hasattr(meta, name):
            hint = ' Pass the settings of the benchmark without its name around them.' if name == benchmark else ''
            raise ValueError(f'{benchmark}: dataset_args: a benchmark has no setting {name!r}.{hint}')


def converted(adapter: 'DefaultDataAdapter', records: Iterable[Record]) -> Iterator[tuple[int, 'Sample']]:
    """Convert records one after another, in their order, into numbered questions without a prompt around them.

    Args:
        adapter: Its conversion and its filter are used; not ``limit``, ``repeats`` and ``shuffle``.
        records: Published records.

    Returns:
        Each question with the position of its record; of one record there may be several, or none.

    Raises:
        RecordError: If a record is malformed.
        StepFailed: If the adapter fails over a record in any other way: names benchmark and record.
    """
    number = 0
    for index, record in enumerate(records):
        try:
            result = adapter.record_to_sample(record)
            samples = result if isinstance(result, list) else [result]
            kept = [sample for sample in samples if adapter.sample_filter(sample)]
        except Exception as error:
            raise said(error, f'{adapter.name}: converting record {index}', RecordError) from error
        for sample in kept:
            vars(sample).update(id=number, group_id=number)  # pydantic takes a microsecond for each
            number += 1
            yield index, sample


def questions(adapter: 'DefaultDataAdapter', records: Iterable[Record]) -> Iterator['Sample']:
    """Convert records one after another, in their order, into questions whose input is what a model would be sent.

    The adapter's prompt template and the system prompt are applied. Few-shot examples from a dataset are not there: the
    prompt is that without examples, whatever ``few_shot_num`` says. Examples that stand in the adapter are in it.

    Args:
        adapter: Its conversion, its filter and its templates are used; not ``limit``, ``repeats`` and ``shuffle``.
        records: Published records.

    Raises:
        RecordError: If a record is malformed.
        StepFailed: If the adapter fails over a record in any other way: names benchmark and record.
    """
    for index, sample in converted(adapter, records):
        with failing_step(f'{adapter.name}: converting record {index}', RecordError):
            sample.input = messages_as_sent(adapter, sample)
        yield sample


def messages_as_sent(adapter: 'DefaultDataAdapter', sample: 'Sample') -> list['ChatMessage']:
    """Return the messages that a run would send for a converted record; see :func:`questions`."""
    subset = sample.subset_key if adapter.reformat_subset and sample.subset_key else adapter.default_subset
    if isinstance(sample.input, list):
        return adapter.process_sample_messages_input(sample, subset)
    if adapter.few_shot_num == 0 or adapter.few_shot_mode != 'auto':
        return adapter.process_sample_str_input(sample, subset)
    few_shot_num, adapter.few_shot_num = adapter.few_shot_num, 0
    try:
        return adapter.process_sample_str_input(sample, subset)
    finally:
        adapter.few_shot_num = few_shot_num


def prompt_text(messages: str | list['ChatMessage']) -> str:
    """Return the text of what a model is sent."""
    return messages if isinstance(messages, str) else '\n'.join(message.text for message in messages)


def task_state(sample: 'Sample', reply: Reply) -> 'TaskState':
    """Return the finished task of one question.

    Args:
        sample: The question; scoring may change it.
        reply: Its reply. None becomes an output without choices, which is what evalscope's own task state makes of it.
    """
    from evalscope.api.evaluator import TaskState

    output = model_output(reply)
    messages = list(sample.input) if isinstance(sample.input, list) else []
    if output.choices:
        messages.append(output.message)
    return TaskState(model=MODEL, sample=sample, messages=messages, output=output, completed=True)


def model_output(reply: Reply) -> 'ModelOutput':
    """Return a reply as evalscope's models return it: a closed ``<think>`` block is moved out of the text."""
    from evalscope.api.model import ModelOutput

    if reply is None:
        return ModelOutput(model=MODEL)
    if not isinstance(reply, str):
        return reply
    # What evalscope would build and check anew is the same for every reply but for its text.
    output = _output_of_text()
    choice = output.choices[0]
    message = altered(choice.message, content=_message_content(reply))
    return altered(output, choices=[altered(choice, message=message)])


Model = TypeVar('Model', bound=BaseModel)


def altered(model: Model, **fields: Any) -> Model:
    """Return a copy of a pydantic model with other values of some fields, which are not checked.

    What ``model_copy`` does for a model without private attributes, at a fifth of its time: a reply needs five copies.
    """
    return rebuilt(model.__class__, model.__dict__ | fields)


def rebuilt(kind: type[Model], fields: dict[str, Any]) -> Model:
    """Return a pydantic model with values of all its fields, which are not checked; the mapping becomes its own."""
    model = kind.__new__(kind)
    _set(model, '__dict__', fields)
    _set(model, '__pydantic_fields_set__', set(fields))
    _set(model, '__pydantic_extra__', None)
    _set(model, '__pydantic_private__', None)
    return model


_set = object.__setattr__


@cache
def _output_of_text() -> 'ModelOutput':
    from evalscope.api.model import ModelOutput

    return ModelOutput.from_content(model=MODEL, content='')


_CLOSING = '</think>'
_END = '\0'
"""Something that is no white space, in the place of the text behind the last block."""


def _message_content(reply: str) -> Any:
    """Return the content of a model's message, in time linear in its length.

    evalscope looks for the first ``<think>`` block, and takes minutes over many that nothing closes: it is asked about
    the text up to the last closing tag alone, behind which no block can end.
    """
    opened = reply.find('<think')
    if opened < 0:
        return reply
    from evalscope.api.messages import ChatMessageAssistant, ContentReasoning, ContentText

    last = reply.rfind(_CLOSING)
    if last < opened:
        return [ContentText(text=reply)]  # as text alone it would be searched when it is read from a file again
    end = last + len(_CLOSING)
    content = ChatMessageAssistant(content=reply[:end] + _END).content
    if isinstance(content, str):
        return [ContentText(text=reply)]
    reasoning = [part for part in content if isinstance(part, ContentReasoning)]
    text = ''.join(part.text for part in content if isinstance(part, ContentText)).removesuffix(_END)
    return [*reasoning, ContentText(text=(text + reply[end:]).strip())]


def reply_text(reply: Reply) -> str | None:
    """Return the text of a reply; None where there was none."""
    return reply if reply is None or isinstance(reply, str) else reply.completion


def score(adapter: 'DefaultDataAdapter', state: 'TaskState') -> 'SampleScore':
    """Score one task.

    Raises:
        Exception: Whatever the adapter raises.
    """
    sample_score = adapter.calculate_metrics(state)
    if adapter.use_batch_scoring:
        return adapter.batch_calculate_metrics([state], [sample_score])[0]
    return sample_score


def score_all(adapter: 'DefaultDataAdapter', states: Iterable['TaskState'], first: int = 0) -> Iterator['SampleScore']:
    """Score tasks in their order, in batches where the benchmark scores so.

    Args:
        adapter: Of the benchmark.
        states: The finished tasks.
        first: Number of the first question, for messages. A part of more tasks is scored as all of them are where it
            begins and ends with a batch of :data:`BATCH`.

    Raises:
        StepFailed: If the adapter fails: names benchmark and question.
    """
    numbered = enumerate(states, first)
    # As the evaluator does, each is scored alone first, and a batch of the scores is completed then.
    while batch := list(islice(numbered, BATCH if adapter.use_batch_scoring else 1)):
        scores = []
        for index, state in batch:
            try:
                scores.append(adapter.calculate_metrics(state))
            except Exception as error:
                raise said(error, f'{adapter.name}: scoring the reply to question {index}') from error
        if adapter.use_batch_scoring:
            with failing_step(f'{adapter.name}: scoring the replies to questions {batch[0][0]} to {batch[-1][0]}'):
                scores = adapter.batch_calculate_metrics([state for _, state in batch], scores)
        yield from scores


def aggregate(adapter: 'DefaultDataAdapter', scores: list['SampleScore']) -> dict[str, 'AggScore']:
    """Aggregate scores as a run does.

    Returns:
        Each aggregate by its metric's name; where one name has several, by the key of its identity.

    Raises:
        Exception: Whatever the adapter raises.
    """
    aggregates = adapter.aggregate_scores(sample_scores=scores)
    names = [aggregate.metric_name for aggregate in aggregates]
    return {
        name if names.count(name) == 1 else aggregate.identity.key: aggregate
        for name, aggregate in zip(names, aggregates, strict=True)
    }


def reading_rule(sample_score: 'SampleScore') -> str:
    """Return the rule by which a reply was read, or the reason why it is unanswered; empty where none is named."""
    return str((sample_score.score.metadata or {}).get('reading', ''))


def is_answered(sample_score: 'SampleScore') -> bool:
    """Whether a reply holds an answer: as the adapter says, else whether anything was extracted."""
    found = bool((sample_score.score.extracted_prediction or '').strip())
    return (sample_score.score.metadata or {}).get('answered', found)


class StepFailed(ValueError):
    """An adapter failed; the message names the benchmark, the step and the exception, which is the cause."""


@contextmanager
def failing_step(name: str, *clear: type[Exception]) -> Iterator[None]:
    """Say in one line what an adapter was doing when it failed.

    Args:
        name: The benchmark and the step.
        clear: Exceptions that speak for themselves; pydantic's many-lined ones never do.

    Raises:
        StepFailed: In the place of any other exception, which is its cause.
    """
    try:
        yield
    except Exception as error:
        if _speaks_for_itself(error, clear):
            raise
        raise StepFailed(f'{name}: {_cause(error)}') from error


def said(error: Exception, name: str, *clear: type[Exception]) -> Exception:
    """Return what to raise from an exception: what :func:`failing_step` does, where a million steps are taken."""
    return error if _speaks_for_itself(error, clear) else StepFailed(f'{name}: {_cause(error)}')


def _speaks_for_itself(error: Exception, clear: tuple[type[Exception], ...]) -> bool:
    return isinstance(error, clear) and not isinstance(error, ValidationError)


def _cause(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = '.'.join(str(part) for part in (error.title, *first['loc']))
        return f'{place}: {first["msg"]}'
    return ' '.join(f'{type(error).__name__}: {error}'.split())
