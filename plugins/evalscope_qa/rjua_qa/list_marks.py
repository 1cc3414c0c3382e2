"""List marks: the one table of them, and where in a text they number a list."""

import re
import string
from itertools import islice
from typing import Dict, List, NamedTuple, Tuple

SPACE = r'[^\S\n]'
EMPHASIS = '*_`'
"""Characters of markdown emphasis, which may stand around any mark."""

_SIGNS = '•·‣⁃∙・‧−–—→⇒\u25a0-\u25ff\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff'
BULLET = rf'(?:(?:[{_SIGNS}]|-(?!-)|[*+](?={SPACE}))\ufe0f?)'
"""Bullet of a list item, an emoji included; NFKC has made full-width forms half-width."""

CIRCLED = '[①-⑳⓪-⓾❶-➓㉑-㉟㊀-㊉㊱-㊿]'
ENCLOSED = rf'(?:{CIRCLED}|[0-9]\ufe0f?\u20e3)[.:、]?'
"""Number that is a mark wherever it stands."""

_HAN = '一二三四五六七八九十'
NUMERALS = {'1': '[0-9]{1,3}', '一': f'[{_HAN}]{{1,3}}', 'I': '[IVX]{1,4}', 'A': '[A-Z]', 'a': '[a-z]'}


class Numbering(NamedTuple):
    """A form of number in front of an item."""

    opening: str
    closing: str
    numerals: str
    """Keys of :data:`NUMERALS`: what is counted in."""
    alone: str
    """Those of them with which a single number is a mark; the others are marks where a list counts up from the first,
    since ``E. coli`` and ``1:1000`` are none."""


NUMBERINGS = (
    Numbering('', '.', '1一IAa', '1一'),
    Numbering('', '、', '1一IAa', '1一'),
    Numbering('', ')', '1一IAa', '1一IAa'),
    Numbering('(', ')', '1一IAa', '1一'),
    Numbering('[', ']', '1一IAa', '1'),
    Numbering('【', '】', '1一IAa', '1一'),
    Numbering('', ':', '1一IAa', ''),
)
"""Every form of number. A number with a dot before a digit, ``1.5cm``, is one of those that need their list."""


_NO_DECIMAL = '(?![0-9])'
_STOP = '(?:(?<=[)\\]】])[.:、])?'
"""``(1).`` is one mark."""


def _pattern(kinds: str) -> str:
    """Every number with one of the numerals that the named column holds."""
    forms = []
    for numbering in NUMBERINGS:
        numerals = getattr(numbering, kinds)
        if numerals:
            count = '|'.join(NUMERALS[kind] for kind in numerals)
            behind = _NO_DECIMAL if numbering.closing == '.' else _STOP
            forms.append(f'{re.escape(numbering.opening)}(?:{count}){re.escape(numbering.closing)}{behind}')
    return f'(?:{"|".join([*forms, ENCLOSED])})'


NUMBER = _pattern('numerals')
"""Number that may be a mark: in front of a heading it is one."""
ALONE = _pattern('alone')
"""Number that is a mark without the rest of its list."""

_BY_FORM = {(numbering.opening, numbering.closing): numbering for numbering in NUMBERINGS}
_COUNTED = re.compile(
    rf'(?P<place>(?:^|(?<=[,;、。]))(?:{SPACE}|[{EMPHASIS}#>]|{BULLET})*)?'
    rf'(?:(?P<opening>[(\[【])|(?<![0-9A-Za-z.]))(?P<count>{"|".join(NUMERALS.values())})(?P<closing>[.、):\]】]){_STOP}',
    re.MULTILINE,
)
_WORD = re.compile(r'[^\W_]')
_MOST_NUMBERS = 1000
"""Numbers looked at in one text, so that one that is nothing but numbers costs no more than any other."""

_COUNTED_IN = {
    '一': [
        f'{tens}{units}' for tens in ('', '十', *(f'{digit}十' for digit in _HAN[1:9])) for units in ('', *_HAN[:9])
    ],
    'I': ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X'],
    'A': ['', *string.ascii_uppercase],
    'a': ['', *string.ascii_lowercase],
}
_COUNTS: Dict[str, List[Tuple[str, int]]] = {}
for _kind, _numerals in _COUNTED_IN.items():
    for _value, _numeral in enumerate(_numerals):
        _COUNTS.setdefault(_numeral, []).append((_kind, _value))


def counts(numeral: str) -> List[Tuple[str, int]]:
    """Return what a numeral may stand for, as kind and value: ``I`` is the first Roman one and the ninth letter."""
    return [('1', int(numeral))] if numeral.isdecimal() else _COUNTS.get(numeral, [])


class _Number(NamedTuple):
    start: int
    end: int
    before_digit: bool


def numbers_of_lists(text: str) -> List[Tuple[int, int]]:
    """Return start and end of the numbers that count up from the first, in the order of the text.

    The first stands where an item may start: at the start of a line or behind a separator. The next ones may stand
    anywhere, each behind an item. ``1.5cm、2.5cm`` is no list: there, each number stands before a digit.
    """
    lists: List[List[_Number]] = []
    current: Dict[Tuple[Tuple[str, str], str], List[_Number]] = {}
    for match in islice(_COUNTED.finditer(text), _MOST_NUMBERS):
        form = (match['opening'] or '', match['closing'])
        if form not in _BY_FORM:
            continue
        at_place = match['place'] is not None
        before_digit = form[1] in '.:' and text[match.end() : match.end() + 1].isdecimal()
        if before_digit and not at_place:
            continue
        start = match.start('count') - len(form[0])
        number = _Number(start, match.end(), before_digit)
        for kind, value in counts(match['count']):
            if kind not in _BY_FORM[form].numerals:
                continue
            numbers = current.get((form, kind))
            if value == 1 and at_place:
                current[form, kind] = [number]
                lists.append(current[form, kind])
            elif numbers and value == len(numbers) + 1 and _WORD.search(text, numbers[-1].end, start):
                numbers.append(number)
    return sorted(
        {
            (number.start, number.end)
            for numbers in lists
            if len(numbers) > 1 and not all(number.before_digit for number in numbers)
            for number in numbers
        }
    )
