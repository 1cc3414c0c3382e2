"""Reads the gold of an example question, replaces it, and makes variants of the question with other golds."""

import ast
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...engine import prompt_text
from ..measures import Measured, Metric
from .formats import ANSWER, requested_formats
from .non_answers import is_abstention

if TYPE_CHECKING:
    from evalscope.api.dataset import Sample

Target = str | list[str]

LETTER = 'letter'
LABEL = 'label'
NUMBER = 'number'
TEXT = 'text'

_LABEL_SETS = (
    ('yes', 'no'),
    ('yes', 'no', 'maybe'),
    ('true', 'false'),
    ('对', '错'),
    ('是', '否'),
    ('正确', '错误'),
    ('entailment', 'neutral', 'contradiction'),
    ('valid', 'invalid'),
    ('positive', 'negative'),
)
_LISTED_LETTER = re.compile(r'(?:^|[\s(（])\(?([A-Z])[).:：．、]', re.MULTILINE)
_MAX_VARIANTS = 30
_SHORT_TEXT = 80
"""Characters of a gold that is a short answer, and not a transcript or a translation."""
_OTHER_TEXTS = ('Reykjavik', 'copper wire')
"""One with a capital letter and one without, of one word and of two."""
_ADDED_OPTIONS = ('wool', 'copper', 'marble', 'paper')
_CHOOSES = re.compile(
    r'^\s*-[^\n]*\*\*(?:task type|input|output)\*\*[^\n]*(?:multiple[- ]choice|\bMCQs?\b|answer letter)',
    re.IGNORECASE | re.MULTILINE,
)
UNRELATED = 'zebra violin carpet'


@dataclass
class StatedReplies:
    """Replies to one question that whoever wrote it states."""

    formats: list[str] = field(default_factory=list)
    """How a reply gives the answer, with :data:`~.formats.ANSWER` in its place."""
    right: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


@dataclass
class Question:
    """A sample with the texts that answer it rightly and wrongly, and the replies found to do so."""

    sample: 'Sample'
    gold: str
    """The gold as a reader would name it."""
    kind: str
    answers: list[str]
    others: list[str]
    demonstrations: list[str] = field(default_factory=list)
    """Whole replies that may be right: ends of the few-shot demonstration, canned replies of the sample."""
    right_format: str = ANSWER
    right: str = ''
    wrong: str = ''
    right_metrics: dict[str, Measured] = field(default_factory=dict)
    wrong_metrics: dict[str, Measured] = field(default_factory=dict)
    judged: list[Metric] = field(default_factory=list)
    """The quality metrics that tell the right reply from the wrong ones."""
    as_good: list[str] = field(default_factory=list)
    """Replies with another answer that earned what the right one did."""
    multiple: bool = False
    """Whether several options are right at once."""
    made_up: bool = False
    """Whether the gold is none that the benchmark is known to have."""
    prompt: str = ''
    stated: StatedReplies = field(default_factory=StatedReplies)

    @property
    def requested_formats(self) -> list[str]:
        """The reply formats that are asked for: those stated, and those that the prompt spells out."""
        return list(dict.fromkeys([*self.stated.formats, *requested_formats(self.prompt)]))

    @property
    def declines(self) -> bool:
        """Whether the gold answer says that the question has none."""
        texts = [self.gold, self.right, *self.answers]
        return any(is_abstention(text) for text in texts if len(text) < 200)

    def credit(self, metric: Metric, value: float) -> float:
        """Return the share of the way from the best wrong reply to the right one: 0 none, 1 full credit."""
        wrong, right = self.wrong_metrics[metric.name].value, self.right_metrics[metric.name].value
        return (value - wrong) / (right - wrong)


def gold_values(target: Target | None) -> list[str]:
    """Return the accepted answers that a target spells: itself, or the strings of a list, also of a printed one.

    >>> gold_values('yes'), gold_values(['a', 'b']), gold_values("['a', 'b']"), gold_values(' ')
    (['yes'], ['a', 'b'], ['a', 'b'], [])
    """
    if target is None:
        return []
    if isinstance(target, list):
        return [value for value in target if isinstance(value, str) and value.strip()]
    listed = _parse_list(target)
    if listed is not None:
        return [str(value[0]) if isinstance(value, tuple) and value else str(value) for value in listed]
    return [target] if target.strip() else []


