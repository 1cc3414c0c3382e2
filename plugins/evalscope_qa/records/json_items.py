"""Parses JSON, JSON Lines or a table of ids into items with their place, and refuses what json would lose in part."""

import json
from collections.abc import Iterable, Iterator
from typing import Any


def parse_json_items(text: str, source: str) -> list[tuple[str, Any]]:
    """Parse a JSON array, JSON Lines or an id-to-object table into its items; see :func:`~.files.read_records`.

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


def parse_json_object(text: str) -> dict[str, Any] | None:
    """Return the object that a text is, whatever it maps; None where it is anything else.

    For texts that :func:`parse_json_items` has taken: one that is no JSON is none here.
    """
    try:
        document = _load_json(text)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _is_table(document: dict[str, Any]) -> bool:
    """Whether an object maps ids to records, rather than being one; ids that are numbers show it by themselves."""
    return all(key.isdecimal() for key in document) or all(isinstance(value, dict) for value in document.values())


def _load_json(text: str) -> Any:
    """Parse JSON, but refuse what json would take only a part of, and say more of what it refuses.

    Raises:
        json.JSONDecodeError: If it is not JSON.
        ValueError: If it is JSON, but a key stands twice in one object or an integer is too long.
        RecursionError: If it is nested too deeply.
    """
    return _decode(text)


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


_decode = json.JSONDecoder(object_pairs_hook=_object_without_repeats, parse_int=_integer).decode
"""Made once: that costs as much as decoding a short line."""


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


def is_json_document(line: str) -> bool:
    """Whether a line is a JSON value by itself, but no array: such a first line of several is one of JSON Lines."""
    if line.lstrip().startswith('['):
        return False
    try:
        _load_json(line)
    except (ValueError, RecursionError):
        return False
    return True


def _parse_json_lines(text: str, source: str) -> list[tuple[str, Any]]:
    # Not splitlines(): it also cuts at U+2028 and the like, which JSON strings may hold.
    return list(iterate_json_lines(enumerate(text.split('\n'), start=1), source))


def iterate_json_lines(lines: Iterable[tuple[int, str]], source: str) -> Iterator[tuple[str, Any]]:
    """Parse JSON Lines one by one.

    Args:
        lines: Number and text of each; blank ones are left out.
        source: What to call the text in messages.

    Returns:
        Place (for messages) and value of each.

    Raises:
        ValueError: If a line is no JSON; names source and line.
    """
    for number, line in lines:
        if not line.strip():
            continue
        try:
            yield f'line {number}', _load_json(line)
        except json.JSONDecodeError as error:
            raise ValueError(
                f'{source}: line {number} is not valid JSON: {error.msg} at column {error.colno}.'
            ) from error
        except (ValueError, RecursionError) as error:
            raise ValueError(f'{source}: line {number}: {_fault(error)}.') from error
