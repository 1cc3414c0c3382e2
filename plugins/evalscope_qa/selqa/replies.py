"""Reads rankings and triggering answers out of replies: pure functions, linear in the reply's length, never raising.

A reply is a model's free text, so the rules are strict: what is not plainly an answer is unanswered, never guessed.
Reasoning is dropped first.

Bracketed numbers are ``[n]``, ``[n, m]``, ``[[n], [m]]`` or a JSON list, over several lines too. Of several blocks of
consecutive lines that hold bracketed numbers, the last counts: models explain first and rank last.
"""

import re
from typing import Callable, Optional

from ..reasoning import strip_reasoning
from .prompts import SELECTION_FORM

# What may stand between numbers inside brackets; the backslash is that of Markdown's '\[2\]'.
_BETWEEN = r'\s,;>|→、，；＞"\'\\'
_BRACKETED = re.compile(rf'\[[{_BETWEEN}]*([0-9][0-9{_BETWEEN}]*)\]')
_DIGITS = re.compile('[0-9]+')

# A line with numbers to its end after a little markup or label, which _is_number_line looks at closely, and the lines
# after it that hold nothing but numbers and separators. The bounds, and single character classes between digits and
# line ends, keep this linear.
_MAYBE_NUMBER_LINES = re.compile(
    r'^([- \t>#*_`"\'+•]{0,20}(?:ranking[ \t*_`"\':：]{1,20})?)'
    r'([0-9][0-9 \t,;>|→、，；＞*_`"\'.=-]*)((?:\n[0-9][0-9 \t,;>|→、，；＞]*)*)$',
    re.IGNORECASE | re.MULTILINE,
)
_RANKING_LABEL = re.compile(r'(?:[-+•]\s+)?ranking[\s*_`"\']*[:：]', re.IGNORECASE)
_MARKUP = ' \t\r\n*_`"\''

_DOUBTFUL = re.compile('[.=-]')

# A ranking is nearly always within the last few thousand characters of a reply, however long that is.
_FIRST_WINDOW = 8_192

_UPPER_NONE = re.compile('(?<![A-Za-z0-9])NONE(?![A-Za-z0-9])')
_NO_SENTENCE = re.compile(
    r'\bno(?:ne\s+of\s+(?:the|these|those))?\s+'
    r'(?:(?:above|candidate|given|listed|numbered|provided|shown)\s+)?sentences?\b',
    re.IGNORECASE,
)
# 'None' in any case where it is a sentence of its own: at the start of a line, after the end of a sentence or a label,
# and followed by the end of the line or of a clause ('None of it', 'None the less' and 'none other' are no declines).
_NONE_ALONE = re.compile(
    r'(?:^|[.:!?>]|\banswer\s+is\b)[ \t#*_`"\'“”‘’(\[{<-]*'
    r'none(?:\s+of\s+(?:the\s+above|them|these|those))?'
    r'[*_`"\'“”‘’)\]}]*[ \t]*(?:$|[.,;:!?(<—–]|-\s)',
    re.IGNORECASE | re.MULTILINE,
)
_OR_NONE = re.compile(r'\bor\W{1,4}none\b|\bnone\W{1,4}or\b', re.IGNORECASE)
_NONE_WORDS = re.compile(r'\b(?:none|or)\b', re.IGNORECASE)
_BARE_NUMBER = re.compile(
    r'[#\s*_`"\']*(?:(?:final\s+)?answer[\s*_`"\']*[:：][\s*_`"\']*)?([0-9]+)\.?[\s*_`"\']*', re.IGNORECASE
)


def read_ranking(reply: str, sentences: int) -> Optional[list[int]]:
    """Read the ranking out of a reply to a selection question.

    The ranking is the last block of consecutive lines that hold bracketed numbers; in a reply without any bracket, the
    last block of consecutive lines that hold nothing but numbers and separators, after an optional label ``ranking:``.
    The form that the prompt shows, repeated word for word, is not read.

    Args:
        reply: The model's text, of any length and content.
        sentences: How many sentences were shown; their numbers are 1 to ``sentences``.

    Returns:
        Numbers of shown sentences, best first, none twice; ``None`` where the reply holds no ranking.
    """
    text = _answer_text(reply).replace(SELECTION_FORM, '')
    digits = _last_block(text, _bracketed_block)
    if not digits and '[' not in text and ']' not in text:
        digits = _last_block(text, _number_lines)
    return _shown(digits, sentences) or None


