"""Reads a reply: its diagnosis, its advice, and the text to the patient.

The rules, for the reply proper (``evalscope_qa.reading``), in NFKC:

1. A section is opened by its name (:mod:`~.names`) at the start of a line, behind nothing but list, emphasis, heading
   and quotation marks, and followed by a colon, a dash or a table bar, or in brackets (``【诊断】``), or alone on its
   line. Behind a separator or the end of a sentence, a name with a colon opens one too. A column of a table and a key
   of a JSON object, too, are sections.
2. Its items are the list behind the name (:mod:`~.lines`), split by :func:`~.items.split_items`. A section without
   items states nothing, unless it says ``无``; nor does one that declines (``无法确定``).
3. Where there are several of a kind, those in ``<answer>`` decide alone, else those in JSON, else those in a table or
   in a line that starts with a section, else those within other lines. The two lines that the prompt asks for,
   ``诊断：…`` and ``建议：…`` right below it, stand before headings with text below them; ``最终诊断`` stands before
   ``诊断``, and that before ``初步诊断``.
4. Of those that are left, one that is introduced as final or as a correction replaces the earlier ones. Otherwise they
   must agree; sections that differ cancel each other. Parts of one section (``治疗建议``, ``检查建议``) add up.
5. The text to the patient is what stands before the sections that count; where nothing but headings does, the whole
   reply.
"""

import re
from itertools import islice, pairwise
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ..reading import Prompt, reply_proper
from ..reading.proper import next_turn, says_no_answer
from ..reading.tables import ANSWER_TAGS, CORRECTIONS
from .headings import LINE, NAMING_WORDS, SENTENCE, TABLE_ROW, Section, find_sections
from .items import EMPTY, match_key, split_items
from .lines import LineMark, line_mark, list_behind
from .names import ADVICE, DISEASE
from .normalization import nfkc, prepare

_WORD = re.compile(r'[^\W_]')
_ARRAY = re.compile(r'\s*\[([^\]]*)')
_QUOTED_ARRAY = re.compile(r'\s*\[\s*["\'“]')
_STRING = re.compile(r'\s*["\'“]([^"\'”\n]*)')
_FENCE = re.compile(r'```[\w-]*[\s{\[]*\Z')

_ANSWER_TAG = re.compile(rf'<(?P<closing>/?)(?:{"|".join(ANSWER_TAGS)})(?:\s[^<>\n]*)?>|(?P<cut></\w{{0,12}})\Z', re.I)
_CORRECTION = re.compile('|'.join(rf'\b{word}\b' if word.isascii() else word for word in CORRECTIONS), re.IGNORECASE)
_DECLINED = re.compile(
    '(?:目前|暂时?|尚|还|我)*(?:无法|不能|难以)(?:明确|作出|做出|给出|提供|进行)?(?:诊断|判断|确定|明确|确诊|建议).{0,40}'
    '|不确定|不明确|不明|不详|未知|待定|待查|信息不足|资料不足|none|unknown|n/a',
    re.IGNORECASE,
)
"""An item that says there is none to give."""

_MOST_NAMES = 5_000
"""A reply that names more sections commits itself to none."""
_LONGEST_LIST = 20_000
"""Characters of a section that are read."""


class ParsedReply(NamedTuple):
    """What a reply says."""

    disease: Optional[List[str]]
    """Items of the diagnosis; None where the reply states none."""
    advice: Optional[List[str]]
    """Items of the advice; None where the reply states none."""
    text: str
    """The text to the patient, in NFKC."""
    reading: str = ''
    """The rule that read the reply, or the reason why it is unanswered."""

    @property
    def answered(self) -> bool:
        """Whether the reply states at least one of the two sections."""
        return self.disease is not None or self.advice is not None

    def summary(self) -> str:
        """The sections as the prompt asks for them; an empty string where there is none."""
        sections = ((DISEASE, self.disease), (ADVICE, self.advice))
        return '\n'.join(f'{name}：{"、".join(items) or "无"}' for name, items in sections if items is not None)


