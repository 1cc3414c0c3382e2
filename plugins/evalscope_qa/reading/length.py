"""The longest reply that is read whole: of a longer one its two ends, where answers stand.

A model caught in a loop writes as long as it is let. What reads a reply takes about a second for a few megabytes, and a
trainer that scores replies as it goes waits for each: with a bound, no reply takes longer than any other.
"""

import re

from .tables import REASONING_MARKERS

LONGEST_REPLY = 20_000
"""Characters of a reply that are read: so many, or half of them from either end."""

_MARKERS = (*(marker for pair in REASONING_MARKERS for marker in pair), '<|channel|>final<|message|>')
_EDGE = re.compile(r'[\s<>]')
_LONGEST_WORD = 100


def both_ends_of(reply: str) -> str:
    """Return ``reply``, or the two ends of one that is longer than :data:`LONGEST_REPLY`, on lines of their own.

    They end and begin between words or tags, where one ends nearby. Of what is between them the last marker of
    reasoning stays: it says whether the second end is reasoning.

    >>> both_ends_of('x' * 20_000 + '</THINK>' + 'y' * 20_000) == 'x' * 10_000 + '\\n</think>\\n' + 'y' * 10_000
    True
    """
    if len(reply) <= LONGEST_REPLY:
        return reply
    half = LONGEST_REPLY // 2
    between = reply[half:-half].lower()
    place, marker = max((between.rfind(marker), marker) for marker in _MARKERS)
    first, second = reply[:half], reply[-half:]
    edge = _EDGE.search(first[::-1], 0, _LONGEST_WORD)
    if edge is not None:
        first = first[: len(first) - edge.end() + (edge[0] == '>')]
    edge = _EDGE.search(second, 0, _LONGEST_WORD)
    if edge is not None:
        second = second[edge.end() - (edge[0] == '<') :]
    return '\n'.join([first, *([marker] if place >= 0 else []), second])
