"""Takes the verdict (yes, no or maybe) out of a model's free-text reply.

PubMedQA (https://arxiv.org/abs/1909.06146) has no official extraction: its script
(https://github.com/pubmedqa/pubmedqa/blob/master/evaluation.py) reads bare labels. The rules here are this package's,
in the order in which they apply:

1. Reasoning is dropped. Markdown, quotes, LaTeX boxes and Unicode variants (NFKC) around a label do not matter.
2. A *label* is the whole word yes, no or maybe. Labels joined by and, or, slash or comma that differ are a *list*, not
   an answer: "YES or NO". A reply that opens with a list is unanswered. ``No`` and ``Maybe`` before an ordinary word
   are a determiner and an adverb, not labels: "No conclusion can be drawn".
3. *Committed statements*: an explicit one ("the answer is no", ``{"answer": "no"}``, "I would say no"), a reply that
   opens with a label, a last line that is nothing but a label. Where there are any they decide, if they agree.
4. Otherwise *mentions* decide, if they agree: an all-caps label, a quoted label, a capitalised ``Yes``.

Every step is linear in the reply's length. Labels and the words that introduce them are first replaced by one symbol
each; the patterns of the rules start at a symbol, and every repetition in them is bounded or over characters that
nothing else in the pattern matches.
"""

import re
from typing import Iterator, Literal, Match, Optional, Pattern, Set, Tuple

from ..reading import strip_reasoning
from ..reading.plain_text import plain_text

Verdict = Literal['YES', 'NO', 'MAYBE']

# --- Symbols -----------------------------------------------------------------------------------------------------

_SYMBOLS = [chr(code) for code in range(0xA4D0, 0xA4DA)]
"""What labels and introducing words become: letters, so that they count as words, of Lisu, which has no case."""

# LOWER stands for every spelling that has no symbol of its own.
_YES_CAPS, _YES_CAPITALISED, _YES_LOWER, _NO_CAPS, _NO_LOWER, _MAYBE_CAPS, _MAYBE_LOWER = _SYMBOLS[:7]
_KEYWORD, _I_SAY, _I_DO_NOT_SAY = _SYMBOLS[7:]

_VERDICTS: dict[str, Verdict] = {
    _YES_CAPS: 'YES',
    _YES_CAPITALISED: 'YES',
    _YES_LOWER: 'YES',
    _NO_CAPS: 'NO',
    _NO_LOWER: 'NO',
    _MAYBE_CAPS: 'MAYBE',
    _MAYBE_LOWER: 'MAYBE',
}
_MENTIONED_ANYWHERE = (_YES_CAPS, _YES_CAPITALISED, _NO_CAPS, _MAYBE_CAPS)
_OTHER_WORD = 'x'
"""Stands in the place of labels that count for nothing, so that the words around them are read as before."""
_LABEL_SYMBOLS = frozenset(_VERDICTS)
_FOREIGN_SYMBOLS = str.maketrans(dict.fromkeys(_SYMBOLS, _OTHER_WORD))

_LETTER = r'[^\W\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]'
"""A letter or digit that a Latin word can go on with; scripts written without spaces end it ("答案是NO")."""


def _label_word(spelling: str, length: int) -> Pattern[str]:
    """Pattern of a word that is no part of a longer or hyphenated one; starts with what can be searched for fast."""
    word = '.' * length
    return re.compile(
        # The hyphen of "Answer-NO" is that of an explicit statement, not of a word.
        rf'{spelling}(?<!{_LETTER}{word})(?<!(?!{_KEYWORD}){_LETTER}-{word})'
        rf"(?!{_LETTER}|[\u0300-\u036f]|-{_LETTER}|'{_LETTER})"
    )


# Also at the end of the JSON keys final_answer and finalAnswer, but not in answers or unanswered.
_KEYWORDS = re.compile(
    r'[AaCcVvDd](?:(?<![^\W_].)|(?<=(?i:final).)|(?<=(?i:correct).))'
    r'(?:(?<=[Aa])(?i:nswer)|(?<=[Cc])(?i:onclusion)|(?<=[Vv])(?i:erdict)|(?<=[Dd])(?i:ecision))(?![^\W_])'
)
_ANY_LABEL = re.compile('[YyNnMm](?i:(?<=y)es|(?<=n)o|(?<=m)aybe)')

