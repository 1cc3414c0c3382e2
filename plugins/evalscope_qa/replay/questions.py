"""The questions that records ask, each with the id that a reply is paired by."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import engine
from ..records import Record

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Sample

ID_FIELDS = ('id', 'pubid', 'key', 'question_id', 'qid', '_id', 'uid', 'idx')
"""Fields that identify a record in published datasets, in the order in which they are tried."""


@dataclass(frozen=True)
class Question:
    """One question of a benchmark."""

    id: str
    """The record's id as text; its number where records have none, or one id comes twice."""
    sample: 'Sample'
    """Its input is what a model is sent."""
    asked: str
    """The question without the prompt around it; empty where it is no text."""


def identified_questions(
    adapter: 'DefaultDataAdapter', records: Sequence[Record], id_field: str | None = None
) -> list[Question]:
    """Convert records into questions, in their order.

    Args:
        adapter: Of the benchmark.
        records: Published records.
        id_field: The field that identifies a record; None for the first of ``ID_FIELDS`` that every record has.

    Raises:
        RecordError, StepFailed: As :func:`engine.questions`.
    """
    converted = []
    for index, sample in engine.converted(adapter, records):
        asked = sample.input if isinstance(sample.input, str) else ''
        with engine.failing_step(f'{adapter.name}: converting record {index}'):
            sample.input = engine.messages_as_sent(adapter, sample)
        converted.append((index, sample, asked))
    ids = _ids([records[index] for index, _, _ in converted], id_field)
    return [Question(name, sample, asked) for name, (_, sample, asked) in zip(ids, converted, strict=True)]


def _ids(records: Sequence[Record], id_field: str | None) -> list[str]:
    """Return the id of each question's record, or numbers where the records do not tell their questions apart."""
    for field in ID_FIELDS if id_field is None else (id_field, *ID_FIELDS):
        ids = [str(record[field]) for record in records if isinstance(record, dict) and _is_id(record.get(field))]
        if len(ids) == len(records) == len(set(ids)):
            return ids
    return [str(number) for number in range(len(records))]


def _is_id(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and str(value) != ''


def few_shot_examples_left_out(adapter: 'DefaultDataAdapter') -> int:
    """Return how many examples of its dataset a run would show before each question; the questions here lack them."""
    return int(adapter.few_shot_num) if adapter.few_shot_mode == 'auto' else 0
