"""Odd and long replies that must neither break scoring nor hold it up."""

from collections.abc import Iterator, Sequence

_HOSTILE = (
    '\x00',
    '²',
    '①',
    '٣',
    '½',
    '-',
    '+',
    '/',
    '1/0',
    '1e999',
    'inf',
    'nan',
    '-0',
    '9' * 400,
    '9' * 5000,
    '0.' + '3' * 400,
    '(',
    ')',
    '[',
    '[]',
    '[[]]',
    '[null]',
    '[1, [2, 3]]',
    '[1, 2, 3, 4, 5]',
    '["a", 1, null]',
    '{',
    '{}',
    'null',
    'true',
    '"',
    '{"answer": null}',
    '{"answer": []}',
    '{"answer": {"a": 1}}',
    '```json\n```',
    '```json\n{"answer": \n```',
    '\\',
    '\\boxed{',
    '\\boxed{}',
    '\\frac{1}{0}',
    '\\sqrt{',
    '<answer>',
    '</answer><answer>',
    '</think>',
    '%s %d {0} {name}',
    'ANSWER:',
    '答案：',
    'x = = y',
    '1:2:3',
    '😀',
)


def hostile_replies(formats: Sequence[str]) -> list[str]:
    """Return odd but possible replies that must not break scoring, bare and inside the reply formats that work.

    Args:
        formats: Templates with ``{answer}``.
    """
    return list(dict.fromkeys([*_HOSTILE, *(form.replace('{answer}', text) for form in formats for text in _HOSTILE)]))


_REPEATED = (
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
REPLY_LENGTHS = (20_000, 200_000)
"""Characters: a long reply, and the longest that today's reasoning models write."""


def long_replies() -> Iterator[tuple[str, str]]:
    """Yield name and text of replies of a model caught in a loop, the shorter ones first."""
    for length in REPLY_LENGTHS:
        for unit in _REPEATED:
            count = length // len(unit)
            yield f'{unit!r} repeated {count:,} times', unit * count
