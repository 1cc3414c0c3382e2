"""Reads the records of a JSON, JSON Lines, CSV or parquet file."""

import gzip
import os
import zlib
from itertools import islice
from pathlib import Path
from typing import Any, Sequence, TextIO

from .csv_rows import parse_csv_rows
from .json_items import parse_json_items

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
    file = Path(path)
    source = f'{benchmark}: {file}' if benchmark else str(file)
    suffix = format_suffix(file)
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
    """Return a UTF-8 file's text without its byte-order mark; of a gzip file, that of its content.

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
    content = file.read_bytes()
    if content.startswith(_GZIP):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f'{source}: a gzip file that cannot be read to its end: {error}.') from error
    try:
        return content.decode('utf-8-sig').replace('\r\n', '\n').replace('\r', '\n')
    except UnicodeDecodeError as error:
        raise ValueError(f'{source}: not UTF-8 text ({error}); convert the file to UTF-8.') from error


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
    with file.open('rb') as stream:
        compressed = stream.read(len(_GZIP)) == _GZIP
    return gzip.open(file, 'rt', encoding='utf-8-sig') if compressed else file.open(encoding='utf-8-sig')


def _first_rows(file: Path, count: int) -> list[Record]:
    import pyarrow.parquet

    # pyarrow.ArrowInvalid, for what is no parquet file, is a ValueError.
    with pyarrow.parquet.ParquetFile(file) as table:
        rows = (row for batch in table.iter_batches(batch_size=count) for row in batch.to_pylist())
        return list(islice(rows, count))