_SYMBOL_OF = (
    (_KEYWORDS, _KEYWORD),
    (_label_word('YES', 3), _YES_CAPS),
    (_label_word('Yes', 3), _YES_CAPITALISED),
    (_label_word('[Yy](?i:es)', 3), _YES_LOWER),
    (_label_word('NO', 2), _NO_CAPS),
    (_label_word('[Nn](?i:o)', 2), _NO_LOWER),
    (_label_word('MAYBE', 5), _MAYBE_CAPS),
    (_label_word('[Mm](?i:aybe)', 5), _MAYBE_LOWER),
    (re.compile(r"[Ii](?<!\w.)(?:'[Dd]| (?i:would)) (?i:say)\b"), _I_SAY),
    (re.compile(r"[Ii](?<!\w.)(?i: (?:would not|wouldn't|cannot|can't) say)\b"), _I_DO_NOT_SAY),
)


def _symbolise(text: str) -> str:
    if not text.isascii():
        text = text.translate(_FOREIGN_SYMBOLS)
    for pattern, symbol in _SYMBOL_OF:
        text = pattern.sub(symbol, text)
    return text


# --- The rules, as patterns over symbols -------------------------------------------------------------------------

_LABEL = f'[{"".join(_VERDICTS)}]'
_YES = f'[{_YES_CAPS}{_YES_CAPITALISED}{_YES_LOWER}]'
_CAPS = f'[{_YES_CAPS}{_NO_CAPS}{_MAYBE_CAPS}]'
_REASON = 'because|since|as'
_JOIN = '(?:[Aa][Nn][Dd](?:/[Oo][Rr])?|[Oo][Rr])'


def _standing(label: str, may_precede: str) -> str:
    """``label`` unless an ordinary word follows that makes it a determiner or an adverb."""
    return rf'{label}(?! (?!(?i:{may_precede})\b(?![-.]\w)|{_JOIN} ["\']?{_LABEL})\w)'


_CLOSE = r'[\s"\')\]\\]{0,4}'
_OPEN = r'[\s"\'(\[\\]{0,5}'

# "Yes, no difference was found" is no list: after a comma, a label must stand by itself; nor are the keys of JSON.
_LIST = re.compile(
    rf'{_LABEL}(?:[\s"\')(\]\\]{{0,4}}(?:(?:[/|&]|\b{_JOIN}\b){_OPEN}{_LABEL}'
    rf'|,["\']?(?:\s{_JOIN}\b)?{_OPEN}(?!{_LABEL}["\'] ?:)'
    rf'(?:{_YES}|{_CAPS}|{_standing(f"[{_NO_LOWER}{_MAYBE_LOWER}]", _REASON)})))+'
)

# What may stand between an introducing word and its verb: "the answer to the question is", "Answer (yes/no/maybe):".
_CLAUSE_END = rf'(?:(?i:is|are|was|were|be|would|should|could|can|cannot|may|might|must|isn)\b|[{"".join(_SYMBOLS)}])'
_COMPLEMENT = (
    rf'(?:(?i:to|for|of|in|from|here|then|thus|therefore)\b(?: (?!{_CLAUSE_END})[\w\'",()/%-]{{1,30}}){{0,10}}\s?'
    r'|\([^()\n]{0,60}\)\s?)?'
)
_PUNCTUATION = r'(?:\s?[:=–—-]>?){1,4}'
_NEGATION = (
    r'(?i:(?:is|was|would|should|could|can|may|might|must|will|need|does|do|ca|wo)'
    r"(?:n't| ?not| never| [a-z]{1,12}ly not)\b)"
)
_COPULA = r'(?i:(?:is|would be|should be)\b)'

