"""The reply proper: a reply without its reasoning, tokens of chat templates, other turns, and repeats of the prompt.

The first step of ``docs/reading.md``, the same for every benchmark.
"""

import re
from typing import NamedTuple

from .echo import Prompt, drop_echo
from .length import both_ends_of
from .reasoning import without_reasoning
from .tables import REFUSALS, STOP_TOKENS, TURN_OPENINGS, TURN_TOKENS


def _token_pattern(tokens: tuple[str, ...]) -> 're.Pattern[str]':
    """All tokens, those that begin alike behind one beginning, which is looked at once."""
    rests: dict[str, list[str]] = {r'<\|': [], '<': [], r'\[': []}
    for token in sorted(tokens, key=len, reverse=True):
        beginning = r'<\|' if token.startswith('<|') else re.escape(token[0])
        rests[beginning].append(re.escape(token[len(beginning.replace('\\', '')) :]))
    return re.compile('|'.join(f'{begin}(?:{"|".join(rest)})' for begin, rest in rests.items()), re.IGNORECASE)


_TOKEN = _token_pattern(STOP_TOKENS + TURN_TOKENS)
_TURN_TOKENS = frozenset(map(str.lower, TURN_TOKENS))
_TOKEN_STARTS = '<['


def _instead_of_token(token: 're.Match[str]') -> str:
    return '\nUser: ' if token[0].lower() in _TURN_TOKENS else '\n'


def _opening_pattern(opening: str) -> str:
    if opening.endswith(':'):
        return rf'{re.escape(opening[:-1])}[ \t]{{0,3}}\d{{0,4}}[*_]{{0,2}}[ \t]?[:：]'
    return re.escape(opening)


_TURN = re.compile(
    rf'^[ \t>*#_-]{{0,12}}(?:{"|".join(map(_opening_pattern, TURN_OPENINGS))})', re.IGNORECASE | re.MULTILINE
)
_TRANSCRIPT = re.compile(r'\s*(?:<\|im_start\|>)?(?:user|human)\s{0,3}:', re.IGNORECASE)
_ASSISTANT = re.compile(r'^[ \t]*(?:assistant|model)[ \t]*:', re.IGNORECASE | re.MULTILINE)
_UNICODE = {
    **dict.fromkeys(map(ord, '\xad\u200b\u200c\u200d\u2060\ufeff')),
    **dict.fromkeys(map(ord, '\x85\u2028\u2029'), '\n'),
}
"""Invisible characters, and line ends of Unicode."""
_ANY_OF_UNICODE = re.compile(f'[{"".join(map(chr, _UNICODE))}]')


class Proper(NamedTuple):
    """What of a reply is read."""

    text: str
    cut_off: bool = False
    """Whether the reply ended in its reasoning."""
    echo: bool = False
    """Whether a repeat of the prompt was dropped."""

    @property
    def unanswered(self) -> str:
        """Why there is nothing to read; empty where there is something."""
        if self.text:
            return ''
        return 'cut off' if self.cut_off else 'echo' if self.echo else 'empty'


def reply_proper(reply: str, prompt: Prompt | str = '') -> Proper:
    """Return what of a reply is read, in time linear in its length.

    Args:
        reply: The model's text, of any length and content; of a very long one the two ends (``length``) are read.
        prompt: What the model was asked, as text or with its template; empty where it is not known.

    Returns:
        The text without white space around it. Line ends are ``\\n``, invisible characters are gone.
    """
    text, cut_off = without_reasoning(both_ends_of(reply))
    if not text.isascii() and _ANY_OF_UNICODE.search(text):
        text = text.translate(_UNICODE)
    if '\r' in text:
        text = text.replace('\r\n', '\n').replace('\r', '\n')
    if any(character in text for character in _TOKEN_STARTS):
        text = _TOKEN.sub(_instead_of_token, text)
    if _TRANSCRIPT.match(text):
        turn = None
        for found in _ASSISTANT.finditer(text):
            turn = found
        text = text[turn.end() :] if turn is not None else text
    text = text.strip()
    if not prompt or not text:
        return Proper(text, cut_off)
    kept = drop_echo(text, prompt if isinstance(prompt, Prompt) else Prompt(prompt))
    return Proper(kept, cut_off, kept != text)


def next_turn(text: str, after: int) -> int:
    """Return where another turn or another question begins in ``text`` behind ``after``; its length where none does."""
    turn = _TURN.search(text, after)
    return len(text) if turn is None else turn.start()


_REFUSAL = re.compile(f'(?=[acdilnsu\\u4e00-\\u9fff])(?:{"|".join(REFUSALS)})')
"""What a reply says that does not answer, in lower case; looking at the first letter first is four times as fast."""
_ENDS = 300


def both_ends(text: str) -> set[str]:
    """The beginning and the end of a reply, in which a refusal is looked for."""
    return {text[:_ENDS], text[-_ENDS:]}


def says_no_answer(text: str) -> bool:
    """Whether a text says why it does not answer."""
    return _REFUSAL.search(text.lower()) is not None
