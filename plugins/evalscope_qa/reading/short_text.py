"""Reads the short text that a reply answers with: marked, said, or its last line.

The texts are compared by a metric with a normalisation of its own, so nothing is folded here: only what stands around
the text (tags, LaTeX, entities, emphasis, quotes) is undone.
"""

import html
import re
from itertools import pairwise
from typing import NamedTuple, Sequence

from .echo import Prompt
from .proper import next_turn, reply_proper
from .result import Reading
from .statements import introduced
from .tables import ABSTENTIONS, ANSWER_KEYS, ANSWER_TAGS, BOXES, NOT_THE_ANSWER, PLACEHOLDERS

_TAGS = '|'.join(ANSWER_TAGS)
_OPENING = re.compile(rf'<(?:{_TAGS})(?:\s[^<>]*)?>', re.IGNORECASE)
_ANY_TAG = re.compile(rf'<(/?)(?:{_TAGS})(?:\s[^<>]*)?>', re.IGNORECASE)
_CUT_CLOSING = re.compile(r'</?[\w]{0,12}\Z')
_HTML = re.compile(r'</?(?:b|i|u|strong|em|p|span|code|sub|sup|mark)(?:\s[^<>]{0,200})?/?>|<br\s?/?>', re.IGNORECASE)
_STRAY_CLOSING = re.compile(r'\s*</\w{1,20}\s?>\s*\Z')
_BOXED = re.compile(rf'\\(?:{"|".join(BOXES)})\s?\{{((?:[^{{}}\n]|\{{[^{{}}\n]{{0,200}}\}}){{0,300}})\}}')
_KEYS = frozenset(re.sub('[ _-]', '', key.lower()) for key in ANSWER_KEYS)
_KEY = re.compile(r'"([^\W\d][\w -]{0,30})"\s{0,20}:\s{0,20}"((?:[^"\\\n]|\\.){0,1000})"')

_NAME = re.compile('answer|答案', re.IGNORECASE)
_SAYS = re.compile(
    r"[*_\"']{0,3}(?P<complement>[^\n.:?!=：]{0,160}?)(?:"
    r"(?<=[\s*_\"'])(?:is|was|would be|should be|must be|will be|appears to be|seems to be|remains)(?:\s*[:：])?|"
    r'[*_]{0,3}\s?[:：=])[*_]{0,3}\s*(?:that |most likely |probably |likely |simply )?',
    re.IGNORECASE,
)
_SAYS_IN_CHINESE = re.compile(r'[*_]{0,3}\s?(?:应该)?[是为:：]\s?[*_]{0,3}')
_HEADING = re.compile(r'[ \t#*_>]*(?:(?:the|my|final|short|correct)\s){0,3}\Z', re.IGNORECASE)
_REST_OF_HEADING = re.compile(r'[*_:： \t]*\n\s*')
_QUOTED = re.compile(
    r'[*_]{0,3}(?:"([^"\n]{1,300})"|“([^”\n]{1,300})”|「([^」\n]{1,300})」|\'([^\'\n]{1,300})\'(?!\w))'
)
_SENTENCE = re.compile(r'[^\n。]*?(?:(?<!\b[A-Z])(?<!\b(?:Mr|Dr|St|Ms|Jr|vs|No))(?<!\bMrs)[.!?](?=\s|\Z)|(?=\n|。|\Z))')
_IN_SENTENCE_NEGATION = re.compile(r"\b(?:not|no|n't|whether|if|unclear|cannot)\b", re.IGNORECASE)

_NO_TEXT = re.compile(r'[\s*_`~#=\-–—|+>.]*')
_QUOTES = {
    '"': '"',
    "'": "'",
    '“': '”',
    '‘': '’',
    '«': '»',
    '「': '」',
    '『': '』',
    '`': '`',
    '*': '*',
    '_': '_',
    '$': '$',
}
_LATEX_TEXT = re.compile(r'\\(?:text|textbf|textit|mathrm|mathbf|emph|mathit)\s?\{([^{}]*)\}')
_ABSTENTION = re.compile('|'.join(f'(?:{pattern})' for pattern in ABSTENTIONS))
_LONGEST = 600
"""Characters of a said text."""
_LONGEST_LINE = 20_000
"""Characters of a last line: no short text is longer."""
_MOST_NAMES = 100
"""Words that name the answer which are looked at from the beginning, and from the end: a reply in a loop has more."""
_CORRECTING_NO = re.compile(r'\bno\b,?\W*\Z', re.IGNORECASE)


