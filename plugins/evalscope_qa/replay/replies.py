"""Reads replies from files: in the order of the questions, by their ids, or as evalscope's predictions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..engine import Reply
from ..records import format_suffix, parse_csv_rows, parse_json_items, parse_json_object, read_records, read_text
from .questions import ID_FIELDS

_REPLY = 'reply'
_By = Literal['position', 'id', 'index']


@dataclass(frozen=True)
class Replies:
    """Replies, and what they are paired with questions by."""

    values: tuple[Reply, ...]
    by: _By = 'position'
    """``index`` is the number of the question, as in evalscope's predictions."""
    ids: tuple[str, ...] = ()
    """One a reply, unless they go by position."""
    prompts: tuple[str, ...] = ()
    """What each reply was made to, where predictions say so."""


def read_replies(path: str | Path) -> list[Reply]:
    """Read the replies of a file in their order, whatever ids they have; see :func:`read_reply_file`."""
    return list(read_reply_file(path).values)


def read_reply_file(path: str | Path, *, reply_field: str | None = None, id_field: str | None = None) -> Replies:
    """Read replies from a JSON, JSON Lines, CSV or parquet file, also a compressed one (``.gz``).

    The file holds one item a reply, or is one JSON object that maps ids to replies. An item is a string, null, or an
    object (a row) with a field ``reply`` that is one of the two, and if need be an id; or it is a row of evalscope's
    ``predictions/*.jsonl``, which is known by its number.

    Args:
        path: The file.
        reply_field: The field of a row that holds the reply; None for ``reply``.
        id_field: The field of a row that holds the id; None for the first one there is of ``questions.ID_FIELDS``.

    Returns:
        The replies in file order.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is not a regular file, cannot be parsed, a reply is neither text nor null, or only some rows
            have an id; names file and place.
    """
    file = Path(path)
    items = _items(file, reply_field)
    read = [_read_item(f'{file}: {place}', item, reply_field, id_field) for place, item in items]
    first_of_kind: dict[_By, str] = {}
    for (place, _), (kind, _, _, _) in zip(items, read, strict=True):
        first_of_kind.setdefault(kind, place)
    if len(first_of_kind) > 1:
        said = ', '.join(f'{place} goes by {kind}' for kind, place in first_of_kind.items())
        raise ValueError(f'{file}: {said}; give every reply an id, or none.')
    by: _By = next(iter(first_of_kind), 'position')
    return Replies(
        values=tuple(reply for _, _, reply, _ in read),
        by=by,
        ids=() if by == 'position' else tuple(name for _, name, _, _ in read),
        prompts=tuple(prompt for _, _, _, prompt in read) if by == 'index' else (),
    )


def _items(file: Path, reply_field: str | None) -> list[tuple[str, Any]]:
    source, suffix = str(file), format_suffix(file)
    if suffix == '.parquet':
        return [(f'row {index}', row) for index, row in enumerate(read_records(file))]
    text = read_text(file)
    if suffix in ('.csv', '.tsv'):
        return list(parse_csv_rows(text, source, '\t' if suffix == '.tsv' else ','))
    items = parse_json_items(text, source)
    table = parse_json_object(text)
    if table is None or (reply_field or _REPLY) in table or _is_prediction(table):
        return items
    return [
        (f'entry {name!r}', {'id': name, **value} if isinstance(value, dict) else _Entry(name, value))
        for name, value in table.items()
    ]


@dataclass(frozen=True)
class _Entry:
    """One entry of an object that maps ids to replies."""

    id: str
    reply: Any


_Read = tuple[_By, str, Reply, str]
"""What a reply goes by, its id, the reply, and what it was made to."""


def _read_item(place: str, item: Any, reply_field: str | None, id_field: str | None) -> _Read:
    if isinstance(item, _Entry):
        return 'id', item.id, _text(place, item.reply), ''
    if not isinstance(item, dict):
        return 'position', '', _text(place, item), ''
    field = reply_field or _REPLY
    if field not in item:
        if reply_field is None and _is_prediction(item):
            return 'index', str(item['index']), _model_output(place, item), _asked(item)
        raise ValueError(f'{place} has no field {field!r}; it has {sorted(item)}. Name the one with --reply-field.')
    if id_field is not None and id_field not in item:
        raise ValueError(f'{place} has no field {id_field!r}; it has {sorted(item)}.')
    name = next((name for name in ([id_field] if id_field else ID_FIELDS) if name in item and name != field), None)
    if name is None:
        return 'position', '', _text(place, item[field]), ''
    if item[name] is None or isinstance(item[name], (dict, list)):
        raise ValueError(f'{place}: the id {name!r} is {item[name]!r}; expected text or a number.')
    return 'id', str(item[name]), _text(place, item[field]), ''


def _is_prediction(item: Mapping[str, Any]) -> bool:
    return 'index' in item and 'model_output' in item


def _text(place: str, reply: Any) -> str | None:
    if reply is not None and not isinstance(reply, str):
        raise ValueError(f'{place}: the reply is of type {type(reply).__name__}; expected text or null.')
    return reply


def _model_output(place: str, item: Mapping[str, Any]) -> Reply:
    from evalscope.api.model import ModelOutput

    if item['model_output'] is None:
        return None
    try:
        return ModelOutput.model_validate(item['model_output'])
    except ValueError as error:
        raise ValueError(f'{place}: the model output is not one that evalscope writes: {error}') from error


def _asked(item: Mapping[str, Any]) -> str:
    """Return the text of the messages before the reply; empty where they are no text."""
    asked: list[str] = []
    messages: Sequence[Any] = item.get('messages') or ()
    for message in messages:
        if message.get('role') == 'assistant':
            break
        if isinstance(message.get('content'), str):
            asked.append(message['content'])
    return '\n'.join(asked)
