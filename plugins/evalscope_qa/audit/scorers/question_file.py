"""Reads the questions that callables are audited with, and refuses what cannot be one; see ``docs/audit.md``."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...records import Record, format_suffix, parse_json_items, read_text
from ..cases.formats import ANSWER
from ..cases.questions import StatedReplies
from .options import ScorerError

PROMPT_FIELDS = ('prompt', 'question')
GOLD_FIELDS = ('gold', 'answer', 'target', 'solution', 'ground_truth')
"""Names that the gold may have: the first that is there; several are refused unless one is ``gold``."""
OPTION_FIELDS = ('options', 'choices')
_OF_THE_AUDIT = ('right', 'wrong', 'format')
"""Fields that are for the audit alone, and are not handed to the callable."""

Gold = str | int | float | list[str]


@dataclass(frozen=True)
class AskedQuestion:
    """One question of the file."""

    prompt: str | list[dict[str, str]]
    """Text, or messages of ``role`` and ``content``."""
    gold: Gold
    gold_field: str
    labels: list[str]
    """What the gold calls each option: letters, unless the file says otherwise; empty where it is no choice."""
    options: list[str]
    """The text of each option."""
    stated: StatedReplies
    columns: Record
    """The fields, but those for the audit alone."""

    @property
    def golds(self) -> list[str]:
        """The golds as text."""
        return self.gold if isinstance(self.gold, list) else [str(self.gold)]

    @property
    def prompt_text(self) -> str:
        if isinstance(self.prompt, str):
            return self.prompt
        return '\n'.join(message['content'] for message in self.prompt)


def read_questions(path: Path) -> list[tuple[str, AskedQuestion]]:
    """Read a file of questions: JSON Lines, or a JSON array.

    Returns:
        The place of each question in the file, for messages, and the question.

    Raises:
        ScorerError: Names file, line and field, and what to do.
        ValueError: If it is no JSON.
        FileNotFoundError: If there is no such file.
    """
    if format_suffix(path) not in ('.jsonl', '.json') and path.is_file():
        raise ScorerError(f'{path}: expected JSON Lines, one question an object, in a file that ends in .jsonl')
    items = parse_json_items(read_text(path), str(path))
    if not items:
        raise ScorerError(f'{path}: holds no question; write one JSON object a line, with a prompt and a gold')
    return [(place, parse_question(item, f'{path}: {place}')) for place, item in items]


def parse_question(item: Any, place: str = 'the question') -> AskedQuestion:
    """Check one question.

    Args:
        item: What stands in the file.
        place: Where, for messages.

    Raises:
        ScorerError: Names place and field, and what to do.
    """
    if not isinstance(item, dict):
        raise ScorerError(f'{place} is no object; write {{"prompt": …, "gold": …}}')
    prompt = _prompt(item, place)
    gold_field = _gold_field(item, place)
    gold = _gold(item[gold_field], place, gold_field)
    labels, options = _options(item, place)
    golds = gold if isinstance(gold, list) else [str(gold)]
    unknown = [text for text in golds if labels and text not in (*labels, *options)]
    if unknown:
        raise _wrong(place, gold_field, f'{unknown[0]!r} is none of the options; write one of {", ".join(labels)}')
    stated = StatedReplies(
        formats=_texts(item, 'format', place), right=_texts(item, 'right', place), wrong=_texts(item, 'wrong', place)
    )
    for form in stated.formats:
        if ANSWER not in form:
            raise _wrong(place, 'format', f'{form!r} has no {ANSWER} in it, in the place of the answer')
    columns = {name: value for name, value in item.items() if name not in _OF_THE_AUDIT}
    return AskedQuestion(prompt, gold, gold_field, labels, options, stated, columns)


def _wrong(place: str, field: str, problem: str) -> ScorerError:
    return ScorerError(f"{place}: field '{field}': {problem}")


def _prompt(item: Record, place: str) -> str | list[dict[str, str]]:
    field = next((name for name in PROMPT_FIELDS if name in item), None)
    if field is None:
        raise _wrong(place, 'prompt', 'is missing; it holds what the model is asked')
    value = item[field]
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, list) and value and all(_is_message(message) for message in value):
        return value
    raise _wrong(place, field, f'expected a text, or messages of role and content, not {_shown(value)}')


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get('role'), str) and isinstance(value.get('content'), str)


def _gold_field(item: Record, place: str) -> str:
    found = [name for name in GOLD_FIELDS if name in item]
    if not found:
        raise _wrong(place, 'gold', f'is missing; it may also be called {", ".join(GOLD_FIELDS[1:])}')
    if len(found) > 1 and found[0] != GOLD_FIELDS[0]:
        raise _wrong(place, 'gold', f'is missing, and which of {", ".join(found)} it is cannot be told; add it')
    return found[0]


def _gold(value: Any, place: str, field: str) -> Gold:
    listed = value if isinstance(value, list) and value else [value]
    texts = all(isinstance(text, str) and text.strip() for text in listed)
    if texts or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        return value
    raise _wrong(
        place,
        field,
        f'expected a text, a number or a list of texts, not {_shown(value)}; what else scoring needs goes into a '
        'field of its own',
    )


def _options(item: Record, place: str) -> tuple[list[str], list[str]]:
    field = next((name for name in OPTION_FIELDS if name in item), None)
    if field is None:
        return [], []
    value = item[field]
    texts: Sequence[Any] = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(texts, list) or len(texts) < 2 or not all(isinstance(text, str) for text in texts):
        raise _wrong(
            place,
            field,
            f'expected a list of two texts or more, or an object of label and text, not {_shown(value)}',
        )
    labels = list(value) if isinstance(value, dict) else [chr(ord('A') + index) for index in range(len(texts))]
    return labels, texts


def _texts(item: Record, field: str, place: str) -> list[str]:
    value = item.get(field, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise _wrong(place, field, f'expected a text or a list of texts, not {_shown(value)}')
    return texts


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f'{shown[:57]}...'
