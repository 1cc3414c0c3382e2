"""Reads the one label that a reply commits itself to: the third step of ``docs/reading.md``.

:func:`read_label` serves verdicts and the letters of options. It finds the statements of the reply proper, marked ones
and stated ones, and says which of several counts, or why none does.
"""

import re
from bisect import bisect_left
from functools import lru_cache
from typing import Sequence

from .echo import Prompt
from .labels import VERDICTS, Labels, find_lettering, option_labels, patterns
from .markup import BOX, CLOSE, KEY, TAG, plain
from .proper import Proper, both_ends, next_turn, reply_proper, says_no_answer
from .result import Reading
from .statements import OPENING_A_LINE, TICKED_RULE, Reader, Statement, explanation_start, introduced
from .tables import PLACEHOLDERS

_MARKED = re.compile(f'([{TAG}{BOX}{KEY}])([^{TAG}{BOX}{KEY}{CLOSE}]*)(?:{CLOSE}|\\Z)')
_SYMBOLS = re.compile(f'[{TAG}{BOX}{KEY}{CLOSE}]')
_MARKED_RULE = {TAG: 'marked: <answer>', BOX: 'marked: \\boxed', KEY: 'marked: key'}
_BARE = ' \n\t.!*_`"\'(){}'
_PART = re.compile(
    r'(?:^|(?<=[\s.;:]))(?:\(([a-h]|i{1,3}|iv|vi?)\)|(?:part|question|problem|case) \(?([a-z0-9])\)?)(?=[\s:.,)])', re.I
)
_PROBABILITY = re.compile(r'\)? ?[:=|] ?(?:~|about )?(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6}) ?(%?)')
_FLAG = re.compile(r'\)? ?[:=|] ?\(?(true|false)\b', re.IGNORECASE)


def read_verdict(reply: str, prompt: Prompt | str = '') -> Reading[str]:
    """Read the verdict ``'YES'``, ``'NO'`` or ``'MAYBE'`` of a reply.

    Args:
        reply: The model's text, of any length and content.
        prompt: What the model was asked; a template that letters the answers is known by it.

    Returns:
        The verdict and the rule that read it, or no verdict and the reason.
    """
    return read_label(reply, VERDICTS, prompt)


def read_letter(reply: str, options: int, prompt: Prompt | str = '', texts: Sequence[str] = ()) -> Reading[str]:
    """Read the letter of the one option that a reply chooses.

    Args:
        reply: The model's text, of any length and content.
        options: How many options there are; their letters are ``A`` and the following.
        prompt: What the model was asked.
        texts: The options' texts in order, where they are known.
    """
    return read_label(reply, option_labels(options, texts), prompt)


def read_label(reply: str, labels: Labels, prompt: Prompt | str = '') -> Reading[str]:
    """Read the label that a reply commits itself to, in time linear in its length; never raises.

    Args:
        reply: The model's text, of any length and content.
        labels: What an answer can be.
        prompt: What the model was asked.

    Returns:
        The label and the name of the rule that read it; or None and the reason: ``empty``, ``cut off``, ``echo``,
        ``refused``, ``several``, ``not an option`` or ``nothing stated``.
    """
    bare = reply.strip(_BARE) if len(reply) < 60 else ''
    if bare and labels.words and bare.lower() in labels.words:
        return Reading(labels.words[bare.lower()], 'standing')
    proper = reply_proper(reply, prompt)
    if not proper.text:
        return Reading(None, proper.unanswered)
    text = plain(proper.text)
    labels = _with_lettering(labels, text, prompt)
    text, statements = found_statements(text, labels)
    reading = _choose(text, statements)
    if reading.answered or reading.rule == 'several':
        return reading
    if labels.are_letters:
        reading = by_lower_case_or_text(text, labels) or reading
    return reading if reading.answered else Reading(None, why_unanswered(text, proper, labels, reading.rule))


def _with_lettering(labels: Labels, text: str, prompt: Prompt | str) -> Labels:
    """Let letters that the prompt or the reply puts before the labels stand for them."""
    if labels.are_letters:
        return labels
    template = prompt.template if isinstance(prompt, Prompt) else prompt
    asked = _template_lettering(template, labels) if template else {}
    lettering = asked or find_lettering(text, labels)
    return Labels(labels.names, labels.words, lettering, bool(asked)) if lettering else labels


@lru_cache(maxsize=64)
def _template_lettering(template: str, labels: Labels) -> dict[str, str]:
    return find_lettering(template, labels)


