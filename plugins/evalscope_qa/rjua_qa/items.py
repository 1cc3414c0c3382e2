"""Splits the text of a section into its items."""

import re
from itertools import pairwise
from typing import Dict, Iterator, List, Optional

from .normalization import MARK_END, MARK_START, prepare

_SPACE = r'[^\S\n]'
_HAN = '一二三四五六七八九十'
_NEXT_HAN = dict(
    pairwise(
        f'{tens}{units}' for tens in ('', '十', *(f'{digit}十' for digit in _HAN[1:9])) for units in ('', *_HAN[:9])
    )
)
"""The numeral after each of those up to 九十八."""

_ENCLOSED = rf'{MARK_START}\w{{1,3}}{MARK_END}|[0-9]\ufe0f?\u20e3'
_STEP = '|'.join(
    (
        r'[0-9]{1,3}(?:\)|\.(?![0-9]))',
        rf'\((?:[0-9]|[{_HAN}]){{1,3}}\)',
        rf'[{_HAN}]{{1,3}}[.)]',
        r'[IVX]{1,4}[.)]',
        r'[A-Za-z]\)',
    )
)
NUMBER = rf'(?:{_ENCLOSED}|{_STEP}|[0-9]{{1,3}}、|[{_HAN}]{{1,3}}、)'
"""Number in front of an item or a heading: ``1.``, ``1、``, ``(1)``, ``一、``, ``(一)``, ``①``, ``II.``, ``a)``."""
BULLET = (
    rf'(?:(?:[•·‣⁃∙・‧−–—\u2190-\u21ff\u25a0-\u25ff\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]|-(?!-))\ufe0f?'
    rf'|[*+](?={_SPACE}))'
)
"""Bullet of a list item, an emoji included; NFKC has made full-width forms half-width."""

EMPHASIS = '*_`~'
"""Characters of markdown emphasis."""
_ITEM_START = re.compile(rf'(?:[\s{EMPHASIS}#>]|{BULLET}|{_ENCLOSED}|{_STEP})*')
_ITEM_END = f'{EMPHASIS}。.| \t\n\r\x0b\x0c'
_QUOTES = '"\'“”‘’「」『』'
_WRAPPINGS = (('[', ']'), ('【', '】'))
_SEPARATOR = re.compile('[、,;]')
_ENCLOSED_MARK = re.compile(rf'(?:{_ENCLOSED})[.:]?')
_WORD = re.compile(r'[^\W_]')

_LINE_NUMBER = re.compile(
    rf'[\s{EMPHASIS}]*(?P<open>\(?)(?P<count>[0-9]{{1,3}}|[{_HAN}]{{1,3}})(?P<close>[、)]|\.(?![0-9]))'
)

EMPTY = '无'
"""The item that stands for an empty list."""


def read_items(text: str) -> List[str]:
    """Return the items of a published list, such as the gold ``disease`` or ``advice``; see :func:`split_items`."""
    return split_items(prepare(text))


def split_items(text: str) -> List[str]:
    """Return the items of a list.

    Items stand on one line each, or several on one line between ``、``, ``,`` or ``;``, or behind the numbers of
    one list (``1.肾结石 2.肾积水``, ``①肾结石②肾积水``). List marks, emphasis, enclosing quotes and brackets and a
    final full stop are no part of an item. ``无`` is no item. An item that comes again, white space aside, counts once.

    Separators inside parentheses separate too: the published lists know no nesting.

    Args:
        text: A section's text or a published list, prepared by :func:`~.normalization.prepare`.

    Returns:
        The items in order, each at least one letter or digit; empty for an empty list.
    """
    items: Dict[str, str] = {}
    lines = dict.fromkeys(_ENCLOSED_MARK.sub('、', _unwrap(text.strip())).split('\n'))
    for piece in dict.fromkeys(piece for line in lines for piece in _pieces(line)):
        item = _clean(piece)
        if item != EMPTY and _WORD.search(item):
            items.setdefault(match_key(item), item)
    return list(items.values())


def match_key(item: str) -> str:
    """Return what two equal items have in common: the item, in NFKC, without white space."""
    return ''.join(item.split())


def _pieces(line: str) -> Iterator[str]:
    """Cut a line at its separators and at the numbers of its list."""
    number = _LINE_NUMBER.match(line)
    if number is None:
        yield from _SEPARATOR.split(line)
        return
    count = _next_count(number['count'])
    start = number.end()
    while count:
        mark = f'{number["open"]}{count}{number["close"]}'
        place = _find_mark(line, mark, start)
        if place < 0:
            break
        yield from _SEPARATOR.split(line[start:place])
        start = place + len(mark)
        count = _next_count(count)
    yield from _SEPARATOR.split(line[start:])


def _next_count(count: str) -> Optional[str]:
    """The number after ``count``, in the same numerals; None after 九十九 and after what is no number, such as 二一."""
    return str(int(count) + 1) if count.isascii() else _NEXT_HAN.get(count)


def _find_mark(line: str, mark: str, start: int) -> int:
    """Place of a mark that does not continue a word or number ('T2.', '0.5.') or start one ('2.5'); -1 for none."""
    place = line.find(mark, start)
    while place >= 0:
        before = line[place - 1]
        continues = mark[0] != '(' and (before == '.' or (before.isascii() and before.isalnum()))
        if not continues and not (mark[-1] == '.' and line[place + len(mark) : place + len(mark) + 1].isdecimal()):
            return place
        place = line.find(mark, place + 1)
    return -1


def _clean(piece: str) -> str:
    """Return an item without what surrounds it."""
    start = _ITEM_START.match(piece)
    item = piece[start.end() if start else 0 :].replace('**', '').replace('`', '').rstrip(_ITEM_END)
    if item[:1] in _QUOTES and item[-1:] in _QUOTES:
        item = item.strip(_QUOTES)
    return _unwrap(item).strip().rstrip(_ITEM_END)


def _unwrap(text: str) -> str:
    """Return ``text`` without the one pair of brackets around all of it."""
    for opening, closing in _WRAPPINGS:
        if text[:1] == opening and text[-1:] == closing and text.count(opening) == text.count(closing) == 1:
            return text[1:-1]
    return text