class _Choice(NamedTuple):
    """What the sections of one kind say together."""

    items: Optional[List[str]] = None
    counted: Sequence[Section] = ()
    """The sections that count, in the order of the text."""
    reason: str = ''
    """Why there are no items, where there are sections."""


def read_reply(reply: str, prompt: Union[Prompt, str] = '') -> ParsedReply:
    """Read a reply, reasoning and all.

    Args:
        reply: The model's text, of any length and content.
        prompt: What the model was asked; what a reply repeats of it is no answer.
    """
    proper = reply_proper(reply, prompt)
    parsed = parse_reply(proper.text)
    if parsed.answered or not (proper.unanswered or proper.cut_off):
        return parsed
    return parsed._replace(reading=proper.unanswered or 'cut off')


def parse_reply(reply: str) -> ParsedReply:
    """Read a reply by the rules at the top of this module.

    Takes time linear in the length of the reply and never raises.

    Args:
        reply: The reply proper, of any length and content.
    """
    text, answers = _without_answer_tags(prepare(reply))
    names = len(NAMING_WORDS.findall(text))
    sections = list(islice(find_sections(text, answers), _MOST_NAMES)) if names < _MOST_NAMES else []
    if max(names, len(sections)) >= _MOST_NAMES:
        return ParsedReply(None, None, nfkc(text), 'several')
    if sections:
        turn = next_turn(text, sections[0].end)
        text = text[:turn]
        sections = [section for section in sections if section.start < turn]
    choices = [_choose(text, sections, kind) for kind in (DISEASE, ADVICE)]
    counted = [section for choice in choices for section in choice.counted]
    disease, advice = (choice.items for choice in choices)
    if counted:
        before = _text_before(text, sections, min(section.start for section in counted))
        return ParsedReply(disease, advice, nfkc(before), counted[0].rule)
    return ParsedReply(None, None, nfkc(text), _reason(text, choices))


def _reason(text: str, choices: Sequence[_Choice]) -> str:
    """Why a reply is unanswered."""
    if not _WORD.search(text):
        return 'empty'
    reasons = [choice.reason for choice in choices if choice.reason]
    return reasons[0] if reasons else 'refused' if says_no_answer(text[:_LONGEST_LIST]) else 'nothing stated'


def _without_answer_tags(text: str) -> Tuple[str, List[Tuple[int, int]]]:
    """Return the text with a line end in the place of each tag, and the place of each ``<answer>`` with a section."""
    if '<' not in text:
        return text, []
    parts: List[str] = []
    answers: List[Tuple[int, int]] = []
    opened: Optional[int] = None
    position = length = 0
    for tag in _ANSWER_TAG.finditer(text):
        parts += [text[position : tag.start()], '\n']
        length += tag.start() - position
        if not (tag['closing'] or tag['cut']):
            opened = length if opened is None else opened
        elif opened is not None:
            answers.append((opened, length))
            opened = None
        length += 1
        position = tag.end()
    parts.append(text[position:])
    if opened is not None:
        answers.append((opened, length + len(text) - position))
    text = ''.join(parts)
    return text, [(start, end) for start, end in answers if NAMING_WORDS.search(text, start, end)]


def _text_before(text: str, sections: Sequence[Section], start: int) -> str:
    """The text before ``start``, or all of it where that is nothing but headings, marks and the opening of a fence."""
    before = _FENCE.sub('', text[:start].rstrip()).rstrip()
    for _ in range(2):  # the head of a table, and the rule below it
        above, _, line = before.rpartition('\n')
        before = above.rstrip() if TABLE_ROW.match(line) else before
    position = 0
    for section in sections:
        if section.start >= len(before):
            break
        if _WORD.search(before, position, section.start):
            return before
        position = section.end
    return before if _WORD.search(before, position) else text.strip()


# -- choosing among sections ------------------------------------------------------------------------------------------


