"""What labels look like: verdicts and the letters of options, the words that are also something else, and lists.

A benchmark whose answer is one of a few labels says so by :class:`Labels`; where labels count is decided elsewhere, and
alike for all of them. The only differences between labels are the exceptions below.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Mapping, Sequence

from .tables import AFTER_LETTER_A, AFTER_LETTER_I, AFTER_MAYBE, AFTER_NO, DETERMINERS

EXCEPTIONS: dict[str, frozenset[str]] = {
    'no': AFTER_NO,  # a determiner: "no difference", "NO synthase"
    'maybe': AFTER_MAYBE,  # an adverb: "maybe the dose"
    'A': AFTER_LETTER_A,  # an article: "A study"
    'I': AFTER_LETTER_I,  # a pronoun: "I think"
}
"""Labels that are also something else in running text: before a word that is not listed here, they are no label."""

LETTER = r'[^\W\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]'
"""A letter or digit that a Latin word can go on with; scripts written without spaces end it (答案是NO)."""

_LETTERS = 26
_MOST_OPTIONS = 125
"""evalscope letters options ``A`` to ``Z`` and goes on with ``1``, ``2``, …; to two digits."""

_JOIN = (
    r'(?:\)?[\n ]|[).]?(?: ?(?:,|/|\||&|\+|;) ?(?:and/or |and |or |& )?| \(?(?:and/or|and|or|versus|vs\.?) '
    r'| ?(?:或者|或|和|与|及) ?))\(?(?:(?:option|choice|answer) )?\(?'
)
"""What joins labels to a list."""


@dataclass(frozen=True)
class Labels:
    """The labels of a question."""

    names: tuple[str, ...]
    """What an answer can be, in order: ``('YES', 'NO', 'MAYBE')``, ``('A', 'B', 'C', 'D')``."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Words that mean a label, in lower case: ``{'yes': 'YES'}``; empty where the labels are letters."""
    lettering: Mapping[str, str] = field(default_factory=dict)
    """Letters or numbers that stand for a word's label: ``{'A': 'YES'}``; empty where there are none."""
    letters_asked: bool = False
    """Whether the prompt asks for letters: a letter then counts before the word beside it."""
    texts: tuple[str, ...] = field(default=(), compare=False)
    """The options' texts in order, where the labels are letters and the texts are known. They do not count in a
    comparison: patterns are of the letters alone, and each question has texts of its own."""
    several: bool = False
    """Whether several letters at once are an answer; else a list of them is no choice."""

    def values(self, run: str) -> frozenset[str]:
        """The labels of a run: of one token, or of several that are joined to a list."""
        # Words of one label may hold each other, and so may numbers.
        if self.lettering or len(self.words) > len(self.names) or len(self.names) > _LETTERS:
            return frozenset(filter(None, map(self.value, patterns(self).token.findall(run))))
        if self.words:
            lower = run.lower()
            return frozenset(value for word, value in self.words.items() if word in lower)
        return frozenset(name for name in self.names if name in run)

    @property
    def are_letters(self) -> bool:
        """Whether the labels are letters of options."""
        return not self.words

    def value(self, token: str) -> str | None:
        """The label that a token (``no``, ``B``, ``B) no``) means; None where there is none of that name."""
        if not self.words:
            letter = token.upper()
            return letter if letter in self.names else None
        parts = _PARTS.findall(token)
        word = next((self.words[part.lower()] for part in parts if part.lower() in self.words), None)
        by_letter = self.lettering.get(parts[0].upper()) if parts else None
        if self.letters_asked and by_letter is not None:
            return by_letter
        return word or by_letter

    def __hash__(self) -> int:
        return hash((self.names, tuple(self.words), tuple(self.lettering.items()), self.letters_asked, self.several))


_PARTS = re.compile(r'[^\W_]+')


@dataclass(frozen=True)
class Patterns:
    """How one set of labels is found in plain text."""

    run: 're.Pattern[str]'
    """A label, or labels joined to a list."""
    token: 're.Pattern[str]'
    """One label of a run."""
    before_clause: 're.Pattern[str]'
    """A label in capitals before a word that opens a clause."""


