"""Reads a reply: its diagnosis, its advice, and the text to the patient.

The rules, for a reply without its reasoning, in NFKC:

1. A section is opened by its name at the start of a line, behind nothing but list, emphasis, heading and quotation
   marks, and followed by a colon, or in brackets (``【诊断】``), or alone on its line. A name in the middle of a line
   is no heading, with two exceptions: a name with a colon right behind the end of a sentence, and, in the line of a
   section, a second name with a colon (``诊断:肾结石;建议:多饮水``). They count only where no line starts with a
   section of that kind.
2. Its items are what follows on the same line; where nothing does, the list on the next lines. A marked list ends at
   the first line that is neither marked nor indented, and at a mark like the heading's own; a list without marks ends
   at a blank line, a heading or, unless its own first line has one, a label.
3. A JSON object with a section's name as a key holds the section; all of its keys for the advice count.
4. Of a repeated section the last counts. ``诊断`` and ``诊断结果`` are one section, and ``建议`` and ``诊疗建议``
   another. ``治疗建议`` and ``检查建议`` are the two halves of the latter: both count where both are given.
5. The text to the patient is what stands before the sections that count; where nothing but headings does, the whole
   reply.
"""

import re
from functools import lru_cache
from operator import attrgetter
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

from ..reading import strip_reasoning
from .items import BULLET, EMPHASIS, NUMBER, split_items
from .json_sections import JsonObject, find_json_objects, text_of_value
from .list_marks import with_plain_numbers, without_stray_numbers
from .normalization import MARK_START, prepare, without_marks

DISEASE, ADVICE = '诊断', '建议'
"""Names of the two sections in the prompt."""

_DISEASE_NAMES = ('诊断结果', DISEASE)
_ADVICE_HALVES = ('治疗建议', '检查建议')
_ADVICE_NAMES = (*_ADVICE_HALVES, '诊疗建议', ADVICE)
_NAMES = frozenset((*_DISEASE_NAMES, *_ADVICE_NAMES))

_NAME = '|'.join((*_DISEASE_NAMES, *_ADVICE_NAMES))
_SPACE = r'[^\S\n]'
_COLON = '[:∶]'
_QUOTE, _UNQUOTE = '["\'“‘]', '["\'”’]'
_BRACKET, _CLOSING = '[【\\[〖〔]', '[】\\]〗〕]'
_CORNER, _CORNER_CLOSING = '[「『《]', '[」』》]'
# Marks before a heading: anything but letters, digits, and what opens a quotation, a bracket or a number of its own.
_MARKS = rf'(?:(?![\n("\'“‘「『《〈<{{\[【〔〖{MARK_START}])[\W_])*'


def _atomic(number: int, pattern: str) -> str:
    """A group that is never matched again another way: what keeps a line of marks from costing its length squared."""
    return rf'(?=({pattern}))\{number}'


_HEADING = re.compile(
    rf'^(?=[^\n]){_atomic(1, _MARKS)}{_atomic(2, f"{NUMBER}?")}{_atomic(3, _MARKS)}'
    rf'(?:[\[{{ ]{{0,3}}{_QUOTE}(?P<quoted>{_NAME}){_UNQUOTE}{_SPACE}*{_COLON}'
    rf'|{_BRACKET}(?P<bracketed>{_NAME}){_CLOSING}[{EMPHASIS}]{{0,3}}{_SPACE}*{_COLON}?'
    rf'|{_CORNER}(?P<cornered>{_NAME}){_CORNER_CLOSING}[{EMPHASIS}]{{0,3}}{_SPACE}*(?:{_COLON}|$)'
    rf'|(?P<plain>{_NAME})(?:{_SPACE}|[{EMPHASIS}#=-])*(?:{_COLON}|$))',
    re.MULTILINE,
)
_SECOND_HEADING = re.compile(
    rf'(?<=[\s、,;。.!?|\]}}"\'”’*])[\[{{"\'“‘【*]{{0,4}}(?P<name>{_NAME})["\'”’】*\]]{{0,4}}{_SPACE}*{_COLON}'
)

_SENTENCE_HEADING = re.compile(rf'(?<=[。.!?])(?P<name>{_NAME}){_SPACE}*{_COLON}')

