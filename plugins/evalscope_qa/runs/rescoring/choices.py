"""Finds the options of a choice question again: in the sample's metadata, or in the prompt as evalscope writes it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

_LETTERS = r'([A-Z0-9]{1,2}(?:,[A-Z0-9]{1,2})+)'
_NAMED = tuple(
    re.compile(form)
    for form in (
        rf'\bone of {_LETTERS}\.',
        rf'\bone or more of {_LETTERS}\.',
        rf'是 {_LETTERS} 中的一个',
    )
)
"""How evalscope's prompt templates name the letters (``evalscope.utils.multi_choices``); all its options are below."""
_METADATA_FIELDS = ('choices', 'options')


class NoOptions(ValueError):
    """The options of a question cannot be had."""


def options_of(metadata: Mapping[str, Any] | None, prompt: str | None) -> list[str]:
    """Return the options of a choice question in their order.

    Raises:
        NoOptions: If neither metadata nor prompt hold them; says what is missing.
    """
    for name in _METADATA_FIELDS:
        found = (metadata or {}).get(name)
        if isinstance(found, Mapping) and found:
            found = list(found.values())
        if isinstance(found, list) and found and all(isinstance(option, str) for option in found):
            return found
    if prompt is None:
        raise NoOptions('neither its metadata nor a prompt is there')
    return options_in_prompt(prompt)


def options_in_prompt(prompt: str) -> list[str]:
    """Return the options of the last question of a prompt.

    The prompt names its letters and ends with one option a letter, each from its ``A) `` at the start of a line to the
    next; an option may have several lines. Questions before, such as examples, have options too, which do not count.

    Raises:
        NoOptions: If it names no letters, or does not end with one option for each of them.
    """
    named = {match.group(1) for form in _NAMED for match in form.finditer(prompt)}
    if not named:
        raise NoOptions('the prompt does not name its letters as evalscope does')
    for letters in sorted(named, key=len, reverse=True):
        options = _last_block(prompt, letters.split(','))
        if options is not None:
            return options
    raise NoOptions(f'the prompt does not end with one option for each of the letters {max(named, key=len)}')


def _last_block(prompt: str, letters: Sequence[str]) -> list[str] | None:
    starts: list[int] = []
    end = len(prompt)
    for letter in reversed(letters):
        mark = f'\n{letter}) '
        start = prompt.rfind(mark, 0, end)
        if start < 0:
            return None
        starts.insert(0, start)
        end = start
    following = f'\n{_next_letter(letters[-1])}) '
    if prompt.find(following, starts[-1]) >= 0:
        return None  # there are more options than letters
    ends = [*starts[1:], len(prompt)]
    marks = [len(f'\n{letter}) ') for letter in letters]
    return [prompt[start + length : stop].strip() for start, stop, length in zip(starts, ends, marks, strict=True)]


def _next_letter(letter: str) -> str:
    """evalscope counts on in numbers after Z."""
    if letter.isdigit():
        return str(int(letter) + 1)
    return '1' if letter == 'Z' else chr(ord(letter) + 1)
