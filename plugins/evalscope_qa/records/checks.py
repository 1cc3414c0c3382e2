"""Rejects malformed records, naming benchmark, record and field."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Schema = TypeVar('Schema', bound=BaseModel)


class RecordError(ValueError):
    """A record that a benchmark cannot use. The message says which record, which field, and what to do."""

    def __init__(self, benchmark: str, record: str, field: str, problem: str) -> None:
        super().__init__(f"{benchmark}: {record}: field '{field}': {problem}. Correct the record and run again.")


class RecordChecker:
    """Checks the records of one load in order: knows each record's place and which ids it has already seen.

    Args:
        benchmark: Name of the benchmark, for messages.
        repeats: How often the loader hands over each record in a row. evalscope 1.12 and 1.13 copy the records of a hub
            dataset ``repeats`` times before conversion; everything else hands over each record once.
    """

    def __init__(self, benchmark: str, repeats: int = 1) -> None:
        self._benchmark = benchmark
        self._repeats = repeats
        self._calls = 0
        self._first_call_of_id: dict[str, int] = {}

    def check(self, schema: type[Schema], record: Any, id_field: str | None = None, unique_id: bool = True) -> Schema:
        """Return ``record`` as ``schema``.

        Args:
            schema: A pydantic model; its field names are the record's.
            record: One published record.
            id_field: The field that identifies a record, where the dataset has one.
            unique_id: Whether an id must not come twice.

        Raises:
            RecordError: If a field is missing, has the wrong type or value, or the id came before.
        """
        index = self._calls // self._repeats
        self._calls += 1
        identifier = record.get(id_field) if id_field and isinstance(record, dict) else None
        try:
            checked = schema.model_validate(record)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = '.'.join(str(part) for part in first['loc']) or '(the record itself)'
            raise RecordError(self._benchmark, _label(index, identifier), field, _problem(first)) from error
        if unique_id and id_field is not None and identifier is not None:
            # As text: the same id may be a number in one record and digits in another.
            first_index = self._first_call_of_id.setdefault(str(identifier), index)
            if first_index != index:
                label, reason = _label(index, identifier), f'the id was already used by record {first_index}'
                raise RecordError(self._benchmark, label, id_field, reason)
        return checked


def _label(index: int, identifier: Any) -> str:
    return f'record {index}' if identifier is None else f'record {identifier!r} (index {index})'


def _problem(error: Any) -> str:
    """Describe a pydantic error in one phrase, with the offending value cut to a readable length."""
    if error['type'] == 'missing':
        return 'is missing'
    value = repr(error['input'])
    shown = value if len(value) <= 80 else f'{value[:77]}...'
    message = error['msg'].removeprefix('Value error, ').rstrip('.')
    return f'{message} (got {shown})'