class _Text(NamedTuple):
    position: int
    text: str
    rule: str


def read_short_text(reply: str, prompt: Prompt | str = '', golds: Sequence[str] = ()) -> Reading[str]:
    """Read the short text that a reply answers with, in time linear in its length; never raises.

    Args:
        reply: The model's text, of any length and content.
        prompt: What the model was asked.
        golds: The gold answers; a phrase such as "unknown" is an abstention unless it is one of them.

    Returns:
        The text as the reply writes it, or None and the reason: ``empty``, ``cut off``, ``echo``, ``refused``,
        ``several`` or ``nothing stated``.
    """
    proper = reply_proper(reply, prompt)
    if not proper.text:
        return Reading(None, proper.unanswered)
    text = html.unescape(proper.text) if '&' in proper.text else proper.text
    statements = _marked(text) or _said(text)
    if len(statements) > 1:
        end = next_turn(text, statements[0].position)
        statements = _settled(text, [statement for statement in statements if statement.position < end])
        if len({_compared(statement.text) for statement in statements}) > 1:
            return Reading(None, 'several')
    statement = statements[-1] if statements else _last_line(text)
    if statement is None or not statement.text:
        return Reading(None, 'cut off' if proper.cut_off else 'nothing stated')
    if _abstains(statement.text) and statement.text.casefold() not in {gold.casefold() for gold in golds}:
        return Reading(None, 'refused')
    if proper.cut_off and statement.rule == 'last line':
        return Reading(None, 'cut off')
    return Reading(statement.text, statement.rule)


def _marked(text: str) -> list[_Text]:
    """Texts in answer tags, else in LaTeX boxes, else behind the keys of JSON that name an answer."""
    found: list[_Text] = []
    if '<' in text:
        opened = -1
        previous = 0
        for tag in _ANY_TAG.finditer(text):
            if tag[1] and opened >= 0:
                found.append(_Text(opened, clean(text[opened : tag.start()]), 'marked: <answer>'))
                opened = -1
            elif tag[1] and not found:  # the prompt's prefill held the opening tag
                line = _last_line(text[previous : tag.start()])
                found += [] if line is None else [_Text(previous + line.position, line.text, 'marked: <answer>')]
            elif not tag[1]:
                opened = tag.end()
            previous = tag.end()
        if opened >= 0:
            found.append(_Text(opened, clean(_CUT_CLOSING.sub('', text[opened:])), 'marked: <answer>'))
    if not any(map(_states, found)) and '\\' in text:
        found += [_Text(box.start(), clean(box[1]), 'marked: \\boxed') for box in _BOXED.finditer(text)]
    if not any(map(_states, found)) and '":' in text.replace(' ', ''):
        keys = (key for key in _KEY.finditer(text) if re.sub('[ _-]', '', key[1].lower()) in _KEYS)
        found += [_Text(key.start(), clean(key[2]), 'marked: key') for key in keys]
    return [statement for statement in found if _states(statement)]


def _states(statement: _Text) -> bool:
    return bool(statement.text) and statement.text.casefold() not in PLACEHOLDERS


def _said(text: str) -> list[_Text]:
    """Texts behind "the answer is" and "Answer:", each up to the end of its quotes, its sentence or its line."""
    found: list[_Text] = []
    names = list(_NAME.finditer(text))
    if len(names) > 2 * _MOST_NAMES:
        names = names[:_MOST_NAMES] + names[-_MOST_NAMES:]
    for name, following in pairwise([*names, None]):
        if name is None:
            break
        end = len(text) if following is None else following.start()
        start = _said_start(text, name, end)
        if start < 0:
            continue
        said = _said_text(text, start)
        if said and said.casefold() not in PLACEHOLDERS:
            found.append(_Text(name.start(), said, 'said'))
    return found