def _parse_list(text: str) -> list | None:
    if not text.lstrip().startswith('['):
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(value, list) and value and all(isinstance(item, (str, tuple)) for item in value):
            return value
    return None


def with_gold(sample: 'Sample', gold: str) -> 'Sample':
    """Return a copy of a sample with another gold, in the shape of the old one, also where metadata repeats it."""
    old = gold_values(sample.target)
    target: Target = gold
    if isinstance(sample.target, list):
        target = [gold]
    elif isinstance(sample.target, str) and _parse_list(sample.target) is not None:
        try:
            json.loads(sample.target)
            target = json.dumps([gold], ensure_ascii=False)
        except ValueError:
            target = repr([(gold,)])
    metadata = _replace(sample.metadata, old, gold) if sample.metadata else sample.metadata
    return sample.model_copy(update={'target': target, 'metadata': metadata}, deep=True)


def _replace(value: Any, old: Sequence[str], new: str) -> Any:
    folded = [text.casefold() for text in old]
    if isinstance(value, str):
        if value.casefold() not in folded:
            return value
        return new.lower() if value.islower() else new.upper() if value.isupper() and len(value) > 1 else new
    if isinstance(value, list) and value and all(isinstance(item, str) and item.casefold() in folded for item in value):
        return [new]
    if isinstance(value, dict):
        return {key: _replace(item, old, new) for key, item in value.items()}
    return value


def vary(sample: 'Sample') -> list[Question]:
    """Return questions with different golds made of one sample, its own first."""
    from evalscope.utils.multi_choices import answer_character

    values = gold_values(sample.target)
    prompt = prompt_text(sample.input)
    choices = list(sample.choices or [])
    letters = [answer_character(index) for index in range(len(choices))]
    gold = ''.join(values) if len(values) > 1 and all(value in letters for value in values) else (values or [''])[0]
    if choices and gold and set(gold) <= set(letters) and gold not in letters:
        others = [letter for letter in letters if letter not in gold][:2] + [letter for letter in gold][:1]
        answers = [gold, ','.join(gold), *gold]  # the last are right only where one is enough
        several = Question(sample, gold, LETTER, answers, others, multiple=True, prompt=prompt)
        return [several, *(_one_right(sample, letter, letters, choices, prompt) for letter in letters[:8])]
    if not choices:
        letters = _listed_letters(prompt)
    if gold in letters:
        return _variants(sample, gold, letters, LETTER, prompt, choices)
    if gold in choices:
        return _variants(sample, gold, choices, LABEL, prompt, choices)
    labels = _label_set(gold, prompt)
    if labels:
        numbers = [_numeric_variant(sample, number, prompt) for number in ('0', '7')]  # some questions may want one
        return [*_variants(sample, gold, labels, LABEL, prompt, []), *numbers]
    if _is_number(gold):
        first = Question(sample, gold, NUMBER, values, _other_numbers(gold), prompt=prompt)
        return [
            first,
            *(_numeric_variant(sample, number, prompt) for number in ('0', '1', '-1', '7') if number != gold),
        ]
    shown = ' or '.join(values) or '(in the metadata)'
    first = Question(sample, shown, TEXT, values + _rated(gold), [unlike(gold), UNRELATED], prompt=prompt)
    if not values or len(shown) > _SHORT_TEXT:
        return [first]
    return [first, *(_text_variant(sample, text, prompt) for text in _OTHER_TEXTS)]


def with_options(sample: 'Sample', description: str) -> list[Question]:
    """Return multiple-choice questions made of an example of another kind, a gold letter each.

    Args:
        sample: The example.
        description: The benchmark's description: empty is the result unless its lines on task type, input or output
            tell of multiple choice.
    """
    if not _CHOOSES.search(description):
        return []
    letters = 'ABCD'
    listed = ''.join(f'\n{letter}. {text}' for letter, text in zip(letters, _ADDED_OPTIONS, strict=True))
    changed = sample.model_copy(deep=True)
    if isinstance(changed.input, str):
        changed.input += listed
    else:
        last = changed.input[-1]
        last.content = f'{last.text}{listed}'
    prompt = prompt_text(changed.input)
    return [
        Question(
            with_gold(changed, letter),
            f'{letter} ({text}), with options added to the example',
            LETTER,
            [letter],
            [other for other in letters if other != letter],
            prompt=prompt,
        )
        for letter, text in zip(letters, _ADDED_OPTIONS, strict=True)
    ]


