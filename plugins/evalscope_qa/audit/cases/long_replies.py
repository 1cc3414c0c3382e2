"""Long replies: those of a model caught in a loop."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LONGEST = 200_000
"""Characters: some 50,000 tokens, the longest that today's reasoning models write."""

_PIECES = (
    'a',
    ' ',
    '\n',
    '1',
    '1 ',
    '1,',
    '(',
    '[',
    '{',
    '$',
    '"',
    '*',
    '-',
    '<',
    '<think>',
    'A ',
    'word ',
    'The answer is ',
    'ANSWER: ',
    '答案：',
    '\\boxed{',
    '\\frac{',
    'yes no ',
)
_INSIDE = (' ', '1 ', '(', '<', 'word ')
"""What is repeated inside a format too."""


@dataclass(frozen=True)
class Loop:
    """A reply that repeats one piece of text, with something before and behind.

    >>> Loop('1 ', after='x').name(1000)
    "'1 ' repeated 1,000 times, then 'x'"
    >>> Loop('(', before='ANSWER: ').expression(26)
    "'ANSWER: ' + '(' * 26"
    """

    piece: str
    before: str = ''
    after: str = ''

    def text(self, times: int) -> str:
        return f'{self.before}{self.piece * times}{self.after}'

    @property
    def in_a_format(self) -> bool:
        """Whether more than a character stands around the pieces."""
        return len(self.before) + len(self.after) > 1

    def times(self, length: int) -> int:
        """Return how often the piece fits into so many characters; at least once."""
        return max(1, length // len(self.piece))

    def name(self, times: int) -> str:
        before = f'{self.before!r}, then ' if self.before else ''
        after = f', then {self.after!r}' if self.after else ''
        return f'{before}{self.piece!r} repeated {times:,} times{after}'

    def expression(self, times: int) -> str:
        """Return the reply as Python that can be pasted."""
        before = f'{self.before!r} + ' if self.before else ''
        after = f' + {self.after!r}' if self.after else ''
        return f'{before}{self.piece!r} * {times:_}{after}'


def loops(formats: Sequence[str] = ()) -> Iterator[Loop]:
    """Yield loops of many pieces: bare, with another character behind, and inside the first of the formats.

    A pattern such as ``\\s+$`` is quick over blanks alone, and takes its time where something else follows them: a
    letter, or an exclamation mark behind letters and digits, so that no class of characters goes on.

    Args:
        formats: Templates with ``{answer}``, in which replies to a benchmark are right.
    """
    for piece in _PIECES:
        yield Loop(piece)
        yield Loop(piece, after='!' if piece[-1].isalnum() else 'x')
    for form in formats[:1]:
        before, _, after = form.partition('{answer}')
        if before or after:
            yield from (Loop(piece, before, after) for piece in _INSIDE)
