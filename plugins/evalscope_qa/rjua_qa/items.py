"""Splits the text of a section, or a published list, into its items."""

import re
from typing import Dict, List

from .list_marks import ALONE, BULLET, EMPHASIS, ENCLOSED, SPACE, numbers_of_lists
from .normalization import prepare

EMPTY = '无'
"""The item that stands for an empty list."""

_MARK = re.compile(rf'{ENCLOSED}|(?:^|(?<=[,;]))(?:{SPACE}|[{EMPHASIS}#>]|{BULLET})*{ALONE}', re.MULTILINE)
_SEPARATOR = re.compile('[、,;\n]')
_STRUCK_OUT = re.compile('~~[^~\n]+~~')
_START = re.compile(rf'(?:[\s{EMPHASIS}#>|$]|{BULLET})*')
_END = f'{EMPHASIS}。.|$ \t\x0b\x0c'
_QUOTES = '"\'“”‘’「」『』'
_QUOTE = re.compile(f'[{_QUOTES}]')
_BRACKETS = (('[', ']'), ('【', '】'))
_WORD = re.compile(r'[^\W_]')


def read_items(text: str) -> List[str]:
    """Return the items of a published list, such as the gold ``disease`` or ``advice``; see :func:`split_items`."""
    return split_items(prepare(text))


def split_items(text: str) -> List[str]:
    """Return the items of a list.

    Items stand between ``、``, ``,``, ``;``, line ends and the list marks of :mod:`~.list_marks`. Marks, emphasis,
    enclosing quotes and brackets and a final full stop are no part of an item; what is struck out is none. ``无`` is no
    item. An item that comes again, white space aside, counts once.

    Separators inside parentheses separate too: the published lists know no nesting.

    Args:
        text: A section's text or a published list, prepared by :func:`~.normalization.prepare`.

    Returns:
        The items in order, each at least one letter or digit; empty for an empty list.
    """
    items: Dict[str, str] = {}
    for piece in dict.fromkeys(_SEPARATOR.split(_without_marks(_unwrap(text.strip())))):
        item = _clean(piece)
        if item != EMPTY and _WORD.search(item):
            items.setdefault(match_key(item), item)
    return list(items.values())


def match_key(item: str) -> str:
    """Return what two equal items have in common: the item, in NFKC, without white space."""
    return ''.join(item.split())


def _without_marks(text: str) -> str:
    """Return a list with a line end in the place of every number of it."""
    if '~~' in text:
        text = _STRUCK_OUT.sub('', text)
    parts, position = [], 0
    for start, end in numbers_of_lists(text):
        parts.append(text[position:start])
        position = end
    return _MARK.sub('\n', '\n'.join([*parts, text[position:]]))


def _clean(piece: str) -> str:
    """Return an item without what surrounds it."""
    start = _START.match(piece)
    item = piece[start.end() if start else 0 :].replace('**', '').replace('`', '').rstrip(_END)
    if item[:1] in _QUOTES and (item[-1:] in _QUOTES or not _QUOTE.search(item, 1)):  # the latter in a list cut off
        item = item.strip(_QUOTES)
    return _unwrap(item).strip().rstrip(_END)


def _unwrap(text: str) -> str:
    """Return ``text`` without the one pair of brackets around all of it."""
    for opening, closing in _BRACKETS:
        if text[:1] == opening and text[-1:] == closing and text.count(opening) == text.count(closing) == 1:
            return text[1:-1]
    return text