def _choose(text: str, sections: Sequence[Section], kind: str) -> _Choice:
    """Return what the sections of a kind say together: rules 3 and 4 at the top of this module."""
    has_pair = any(_is_pair(text, one, other) for one, other in pairwise(sections))
    groups: Dict[Tuple[int, bool, int], List[int]] = {}
    for index, section in enumerate(sections):
        if section.name.kind == kind:
            key = (section.place, has_pair and section.below, -section.name.weight)
            groups.setdefault(key, []).append(index)
    reason = ''
    for key in sorted(groups):
        choice = _agreed(text, sections, groups[key])
        if choice.items is not None or choice.reason == 'several':
            return _corrected(text, sections, choice, groups[key][-1])
        reason = reason or choice.reason
    return _Choice(reason=reason)


def _corrected(text: str, sections: Sequence[Section], choice: _Choice, last: int) -> _Choice:
    """Return what a correction behind the sections that decide says, where there is one."""
    kind = sections[last].name.kind
    behind = [index for index in range(last + 1, len(sections)) if sections[index].name.kind == kind]
    while behind and not (sections[behind[0]].place <= LINE and _is_correction(text, sections, behind[0])):
        behind.pop(0)
    correction = _agreed(text, sections, behind)
    return correction if correction.items is not None else choice


def _is_pair(text: str, one: Section, other: Section) -> bool:
    """Whether two sections are the two lines that the prompt asks for."""
    return (one.asked and other.asked and (one.name.kind, other.name.kind) == (DISEASE, ADVICE)) and '\n' not in text[
        one.end : other.start
    ].strip()


def _agreed(text: str, sections: Sequence[Section], indexes: Sequence[int]) -> _Choice:
    parts: Dict[str, Dict[str, str]] = {}
    counted: List[Section] = []
    reason = ''
    for index in reversed(indexes):
        items = _items(text, sections, index)
        if items is None:
            continue
        if items and all(map(_DECLINED.fullmatch, items)):
            reason = 'refused'
            continue
        section = sections[index]
        keyed = {match_key(item): item for item in items}
        if parts.setdefault(section.name.part, keyed).keys() != keyed.keys():
            return _Choice(reason='several')
        parts[section.name.part] = parts.pop(section.name.part)
        counted.append(section)
        if _is_correction(text, sections, index):
            break
    if not counted:
        return _Choice(reason=reason)
    merged: Dict[str, str] = {}
    for keyed in reversed(parts.values()):
        for key, item in keyed.items():
            merged.setdefault(key, item)
    return _Choice(list(merged.values()), counted[::-1])


def _is_correction(text: str, sections: Sequence[Section], index: int) -> bool:
    """Whether a section is introduced as final or as a correction, or stands right behind one of the other kind."""
    if _is_introduced(text, sections, index):
        return True
    return (
        index > 0
        and sections[index - 1].name.kind not in (None, sections[index].name.kind)
        and _is_introduced(text, sections, index - 1)
    )


def _is_introduced(text: str, sections: Sequence[Section], index: int) -> bool:
    start = sections[index].start
    before = sections[index - 1].end if index else 0
    line_end = text.find('\n', before, start)
    return _CORRECTION.search(text, max(before, line_end, start - SENTENCE), start) is not None


def _items(text: str, sections: Sequence[Section], index: int) -> Optional[List[str]]:
    """The items of a section; None where it has none and does not say so."""
    listed = _list(text, sections, index)
    items = split_items(listed)
    return items if items or EMPTY in listed else None


def _list(text: str, sections: Sequence[Section], index: int) -> str:
    """The list of a section as it stands in the reply."""
    section = sections[index]
    if section.value is not None:
        return section.value
    end = min(section.limit, section.end + _LONGEST_LIST)
    if index + 1 < len(sections):
        end = min(end, sections[index + 1].start)
    if section.quoted or _QUOTED_ARRAY.match(text, section.end, end):
        array = _ARRAY.match(text, section.end, end)
        if array:
            return array[1].replace('\n', ' ')
        string = _STRING.match(text, section.end, end)
        if string:
            return string[1]
    heading: Optional[LineMark] = line_mark(text[section.start : section.end])
    return '\n'.join(list_behind(text, section.end, end, heading))