_WORD = re.compile(r'[^\W_]')
_LIST_MARK = re.compile(rf'(?P<indent>{_SPACE}*)[{EMPHASIS}]{{0,3}}(?:(?P<bullet>{BULLET})|(?P<number>{NUMBER}))')
_COUNT = re.compile('[0-9]+|[一二三四五六七八九十]+')
_OTHER_HEADING = re.compile(rf'{_SPACE}*(?:#|{_BRACKET})')
_LABEL = re.compile(rf'{_SPACE}*[{EMPHASIS}]{{0,3}}[\w()]{{1,12}}[{EMPHASIS}]{{0,3}}{_SPACE}{{0,3}}{_COLON}')
_LEAD_IN = re.compile(rf'{_COLON}[\s{EMPHASIS}]*\Z')
_NOT_ITEMS = re.compile("[\\[\\]{}\"“”]|(?<!\\w)['‘]|['’](?!\\w)")
_ARRAY_START = re.compile(rf'{_SPACE}*\[{_SPACE}*{_QUOTE}')
_FENCE = re.compile(r'```[\w-]*\s*\Z')

_ON_HEADING_LINE = -1
"""Stands for the indentation of a first item that follows its heading on the same line."""


class ParsedReply(NamedTuple):
    """What a reply says."""

    disease: Optional[List[str]]
    """Items of the diagnosis; None where the reply has no such section."""
    advice: Optional[List[str]]
    """Items of the advice; None where the reply has no such section."""
    text: str
    """The text to the patient, in NFKC."""

    @property
    def answered(self) -> bool:
        """Whether the reply has at least one of the two sections."""
        return self.disease is not None or self.advice is not None

    def summary(self) -> str:
        """The sections as the prompt asks for them; an empty string where there is none."""
        sections = ((DISEASE, self.disease), (ADVICE, self.advice))
        return '\n'.join(f'{name}：{"、".join(items) or "无"}' for name, items in sections if items is not None)


class _ListMark(NamedTuple):
    style: str
    indent: int


class _Heading(NamedTuple):
    start: int
    name: str
    end: int
    """Where the section's text begins."""
    opens_line: bool
    quoted: bool
    """Whether the name is a quoted key, as in an object that is not quite JSON."""


class _Key(NamedTuple):
    start: int
    """Where the key's JSON object starts."""
    name: str
    value: Any
    opens_line: bool = True


_Section = Union[_Heading, _Key]


def parse_reply(reply: str) -> ParsedReply:
    """Read a reply by the rules at the top of this module.

    Takes time linear in the length of the reply and never raises.

    Args:
        reply: The model's text, of any length and content.
    """
    text = prepare(strip_reasoning(reply))
    sections = _sections(text)
    disease: Optional[int] = None
    advice: Dict[str, int] = {}
    # A heading inside a line ends the section before it, but stands back behind one that starts a line.
    for index in sorted(range(len(sections)), key=lambda index: sections[index].opens_line):
        section = sections[index]
        if section.name in _DISEASE_NAMES:
            disease = index
        else:
            both_halves = section.name in _ADVICE_HALVES
            advice = {
                name: other
                for name, other in advice.items()
                if name != section.name
                and ((both_halves and name in _ADVICE_HALVES) or _in_one_object(sections[other], section))
            }
            advice[section.name] = index
    counted = [*([] if disease is None else [disease]), *advice.values()]
    return ParsedReply(
        disease=None if disease is None else split_items(_section_text(text, sections, disease)),
        advice=split_items('\n'.join(_section_text(text, sections, index) for index in advice.values()))
        if advice
        else None,
        text=without_marks(_text_before(text, sections[min(counted)].start) if counted else text),
    )


def _in_one_object(one: _Section, other: _Section) -> bool:
    return isinstance(one, _Key) and isinstance(other, _Key) and one.start == other.start


def _text_before(text: str, start: int) -> str:
    """The text before ``start``, or all of it where that is nothing but headings, marks and the opening of a fence."""
    before = _FENCE.sub('', text[:start].rstrip()).rstrip()
    return before if _WORD.search(_HEADING.sub('', before)) else text


def _sections(text: str) -> List[_Section]:
    """Every section in the order of the text."""
    objects = list(find_json_objects(text, _NAMES))
    keys = [_Key(item.start, name, value) for item in objects for name, value in item.sections]
    return sorted([*keys, *_headings(text, objects)], key=attrgetter('start'))


