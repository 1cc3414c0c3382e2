"""Parses CSV into rows with their place, and refuses what would lose or shift a cell."""

import csv
import io
from typing import Any, Iterable, Iterator


def parse_csv_rows(text: str, source: str, delimiter: str = ',') -> list[tuple[str, dict[str, Any]]]:
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
    return list(iterate_csv_rows(io.StringIO(text, newline=''), len(text), source, delimiter))


def iterate_csv_rows(
    lines: Iterable[str], longest: int, source: str, delimiter: str = ','
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Parse CSV line by line; see :func:`parse_csv_rows`.

    Args:
        lines: The text's lines.
        longest: Characters that a cell may have.
        source: What to call the text in messages.
        delimiter: What separates two cells.
    """
    limit = csv.field_size_limit(max(longest, 131_072))
    try:
        yield from _csv_rows(lines, source, delimiter)
    finally:
        csv.field_size_limit(limit)


def _csv_rows(lines: Iterable[str], source: str, delimiter: str) -> Iterator[tuple[str, dict[str, Any]]]:
    # Strict, because an open quotation mark would otherwise take all the lines after it into one cell.
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    header: list[str] = []
    line = 1
    empty_line = 0  # the first of a run: at the end of the text it is no row, even where there is one column
    try:
        for cells in rows:
            if header and not cells:
                empty_line = empty_line or line
                line = rows.line_num + 1
                continue
            if empty_line and len(header) == 1:
                cells, line = [], empty_line
            empty_line = 0
            if not header:
                header = cells
                repeated = next((name for name in header if header.count(name) > 1), None)
                if repeated is not None:
                    raise ValueError(
                        f'{source}: line {line}: two columns are called {repeated!r}; rename or remove one.'
                    )
            else:
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