def found_statements(text: str, labels: Labels) -> tuple[str, list[Statement]]:
    """Plain text without symbols, and the statements that count: marked ones, else the others."""
    marked = _marked(text, labels) if _SYMBOLS.search(text) else []
    text = _SYMBOLS.sub(' ', text)
    reader = Reader(text, labels)
    stated = reader.statements(marked[-1].position if marked else 0)
    if all(statement.rule == OPENING_A_LINE for statement in stated):
        stated = []
    if not marked:
        marked = sorted([*(s for s in stated if s.rule == TICKED_RULE), *_weighed(reader)])
    if not marked:
        return text, _outside_explanations(text, _before_next_turn(text, stated))
    behind = [s for s in stated if s.position > marked[-1].position and introduced(text, s.position)[0]]
    return text, _before_next_turn(text, [*marked, *behind])


def _marked(text: str, labels: Labels) -> list[Statement]:
    """The statements in places made for the answer; their positions are those of the symbols."""
    statements = []
    known: dict[str, frozenset[str]] = {}
    for mark in _MARKED.finditer(text):
        content = mark[2].strip(' \n()')
        if not content or content.casefold() in PLACEHOLDERS:
            continue
        if content not in known:
            known[content] = _marked_values(content, labels)
        statements.append(Statement(mark.start(), known[content], _MARKED_RULE[mark[1]]))
    # A key of JSON whose value is no label settles that there is none; a box may hold a value on the way to it.
    return [s for s in statements if s.values] or [s for s in statements if s.rule == _MARKED_RULE[KEY]]


def _marked_values(content: str, labels: Labels) -> frozenset[str]:
    """The label of a marked answer; several where it holds a list, none where it holds none."""
    bare = content.strip(_BARE + ':,')
    may_be_label = len(bare) <= 12 and (not labels.are_letters or len(bare) == 1 or bare.isdigit())
    value = labels.value(bare) if may_be_label else None
    if value is not None and len(labels.values(bare)) < 2:  # not 'yes/no'
        return frozenset((value,))
    statements = Reader(content, labels).statements()
    if statements:
        return _left_after_corrections(content, statements)
    first = patterns(labels).run.search(content)
    if first is not None and not content[: first.start()].strip(_BARE):
        values = labels.values(first[0])
        if 1 < len(values) < len(labels.names) or labels.several:
            return values
    letter = _option_of_text(content, labels)
    return frozenset((letter,)) if letter else frozenset()


def _weighed(reader: Reader) -> list[Statement]:
    """The label that a table of labels gives the highest probability, or alone calls true."""
    weights: dict[str, float] = {}
    true: set[str] = set()
    false: set[str] = set()
    for _, values, behind in reader.weighed:
        value = next(iter(values)) if len(values) == 1 else None
        flag, number = _FLAG.match(behind), _PROBABILITY.match(behind)
        if value is not None and flag is not None:
            (true if flag[1].lower() == 'true' else false).add(value)
        elif value is not None and number is not None:
            weights[value] = float(number[1])
    if (len(true) == 1 or (true and reader.labels.several)) and false and true.isdisjoint(false):
        return [Statement(reader.weighed[-1][0], frozenset(true), 'marked: true')]
    total = sum(weights.values())
    if len(weights) == len(reader.labels.names) and any(abs(total - whole) <= whole / 50 for whole in (1, 100)):
        highest = max(weights.values())
        best = frozenset(value for value, weight in weights.items() if weight == highest)
        return [Statement(reader.weighed[-1][0], best, 'marked: probabilities')]
    return []


def _before_next_turn(text: str, statements: list[Statement]) -> list[Statement]:
    if len({statement.values for statement in statements}) < 2:
        return statements
    end = next_turn(text, statements[0].position)
    return [statement for statement in statements if statement.position < end]


def _outside_explanations(text: str, statements: list[Statement]) -> list[Statement]:
    """Leave out what an explanation behind an answer states, but for a final statement or another answer's heading."""
    if len({statement.values for statement in statements}) < 2:
        return statements
    kept = [statements[0]]
    start = explanation_start(text, statements[0].position)
    for statement in statements[1:]:
        if statement.position >= start and statement.rule == 'named' and _opens_line(text, statement.position):
            start = explanation_start(text, statement.position)
        if statement.position < start or introduced(text, statement.position)[1]:
            kept.append(statement)
    return kept


def _opens_line(text: str, position: int) -> bool:
    """Whether a label and the words that name it stand at the start of a line."""
    return position <= 60 or text.rfind('\n', position - 60, position) >= 0


def _left_after_corrections(text: str, statements: Sequence[Statement]) -> frozenset[str]:
    """Which values are left when a correction replaces what was stated before it."""
    left: frozenset[str] = frozenset()
    previous = 0
    for statement in statements:
        if statement.values != left:
            corrects = bool(left) and introduced(text, statement.position, previous)[0]
            left = statement.values if corrects else left | statement.values
        previous = statement.position
    return left


