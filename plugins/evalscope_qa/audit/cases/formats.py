"""Finds the reply format that a prompt asks for, and fills formats with an answer."""

import re

ANSWER = '{answer}'
"""The field of a format; a format is filled by replacing it, so that braces in LaTeX need no escape."""

COMMON_FORMATS = (
    ANSWER,
    'ANSWER: {answer}',
    'Answer: {answer}',
    'Final Answer: {answer}',
    'The answer is {answer}',
    'The answer is {answer}.',
    'So the answer is {answer}.',
    'The final answer is {answer}.',
    'Therefore, the answer is ({answer}).',
    '答案：{answer}',
    '答案是{answer}。',
    '\\boxed{{answer}}',
    '$\\boxed{{answer}}$',
    '<answer>{answer}</answer>',
    '[[{answer}]]',
    '({answer})',
    '[{answer}]',
    '`{answer}`',
    '"{answer}"',
    '{"answer": "{answer}"}',
    '{"answer": {answer}}',
    '```json\n{"answer": "{answer}"}\n```',
    '<response>{answer}</response>',
    '[ANSWER]{answer}[/ANSWER]',
    'Exact Answer: {answer}',
)
"""Formats that benchmarks commonly read; tried where the prompt names none."""

_WORD = r'[^\[\]<>{}\n]{0,20}'
_ANSWER_WORD = rf'(?:LETTERS?|{_WORD}(?:answer|ANSWER|option|OPTION|letter|choice|答案|选项|number){_WORD})'
_LABELLED = re.compile(
    r'(?P<label>(?:[Tt]he )?(?:[Ff]inal |[Cc]orrect |Exact |FINAL )?(?:ANSWER|[Aa]nswer)(?: is)?\s?[:：]?\s?|'
    rf'答案(?:是)?\s?[:：]?\s?)(?:\[|<|\$)(?:{_ANSWER_WORD})(?:\]|>|(?=["\'\s]))'
)
_QUOTED = re.compile(
    r'["\'`“](?P<before>[^"\'`“”\n\[\]<>]{0,60})[\[<]'
    + _ANSWER_WORD
    + r'[\]>](?P<after>[^"\'`“”\n\[\]<>]{0,20})["\'`”]'
)
_BOXED = re.compile(r'\\boxed\{\s*(?:' + _ANSWER_WORD + r')?\s*\}')
_LAST_LINE = re.compile(r'^(?P<label>[A-Z]\w[\w ]{0,20}:\s?)<(?P<word>\w[\w ]{0,20})>\s*$', re.MULTILINE)
_TAGGED = re.compile(r'<answer>.{0,200}?</answer>', re.DOTALL)


def fill(form: str, answer: str) -> str:
    """Return the format with the answer in it.

    >>> print(fill(r'\\boxed{{answer}}', '4'))
    \\boxed{4}
    """
    return form.replace(ANSWER, answer)


def requested_formats(prompt: str) -> list[str]:
    """Return the formats that a prompt spells out with a placeholder, in the order they occur.

    Recognised are a quoted line with a placeholder (``"So the answer is [ANSWER]"``), a label with one (``ANSWER:
    [LETTER]``, ``答案：[LETTER]``), ``Program: <program>`` on a line of its own, an empty ``\\boxed{}`` and
    ``<answer>…</answer>``. A prompt that describes its format in prose gives none.

    >>> requested_formats("The last line of your reply has the form 'ANSWER: [LETTER]'.")
    ['ANSWER: {answer}']
    >>> requested_formats('Answer with one word.')
    []
    """
    quoted = list(_QUOTED.finditer(prompt))
    found = [(match.start(), match['before'] + ANSWER + match['after']) for match in quoted]
    found += [
        (match.start(), match['label'] + ANSWER)
        for match in _LABELLED.finditer(prompt)
        if not any(quote.start() <= match.start() < quote.end() for quote in quoted)
    ]
    found += [(match.start(), '\\boxed{{answer}}') for match in _BOXED.finditer(prompt)]
    found += [(match.start(), match['label'] + ANSWER) for match in _LAST_LINE.finditer(prompt)]
    found += [(match.start(), '<answer>{answer}</answer>') for match in _TAGGED.finditer(prompt)]
    return list(dict.fromkeys(form for _, form in sorted(found)))