# Before these words an explicit "no" is no determiner ("the answer is no to this question"), a "maybe" no adverb.
_AFTER_MAYBE = (
    f'{_REASON}|to|for|at|on|under|with|in(?! (?:vivo|vitro|situ|utero|silico)\\b)|from|given|based|according|due|'
    'depending|if|when|but|and'
)
_AFTER_NO = (
    f'{_AFTER_MAYBE}|i|we|it|he|she|they|you|the|this|that|these|those|there|a(?! (?:priori|posteriori)\\b)|an|so|'
    'after|before|by|among|across|without|during|regardless|unless|although|though|while'
)
_STATED_LABEL = rf'{_OPEN}({_YES}|{_CAPS}|{_standing(_NO_LOWER, _AFTER_NO)}|{_standing(_MAYBE_LOWER, _AFTER_MAYBE)})'
_NEGATED_LABEL = (
    '(?: (?i:be|an?|the|simply|just|only|clearly|necessarily|really|exactly|likely|definitely|always|either|clear|'
    rf'simple|definite|definitive|straightforward)){{0,4}}{_OPEN}{_LABEL}'
)
_STATEMENT = re.compile(
    rf"{_KEYWORD}(?:'[Ss]\b{_STATED_LABEL}"
    rf'|{_CLOSE}{_COMPLEMENT}(?:(?:{_COPULA}(?:{_PUNCTUATION})?|{_PUNCTUATION}){_STATED_LABEL}'
    rf'|(?:{_NEGATION}|{_PUNCTUATION}\s?(?i:not)\b){_NEGATED_LABEL}))'
    rf'|{_I_SAY}(?:\s?[:,–—-])?{_STATED_LABEL}'
    rf'|{_I_DO_NOT_SAY}{_NEGATED_LABEL}'
)
"""The last group is the label of a statement; a negated statement has none."""

_STOP = rf'["\')\]]{{0,4}}(?:\s?\Z|\n|\s?[.,;:!–—-]| (?i:{_REASON})\b(?!-\w))'
_OPENING_LABEL = re.compile(rf'{_CAPS}|{_YES}(?={_STOP}|["\'(\[) ]{{0,4}}\w)|{_LABEL}(?={_STOP})')
_BESIDE_CLOSING_LABEL = re.compile(r'[^\w?]*')
_QUOTED_LABEL = re.compile(rf'["\'](?<!\w.)({_LABEL})[.,;:!?]?["\'](?!\w)')


def extract_verdict(reply: str) -> Optional[Verdict]:
    """Return the one verdict that a reply commits itself to or, failing that, mentions.

    Args:
        reply: The model's text, of any length and content.

    Returns:
        ``'YES'``, ``'NO'`` or ``'MAYBE'``; None where the reply holds no verdict or several.
    """
    answer = strip_reasoning(reply)
    if answer.isascii() and not _ANY_LABEL.search(answer):
        return None  # found fast, for replies that hold something else
    text = _symbolise(plain_text(answer))
    present = {verdict for symbol, verdict in _VERDICTS.items() if symbol in text}
    if not present:
        return None
    if len(present) > 1:
        opening = _LIST.match(text, _first_word(text))
        if opening is not None and _differ(opening[0]):
            return None
        text = _LIST.sub(_without_list, text)
    stated, text = _read_statements(text)
    verdicts = {_VERDICTS[symbol] for symbol in stated.union(_opening_and_closing(text))} or _mentioned(text)
    return verdicts.pop() if len(verdicts) == 1 else None


def _first_word(text: str) -> int:
    word = re.search(r'\w', text)
    return word.start() if word is not None else len(text)


def _differ(label_list: str) -> bool:
    """Whether a text that starts and ends with a label holds labels that differ."""
    if _VERDICTS[label_list[0]] != _VERDICTS[label_list[-1]]:
        return True
    return len({_VERDICTS[symbol] for symbol in _LABEL_SYMBOLS.intersection(label_list)}) > 1


def _without_list(found: Match[str]) -> str:
    return _OTHER_WORD if _differ(found[0]) else found[0]


def _read_statements(text: str) -> Tuple[Set[str], str]:
    """Return the labels stated in ``text``, and ``text`` without the labels of negated statements."""
    stated = set()

    def read(found: Match[str]) -> str:
        if found.lastindex is None:
            return _OTHER_WORD
        stated.add(found[found.lastindex])
        return found[0]

    return stated, _STATEMENT.sub(read, text)


def _opening_and_closing(text: str) -> Iterator[str]:
    opening = _OPENING_LABEL.match(text, _first_word(text))
    if opening is not None:
        yield opening[0]
    last = max(text.rfind(symbol) for symbol in _VERDICTS)
    line = text.rfind('\n', 0, last) + 1
    if last >= 0 and all(
        _BESIDE_CLOSING_LABEL.fullmatch(text, *span) for span in ((line, last), (last + 1, len(text)))
    ):
        yield text[last]


def _mentioned(text: str) -> Set[Verdict]:
    verdicts = {_VERDICTS[symbol] for symbol in _MENTIONED_ANYWHERE if symbol in text}
    for quoted in _QUOTED_LABEL.finditer(text):
        verdicts.add(_VERDICTS[quoted[1]])
        if len(verdicts) > 1:
            break
    return verdicts
