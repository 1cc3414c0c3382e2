"""Writes the numbering of a list in one form, where only the whole list tells that it is one.

``2.2型糖尿病`` is item 2 behind item 1, and ``A. 药物`` is option A before option B; by itself, either may be an item.
"""

import re
from itertools import islice
from typing import Dict, List, Tuple

from .items import EMPHASIS

_SPACE = r'[^\S\n]'
_ROMAN = {numeral: value for value, numeral in enumerate(('I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'), 1)}
_CLOSING = {'': '', '(': ')', '[': ']', '【': '】'}

_MARK = re.compile(
    rf'(?P<before>^{_SPACE}*[{EMPHASIS}]{{0,3}}|(?<=[\s;,、。])(?<!\n)|(?=\([A-Za-z]\)))'
    r'(?P<open>[(\[【]?)(?P<count>[0-9]{1,3}|[IVX]{2,4}|[A-Za-z])(?P<close>[)\]】]?)'
    rf'{_SPACE}{{0,3}}(?P<stop>[.、:)]?)',
    re.MULTILINE,
)
_WORD = re.compile(r'[^\W_]')
_KNOWN_STOPS = ('.', '、', ')')
_MOST_MARKS = 2000
"""Places looked at, so that a reply that is nothing but marks costs no more than any other."""


class _Mark:
    """A place that may be the mark of an item."""

    def __init__(self, match: 're.Match[str]') -> None:
        self.start, self.end = match.start('open'), match.end()
        self.opens_line = match.start() == 0 or match.string[match.start() - 1] == '\n'
        count = match['count']
        self.digits = count.isdecimal()
        self.style = (match['open'], match['close'], match['stop'], self.digits or count.isupper(), self.digits)
        self.bracketed = match['open'] in ('[', '【')
        following = match.string[self.end : self.end + 1]
        self.before_digit = match['stop'] == '.' and following.isdecimal()
        self.spaced = match.end('close') < match.start('stop')
        self._count = count

    @property
    def numbers(self) -> Tuple[int, ...]:
        """What the count may stand for: ``I`` is the first Roman numeral and the ninth letter."""
        if self.digits:
            return (int(self._count),)
        letter = ord(self._count.upper()) - ord('A') + 1 if len(self._count) == 1 else None
        return tuple(number for number in (_ROMAN.get(self._count), letter) if number is not None)

    @property
    def is_known(self) -> bool:
        """Whether the mark is read as one without its list, and so needs no other form."""
        opening, closing, stop, *_ = self.style
        if self.spaced or self.before_digit or self.bracketed:
            return False
        if self.digits:
            return (opening, closing, stop) == ('(', ')', '') or (not opening and not closing and stop in _KNOWN_STOPS)
        return not opening and not closing and stop == ')'


def with_plain_numbers(text: str) -> str:
    """Return a section's text with ``1. ``, ``2. `` and so on in the place of the marks that need their list.

    Such are, where they count up from a first one at the start of a line: letters and Roman numerals, and numbers that
    stand right before a digit (``2.24小时尿检``), behind a space (``2 、``), before a colon or in brackets. In square
    brackets at the start of a line, a single one is enough (``[1] 肾结石``).

    Args:
        text: The text, prepared; items one a line or several on a line.
    """
    by_style: Dict[Tuple[object, ...], List[_Mark]] = {}
    for match in islice(_MARK.finditer(text), _MOST_MARKS):
        if not (match['close'] or match['stop']) or match['close'] != _CLOSING[match['open']]:
            continue
        mark = _Mark(match)
        by_style.setdefault(mark.style, []).append(mark)
    places: Dict[int, Tuple[int, int]] = {}
    for marks in by_style.values():
        if not all(mark.is_known for mark in marks):
            places.update((mark.start, (mark.end, number)) for number, mark in enumerate(_run(text, marks), start=1))
    if not places:
        return text
    pieces, position = [], 0
    for start, (end, number) in sorted(places.items()):
        pieces += [text[position:start], f'{number}. ']
        position = end
    return ''.join([*pieces, text[position:]])


def _run(text: str, marks: List[_Mark]) -> List[_Mark]:
    """Return the marks that count up from the first one; none where that is no list."""
    run: List[_Mark] = []
    for mark in marks:
        if run:
            fits = len(run) + 1 in mark.numbers and _WORD.search(text, run[-1].end, mark.start) is not None
        else:
            fits = 1 in mark.numbers and mark.opens_line
        if fits:
            run.append(mark)
    if len(run) == 1:
        return run if run[0].bracketed else []
    # "1.5cm、2.5cm"
    measures = all(mark.before_digit for mark in run) and not all(mark.opens_line for mark in run)
    return [] if measures else run


def without_stray_numbers(text: str) -> str:
    """Return a section's text without the numbers before ``、`` that do not count up: ``1、肾结石;1、肾积水``."""
    return _STRAY.sub('', text)


_STRAY = re.compile(rf'(?<=[;,]){_SPACE}{{0,3}}[0-9]{{1,3}}、')
