"""Reads rankings and triggering answers out of replies: pure functions, linear in the reply's length, never raising.

A reply is a model's free text, so the rules are strict: what is not plainly an answer is unanswered, never guessed.
Reasoning is dropped first.

Bracketed numbers are ``[n]``, ``[n, m]``, ``[[n], [m]]`` or a JSON list, over several lines too. Of several blocks of
consecutive lines that hold bracketed numbers, the last counts: models explain first and rank last.
"""

import re
from typing import Optional

from ..reading import strip_reasoning
from .prompts import SELECTION_FORM

# What may stand between numbers inside brackets; the backslash is that of Markdown's '\[2\]'.
_BETWEEN = r'\s,;>|→、，；＞"\'\\'
_BRACKETED = re.compile(rf'\[[{_BETWEEN}]*([0-9][0-9{_BETWEEN}]*)\]')
_DIGITS = re.compile('[0-9]+')

# Consecutive lines that hold nothing but numbers and separators, after marks, a bullet or a label. '.', '-' and '='
# make decimals, dates and ranges, but for one full stop at the end of a line and for arrows. Each line is tried once,
# and parts of the pattern that repeat are apart, so reading is linear. The bound on lines bounds the memory it takes.
_MARKS = r' \t*_`"\''
_SEPARATORS = r',;>|→、，；＞'
_NUMBER_LINES = re.compile(
    rf'(?:^(?=[-+•>#{_MARKS}]{{0,20}}[0-9r])[>#{_MARKS}]*'
    rf'(?:(?:[-+•][ \t]+)?ranking(?=[:：{_MARKS}]{{1,20}}[0-9])[{_MARKS}]*[:：][{_MARKS}]*'
    rf'|[-+•][>#{_MARKS}]*(?<=[ \t]))?'
    r'(?=[0-9])(?![^\n]*(?:-(?!>)|=(?!-?>)))'
    rf'[0-9{_SEPARATORS}{_MARKS}=-]+(?:\.[{_MARKS}]*)?$\n?){{1,64}}',
    re.IGNORECASE | re.MULTILINE,
)

# The form as the prompt shows it; where the list goes on, it is the model's own.
_SHOWN_FORM = re.compile(re.escape(SELECTION_FORM) + rf'(?![ \t]*(?:[{_SEPARATORS}][ \t]*)?\[)')

_UPPER_NONE = re.compile('(?<![A-Za-z0-9])NONE(?![A-Za-z0-9])')
_QUALIFIERS = 'above|candidate|given|listed|numbered|provided|relevant|shown'
# 'No' at the end of a line says nothing about a 'Sentence' that begins the next.
_NO_SENTENCES = (
    rf'(?:no[^\S\n]+\b(?:(?:{_QUALIFIERS})[^\S\n]+)?|'
    rf'none\s+of\s+(?:the|these|those)\s+\b(?:[0-9]+\s+)?(?:(?:{_QUALIFIERS}|following)\s+)?)sentences?\b'
)
_NO_SENTENCE = re.compile(rf'\b{_NO_SENTENCES}', re.IGNORECASE)
_OF_THEM = r'\s+of\s+(?:the\s+above|them|these|those)'
# 'None' in any case where it is a sentence of its own: at the start of a line, after the end of a sentence or a label,
# and followed by the end of the line or of a clause ('None of it', 'None the less' and 'none other' are no declines).
_NONE_ALONE = re.compile(
    r'(?:^|[.:!?>。：！？]|\banswer\s+is\b|\\(?:boxed|text)\b)[ \t#*_`"\'“”‘’(\[{<-]*'
    rf'none(?:(?:{_OF_THEM})?[*_`"\'“”‘’)\]}}$]*[ \t]*(?:$|[.,;:!?(<—–。，；：！？]|-\s)|{_OF_THEM}\s+answers?\b)',
    re.IGNORECASE | re.MULTILINE,
)
_OR_NONE = re.compile(r'\bor\W{1,4}none\b|\bnone\W{1,4}or\b', re.IGNORECASE)
_NUMBER_OR_NONE = re.compile(r'[0-9]\W{1,4}or\W{1,4}none\b|\bnone\W{1,4}or\W{1,4}[0-9]', re.IGNORECASE)