def unlike(text: str) -> str:
    """Return a text of the same words and length that shares no letter: a wrong answer of that size.

    >>> unlike('Paris 42')
    'Cnevf 42'
    """
    return ''.join(_other_character(character) for character in text) or UNRELATED


def _other_character(character: str) -> str:
    if character.isascii() and character.isalpha():
        base = ord('a') if character.islower() else ord('A')
        return chr(base + (ord(character) - base + 13) % 26)
    return '某' if character.isalpha() else character


def _rated(gold: str) -> list[str]:
    """Return ratings as lines of text: ``{'emotion1': 'Calm', 'emotion1_score': 3}`` is ``Calm: 3``."""
    if not gold.startswith('{'):
        return []
    try:
        ratings = ast.literal_eval(gold)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []
    named = [(ratings[key], ratings[f'{key}_score']) for key in ratings if f'{key}_score' in ratings]
    return ['\n'.join(f'{name}: {score}' for name, score in named)] if named else []


def _variants(
    sample: 'Sample', gold: str, labels: Sequence[str], kind: str, prompt: str, choices: Sequence[str]
) -> list[Question]:
    questions = []
    for label in [gold, *(label for label in labels if label != gold)][:_MAX_VARIANTS]:
        changed = sample if label == gold else with_gold(sample, label)
        index = list(labels).index(label)
        shown = f'{label} ({choices[index]})' if choices and kind == LETTER else label
        answers = [label, choices[index]] if choices and kind == LETTER else [label]
        others = [other for other in labels if other != label]
        questions.append(Question(changed, shown, kind, answers, others, prompt=prompt))
    return questions


def _one_right(sample: 'Sample', letter: str, letters: Sequence[str], choices: Sequence[str], prompt: str) -> Question:
    """Return a question of several options of which, this time, one is right."""
    shown = f'{letter} ({choices[letters.index(letter)]})'
    others = [other for other in letters if other != letter]
    return Question(with_gold(sample, letter), shown, LETTER, [letter], others, prompt=prompt, made_up=True)


def _numeric_variant(sample: 'Sample', number: str, prompt: str) -> Question:
    others = _other_numbers(number)
    return Question(with_gold(sample, number), number, NUMBER, [number], others, prompt=prompt, made_up=True)


def _text_variant(sample: 'Sample', text: str, prompt: str) -> Question:
    others = [unlike(text), UNRELATED]
    return Question(with_gold(sample, text), text, TEXT, [text], others, prompt=prompt, made_up=True)


def _other_numbers(gold: str) -> list[str]:
    number = float(_plain_number(gold))
    return [f'{2 * number + 1234:g}', f'{number + 77:g}']


def _is_number(text: str) -> bool:
    try:
        float(_plain_number(text))
    except ValueError:
        return False
    return True


def _plain_number(text: str) -> str:
    boxed = re.fullmatch(r'\\boxed\{(.*)\}', text.strip())
    return (boxed[1] if boxed else text).replace(',', '').strip().rstrip('%')


def _listed_letters(prompt: str) -> list[str]:
    """Return the option letters that a prompt lists from A on, at least two."""
    seen = set(_LISTED_LETTER.findall(prompt))
    letters = []
    for code in range(ord('A'), ord('Z') + 1):
        if chr(code) not in seen:
            break
        letters.append(chr(code))
    return letters if len(letters) >= 2 else []


def _label_set(gold: str, prompt: str) -> list[str]:
    folded = gold.casefold()
    fitting = [labels for labels in _LABEL_SETS if folded in labels]
    if not fitting:
        return []
    asks_maybe = re.search(r'\bmaybe\b', prompt, re.IGNORECASE) is not None
    labels = fitting[-1] if asks_maybe or folded == 'maybe' else fitting[0]
    restyle = str.upper if gold.isupper() else str.title if gold.istitle() else str.lower
    return [restyle(label) for label in labels]
