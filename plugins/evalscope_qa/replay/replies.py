"""Reads replies from files: in the order of the questions, by their ids, or as evalscope's predictions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from ..engine import Reply
from ..records import iterate_items, parse_json_object, read_text
from .questions import ID_FIELDS
from .spool import Spool

_REPLY = 'reply'
By = Literal['position', 'id', 'index']


class ReplySource(Protocol):
    """Replies that can be read by number, and what they are paired with questions by."""

    @property
    def by(self) -> By:
        """``index`` is the number of the question, as in evalscope's predictions."""

    @property
    def ids(self) -> Sequence[str]:
        """One a reply, unless they go by position."""

    def __len__(self) -> int: ...

    def reply(self, number: int) -> Reply:
        """Return a reply by its place."""

    def iterate(self, start: int, stop: int) -> Iterator[Reply]:
        """Yield replies by their place."""

    def prompt(self, number: int) -> str:
        """Return what a reply was made to, where predictions say so; else an empty string."""


@dataclass(frozen=True)
class Replies:
    """Replies in memory."""

    values: tuple[Reply, ...]
    by: By = 'position'
    ids: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    """What each reply was made to, where predictions say so."""

    def __len__(self) -> int:
        return len(self.values)

    def reply(self, number: int) -> Reply:
        return self.values[number]

    def iterate(self, start: int, stop: int) -> Iterator[Reply]:
        return iter(self.values[start:stop])

    def prompt(self, number: int) -> str:
        return self.prompts[number] if self.prompts else ''


class SpooledReplies:
    """The replies of a file, checked and kept in a temporary one; in memory are their ids, unless they go by position.

    Args and Raises: as :func:`read_reply_file`.
    """

    def __init__(self, path: str | Path, *, reply_field: str | None = None, id_field: str | None = None) -> None:
        self.by: By = 'position'
        self.ids: list[str] = []
        self._spool = Spool()
        for self.by, name, reply, prompt in _read(Path(path), reply_field, id_field):
            if self.by != 'position':
                if not self.ids:
                    self._spool = Spool(block=1)  # they will be read in another order
                self.ids.append(name)
            self._spool.append((reply, prompt) if prompt else reply)
        self._spool.flush()

    def __len__(self) -> int:
        return len(self._spool)

    def reply(self, number: int) -> Reply:
        return next(self.iterate(number, number + 1))

    def iterate(self, start: int, stop: int) -> Iterator[Reply]:
        for value in self._spool.iterate(start, stop):
            yield value[0] if isinstance(value, tuple) else value

    def prompt(self, number: int) -> str:
        value = self._spool[number]
        return value[1] if isinstance(value, tuple) else ''


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
    read = list(_read(Path(path), reply_field, id_field))
    by: By = read[0][0] if read else 'position'
    return Replies(
        values=tuple(reply for _, _, reply, _ in read),
        by=by,
        ids=() if by == 'position' else tuple(name for _, name, _, _ in read),
        prompts=tuple(prompt for _, _, _, prompt in read) if by == 'index' else (),
    )


_Read = tuple[By, str, Reply, str]
"""What a reply goes by, its id, the reply, and what it was made to."""


def _read(file: Path, reply_field: str | None, id_field: str | None) -> Iterator[_Read]:
    """Read one reply after another; the first one tells what all of them go by."""
    first: tuple[str, By] | None = None
    for place, item in _items(file, reply_field):
        read = _read_item(f'{file}: {place}', item, reply_field, id_field)
        first = first or (place, read[0])
        if read[0] != first[1]:
            raise ValueError(
                f'{file}: {first[0]} goes by {first[1]}, {place} goes by {read[0]}; give every reply an id, or none.'
            )
        yield read


def _items(file: Path, reply_field: str | None) -> Iterator[tuple[str, Any]]:
    """Yield place and value of what holds one reply each."""
    items = iterate_items(file)
    first = next(items, None)
    if first is None:
        return
    if first[0].startswith(_OF_A_DOCUMENT):
        table = parse_json_object(read_text(file))
        if table is not None and (reply_field or _REPLY) not in table and not _is_prediction(table):
            for name, value in table.items():
                entry = {'id': name, **value} if isinstance(value, dict) else _Entry(name, value)
                yield f'entry {name!r}', entry
            return
    yield first
    yield from items


_OF_A_DOCUMENT = ('entry', 'the document')
"""How the places in one JSON object begin."""


@dataclass(frozen=True)
class _Entry:
    """One entry of an object that maps ids to replies."""

    id: str
    reply: Any


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
