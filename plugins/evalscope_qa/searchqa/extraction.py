"""Takes the answer out of a reply.

The rules, for a reply without its reasoning:

1. The text after the last ``<answer>`` tag, in any case and across lines, up to the ``</answer>`` that follows it, or
   to the end where none does: the reply was cut off, or the server stopped at the closing tag and left it out.
2. Without an opening tag but with a closing one (the prompt's prefill held the opening tag): the last non-empty line
   before the last closing tag.
3. Without a tag, the last non-empty line.

The result is stripped. Blank means unanswered.
"""

import re

from ..reasoning import strip_reasoning

_OPENING = re.compile('<answer>', re.IGNORECASE | re.ASCII)
_CLOSING = re.compile('</answer>', re.IGNORECASE | re.ASCII)


def extract_answer(reply: str) -> str:
    """Return the short answer that a reply gives.

    Takes time linear in the length of the reply and never raises.

    Args:
        reply: The model's text, of any length and content.

    Returns:
        The answer without white space around it; an empty string where the reply gives none.
    """
    text = strip_reasoning(reply)
    start = _last_end(_OPENING, text)
    if start is not None:
        closing = _CLOSING.search(text, start)
        return text[start : closing.start() if closing else len(text)].strip()
    closing_end = _last_end(_CLOSING, text)
    if closing_end is not None:
        text = text[: closing_end - len('</answer>')]
    return _last_line(text)


def _last_end(tag: 're.Pattern[str]', text: str) -> 'int | None':
    """Position after the last occurrence of ``tag``, None where there is none."""
    end = None
    for match in tag.finditer(text):
        end = match.end()
    return end


def _last_line(text: str) -> str:
    """The last line that is not blank, stripped; an empty string where there is none."""
    lines = text.rstrip()
    # The first cut is fast and leaves one line; splitlines() then cuts at the rarer line ends, such as a bare '\r'.
    line = lines[lines.rfind('\n') + 1 :].splitlines()
    return line[-1].strip() if line else ''
