"""Reads published records from files and rejects malformed ones, naming benchmark, record and field."""

import csv
import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, Type, TypeVar, Union

from pydantic import BaseModel, ValidationError

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Dataset

Record = dict[str, Any]
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

    def check(
        self, schema: Type[Schema], record: Any, id_field: Optional[str] = None, unique_id: bool = True
    ) -> Schema:
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
        label = f'record {index}' if identifier is None else f'record {identifier!r} (index {index})'
        try:
            checked = schema.model_validate(record)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = '.'.join(str(part) for part in first['loc']) or '(the record itself)'
            raise RecordError(self._benchmark, label, field, _problem(first)) from error
        if unique_id and id_field is not None and identifier is not None:
            # As text: the same id may be a number in one record and digits in another.
            first_index = self._first_call_of_id.setdefault(str(identifier), index)
            if first_index != index:
                raise RecordError(self._benchmark, label, id_field, f'the id was already used by record {first_index}')
        return checked


def _problem(error: Any) -> str:
    """Describe a pydantic error in one phrase, with the offending value cut to a readable length."""
    if error['type'] == 'missing':
        return 'is missing'
    value = repr(error['input'])
    shown = value if len(value) <= 80 else f'{value[:77]}...'
    message = error['msg'].removeprefix('Value error, ').rstrip('.')
    return f'{message} (got {shown})'


def read_records(path: Union[str, os.PathLike], benchmark: str = '') -> list[Record]:
    """Read every record of a JSON, JSON Lines, CSV or parquet file.

    What a ``.json`` or ``.jsonl`` file holds is told from its content, because published files mix the endings up: an
    array of objects, one object a line, or one object that maps ids to objects (each then gets its key as ``id`` unless
    it has one). A byte-order mark and Windows line ends are accepted. The first row of a CSV file names its columns;
    every other row must have one cell for each.

    Args:
        path: The file.
        benchmark: Name of the benchmark, for messages.

    Returns:
        The records in file order.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is not a regular file, cannot be parsed or holds something other than objects; names file and
            place.
    """
    file = Path(path)
    source = f'{benchmark}: {file}' if benchmark else str(file)
    suffix = file.suffix.lower()
    if suffix == '.parquet' and file.is_file():
        import pyarrow.parquet  # comes with evalscope's `datasets`; slow to import, so only where needed

        try:
            return pyarrow.parquet.read_table(file).to_pylist()
        except pyarrow.ArrowException as error:
            raise ValueError(f'{source}: not a parquet file that can be read: {error}') from error
    text = read_text(file, source)
    if suffix in ('.csv', '.tsv'):
        return [record for _, record in parse_csv_rows(text, source, '\t' if suffix == '.tsv' else ',')]
    return [_require_object(item, source, place) for place, item in parse_json_items(text, source)]


def read_text(file: Path, source: str = '') -> str:
    """Return a UTF-8 file's text without its byte-order mark.

    Args:
        file: The file.
        source: What to call it in messages; empty for its path.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is not a regular file, or not UTF-8.
    """
    source = source or str(file)
    if not file.is_file():
        what_to_do = 'pass the path of a .json, .jsonl, .csv or .parquet file'
        if file.exists():
            raise ValueError(f'{source}: not a regular file; {what_to_do}.')
        raise FileNotFoundError(f'{source}: no such file; {what_to_do}.')
    try:
        return file.read_text(encoding='utf-8-sig')
    except UnicodeDecodeError as error:
        raise ValueError(f'{source}: not UTF-8 text ({error}); convert the file to UTF-8.') from error


def parse_csv_rows(text: str, source: str, delimiter: str = ',') -> list[tuple[str, Record]]:
    """Parse CSV whose first row names the columns. Empty lines are left out where they cannot be a row.

    Args:
        text: The file's text without byte-order mark.
        source: What to call the text in messages.
        delimiter: What separates two cells.

    Returns:
        Place (for messages) and cells by column name of each row, in order.

    Raises:
        ValueError: If there is no header, two columns have one name, a row has more or fewer cells than the header, or
            the text is not valid CSV; names source and line.
    """
    limit = csv.field_size_limit(max(len(text), 131_072))
    try:
        return list(_csv_rows(text, source, delimiter))
    finally:
        csv.field_size_limit(limit)


def _csv_rows(text: str, source: str, delimiter: str) -> Iterator[tuple[str, Record]]:
    # Strict, because an open quotation mark would otherwise take all the lines after it into one cell. Without the line
    # ends of the last row, because an empty line at the end is no row even where there is one column.
    rows = csv.reader(io.StringIO(text.rstrip('\r\n'), newline=''), delimiter=delimiter, strict=True)
    header: list[str] = []
    line = 1
    try:
        for cells in rows:
            if not header:
                header = cells
                repeated = next((name for name in header if header.count(name) > 1), None)
                if repeated is not None:
                    raise ValueError(
                        f'{source}: line {line}: two columns are called {repeated!r}; rename or remove one.'
                    )
            elif cells or len(header) == 1:
                if len(cells) != len(header):
                    raise ValueError(
                        f'{source}: line {line}: the row has {_count(len(cells), "cell")}, the header '
                        f'{_count(len(header), "column")}. A cell that holds {delimiter!r} must be in quotation marks; '
                        'an empty cell of a single column is "".'
                    )
                yield f'line {line}', dict(zip(header, cells, strict=True))
            line = rows.line_num + 1
    except csv.Error as error:
        raise ValueError(f'{source}: line {line}: the row is not valid CSV: {error}.') from error
    if not header:
        raise ValueError(f'{source}: there is no header; the first row must name the columns.')


