"""Takes the list that belongs to a heading from the lines behind it."""

import re
from typing import Iterator, List, NamedTuple, Optional

from .list_marks import BULLET, EMPHASIS, NUMBER, SPACE, counts
from .names import OTHER

_WORD = re.compile(r'[^\W_]')
_MARK = re.compile(
    rf'(?P<indent>{SPACE}*)[{EMPHASIS}]{{0,3}}(?:(?P<bullet>{BULLET})|(?P<number>{NUMBER}|[0-9]{{1,3}}\.))'
)
_COUNT = re.compile('[0-9]+|[一二三四五六七八九十]+|[A-Za-z]+')
_HEADING = re.compile(rf'{SPACE}*(?:#|[【〖〔])')
_LABEL = re.compile(rf'{SPACE}*[{EMPHASIS}]{{0,3}}[\w()]{{1,12}}[{EMPHASIS}]{{0,3}}{SPACE}{{0,3}}[:∶]')
_DETAIL = re.compile(rf'{SPACE}+(?:[^\w\n]*)(?:{OTHER})[{EMPHASIS}]{{0,3}}[:∶]')
_GOES_ON = ('、', ',', ';')
_END = f'{EMPHASIS} \t'

_ON_HEADING_LINE = -1
"""Stands for the indentation of a first item that follows its heading on the same line."""


class LineMark(NamedTuple):
    """The list mark of a line."""

    style: str
    """The mark without its count: ``1.`` and ``12.`` are of one style, ``一、`` and ``1、`` are not."""
    indent: int


def line_mark(line: str) -> Optional[LineMark]:
    """Return the mark that a line starts with; None where it has none."""
    match = _MARK.match(line)
    if match is None:
        return None
    style = '-' if match['number'] is None else _COUNT.sub(_kind_of_count, match['number'])
    return LineMark(style, len(match['indent']))


def _kind_of_count(count: 're.Match[str]') -> str:
    return next((kind for kind, _ in counts(count[0])), count[0])


def list_behind(text: str, start: int, end: int, heading: Optional[LineMark]) -> List[str]:
    """Return the lines of the list behind a heading.

    What follows on the heading's line is the list; where nothing does, the next lines are. A line that ends in a
    separator goes on in the next one. A list with marks ends at the first line that is neither marked nor indented, and
    at a mark like the heading's own; one without marks at a blank line, a heading, a mark, or a label.

    Args:
        text: The reply.
        start: Where the heading ends.
        end: Where the next section starts.
        heading: Mark in front of the heading.
    """
    kept: List[str] = []
    mark: Optional[LineMark] = None
    on_heading_line = labelled = False
    for number, line in enumerate(_lines(text, start, end)):
        if not _WORD.search(line):
            if kept and (mark is None or line.strip()):  # a blank line, or one of signs such as a fence or a rule
                break
            continue
        own = line_mark(line)
        if not kept:
            if line.rstrip(_END).endswith(':') and (own is None or number == 0):
                continue  # a lead-in such as "考虑如下："
            on_heading_line = number == 0
            mark = own if own is None or number else own._replace(indent=_ON_HEADING_LINE)
            labelled = own is None and _LABEL.match(line) is not None
        elif kept[-1].rstrip(_END).endswith(_GOES_ON) and own is None:
            if _HEADING.match(line):
                break
        elif mark is not None:
            if (own is None and line.startswith((' ', '\t'))) or _DETAIL.match(line):
                continue  # more about an item
            if own is None or own == heading != mark:
                break
        elif on_heading_line or own is not None or _HEADING.match(line) or (not labelled and _LABEL.match(line)):
            break
        kept.append(line)
    return kept


def _lines(text: str, start: int, end: int) -> Iterator[str]:
    while start <= end:
        line_end = text.find('\n', start, end)
        line_end = end if line_end < 0 else line_end
        yield text[start:line_end]
        start = line_end + 1