def _choose(text: str, statements: list[Statement]) -> Reading[str]:
    if not statements:
        return Reading(None, 'nothing stated')
    stated = frozenset().union(*(statement.values for statement in statements))
    values = stated
    if len(stated) > 1:
        parts = _last_part(text, statements)
        if parts < 0:
            values = _left_after_corrections(text, statements)
        else:
            overall = [s for s in statements if s.position > parts and introduced(text, s.position)[1]]
            values = _left_after_corrections(text, overall) or stated
    if len(values) == 1:
        rule = next(statement.rule for statement in reversed(statements) if statement.values == values)
        return Reading(next(iter(values)), rule)
    return Reading(None, 'several' if values else 'not an option')


def _last_part(text: str, statements: list[Statement]) -> int:
    """Where the last part begins of a reply whose parts state answers of their own; -1 where it has no such parts."""
    marks = [(mark.start(), (mark[1] or mark[2]).lower()) for mark in _PART.finditer(text)]
    if len({name for _, name in marks}) < 2:
        return -1
    starts = [start for start, _ in marks]
    owners = {}
    for statement in statements:
        before = bisect_left(starts, statement.position)
        if before:
            owners[marks[before - 1][1]] = starts[before - 1]
    return max(owners.values()) if len(owners) > 1 else -1


# One pattern a name, each of which begins with what can be searched for fast.
_LOWER_CASE = [
    re.compile(rf'{name}(?<!\w{name})(?: is)? ?[:=]? ?\(?([a-z])\)?[.)]?(?=\Z|\n)')
    for name in ('answer', 'option', 'choice', '答案')
]
_LOWER_CASE_ALONE = re.compile(r'\(?([a-z])\)?[.)]?')
_STATED_TEXT = [
    re.compile(rf'{name}[^\n.:]{{0,80}}?(?: is| would be| must be| should be|是|为|:):? ?(?:that )?([^\n]{{1,300}})')
    for name in ('answer', 'option', 'choice', 'conclusion', '答案')
]


def by_lower_case_or_text(text: str, labels: Labels) -> Reading[str] | None:
    """A lower-case letter behind a label that names the answer, or a statement of exactly one option's text."""
    lower = text.lower()
    alone = _LOWER_CASE_ALONE.fullmatch(lower)
    named = [m[1] for pattern in _LOWER_CASE for m in pattern.finditer(lower) if text[m.start(1) : m.end(1)] == m[1]]
    letters = {letter.upper() for letter in ([alone[1]] if alone else named)}.intersection(labels.names)
    if len(letters) == 1:
        return Reading(letters.pop(), 'named')
    if not labels.texts:
        return None
    found = {letter for content in _stated_texts(lower) if (letter := _option_of_text(content, labels))}
    if len(found) == 1:
        return Reading(found.pop(), 'said: text')
    return Reading(None, 'several') if found else None


def _stated_texts(text: str) -> list[str]:
    """What a reply states, as text: behind what names the answer, and its last line."""
    texts = [match[1] for pattern in _STATED_TEXT for match in pattern.finditer(text)]
    return [*texts, text.rstrip()[text.rstrip().rfind('\n') + 1 :][:1000]]


@lru_cache(maxsize=256)
def _normal_texts(texts: tuple[str, ...]) -> dict[str, int | None]:
    """Place of an option by its normalised text; None for a text of two options."""
    places: dict[str, int | None] = {}
    for index, text in enumerate(texts):
        key = _normal(plain(text))
        places[key] = None if key in places else index
    return places


def _normal(text: str) -> str:
    return ' '.join(text.casefold().strip(' \n.,;:!()\'"').split())


def _option_of_text(content: str, labels: Labels) -> str | None:
    """The letter of the option whose text ``content`` is, or begins with as a sentence of its own."""
    if not labels.texts:
        return None
    places = _normal_texts(labels.texts)
    for piece in (content, content.split('. ')[0], content.split('\n')[0]):
        place = places.get(_normal(piece))
        if place is not None and place < len(labels.names):
            return labels.names[place]
    return None


def why_unanswered(text: str, proper: Proper, labels: Labels, reason: str) -> str:
    """Why a reply that states nothing is unanswered."""
    if proper.cut_off:
        return 'cut off'
    if reason == 'nothing stated' and any(map(says_no_answer, both_ends(text))):
        return 'refused'
    if reason == 'nothing stated' and proper.echo and len(text) < 40:
        return 'echo'
    return reason
