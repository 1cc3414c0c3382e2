"""Reads the records of a JSON, JSON Lines, CSV or parquet file."""

import os
from pathlib import Path
from typing import Any

from .csv_rows import parse_csv_rows
from .json_items import parse_json_items

Record = dict[str, Any]


def read_records(path: str | os.PathLike[str], benchmark: str = '') -> list[Record]:
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


def _require_object(item: Any, source: str, place: str) -> Record:
    if not isinstance(item, dict):
        raise ValueError(f'{source}: {place} is of type {type(item).__name__}; expected a JSON object, one a record.')
    return item
