"""Finds the sections of a reply: rule 1 of :mod:`~.sections`."""

import re
from itertools import pairwise
from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .json_sections import find_json_objects, text_of_value
from .list_marks import BULLET, EMPHASIS, NUMBER, SPACE
from .names import NAME, WORDS, Name, name_of, parse_name

ANSWER, JSON, LINE, WITHIN_LINE = range(4)
"""Places of a section; where sections are in several, those in the first of these decide alone."""

_COLON = '[:∶]'
_QUOTES = {'"': '"', "'": "'", '“': '”', '「': '」', '『': '』', '《': '》'}
_CLOSINGS = {**_QUOTES, '【': '】', '[': ']', '〖': '〗', '〔': '〕', '<': '>'}
"""What may stand around a name; behind one in quotes must be a colon."""
_EMPHASIS = f'[{EMPHASIS}]{{0,3}}'
_NAMED = (
    rf'(?:[{{\[]{SPACE}{{0,3}}(?=["\'“]))?(?:(?P<opening>[{re.escape("".join(_CLOSINGS))}]){_EMPHASIS})?{NAME}'
    rf'{_EMPHASIS}(?P<closing>[{re.escape("".join(_CLOSINGS.values()))}])?'
)
_LEADING = rf'(?:{SPACE}|[{EMPHASIS}#>]|{BULLET})*'
_HEADING = re.compile(
    rf'^{_LEADING}(?:{NUMBER}{_LEADING}){{0,2}}{_NAMED}(?:{SPACE}|[{EMPHASIS}#])*'
    # "诊断是肾结石" is a section where it is all that the line says.
    rf'(?P<stop>{_COLON}|\||[—–]{{1,2}}|(?<=\s)-{{1,2}}\s|$|(?<=[是为])(?!否)(?=[^\n,;:。]+。?$))?',
    re.MULTILINE,
)
_WITHIN_LINE = re.compile(rf'(?<=[\s、,;。.!?|\]}}"\'”’)*]){_NAMED}{SPACE}*(?P<stop>{_COLON})')
NAMING_WORDS = re.compile(WORDS)
_WORD = re.compile(r'[^\W_]')
TABLE_ROW = re.compile(rf'{SPACE}*\|')
_TABLE_RULE = re.compile(r'[\s|:-]*-[\s|:-]*\Z')
_CELL_MARKS = f'{EMPHASIS}:【】[] \t'
SENTENCE = 40
"""Characters that a name has at most, and before a section in which a word of correction introduces it."""


class Section(NamedTuple):
    """A section of a reply, wherever it stands."""

    start: int
    end: int
    """Where the section's text begins."""
    limit: int
    """Where its text ends unless another section starts before."""
    name: Name
    place: int
    rule: str
    value: Optional[str] = None
    """The section's text where it stands in a JSON object or a table."""
    quoted: bool = False
    """Whether the name is a quoted key, as in an object that is not quite JSON."""
    asked: bool = False
    """Whether it is a line as the prompt asks for."""
    below: bool = False
    """Whether its text stands below the heading."""


_IN_ANSWER = 'marked: <answer>'
_ASKED_MARKS = f'{EMPHASIS}: \t'


def find_sections(text: str, answers: Sequence[Tuple[int, int]]) -> Iterator[Section]:
    """Yield every section in the order of the text.

    Args:
        text: The prepared reply.
        answers: Start and end of each ``<answer>``.
    """
    if not NAMING_WORDS.search(text) and '\\u' not in text:
        return
    position = 0
    for start, end in (*answers, (len(text), len(text))):
        yield from _sections_between(text, position, start, in_answer=False)
        yield from _sections_between(text, start, end, in_answer=True)
        position = end


def _sections_between(text: str, start: int, end: int, in_answer: bool) -> Iterator[Section]:
    for found in find_json_objects(text, start, end, lambda key: parse_name(key) is not None):
        yield from _headings(text, start, found.start, in_answer)
        for key, value in found.sections:
            name = parse_name(key)
            if name is not None:
                place, rule = (ANSWER, _IN_ANSWER) if in_answer else (JSON, 'json')
                yield Section(found.start, found.end, end, name, place, rule, value=text_of_value(value))
        start = found.end
    yield from _headings(text, start, end, in_answer)