def _headings(text: str, objects: Sequence[JsonObject]) -> Iterator[_Heading]:
    """Every heading outside JSON objects, in order."""
    starts = [0, *(item.end for item in objects)]
    ends = [*(item.start for item in objects), len(text)]
    for start, end in zip(starts, ends, strict=True):
        for match in _HEADING.finditer(text, start, end):
            quoted = match.lastgroup == 'quoted'
            name = match[match.lastgroup or 'plain']
            yield _Heading(match.start(), name, match.end(), True, quoted)
            yield from _second_headings(text, match.end(), end, quoted)
        line_end = start
        for match in _SENTENCE_HEADING.finditer(text, start, end):
            if match.start() < line_end:
                continue
            line_end = _line_end(text, match.end(), end)
            if not _HEADING.match(text, text.rfind('\n', 0, match.start()) + 1):
                yield _Heading(match.start(), match['name'], match.end(), False, False)
                yield from _second_headings(text, match.end(), end, False)


def _second_headings(text: str, start: int, end: int, quoted: bool) -> Iterator[_Heading]:
    """Every heading behind ``start`` in its line."""
    for second in _SECOND_HEADING.finditer(text, start, _line_end(text, start, end)):
        yield _Heading(second.start(), second['name'], second.end(), False, quoted)


def _line_end(text: str, start: int, end: int) -> int:
    line_end = text.find('\n', start, end)
    return end if line_end < 0 else line_end


def _section_text(text: str, sections: Sequence[_Section], index: int) -> str:
    """The items of a section, several on a line or one a line."""
    section = sections[index]
    if isinstance(section, _Key):
        return without_stray_numbers(with_plain_numbers(text_of_value(section.value)))
    end = sections[index + 1].start if index + 1 < len(sections) else len(text)
    region = text[section.end : end]
    if section.quoted or _ARRAY_START.match(region):
        region = _NOT_ITEMS.sub('', _on_one_line(region))
    region = without_stray_numbers(with_plain_numbers(region))
    heading_mark = _list_mark(text[section.start : section.end]) if section.opens_line else None
    inline, _, rest = region.partition('\n')
    if not _WORD.search(inline) or _LEAD_IN.search(inline):
        return '\n'.join(_following_list(rest.split('\n'), heading_mark))
    mark = _list_mark(inline)
    if mark is None:
        return inline
    following = _following_list(rest.split('\n'), heading_mark, first=mark._replace(indent=_ON_HEADING_LINE))
    return '\n'.join([inline, *following])


def _on_one_line(region: str) -> str:
    """Return the text after a key with the array that starts on the key's line on that line as a whole."""
    line_end = region.find('\n')
    start = region.find('[', 0, line_end) if line_end >= 0 else -1
    if start < 0 or not _WORD.search(region, start, line_end) or ']' in region[start:line_end]:
        return region
    end = region.find(']', start)
    array = region[start:end] if end >= 0 else region[start:]
    return array.replace('\n', ' ') + (region[end:] if end >= 0 else '')


def _following_list(
    lines: Sequence[str], heading_mark: Optional[_ListMark], first: Optional[_ListMark] = None
) -> Iterator[str]:
    """Yield the lines of the list that starts the text after a heading.

    Args:
        lines: The lines after the heading's.
        heading_mark: List mark in front of the heading.
        first: List mark of a first item on the heading's line; None where there is no such item.
    """
    kept = first is not None
    led_in = False
    labelled = False
    for number, line in enumerate(lines):
        if not _WORD.search(line):
            if kept and (first is None or line.strip()):  # a blank line, or one of signs such as a fence or a rule
                return
            continue
        mark = _list_mark(line)
        if not kept:
            if mark is None and not led_in and _LEAD_IN.search(line):
                led_in = True
                continue
            if mark is None and led_in:
                return
            first = mark
            # A list of items that are labelled each ("检查:CT"), which is no section of its own.
            labelled = number == 0 and mark is None and _LABEL.match(line) is not None
        if first is None and not labelled and (mark is not None or _OTHER_HEADING.match(line) or _LABEL.match(line)):
            return
        if first is not None and mark is None:
            if line.startswith((' ', '\t')):
                continue  # more about an item
            return
        if mark is not None and mark == heading_mark != first:
            return
        kept = True
        yield line


def _list_mark(line: str) -> Optional[_ListMark]:
    match = _LIST_MARK.match(line)
    if match is None:
        return None
    return _ListMark('-' if match['number'] is None else _style(match['number']), len(match['indent']))


@lru_cache(maxsize=4096)
def _style(number: str) -> str:
    """Return a mark without its count: ``1.`` and ``12.`` are of one style, ``一、`` and ``1、`` are not."""
    return _COUNT.sub(_kind_of_count, number)


def _kind_of_count(count: 're.Match[str]') -> str:
    return '1' if count[0].isascii() else '一'
