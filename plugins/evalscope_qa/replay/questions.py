"""The questions that records ask, each with the id that a reply is paired by; read once, kept in a temporary file."""

from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import engine
from ..records import Record
from ..signature import RecordsDigest
from .packing import packed, unpacked
from .spool import Spool

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Sample

ID_FIELDS = ('id', 'pubid', 'key', 'question_id', 'qid', '_id', 'uid', 'idx')
"""Fields that identify a record in published datasets, in the order in which they are tried."""


class Question(NamedTuple):
    """One question of a benchmark."""

    id: str
    """The record's id as text; its number where records have none, or one id comes twice."""
    sample: 'Sample'
    """Its input is what a model is sent."""
    asked: str = ''
    """The question without the prompt around it, where that is kept; empty where it is no text."""


class Questions:
    """The questions of a set of records, in their order. Memory: some 16 bytes a question, and not its text."""

    def __init__(self, id_field: str | None = None) -> None:
        self._spool = Spool()
        self._fields = ID_FIELDS if id_field is None else (id_field, *ID_FIELDS)
        self._hashes = {field: array('q') for field in self._fields}
        self._id_field: str | None = None
        self.records = 0
        """How many records they come from."""
        self.digest = ''
        """What tells the records from others; see :func:`~evalscope_qa.signature.records_digest`."""

    def add(self, ids: dict[str, str], sample: 'Sample', asked: str) -> None:
        """Add a question with what identifies its record."""
        if self._hashes:
            if not ids.keys() >= self._hashes.keys():
                self._hashes = {field: hashes for field, hashes in self._hashes.items() if field in ids}
            for field, hashes in self._hashes.items():
                hashes.append(hash(ids[field]))
        self._spool.append((ids, packed(sample), asked))

    def ids_of(self, record: Record) -> dict[str, str]:
        """Return what may identify a record, by field."""
        fields = self._fields if isinstance(record, dict) else ()
        return {field: str(record[field]) for field in fields if field in record and _is_id(record[field])}

    def finish(self) -> None:
        """Choose the field that tells the questions apart; called once, behind the last one."""
        self._spool.flush()
        self._id_field = next((field for field in self._hashes if self._tells_apart(field)), None)
        self._hashes.clear()

    def _tells_apart(self, field: str) -> bool:
        import numpy

        hashes, counts = numpy.unique(numpy.frombuffer(self._hashes[field], dtype=numpy.int64), return_counts=True)
        if len(hashes) == len(self):
            return True
        # Texts that differ may share a hash; those that share theirs with another are compared.
        shared = set(hashes[counts > 1].tolist())
        seen: set[str] = set()
        for ids, _, _ in self._spool.iterate():
            if hash(ids[field]) in shared:
                if ids[field] in seen:
                    return False
                seen.add(ids[field])
        return True

    def __len__(self) -> int:
        return len(self._spool)

    def ids(self) -> Iterator[str]:
        """Yield the id of each question."""
        return (self._id(number, ids) for number, (ids, _, _) in enumerate(self._spool.iterate()))

    def iterate(self, start: int = 0, stop: int | None = None) -> Iterator[Question]:
        """Yield the questions from one number up to before another."""
        for number, (ids, sample, asked) in enumerate(self._spool.iterate(start, stop), start):
            yield Question(self._id(number, ids), unpacked(sample), asked)

    def _id(self, number: int, ids: dict[str, str]) -> str:
        return str(number) if self._id_field is None else ids[self._id_field]


def read_questions(
    adapter: 'DefaultDataAdapter',
    records: Iterable[Record],
    id_field: str | None = None,
    keep_asked: bool = False,
) -> Questions:
    """Read all records and convert them into questions, one after another and in their order.

    Args:
        adapter: Of the benchmark. One of this package may be of a set of questions, all of which must be there.
        records: Published records.
        id_field: The field that identifies a record; None for the first of ``ID_FIELDS`` that every record has.
        keep_asked: Keep each question without the prompt around it too.

    Raises:
        RecordError, StepFailed: As :func:`engine.questions`.
        ValueError: If the records lack questions that the benchmark is defined by.
    """
    found = Questions(id_field)
    digest = RecordsDigest()
    ids: dict[str, str] = {}

    def read() -> Iterator[Record]:
        nonlocal ids
        for record in records:
            ids = found.ids_of(record)
            digest.add(record)
            found.records += 1
            yield record

    def converted() -> Iterator[Any]:
        for index, sample in engine.converted(adapter, read()):
            asked = sample.input if keep_asked and isinstance(sample.input, str) else ''
            try:
                vars(sample)['input'] = engine.messages_as_sent(adapter, sample)
            except Exception as error:
                raise engine.said(error, f'{adapter.name}: converting record {index}') from error
            found.add(ids, sample, asked)
            yield sample

    samples = converted()
    check_questions = getattr(adapter, 'check_questions', None)
    if check_questions is not None:
        check_questions(samples, 'the records')
    for _ in samples:  # that the check did not look at
        pass
    found.digest = digest.shown()
    found.finish()
    return found


def _is_id(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and str(value) != ''


def few_shot_examples_left_out(adapter: 'DefaultDataAdapter') -> int:
    """Return how many examples of its dataset a run would show before each question; the questions here lack them."""
    return int(adapter.few_shot_num) if adapter.few_shot_mode == 'auto' else 0
