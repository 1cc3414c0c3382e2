"""Strips reasoning blocks from a reply: text a model wrote for itself is never its answer."""

import re
from collections import Counter
from typing import NamedTuple

from .tables import REASONING_MARKERS

_OPEN_BRACKET, _CLOSE_BRACKET = '[<＜]', '[>＞]'


def _marker_pattern() -> 're.Pattern[str]':
    """All markers in one pattern: ``name`` is set in every match, ``closing`` in that of a closing marker."""
    names = '|'.join(re.escape(opening[1:-1]) for opening, _ in REASONING_MARKERS if _in_angles(opening))
    alternatives = [
        # Nothing but what is no bracket up to the end: each character is then scanned once, whatever stands there.
        rf'{_OPEN_BRACKET}(?P<slash>/?)(?P<angle>{names})(?=[\s/>＞])[^<>＜＞]*{_CLOSE_BRACKET}'
    ]
    others = [pair for pair in REASONING_MARKERS if not _in_angles(pair[0])]
    alternatives += [re.escape(marker) for pair in others for marker in pair]
    return re.compile('|'.join(alternatives), re.IGNORECASE)


def _in_angles(opening: str) -> bool:
    return opening.startswith('<') and not opening.startswith('<|')


_MARKER = _marker_pattern()
_CLOSING = frozenset(closing for _, closing in REASONING_MARKERS)
_OPENING_OF = {closing: opening for opening, closing in REASONING_MARKERS}

# Transcripts in OpenAI's harmony format, https://cookbook.openai.com/articles/openai-harmony.
_CHANNEL = re.compile(r'<\|channel\|>\s*(\w+)[^<]*<\|message\|>')
_END_OF_MESSAGE = re.compile(r'<\|(?:end|return|call|start)\|>')
_STRIPPED_FINAL = re.compile(r'assistant\s*final(?:message)?(?![a-z])')
_STRIPPED_ANALYSIS = re.compile(r'\s*(?:assistant)?(?:analysis|commentary)(?P<word>[^\sa-z:.,-])?')


class Unreasoned(NamedTuple):
    """A reply without its reasoning."""

    text: str
    cut_off: bool
    """Whether reasoning was opened and never closed: the reply ended in it."""


def strip_reasoning(reply: str) -> str:
    """Return ``reply`` without its reasoning; see :func:`without_reasoning`."""
    return without_reasoning(reply).text


def without_reasoning(reply: str) -> Unreasoned:
    """Take the reasoning off ``reply``, in time linear in its length.

    Dropped are the blocks between two markers of ``tables.REASONING_MARKERS`` (in any case, with attributes, nested),
    everything before a closing marker that was never opened (the opening one was part of the prompt), and everything
    after an opening marker that is never closed (the reply was cut off while reasoning). A closing marker ends the
    latest block of its own kind with all that began inside it; where none of its kind is open, the latest block. The
    same opening marker twice in a row is one: chat templates add it, and models write it again. A block in the middle
    leaves one space, so that the words around it do not grow together. Of a harmony transcript the last message of the
    final channel is kept.

    Args:
        reply: The model's text, of any length and content.

    Returns:
        The text outside reasoning; ``reply`` itself where it holds none.
    """
    if '<|channel|>' in reply:
        return _final_channel(reply)
    if 'analysis' in reply[:40] or 'commentary' in reply[:40]:
        stripped = _stripped_channels(reply)
        if stripped is not None:
            return stripped
    if not any(character in reply for character in '<[◁＜'):
        return Unreasoned(reply, False)
    kept: list[str] = []
    kinds: list[str] = []
    open_blocks: Counter[str] = Counter()
    position = 0
    just_opened = ''
    for marker in _MARKER.finditer(reply):
        kind, closing = _kind(marker)
        repeated = kind == just_opened and not reply[position : marker.start()].strip()
        just_opened = ''
        if closing:
            if not kinds:
                kept.clear()
            elif open_blocks[kind]:
                while kinds[-1] != kind:
                    open_blocks[kinds.pop()] -= 1
            if kinds:
                open_blocks[kinds.pop()] -= 1
        else:
            if not kinds:
                kept.append(reply[position : marker.start()])
            if not marker[0].endswith(('/>', '/＞')):
                just_opened = kind
                if not repeated:
                    kinds.append(kind)
                    open_blocks[kind] += 1
        position = marker.end()
    if not kinds:
        kept.append(reply[position:])
    return Unreasoned(' '.join(piece for piece in kept if piece), bool(kinds))


def _kind(marker: 're.Match[str]') -> tuple[str, bool]:
    """The opening marker of a marker's pair, and whether it is the closing one."""
    if marker['angle']:
        return marker['angle'].lower(), bool(marker['slash'])
    text = marker[0].lower()
    return _OPENING_OF.get(text, text), text in _CLOSING


def _final_channel(reply: str) -> Unreasoned:
    """What stands in the final channel of a harmony transcript."""
    final = None
    for channel in _CHANNEL.finditer(reply):
        if channel[1].lower() == 'final':
            final = channel.end()
    if final is None:
        return Unreasoned('', True)
    end = _END_OF_MESSAGE.search(reply, final)
    return Unreasoned(reply[final : end.start() if end else len(reply)], False)


def _stripped_channels(reply: str) -> Unreasoned | None:
    """The same where a server stripped the special tokens and left the words; None where the reply is no such."""
    analysis = _STRIPPED_ANALYSIS.match(reply)
    if analysis is None:
        return None
    final = None
    for mark in _STRIPPED_FINAL.finditer(reply):
        final = mark.end()
    if final is not None:
        return Unreasoned(reply[final:], False)
    # Without a final message: a word that stands where the token was, "analysisThe", gives the channel away.
    return Unreasoned('', True) if analysis['word'] else None