@lru_cache(maxsize=256)
def patterns(labels: Labels) -> Patterns:
    """Compile the patterns of a set of labels.

    Each begins with a set of characters, which is searched for fast, and looks back from there.
    """
    if labels.are_letters:
        words, letters = '', _letters_pattern(labels.names)
        first = ''.join(labels.names)
    else:
        words, letters = _words_pattern(tuple(labels.words)), ''
        first = ''.join(f'{word[0].upper()}{word[0]}' for word in labels.words)
        if labels.lettering:
            letters = _letters_pattern(tuple(labels.lettering))
            # 'A) yes' is one label, whichever of the two counts.
            inside = '|'.join(f'(?i:{word})' for word in labels.words)
            letters = rf'(?:(?<=[{"".join(labels.lettering)}])\)?[).:,-]{{1,2}} ?\(?(?:{inside})|{letters})'
            first += ''.join(labels.lettering)
    kinds = '|'.join(filter(None, (words, letters)))
    token = rf"[{first}](?<!{LETTER}.)(?:{kinds})(?!{LETTER}|-{LETTER}|'{LETTER}|[\u0300-\u036f])"
    return Patterns(
        run=re.compile(rf'{token}(?:{_JOIN}{token})*'),
        token=re.compile(token),
        before_clause=re.compile(rf'(?:{"|".join(labels.names)}) (?i:{"|".join(sorted(DETERMINERS))})\b'),
    )


def _words_pattern(words: tuple[str, ...]) -> str:
    """The words behind their first letters, which have been matched."""
    return '|'.join(
        rf'(?<=[{word[0].upper()}{word[0]}])(?i:{word[1:]}){_unless_other_word(EXCEPTIONS.get(word), LETTER)}'
        for word in words
    )


def _letters_pattern(letters: Sequence[str]) -> str:
    """Letters that have been matched, but for those that begin a phrase."""
    exceptional = [letter for letter in letters if letter in EXCEPTIONS]
    alternatives = [f'(?<={letter}){_unless_other_word(EXCEPTIONS[letter], "[a-z]")}' for letter in exceptional]
    usual = ''.join(letter for letter in letters if letter not in EXCEPTIONS and letter.isalpha())
    if usual:
        alternatives.append(f'(?<=[{usual}])')
    if any(letter.isdigit() for letter in letters):
        alternatives.append(r'(?<=[0-9])(?<!\.[0-9])[0-9]?(?!\.?[0-9])')
    return '|'.join(alternatives)


def _unless_other_word(allowed: frozenset[str] | None, word_character: str) -> str:
    if allowed is None:
        return ''
    return rf'(?! (?!(?i:{"|".join(sorted(allowed))})\b(?![-.]\w)){word_character})'


VERDICTS = Labels(('YES', 'NO', 'MAYBE'), {'yes': 'YES', 'no': 'NO', 'maybe': 'MAYBE'})
"""The answers of PubMedQA."""


@lru_cache(maxsize=64)
def _lettered(words: tuple[str, ...]) -> 're.Pattern[str]':
    alternatives = '|'.join(words)
    return re.compile(rf'[A-Z0-9](?<!{LETTER}.)\)?[).:] {{0,2}}["\'(]?((?i:{alternatives}))(?!{LETTER})')


def find_lettering(text: str, labels: Labels) -> dict[str, str]:
    """Return which letter or number stands for which label in a prompt template or a reply.

    Args:
        text: For example ``A) yes``, ``B. no``, ``(C) maybe``, ``1. Yes``.
        labels: Labels that are words.

    Returns:
        Label by letter; without letters that are put before two different labels, and empty where one label has two
        letters.
    """
    found: dict[str, set[str]] = {}
    for match in _lettered(tuple(labels.words)).finditer(text):
        found.setdefault(match[0][0], set()).add(labels.words[match[1].lower()])
    lettering = {letter: next(iter(values)) for letter, values in found.items() if len(values) == 1}
    if len(lettering) == 1 and next(iter(lettering)).isdigit():
        return {}  # '1. no' holds a list mark
    return lettering if len(set(lettering.values())) == len(lettering) else {}


def option_labels(count: int, texts: Sequence[str] = (), several: bool = False) -> Labels:
    """The letters of ``count`` options, whose texts may be given, and of which ``several`` may be the answer.

    Raises:
        ValueError: If there are none, or more than there are letters and numbers of two digits.
    """
    if not 0 < count <= _MOST_OPTIONS:
        raise ValueError(f'a question has 1 to {_MOST_OPTIONS} options, not {count}.')
    letters = [chr(65 + index) for index in range(min(count, _LETTERS))]
    numbers = [str(number) for number in range(1, count - _LETTERS + 1)]
    return Labels((*letters, *numbers), texts=tuple(texts), several=several)