def _count(number: int, noun: str) -> str:
    return f'{number} {noun}' if number == 1 else f'{number} {noun}s'


def parse_json_items(text: str, source: str) -> list[tuple[str, Any]]:
    """Parse a JSON array, JSON Lines or an id-to-object table into its items; see :func:`read_records`.

    Args:
        text: The file's text without byte-order mark.
        source: What to call the text in messages.

    Returns:
        Place (for messages) and value of each item, in order.

    Raises:
        ValueError: If the text is none of the three; names source and line or position.
    """
    try:
        document = _load_json(text)
    except json.JSONDecodeError as error:
        if text.lstrip().startswith('['):
            raise ValueError(f'{source}: not valid JSON: {error}.') from error
        return _parse_json_lines(text, source)
    except (ValueError, RecursionError) as error:
        raise ValueError(f'{source}: {_line_at_fault(text)}{_fault(error)}.') from error
    if isinstance(document, list):
        return [(f'element {index}', item) for index, item in enumerate(document)]
    if isinstance(document, dict) and document and _is_table(document):
        return [
            (f'entry {key!r}', {'id': key, **value} if isinstance(value, dict) else value)
            for key, value in document.items()
        ]
    return [('the document', document)]


def _is_table(document: Record) -> bool:
    """Whether an object maps ids to records, rather than being one; ids that are numbers show it by themselves."""
    return all(key.isdecimal() for key in document) or all(isinstance(value, dict) for value in document.values())


def _load_json(text: str) -> Any:
    """Parse JSON, but refuse what json would take only a part of, and say more of what it refuses.

    Raises:
        json.JSONDecodeError: If it is not JSON.
        ValueError: If it is JSON, but a key stands twice in one object or an integer is too long.
        RecursionError: If it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_object_without_repeats, parse_int=_integer)


def _object_without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a repeated key is an error, where json keeps the last value and loses the others."""
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f'the key {repeated!r} stands twice in one object; keep one')
    return result


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError as error:  # Python's limit, https://docs.python.org/3/library/stdtypes.html#int-max-str-digits
        raise ValueError(
            f'the integer {digits[:20]}... of {len(digits)} characters is too long; write it as a string'
        ) from error


def _fault(error: Exception) -> str:
    return 'arrays and objects are nested too deeply' if isinstance(error, RecursionError) else str(error)


def _line_at_fault(text: str) -> str:
    """Name the first line, where it is a document of its own that cannot be used."""
    lines = ((number, line) for number, line in enumerate(text.split('\n'), start=1) if line.strip())
    number, line = next(lines)
    try:
        _load_json(line)
    except json.JSONDecodeError:
        return ''
    except (ValueError, RecursionError):
        return f'line {number}: '
    return ''


def _parse_json_lines(text: str, source: str) -> list[tuple[str, Any]]:
    items = []
    # Not splitlines(): it also cuts at U+2028 and the like, which JSON strings may hold.
    for number, line in enumerate(text.split('\n'), start=1):
        if not line.strip():
            continue
        try:
            items.append((f'line {number}', _load_json(line)))
        except json.JSONDecodeError as error:
            raise ValueError(
                f'{source}: line {number} is not valid JSON: {error.msg} at column {error.colno}.'
            ) from error
        except (ValueError, RecursionError) as error:
            raise ValueError(f'{source}: line {number}: {_fault(error)}.') from error
    return items


def _require_object(item: Any, source: str, place: str) -> Record:
    if not isinstance(item, dict):
        raise ValueError(f'{source}: {place} is of type {type(item).__name__}; expected a JSON object, one a record.')
    return item


def build_dataset(
    adapter: 'DefaultDataAdapter',
    records: Iterable[Record],
    subset: str,
    *,
    few_shot: bool = False,
    record_to_sample: Optional[Callable[[Record], Any]] = None,
) -> 'Dataset':
    """Turn records that an adapter read by itself into a dataset, under the run's limit, repeats, shuffle and seed.

    Args:
        adapter: The adapter, whose ``record_to_sample`` and ``sample_filter`` are used.
        records: Published records.
        subset: Name of the subset.
        few_shot: Build the few-shot examples instead: ``few_shot_num`` of them, never repeated.
        record_to_sample: Another conversion than the adapter's.

    Raises:
        RecordError: If a record is malformed.
    """
    from evalscope.api.dataset import build_dataset_from_records

    return build_dataset_from_records(
        records=records,
        sample_fields=record_to_sample or adapter.record_to_sample,
        name=subset,
        location=adapter.dataset_id,
        limit=adapter.few_shot_num if few_shot else adapter.limit,
        repeats=1 if few_shot else adapter.repeats,
        shuffle=adapter.few_shot_random if few_shot else adapter.shuffle,
        seed=adapter.seed,
        filter_func=adapter.sample_filter,
    )