def _headings(text: str, start: int, end: int, in_answer: bool) -> Iterator[Section]:
    """Yield the sections outside JSON objects between two places."""
    while start < end:
        word = NAMING_WORDS.search(text, start, end)
        if word is None:
            return
        line_start = text.rfind('\n', start, word.start()) + 1 or start
        line_end = _line_end(text, word.start(), end)
        start = line_end + 1
        if TABLE_ROW.match(text, line_start, line_end):
            cells = _cells_of_sections(text, line_start, line_end, end)
            for name, value in cells:
                place, rule = (ANSWER, _IN_ANSWER) if in_answer else (LINE, 'table row')
                yield Section(line_start, line_end, end, name, place, rule, value=value)
            if cells:
                continue
        behind, place = line_start, WITHIN_LINE
        heading = _HEADING.match(text, line_start, line_end)
        if heading and heading['other'] and text[line_start] in ' \t':  # about an item of a list
            continue
        if heading and _is_heading(heading):
            behind, place = heading.end(), LINE
            yield _section(text, heading, line_end, end, ANSWER if in_answer else place)
        words = [word.span() for word in NAMING_WORDS.finditer(text, behind, line_end)]
        for (word_start, word_end), (next_word, _) in pairwise([*words, (line_end, line_end)]):
            # No name is longer than a sentence, and none holds a word of another.
            nearby = max(behind, word_start - SENTENCE), min(next_word, word_end + SENTENCE)
            inner = _WITHIN_LINE.search(text, *nearby)
            if inner and _is_heading(inner):
                yield _section(text, inner, line_end, end, ANSWER if in_answer else place)
            behind = word_end


def _line_end(text: str, start: int, end: int) -> int:
    line_end = text.find('\n', start, end)
    return end if line_end < 0 else line_end


def _is_heading(match: 're.Match[str]') -> bool:
    opening, stop = match['opening'], match['stop']
    if match['closing'] != _CLOSINGS.get(opening):
        return False
    if opening in _QUOTES:
        return stop in (':', '∶')
    return stop is not None or opening is not None


def _section(text: str, match: 're.Match[str]', line_end: int, limit: int, place: int) -> Section:
    quoted = match['opening'] in _QUOTES
    inline = _WORD.search(text, match.end(), line_end) is not None
    return Section(
        start=match.start(),
        end=match.end(),
        limit=limit,
        name=name_of(match),
        place=place,
        rule=_IN_ANSWER if place == ANSWER else 'json' if quoted else 'sections',
        quoted=quoted,
        asked=inline and match['stop'] == ':' and NAMING_WORDS.fullmatch(match[0].strip(_ASKED_MARKS)) is not None,
        below=not inline,
    )


def _cells_of_sections(text: str, start: int, line_end: int, end: int) -> List[Tuple[Name, str]]:
    """Return the sections of a table row, as a name and the cell behind it, or of the columns that it heads."""
    cells = _cells(text[start:line_end])
    names = [parse_name(cell.strip(_CELL_MARKS)) for cell in cells]
    rows: List[List[str]] = []
    if any(names) and _TABLE_RULE.match(text[line_end + 1 : _line_end(text, line_end + 1, end)]):
        line_start = _line_end(text, line_end + 1, end) + 1
        while line_start < end and TABLE_ROW.match(text, line_start, end):
            line_end = _line_end(text, line_start, end)
            row = _cells(text[line_start:line_end])
            if any(parse_name(cell.strip(_CELL_MARKS)) for cell in row):
                break
            rows.append(row)
            line_start = line_end + 1
    if rows:
        return [
            (name, '\n'.join(row[column] for row in rows if column < len(row)))
            for column, name in enumerate(names)
            if name
        ]
    return [(name, cell) for name, cell, other in zip(names, cells[1:], names[1:], strict=False) if name and not other]


def _cells(row: str) -> List[str]:
    return row.strip().strip('|').split('|')
