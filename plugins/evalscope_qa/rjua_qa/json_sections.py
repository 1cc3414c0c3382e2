"""Finds what a reply's JSON objects say under the names of sections."""

import json
import re
from typing import Any, Callable, Iterator, List, NamedTuple

from .items import EMPTY
from .normalization import nfkc, prepare

_OBJECT = re.compile(r'\{\s*"')
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)
_SURROGATE = re.compile('[\ud800-\udfff]')

_MOST_OBJECTS = 5_000
"""Objects that are read."""
_MOST_FAILURES = 20
"""Objects that fail to parse before the rest is no longer tried: each failure costs a pass over the text."""


class JsonObject(NamedTuple):
    """A JSON object that holds at least one section."""

    start: int
    end: int
    """The object's place in the text."""
    sections: 'List[tuple[str, Any]]'
    """Key and value of each section, in order."""


def find_json_objects(text: str, start: int, end: int, is_name: Callable[[str], bool]) -> Iterator[JsonObject]:
    """Yield the JSON objects of ``text[start:end]`` that have the name of a section as a key, at any depth, in order.

    Args:
        text: A prepared reply; the objects may stand in fences and between prose.
        start: Where to look first.
        end: Where to stop.
        is_name: Whether a key, in NFKC and without marks around it, names a section.
    """
    failures = 0
    for _ in range(_MOST_OBJECTS):
        opening = _OBJECT.search(text, start, end)
        if opening is None or failures == _MOST_FAILURES:
            return
        try:
            value, start = _DECODER.raw_decode(text, opening.start())
        except (json.JSONDecodeError, RecursionError):  # not JSON, or nested a thousand deep
            failures += 1
            start = opening.start() + 1
            continue
        sections = list(_sections(value, is_name))
        if sections:
            yield JsonObject(opening.start(), start, sections)


def _sections(value: Any, is_name: Callable[[str], bool]) -> 'Iterator[tuple[str, Any]]':
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            key, child = node
            name = nfkc(key).strip(' \t\n*:')
            if is_name(name):
                yield name, child
            else:
                pending.append(child)
        elif isinstance(node, dict):
            pending += reversed(node.items())
        elif isinstance(node, list):
            pending += reversed(node)


def text_of_value(value: Any) -> str:
    """Return every string and number of a section's value, at any depth, one a line and prepared.

    An empty array says ``无``; null and other values without text say nothing. A lone surrogate, which JSON can spell
    and UTF-8 cannot, becomes a replacement character.
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
    if isinstance(value, list) and not value:
        return EMPTY
    return prepare(_SURROGATE.sub('\ufffd', '\n'.join(texts)))
