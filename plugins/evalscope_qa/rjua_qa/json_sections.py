"""Reads sections from the JSON objects of a reply."""

import json
import re
from typing import Any, Iterator, List, NamedTuple, Tuple

from .normalization import nfkc, prepare

_OBJECT = re.compile(r'\{\s*"')
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)
_SURROGATE = re.compile('[\ud800-\udfff]')

_MOST_FAILURES = 100
"""Objects that fail to parse before the rest is no longer tried: each failure costs a pass over the text."""


class JsonObject(NamedTuple):
    """A JSON object that holds at least one section."""

    start: int
    end: int
    """The object's place in the text."""
    sections: List[Tuple[str, Any]]
    """Name and value of each section in order."""


def find_json_objects(text: str, names: 'frozenset[str]') -> Iterator[JsonObject]:
    """Yield the JSON objects of ``text`` that have a section as a key, at any depth, in order.

    Args:
        text: A prepared reply; the objects may stand in fences and between prose.
        names: Names of the sections.
    """
    position = failures = 0
    while failures < _MOST_FAILURES:
        start = _OBJECT.search(text, position)
        if start is None:
            return
        try:
            value, end = _DECODER.raw_decode(text, start.start())
        except (json.JSONDecodeError, RecursionError):  # not JSON, or nested a thousand deep
            failures += 1
            position = start.start() + 1
            continue
        sections = list(_sections(value, names))
        if sections:
            yield JsonObject(start.start(), end, sections)
        position = end


def _sections(value: Any, names: 'frozenset[str]') -> Iterator[Tuple[str, Any]]:
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            key, child = node
            name = nfkc(key).strip(' \t\n*:')
            if name in names:
                yield name, child
            else:
                pending.append(child)
        elif isinstance(node, dict):
            pending += reversed(node.items())
        elif isinstance(node, list):
            pending += reversed(node)


def text_of_value(value: Any) -> str:
    """Return every string and number of a section's value, at any depth, one a line and prepared.

    A lone surrogate, which JSON can spell and UTF-8 cannot, becomes a replacement character.
    """
    texts = []
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            texts.append(node)
        elif isinstance(node, dict):
            pending += reversed(node.values())
        elif isinstance(node, list):
            pending += reversed(node)
    return prepare(_SURROGATE.sub('\ufffd', '\n'.join(texts)))