def read_listing(reply: str, sentences: int) -> Optional[list[int]]:
    """Read the sentences listed in a reply to a triggering question.

    Listed are the bracketed numbers of the last block of consecutive lines that hold any, or the number that is the
    whole reply (``answer:`` may stand before it). A reply declines with ``NONE``, "None." as a sentence of its own,
    "no sentence(s)" or "none of the sentences".

    Args:
        reply: The model's text, of any length and content.
        sentences: How many sentences were shown; their numbers are 1 to ``sentences``.

    Returns:
        Numbers of shown sentences, best first, none twice; ``[]`` where the reply declines; ``None`` where it does
        neither, or both.
    """
    text = _answer_text(reply)
    digits = _last_block(text, _bracketed_block)
    declined = _declines(text)
    if digits:
        return None if declined or _OR_NONE.search(text) else _shown(digits, sentences) or None
    if declined:
        # "17 or NONE" and "NONE" above "17" are both answers at once, hence neither.
        return None if _last_block(_NONE_WORDS.sub('', text), _number_lines) else []
    bare_number = _BARE_NUMBER.fullmatch(text)
    return _shown([bare_number[1]], sentences) or None if bare_number else None


def _answer_text(reply: str) -> str:
    return strip_reasoning(reply).replace('\r\n', '\n').replace('\r', '\n')


def _declines(text: str) -> bool:
    lower = text.lower()
    return bool(
        ('none' in lower and (_UPPER_NONE.search(text) or _NONE_ALONE.search(text)))
        or ('sentence' in lower and _NO_SENTENCE.search(text))
    )


def _last_block(text: str, find: Callable[[str, int], tuple[int, list[str]]]) -> list[str]:
    """Find the last block of a text without reading it all where the block is near its end.

    Args:
        text: The text.
        find: Given the text and a position at the start of a line, returns where the last block after that position
            starts, and its numbers; the position itself where the block may start before it, or there is none.
    """
    size = _FIRST_WINDOW
    while True:
        position = text.rfind('\n', 0, max(0, len(text) - size)) + 1
        start, numbers = find(text, position)
        if position == 0 or start > position:
            return numbers
        size *= 8


def _bracketed_block(text: str, position: int) -> tuple[int, list[str]]:
    """The bracketed numbers of the last block of consecutive lines that hold any, in order; see :func:`_last_block`."""
    spans = [match.span() for match in _BRACKETED.finditer(text, position)]
    if not spans:
        return position, []
    first = len(spans) - 1
    while first > 0:
        end, start = spans[first - 1][1], spans[first][0]
        if start - end > 1 and text.count('\n', end, start) > 1:
            break
        first -= 1
    numbers = _DIGITS.findall(' '.join(_BRACKETED.findall(text, spans[first][0])))
    return spans[first][0] if first else position, numbers


def _number_lines(text: str, position: int) -> tuple[int, list[str]]:
    """The numbers of the last block of consecutive lines that hold nothing but numbers and separators, in order."""
    start = end = -1
    for match in reversed(list(_MAYBE_NUMBER_LINES.finditer(text, position))):
        if end >= 0 and match.end() + 1 != start:
            break
        if _is_number_line(match[1], match[2]):
            start = match.start()
        elif match[3]:  # only the lines after the first are number lines
            start = match.start(3) + 1
        else:
            continue
        end = max(end, match.end())
    return (start, _DIGITS.findall(text, start, end)) if end >= 0 else (position, [])


def _is_number_line(start: str, numbers: str) -> bool:
    label = start.strip(_MARKUP + '>#')
    bullet = label in ('-', '+', '•') and start[-1].isspace()
    if label and not bullet and not _RANKING_LABEL.fullmatch(label):
        return False
    if not _DOUBTFUL.search(numbers):
        return True
    # One full stop may end the line, and arrows separate; otherwise these characters make dates, decimals and ranges.
    body = numbers.rstrip(_MARKUP).removesuffix('.').replace('->', '>').replace('=>', '>')
    return not _DOUBTFUL.search(body)


def _shown(digits: list[str], sentences: int) -> list[int]:
    """Return the numbers from 1 to ``sentences`` among strings of digits, each at its first place."""
    # int() refuses strings of thousands of digits, so longer ones than the largest number shown are left out before.
    longest = len(str(sentences))
    significant = dict.fromkeys(number.lstrip('0') for number in dict.fromkeys(digits))
    numbers = (int(number) for number in significant if 0 < len(number) <= longest)
    return [number for number in numbers if number <= sentences]
