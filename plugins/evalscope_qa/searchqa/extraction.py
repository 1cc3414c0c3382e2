"""Takes the answer out of a reply.

The rules, for a reply without its reasoning:

1. The text after the last ``<answer>`` tag, in any case and across lines, up to the ``</answer>`` that follows it, or
   to the end where none does: the reply was cut off, or the server stopped at the closing tag and left it out. Where it
   was cut off right behind that tag, the one before is the last. The tags may have attributes.
2. Without an opening tag but with a closing one (the prompt's prefill held the opening tag): the last non-empty line
   before the last closing tag.
3. Without a tag, the last non-empty line.

The result is stripped. Blank means unanswered.
"""

import re

from ..reading import strip_reasoning

_OPENING = re.compile(r'<answer(?:\s[^<>]*)?>', re.IGNORECASE | re.ASCII)
_CLOSING = re.compile(r'</answer\s*>', re.IGNORECASE | re.ASCII)


def extract_answer(reply: str) -> str:
    """Return the short answer that a reply gives.

    Takes time linear in the length of the reply and never raises.

    Args:
        reply: The model's text, of any length and content.

    Returns:
        The answer without white space around it; an empty string where the reply gives none.
    """
    text = strip_reasoning(reply)
    opening = _last(_OPENING, text)
    if opening is not None and not text[opening.end() :].strip():
        text = text[: opening.start()]
        opening = _last(_OPENING, text)
        if opening is None:
            return ''
    if opening is not None:
        closing = _CLOSING.search(text, opening.end())
        return text[opening.end() : closing.start() if closing else len(text)].strip()
    closing = _last(_CLOSING, text)
    return _last_line(text[: closing.start()] if closing else text)


def _last(tag: 're.Pattern[str]', text: str) -> 're.Match[str] | None':
    """The last occurrence of ``tag``, None where there is none."""
    last = None
    for match in tag.finditer(text):
        last = match
    return last


def _last_line(text: str) -> str:
    """The last line that is not blank, stripped; an empty string where there is none."""
    lines = text.rstrip()
    # The first cut is fast and leaves one line; splitlines() then cuts at the rarer line ends, such as a bare '\r'.
    line = lines[lines.rfind('\n') + 1 :].splitlines()
    return line[-1].strip() if line else ''