def _said_start(text: str, name: 're.Match[str]', end: int) -> int:
    """Where the text behind a word that names the answer begins; -1 where none is said."""
    before = text[max(name.start() - 60, 0) : name.start()]
    line = before[before.rfind('\n') + 1 :]
    words = re.findall(r"[\w']+", line.lower()[-40:])
    if before[-1:].isalnum() and before[-1:].isascii():
        return -1
    if words and (words[-1] in NOT_THE_ANSWER or words[-1] in ('no', 'to', 'not') or 'if' in words):
        return -1
    if name[0] == '答案':
        chinese = _SAYS_IN_CHINESE.match(text, name.end())
        return -1 if chinese is None else chinese.end()
    says = _SAYS.match(text, name.end(), max(end, name.end()))
    if says is not None:
        complement = says['complement']
        if complement and (complement[0].isalnum() or _IN_SENTENCE_NEGATION.search(complement)):
            return -1  # 'answers', 'answering', 'answer is not known to be'
        return says.end()
    heading = _REST_OF_HEADING.match(text, name.end())
    return heading.end() if heading is not None and _HEADING.fullmatch(line) else -1


def _said_text(text: str, start: int) -> str:
    quoted = _QUOTED.match(text, start)
    if quoted is not None:
        return clean(next(group for group in quoted.groups() if group is not None))
    sentence = _SENTENCE.match(text, start, start + _LONGEST)
    said = clean(sentence[0] if sentence is not None else text[start : start + _LONGEST])
    for mark in ('**', '__', '*', '`'):  # that was opened before the name
        if said.endswith(mark) and said.count(mark) == 1:
            said = said[: -len(mark)].rstrip()
    return said[:-1].rstrip() if said.endswith(('.', '!')) and not re.search(r'\b[A-Z]\.\Z', said) else said


def _settled(text: str, statements: list[_Text]) -> list[_Text]:
    """Drop what a later statement corrects."""
    left: list[_Text] = []
    for statement in statements:
        if left and _compared(statement.text) != _compared(left[-1].text):
            between = text[left[-1].position : statement.position]
            opening = _OPENING.search(between)
            bare = re.sub(r'<[^<>]*>', ' ', between[: opening.start()] if opening else between)
            if introduced(text, statement.position, left[-1].position)[0] or _CORRECTING_NO.search(bare):
                left.clear()
        left.append(statement)
    return left


def _compared(text: str) -> str:
    return ' '.join(re.sub(r'[^\w\s]', '', text.casefold()).split()) or text


def _last_line(text: str) -> _Text | None:
    """The last line that holds text; None where that is a question."""
    end = len(text)
    while end > 0:
        start = text.rfind('\n', 0, end) + 1
        line = text[start : min(end, start + _LONGEST_LINE)]
        if '<' in line:
            line = _ANY_TAG.sub('', line)
        placeholder = len(line) < end - start and clean(line).casefold() in PLACEHOLDERS
        if not placeholder and not _NO_TEXT.fullmatch(line):
            if next_turn(line, 0) == 0:
                return None
            return _Text(start, clean(line), 'last line')
        end = start - 1
    return None


def clean(text: str) -> str:
    """Undo what stands around a text: white space, stray closing tags, LaTeX, emphasis, code ticks and quotes."""
    if '<' in text:
        text = _STRAY_CLOSING.sub('', _HTML.sub('', text))
    text = text.strip()
    if '\\' in text:
        text = _LATEX_TEXT.sub(r'\1', _BOXED.sub(r'\1', text)).strip()
    for _ in range(8):
        if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
            text = text[1:-1].strip()
        elif len(text) > 4 and text[:2] == text[-2:] and text[:2] in ('**', '__'):
            text = text[2:-2].strip()
        else:
            break
    return text


def _abstains(text: str) -> bool:
    """Whether every sentence of a text declines to answer."""
    if len(text) > 400:
        return False
    sentences = [sentence.strip(' .!。,') for sentence in re.split(r'(?<=[.!。])\s*|\n+', text.casefold())]
    filled = [sentence.replace('’', "'") for sentence in sentences if sentence]
    whole = text.casefold().strip(' .!。').replace('’', "'")
    return bool(filled) and (
        _ABSTENTION.fullmatch(whole) is not None or all(_ABSTENTION.fullmatch(sentence) for sentence in filled)
    )
