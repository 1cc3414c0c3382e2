"""Reads the records of a JSON, JSON Lines, CSV or parquet file."""

import gzip
import os
import zlib
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, Iterator, Sequence, TextIO

from .csv_rows import iterate_csv_rows
from .json_items import is_json_document, iterate_json_lines, parse_json_items

Record = dict[str, Any]


_GZIP = b'\x1f\x8b'
"""The first bytes of a gzip file, https://www.rfc-editor.org/rfc/rfc1952#page-6"""


def format_suffix(file: Path) -> str:
    """Return the ending that tells a file's format, in lower case: that before ``.gz`` where it is compressed.

    >>> format_suffix(Path('records.CSV')), format_suffix(Path('records.jsonl.gz'))
    ('.csv', '.jsonl')
    """
    return (Path(file.stem) if file.suffix.lower() == '.gz' else file).suffix.lower()


def read_records(path: str | os.PathLike[str], benchmark: str = '') -> list[Record]:
    """Read every record of a JSON, JSON Lines, CSV or parquet file; text may be compressed by gzip.

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
    return list(iterate_records(path, benchmark))


def iterate_records(path: str | os.PathLike[str], benchmark: str = '') -> Iterator[Record]:
    """Read the records of a file one after another; see :func:`read_records` and :func:`iterate_items`."""
    file = Path(path)
    source = f'{benchmark}: {file}' if benchmark else str(file)
    for place, item in iterate_items(file, source):
        yield _require_object(item, source, place)


def iterate_items(file: Path, source: str = '') -> Iterator[tuple[str, Any]]:
    """Read what a JSON, JSON Lines, CSV or parquet file holds, one item after another.

    JSON Lines, CSV and parquet are read as they are asked for; a JSON array or object is one document, and read whole.

    Args:
        file: The file; text may be compressed by gzip.
        source: What to call it in messages; empty for its path.

    Returns:
        Place (for messages) and value of each.

    Raises:
        FileNotFoundError, ValueError: As :func:`read_records`, when the place at fault is reached.
    """
    source = source or str(file)
    suffix = format_suffix(file)
    _require_file(file, source)
    if suffix == '.parquet':
        yield from _parquet_rows(file, source)
        return
    with _read_errors(source), _opened(file) as stream:
        if suffix in ('.csv', '.tsv'):
            yield from iterate_csv_rows(stream, _CELL, source, '\t' if suffix == '.tsv' else ',')
            return
        lines = enumerate(stream, start=1)
        first = list(islice((line for line in lines if line[1].strip()), 2))
        if len(first) == 2 and is_json_document(first[0][1]):
            yield from iterate_json_lines(chain(first, lines), source)
            return
    yield from parse_json_items(read_text(file, source), source)


_CELL = 1 << 30
"""Characters that a cell of CSV may have."""


def _parquet_rows(file: Path, source: str) -> Iterator[tuple[str, Record]]:
    import pyarrow.parquet  # comes with evalscope's `datasets`; slow to import, so only where needed

    try:
        with pyarrow.parquet.ParquetFile(file) as table:
            number = 0
            for batch in table.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    yield f'row {number}', row
                    number += 1
    except pyarrow.ArrowException as error:
        raise ValueError(f'{source}: not a parquet file that can be read: {error}') from error


_BATCH = 1024
"""Rows of a parquet file that are read at a time."""


@contextmanager
def _read_errors(source: str) -> Iterator[None]:
    """Say which file it is that cannot be decompressed or decoded."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ValueError(f'{source}: not UTF-8 text ({error}); convert the file to UTF-8.') from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f'{source}: a gzip file that cannot be read to its end: {error}.') from error


def read_text(file: Path, source: str = '') -> str:
    """Return a UTF-8 file's text without its byte-order mark; of a gzip file, that of its content.

    Args:
        file: The file.
        source: What to call it in messages; empty for its path.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is not a regular file, or not UTF-8.
    """
    source = source or str(file)
    _require_file(file, source)
    with _read_errors(source), _opened(file) as stream:
        return stream.read()


def _require_file(file: Path, source: str) -> None:
    if file.is_file():
        return
    what_to_do = 'pass the path of a .json, .jsonl, .csv or .parquet file'
    if file.exists():
        raise ValueError(f'{source}: not a regular file; {what_to_do}.')
    raise FileNotFoundError(f'{source}: no such file; {what_to_do}.')


def _require_object(item: Any, source: str, place: str) -> Record:
    if not isinstance(item, dict):
        raise ValueError(f'{source}: {place} is of type {type(item).__name__}; expected a JSON object, one a record.')
    return item


def read_files(files: Sequence[Path], benchmark: str, first: int | None = None) -> list[Record]:
    """Read the records of the files of a split, one file after the other.

    Args:
        files: The files, in order.
        benchmark: Name of the benchmark, for messages.
        first: Read no more than this many records, from the start, and of the files no more than that takes; None for
            all.

    Raises:
        ValueError: If a file cannot be parsed, or none holds a record.
    """
    records: list[Record] = []
    for file in files:
        if first is None:
            records += read_records(file, benchmark)
        elif len(records) < first:
            records += _read_first_records(file, benchmark, first - len(records))
    if not records and first != 0:
        raise ValueError(f'{benchmark}: {", ".join(map(str, files))}: holds no record.')
    return records


def _read_first_records(file: Path, benchmark: str, count: int) -> list[Record]:
    """Read ``count`` records without loading the file: a training split may have several hundred megabytes."""
    records: list[Any] = []
    suffix = format_suffix(file)
    try:
        if suffix == '.parquet':
            records = _first_rows(file, count)
        elif suffix not in ('.csv', '.tsv'):
            with _opened(file) as stream:
                lines = list(islice((line for line in stream if line.strip()), count))
            records = [item for _, item in parse_json_items(''.join(lines), source=str(file))]
    except (ValueError, OSError, EOFError, zlib.error):
        records = []  # an array over many lines, or a fault that the reader of whole files names
    if records and all(isinstance(record, dict) for record in records):
        return records[:count]
    return read_records(file, benchmark)[:count]


def _opened(file: Path) -> TextIO:
    """Open a UTF-8 file, compressed or not: without byte-order mark, every kind of line end as ``\\n``."""
    with file.open('rb') as stream:
        compressed = stream.read(len(_GZIP)) == _GZIP
    return gzip.open(file, 'rt', encoding='utf-8-sig') if compressed else file.open(encoding='utf-8-sig')


def _first_rows(file: Path, count: int) -> list[Record]:
    import pyarrow.parquet

    # pyarrow.ArrowInvalid, for what is no parquet file, is a ValueError.
    with pyarrow.parquet.ParquetFile(file) as table:
        rows = (row for batch in table.iter_batches(batch_size=count) for row in batch.to_pylist())
        return list(islice(rows, count))