# What may stand around a number that is given beside a decline: the decline with the range of the sentences and with
# the words to the end of its sentence (none of which may begin another decline, so that no word is read twice), words
# that join number and decline, and labels. The first look-ahead is there for speed.
_AROUND_NUMBERS = re.compile(
    r'(?=[abefnor])(?<![A-Za-z0-9])(?:'
    rf'(?:{_NO_SENTENCES}(?:[ \t]*\(?[0-9]+[ \t]*(?:[-–—]|to)[ \t]*[0-9]+\)?)?|none(?![A-Za-z0-9])(?:{_OF_THEM}\b)?)'
    r'(?:(?:[ \t]+(?!no(?:ne)?(?![A-Za-z]))[A-Za-z]+)*(?=[ \t]*(?:$|[.;!?。；！？]))'
    r'|[ \t]+answers?(?:[ \t]+(?:it|(?:that|the|this)[ \t]+question))?\b)?'
    r'|(?:and|but|either|or)(?![A-Za-z0-9])'
    r'|(?:(?:final\s+)?answer|ranking)(?=[\s*_`"\']*[:：>])'
    r')',
    re.IGNORECASE | re.MULTILINE,
)
_PUNCTUATION = r' \t.,;:!?/|&+=<>(){}\[\]#*_`"\'“”‘’•–—…→、，；：。！？＞-'
_NUMBERS_ALONE = re.compile(rf'^[{_PUNCTUATION}]*[0-9][0-9{_PUNCTUATION}]*$', re.MULTILINE)

_BARE_NUMBER = re.compile(
    r'[#\s*_`"\']*(?:(?:final\s+)?answer[\s*_`"\']*[:：][\s*_`"\']*)?([0-9]+)\.?[\s*_`"\']*', re.IGNORECASE
)


def read_ranking(reply: str, sentences: int) -> Optional[list[int]]:
    """Read the ranking out of a reply to a selection question.

    The ranking is the last block of consecutive lines that hold bracketed numbers; in a reply without any bracket, the
    last block of consecutive lines that hold nothing but numbers and separators, after an optional label ``ranking:``.
    The form that the prompt shows, repeated word for word, is not read, unless the list goes on after it.

    Args:
        reply: The model's text, of any length and content.
        sentences: How many sentences were shown; their numbers are 1 to ``sentences``.

    Returns:
        Numbers of shown sentences, best first, none twice; ``None`` where the reply holds no ranking.
    """
    text = _SHOWN_FORM.sub('', _answer_text(reply))
    digits = _bracketed_numbers(text)
    if not digits and '[' not in text and ']' not in text:
        digits = _number_lines(text)
    return _shown(digits, sentences) or None


def read_listing(reply: str, sentences: int) -> Optional[list[int]]:
    """Read the sentences listed in a reply to a triggering question.

    Listed are the bracketed numbers of the last block of consecutive lines that hold any, or the number that is the
    whole reply (``answer:`` may stand before it). A reply declines with ``NONE``, "None." as a sentence of its own,
    "no sentence(s)" or "none of the sentences". A decline beside numbers, with nothing else on their line, is none;
    numbers in a sentence ("None. The lamp was lit in 1871.") leave it as it is.

    Args:
        reply: The model's text, of any length and content.
        sentences: How many sentences were shown; their numbers are 1 to ``sentences``.

    Returns:
        Numbers of shown sentences, best first, none twice; ``[]`` where the reply declines; ``None`` where it does
        neither, or both.
    """
    text = _answer_text(reply)
    digits = _bracketed_numbers(text)
    declined = _declines(text)
    if digits:
        return None if declined or _OR_NONE.search(text) else _shown(digits, sentences) or None
    if declined:
        return None if _holds_numbers(text) else []
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


def _holds_numbers(text: str) -> bool:
    """Whether a reply that declines also gives numbers: "17 or NONE" is both answers at once, hence neither."""
    return bool(_NUMBER_OR_NONE.search(text) or _NUMBERS_ALONE.search(_AROUND_NUMBERS.sub('', text)))


def _bracketed_numbers(text: str) -> list[str]:
    """The bracketed numbers of the last block of consecutive lines that hold any, in order."""
    numbers: list[str] = []
    end = 0
    for match in _BRACKETED.finditer(text):
        start, next_end = match.span()
        if start - end > 1 and text.count('\n', end, start) > 1:
            numbers.clear()
        numbers.append(match[1])
        end = next_end
    return _DIGITS.findall(' '.join(numbers))


def _number_lines(text: str) -> list[str]:
    """The numbers of the last block of consecutive lines that hold nothing but numbers and separators, in order."""
    first = end = -1
    for match in _NUMBER_LINES.finditer(text):
        start, next_end = match.span()
        if start != end:
            first = start
        end = next_end
    return _DIGITS.findall(text, first, end) if end >= 0 else []


def _shown(digits: list[str], sentences: int) -> list[int]:
    """Return the numbers from 1 to ``sentences`` among strings of digits, each at its first place."""
    # int() refuses strings of thousands of digits, so longer ones than the largest number shown are left out before.
    longest = len(str(sentences))
    significant = dict.fromkeys(number.lstrip('0') for number in dict.fromkeys(digits))
    numbers = (int(number) for number in significant if 0 < len(number) <= longest)
    return [number for number in numbers if number <= sentences]
