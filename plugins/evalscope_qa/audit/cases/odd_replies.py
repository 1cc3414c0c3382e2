"""Odd replies that must not break scoring."""

from collections.abc import Sequence

_HOSTILE = (
    '\x00',
    '\ud800',
    'Z',
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

_DEEP = tuple(bracket * 1_100 for bracket in '([{')
"""Deeper than Python lets a function call itself."""


def hostile_replies(formats: Sequence[str]) -> list[str]:
    """Return odd but possible replies that must not break scoring, bare and inside the reply formats that work.

    Args:
        formats: Templates with ``{answer}``.
    """
    inside = (form.replace('{answer}', text) for form in formats for text in _HOSTILE)
    return list(dict.fromkeys([*_HOSTILE, *_DEEP, *inside]))
