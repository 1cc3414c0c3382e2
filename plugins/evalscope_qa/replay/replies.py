"""Reads replies from files."""

from pathlib import Path
from typing import Any

from ..records import format_suffix, parse_csv_rows, parse_json_items, read_records, read_text


def read_replies(path: str | Path) -> list[str | None]:
    """Read replies from a JSON, JSON Lines, CSV or parquet file, also a compressed one (``.gz``).

    Each is a string, null, or an object (a row) with a field ``reply`` that is one of the two.

    Args:
        path: The file.

    Returns:
        One reply an item, in file order; None for null.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is not a regular file, cannot be parsed, or a reply is neither text nor null; names file and
            place.
    """
    file = Path(path)
    source, suffix = str(file), format_suffix(file)
    items: list[tuple[str, Any]]
    if suffix == '.parquet':
        items = [(f'row {index}', row) for index, row in enumerate(read_records(file))]
    elif suffix in ('.csv', '.tsv'):
        items = parse_csv_rows(read_text(file), source, '\t' if suffix == '.tsv' else ',')
    else:
        items = parse_json_items(read_text(file), source)
    replies = []
    for place, item in items:
        if isinstance(item, dict):
            if 'reply' not in item:
                raise ValueError(f"{file}: {place} has no field 'reply'; it has {sorted(item)}.")
            item = item['reply']
        if item is not None and not isinstance(item, str):
            raise ValueError(f'{file}: {place}: the reply is of type {type(item).__name__}; expected text or null.')
        replies.append(item)
    return replies
