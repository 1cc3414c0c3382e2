"""What one question asks for: which answers there are, and where its options come from.

Options are the sample's own where it has any. Never the gold answer is looked at, but for the one benchmark whose
installed adapter tells its kinds of questions apart by nothing else.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Mapping, Sequence

from ..reading import Prompt
from ..reading.labels import Labels

_LETTERS = 26
"""How many options there may be where nothing says it, as of a run of which only the replies are left."""


@dataclass(frozen=True)
class Question:
    """A question as its adapter and its task state have it."""

    prompt: Prompt
    options: tuple[str, ...]
    """The texts of the sample's options; empty where it has none."""
    metadata: Mapping[str, Any]
    several: bool
    """Whether the adapter says that several options may be right."""
    target: str = ''
    """The gold answer."""


@dataclass(frozen=True)
class Asked:
    """What a question asks for."""

    kind: Literal['letter', 'letters', 'label', 'text']
    """One option; any number of options; one of a few words; anything else, whose reading stays evalscope's."""
    count: int = 0
    """How many options there are."""
    texts: tuple[str, ...] = ()
    """Their texts, where they are known and say more than the letter."""
    labels: Labels | None = None
    """The words, of a label."""
    all_is_an_answer: bool = True
    """Whether all letters at once are an answer; not where the metric pays for each of them."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What the installed adapter calls each label, where it is another name."""


TEXT = Asked('text')
_YES_NO = Asked('label', labels=Labels(('YES', 'NO'), {'yes': 'YES', 'no': 'NO'}))
_YES_NO_LETTERS = Labels(('YES', 'NO'), {'yes': 'YES', 'no': 'NO'}, letters_asked=True)
_RIGHT, _WRONG = '对', '错'
_CHINESE_JUDGEMENT = Asked(
    'label',
    labels=Labels(
        (_RIGHT, _WRONG),
        {
            **dict.fromkeys(('正确', '对的', '对'), _RIGHT),
            **dict.fromkeys(('不正确', '不对', '错误', '错的', '错'), _WRONG),
        },
    ),
)


def sample_options(question: Question) -> Asked:
    """One of the sample's options, or any number of them where the adapter says so."""
    if question.several:
        return several_letters(question)
    options = question.options or options_in(question.prompt.text)
    words = [option.strip(' .').casefold() for option in options]
    if sorted(words) == ['no', 'yes']:  # a reply of the word alone is read too
        letters = {word.upper(): chr(65 + index) for index, word in enumerate(words)}
        lettering = {letter: word for word, letter in letters.items()}
        labels = Labels(_YES_NO_LETTERS.names, _YES_NO_LETTERS.words, lettering, letters_asked=True)
        return Asked('label', labels=labels, answers=letters)
    return Asked('letter', len(options) or _LETTERS, telling_texts(options))


def several_letters(question: Question) -> Asked:
    """Any number of the sample's options."""
    options = question.options or options_in(question.prompt.text)
    return Asked('letters', len(options) or _LETTERS, telling_texts(options))


def some_letters(question: Question) -> Asked:
    """Any number of the sample's options but all of them, which would earn an F1 whatever the question is."""
    return replace(several_letters(question), all_is_an_answer=False)


def options_or_text(question: Question) -> Asked:
    """The sample's options where it has any: one of them, or several where the prompt asks for letters."""
    if not question.options:
        return TEXT
    return several_letters(question) if '[LETTERS]' in question.prompt.text else sample_options(question)


def prompt_options_or_text(question: Question) -> Asked:
    """One of the options in the prompt, where there are any."""
    options = options_in(question.prompt.text)
    return Asked('letter', len(options), telling_texts(options)) if options else TEXT


def metadata_choices(question: Question) -> Asked:
    """One of the choices of the metadata, a mapping by letter; of A to D where there are none."""
    choices = question.metadata.get('choices')
    texts = tuple(map(str, choices.values())) if isinstance(choices, Mapping) else ()
    return Asked('letter', len(texts), telling_texts(texts)) if texts else four_letters(question)


def four_letters(question: Question) -> Asked:
    """A to D, whatever stands behind them."""
    return Asked('letter', 4)


def yes_or_no(question: Question) -> Asked:
    return _YES_NO


def cmmmu(question: Question) -> Asked:
    """Any number of four options (选择), right or wrong (判断), or text (填空): the record's field ``type``."""
    kind = question.metadata.get('type')
    if kind == '选择':
        texts = [str(question.metadata.get(f'option{number}') or '') for number in range(1, 5)]
        return Asked('letters', 4, telling_texts(texts))
    return _CHINESE_JUDGEMENT if kind == '判断' else TEXT


def tir_bench(question: Question) -> Asked:
    """Letters where the gold answer is of letters: the installed adapter knows no other difference."""
    if not question.target.isalpha() or not question.target.isupper() or question.metadata.get('task') == 'ocr':
        return TEXT
    options = question.options or options_in(question.prompt.text)
    kind: Literal['letter', 'letters'] = 'letter' if len(question.target) == 1 else 'letters'
    return Asked(kind, len(options) or _LETTERS, telling_texts(options))


_OPTION = re.compile(r'^[ \t]*\(?([A-Z])[).:、．：][ \t]{0,3}(\S.*)?$', re.MULTILINE)


def options_in(prompt: str) -> tuple[str, ...]:
    """Return the texts of the last lettered list in a prompt: lines that begin with A, B, … and a mark.

    >>> options_in('Which? Options:\\n(A) one\\n(B) two\\nAnswer with a letter.')
    ('one', 'two')
    >>> options_in('A. Smith wrote it. Who did?')
    ()
    """
    found: list[str] = []
    last: list[str] = []
    for line in _OPTION.finditer(prompt):
        letter, text = line[1], (line[2] or '').strip()
        if letter == 'A':
            found = [text]
        elif found and letter == chr(65 + len(found)):
            found.append(text)
        else:
            found = []
        if len(found) > 1:
            last = found
    return tuple(last)


_OWN_LETTER = r'\(?{letter}[).:、．：]\s{{0,3}}'


def telling_texts(options: Sequence[str]) -> tuple[str, ...]:
    """Return the texts by which options may be named; none where they are only letters, as of options in an image.

    A text that begins with its own letter (``A. inversion``) is without it, and one that explains a label
    (``Neutral: the premise …``) is the label, where all do.

    >>> telling_texts(['A. one', 'B. two']), telling_texts(['Neutral: it may', 'Entailment: it is'])
    (('one', 'two'), ('Neutral', 'Entailment'))
    >>> telling_texts(['A', 'B', 'C'])
    ()
    """
    texts = [option.strip() for option in options]
    marks = [re.match(_OWN_LETTER.format(letter=chr(65 + index)), text) for index, text in enumerate(texts[:26])]
    if all(marks):
        texts = [text[mark.end() :] for text, mark in zip(texts, marks, strict=False) if mark]
    heads = [text.partition(':')[0].strip() for text in texts]
    if len(set(heads)) == len(texts) and all(':' in text and len(text.split(':')[0].split()) < 3 for text in texts):
        texts = heads
    return () if all(len(text) < 2 and text.isalpha() for text in texts) else tuple(texts)
