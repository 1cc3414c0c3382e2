"""Reads the letters of the options that a reply chooses, where any number of them may be right.

What a statement is, is decided as for one letter (``docs/reading.md``); the difference is that a list is an answer. A
statement is of all letters that are right (``ANSWER: A, C``), but for ``A is correct``, which is of one and adds up.
"""

import re
from functools import lru_cache
from typing import Iterable, Sequence

from .echo import Prompt
from .labelled import by_lower_case_or_text, found_statements, why_unanswered
from .labels import Labels, option_labels, patterns
from .markup import plain
from .proper import reply_proper
from .result import Reading
from .statements import TICKED_RULE, Reader, Statement, introduced

_BARE = ' \n.!()'
_JOIN = r' ?(?:[,/&;] ?(?:and |or )?|and |or |[和与及])'
_MARK = r'\)?[).:] ?'
_BETWEEN_BOXES = re.compile(rf'.? ?\(?[A-Z]\)? ?.{{0,2}}{_JOIN} ?\(?', re.DOTALL)
_ADJACENT = re.compile(r'(?<=\([A-Z])\) ?\((?=[A-Z]\))')
_ANOTHER_LETTER = re.compile(rf'{_JOIN}\(?([A-Z])(?![\w\'])')
_LOWER_CASE = re.compile(
    rf'(?:answers?|options?|choices?|答案)(?: is| are)? ?[:=]? ?\(?([a-z](?:{_JOIN}[a-z])+)\)?[.)]?(?=\Z|\n)'
)


def read_letters(reply: str, options: int, prompt: Prompt | str = '', texts: Sequence[str] = ()) -> Reading[str]:
    """Read the letters of all options that a reply chooses, in time linear in its length; never raises.

    Args:
        reply: The model's text, of any length and content.
        options: How many options there are; their letters are ``A`` and the following.
        prompt: What the model was asked.
        texts: The options' texts in order, where they are known.

    Returns:
        The letters in the order of the options, and the rule that read them; or None and the reason, as of one letter.

    >>> read_letters('A is wrong. ANSWER: D, B', 4)
    Reading(answer='BD', rule='named')
    """
    labels = option_labels(options, texts, several=True)
    proper = reply_proper(reply, prompt)
    if not proper.text:
        return Reading(None, proper.unanswered)
    text = plain(proper.text)
    whole = text.strip(_BARE)
    if _compact(labels).fullmatch(whole) and _distinct(whole):
        return _answer(whole, 'standing')
    text, statements = found_statements(_spread(text, labels), labels)
    reading = _choose(text, statements, labels)
    if not reading.answered and reading.rule == 'nothing stated':
        reading = _by_lower_case(text, labels) or by_lower_case_or_text(text, labels) or reading
    return reading if reading.answered else Reading(None, why_unanswered(text, proper, labels, reading.rule))


@lru_cache(maxsize=64)
def _compact(labels: Labels) -> 're.Pattern[str]':
    return re.compile(rf'(?<![A-Za-z0-9_])[{"".join(labels.names)}]{{2,26}}(?![A-Za-z0-9_])')


def _distinct(letters: str) -> bool:
    return len(set(letters)) == len(letters)


def _spread(text: str, labels: Labels) -> str:
    """Write lists alike: without the options' texts (``A) one, C) two``), and with commas (``AC``, ``(A)(C)``)."""
    if labels.texts:
        options, all_options = _with_text(labels.names, labels.texts)
        text = options.sub(r'\1', all_options.sub('\n', text))
    text = _ADJACENT.sub(', ', text)
    return _compact(labels).sub(lambda run: ', '.join(run[0]) if _distinct(run[0]) else run[0], text)


@lru_cache(maxsize=64)
def _with_text(names: tuple[str, ...], texts: tuple[str, ...]) -> 'tuple[re.Pattern[str], re.Pattern[str]]':
    """A letter, which is group 1, with its mark and its option's text; and all options one after another."""
    options = [(name, f'{_MARK}(?i:{re.escape(plain(text))})') for name, text in zip(names, texts, strict=False)]
    any_option = '|'.join(f'(?<={name}){rest}' for name, rest in options)
    all_options = r'\s+\(?'.join(f'{name}{rest}' for name, rest in options)
    return re.compile(rf'(?<![^\W_])([{"".join(names)}])(?:{any_option})'), re.compile(rf'\(?{all_options}')


def _choose(text: str, statements: list[Statement], labels: Labels) -> Reading[str]:
    if not statements:
        return Reading(None, 'nothing stated')
    adding = [statement for statement in statements if _adds(text, statement, labels)]
    whole = [statement for statement in statements if statement not in adding]
    if not whole:
        return _answer({letter for statement in adding for letter in statement.values}, adding[-1].rule)
    left: frozenset[str] = frozenset()
    previous: Statement | None = None
    for statement in whole:
        values = _all_values(text, statement, labels)
        if previous is None or introduced(text, statement.position, previous.position)[0]:
            left = values
        elif statement.rule.endswith('boxed') and _BETWEEN_BOXES.fullmatch(text, previous.position, statement.position):
            left |= values
        elif left != values:
            return Reading(None, 'several')
        previous = statement
    return _answer(left, whole[-1].rule) if left else Reading(None, 'not an option')


def _adds(text: str, statement: Statement, labels: Labels) -> bool:
    """Whether a statement is of one of the right options, beside which there may be others."""
    if statement.rule != 'said':
        return statement.rule == TICKED_RULE
    run = patterns(labels).run.match(text, statement.position)
    return run is not None and Reader('', labels).confirmed(text[run.end() : run.end() + 90])


def _all_values(text: str, statement: Statement, labels: Labels) -> frozenset[str]:
    """The letters of a statement; none where one of its list is no option (``A, E`` of four)."""
    run = patterns(labels).run.match(text, statement.position)
    other = _ANOTHER_LETTER.match(text, run.end()) if run is not None else None
    return frozenset() if other is not None and other[1] not in labels.names else statement.values


def _by_lower_case(text: str, labels: Labels) -> Reading[str] | None:
    """A list of lower-case letters behind a label that names the answer."""
    found = {
        match[1] for match in _LOWER_CASE.finditer(text.lower()) if text[match.start(1) : match.end(1)] == match[1]
    }
    letters = {letter.upper() for run in found for letter in re.findall(r'\b[a-z]\b', run)}
    return _answer(letters, 'named') if len(found) == 1 and letters <= set(labels.names) else None


def _answer(letters: Iterable[str], rule: str) -> Reading[str]:
    return Reading(''.join(sorted(letters)), rule)
