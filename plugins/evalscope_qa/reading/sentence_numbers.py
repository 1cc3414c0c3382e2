"""Reads sentence numbers out of a reply: a ranking, a list of sentences, or that no sentence answers.

A number is ``[n]``; a bare one counts where it is marked, said, or all that stands on a line. A *ranking* is numbers
joined by separators on a line of their own or behind a label; in running text it needs brackets and arrows. A *list*
is lines that open with ``[n]`` and go on with text. A ranking counts before a list, the last of several rankings, the
first of several lists. What stands behind an answer under a heading that names an explanation or the other sentences is
none.
"""

import html
import re
from typing import NamedTuple

from .echo import Prompt
from .markup import LONG_LIGATURES, fold_compatible
from .proper import Proper, both_ends, next_turn, reply_proper, says_no_answer
from .result import Reading
from .tables import ANSWER_KEYS, ANSWER_TAGS, BOXES, EXPLANATION_NAMES

_TRANSLATION = {
    **LONG_LIGATURES,
    **dict.fromkeys(map(ord, '→⇒➔➜＞›»≻'), '>'),
    **dict.fromkeys(map(ord, '、，；'), ','),
    **dict.fromkeys(map(ord, '【〔［'), '['),
    **dict.fromkeys(map(ord, '】〕］'), ']'),
    **dict.fromkeys(map(ord, '：'), ':'),
    **dict.fromkeys(map(ord, '\x85\u2028\u2029'), '\n'),
}
_EMPHASIS = dict.fromkeys(map(ord, '*`$'), None)

_TAGS = '|'.join(ANSWER_TAGS)
_TAGGED = re.compile(rf'<(?:{_TAGS})(?:\s[^<>]*)?>([^<]*)(?:</\w{{0,14}}\s?>?|\Z)', re.IGNORECASE)
_BOXED = re.compile(rf'\\(?:{"|".join(BOXES)})\s?\{{((?:[^{{}}\n]|\{{[^{{}}\n]{{0,200}}\}}){{0,300}})(?:\}}|\Z)')
_MORE_KEYS = (
    'sentences',
    'sentence',
    'sentence numbers',
    'numbers',
    'order',
    'relevant sentences',
    'answers',
    'indices',
)
_KEYS = frozenset(re.sub('[ _-]', '', key.lower()) for key in (*ANSWER_KEYS, *_MORE_KEYS))
_KEY = re.compile(
    r'["\']([^\W\d][\w -]{0,30})["\']\s{0,20}:\s{0,20}(\[[^{}:]{0,4000}?\](?=\s*[,}\n]|\s*\Z)|"[^"\n]{0,400}"?|\d{1,6})'
)

_NUMBER = r'(?:\[+\s?\d{1,6}\s?\]+|\d{1,6})'
_BRACKETED = r'\[+\s?\d{1,6}\s?\]+'
# Each way to join begins with another character, so that a text is joined in one way and reading it is linear.
_JOIN = r'\s?(?:(?:[=-]{0,2}>{1,3}|[,;&=])\s?(?:(?:and|then)\s)?|(?:and|then)\s|(?=\[))'
_NUMBERS = rf'\[?{_NUMBER}(?:{_JOIN}{_NUMBER})*'
_SEVERAL = re.compile(rf'{_BRACKETED}(?:\s?(?:[=-]{{0,2}}>{{1,3}}|=)\s?{_NUMBER})+')
_LABEL = (
    r'(?:(?:the |my |final |best |correct |so |therefore |thus |overall )*(?:answers?|rankings?|order|result|'
    r'sentences?(?: that (?:best |directly )?answers? (?:it|(?:the|this) question))?|'
    r'sentence numbers?|numbers?|relevant sentences?|response|答案|排序|排名)'
    r'(?: (?:to the question|in order|of the sentences))?)'
)
_COPULA = r'(?:\s?(?:is|are|would be|应该是|是|为)\s?:?|\s?[:=-]\s?)'
_LINE_LABEL = re.compile(rf'(?:[-+\u2022]\s+|[>#\s"\'(])*(?:{_LABEL}{_COPULA}?\s*)?', re.IGNORECASE)
_AND = re.compile(r'\b(?:and|then)\b', re.IGNORECASE)
_BODY = re.compile(r'["\'(\[\]\d\s,;|&=>:)\u2026]*\.{0,6}\s*')
_LONG_ARROW = re.compile(r'[=-]{1,3}\s?>')
_CUT_NUMBER = re.compile(r'\[\s?\d*\s*\Z')
_NO_BARE_RANKING = re.compile(r'\d\s*(?::|=(?!>))\s*\d')
"""Decimals, dates, times, ranges and sums: bare numbers that are no ranking."""
_RANK_MARK = r'(?:\[?\(?(?:rank|place|top|no\.?)\s?\d{1,4}\]?\)?[.:)]?|\(?\d{1,4}[.)]|\(\d{1,4}\)|[a-z][.)]|[-+•>]+)'
_MARK = re.compile(rf'\s*{_RANK_MARK}\s+', re.IGNORECASE)
_ITEM = re.compile(rf'\s*(?:{_RANK_MARK}\s*){{0,2}}\[\s?(\d{{1,6}})\s?\](?:\s*\[\s?\d{{1,6}}\s?\])*(.*)', re.IGNORECASE)
_SAID = re.compile(
    rf'\b(?:{_LABEL}|best)(?: [^\n.:?!\[]{{0,60}}?)?'
    rf'{_COPULA}\s?["\'(]?(?:sentences? )?({_NUMBERS})(?!\d|[^\S\n]?%|\.\d| (?:of|years?|people|other|percent)\b)',
    re.IGNORECASE,
)
_ANSWERS_IT = re.compile(
    rf'\bsentences?\s({_NUMBERS})\s(?:directly |clearly |best |explicitly |correctly )?'
    r'(?:answers?|(?:is|are) the (?:answer|best|most relevant)|(?:contains?|provides?|gives?) the answer)\b',
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r'\b(?:for example|e\.g\.?|such as|for instance|in (?:the )?form(?:at)?|the format|like this)\b[^\n.]*\Z', re.I
)
_NUMBER_AND_NONE = re.compile(
    r'\d[^\w.:\n]{1,4}(?:(?:or|and|but)\W{1,4})?(?:with )?none\b(?! of the other)|'
    r'\bnone\W{1,4}(?:(?:or|and|but)\W{1,4})?\[?\d{1,3}[\])"]{0,3}\s*(?:[.,;:?!)>/]|\Z|\b(?:if|or|and)\b)',
    re.IGNORECASE,
)
_NUMBER_CLAUSE = re.compile(
    r'(?:\A|[.,;:?!/(>&"]|\b(?:and|or|but))\s*["(\[]{0,3}\d{1,3}["\])]{0,3}\s*(?:[.,;:?!)]|\Z|\b(?:if|or)\b)',
    re.IGNORECASE,
)
"""A number that is a clause of its own, beside a decline."""
_NONE_SENTENCE = re.compile(r'[.!?]\s+none\W*\Z', re.IGNORECASE)
_BROKEN_NONE = re.compile(r'\b(none of(?: the)?)\n', re.IGNORECASE)
_BROKEN_LIST = re.compile(r'\[[\d\s,;]{1,4000}\]')
_ANY_DIGIT = re.compile(r'\d')
_DECLINING_WORDS = ('none', 'sentence', 'answer', 'candidate', '没有', '[]', '[ ]')
_NAMING_WORDS = ('answer', 'rank', 'order', 'result', 'sentence', 'number', 'response', 'best', '答案', '排序', '排名')
_DIGITS = re.compile(r'\d+')
_ANY_BRACKETED = re.compile(r'\[\s?(\d{1,6})\s?\]')

_ENDING = re.compile(
    rf'\W{{0,6}}(?:(?:brief|short|detailed|the|all|my|less|not|other)\s){{0,3}}(?:{"|".join(EXPLANATION_NAMES)}|others?|'
    r'other sentences|remaining(?: sentences)?|the rest|excluded(?: sentences)?|irrelevant(?: sentences)?|unrelated|'
    r'not relevant(?: sentences)?|其他|其余|无关)\s?(?:\([^()\n]{0,40}\)\s?)?\W{0,3}(?::|\Z)',
    re.IGNORECASE,
)
"""A heading, or a label at the start of a line, behind which nothing counts that stands behind an answer."""

# Bounds where two repetitions may match the same, so that a line is looked at once.
_NONE_LINE = re.compile(
    rf'[\W_]{{0,40}}(?:{_LABEL}{_COPULA}?\s{{0,20}})?["\'(]{{0,6}}'
    r'(?:none(?: of (?:these|them|the above|the (?:given |numbered |provided )?'
    r'sentences?))?|no(?: such)? sentences?|no answer|\[\s?\])["\')]{0,6}\W*(?:\Z|[.:;,!(—–-])',
    re.IGNORECASE,
)
_NONE_ANSWERS = re.compile(
    r'[\W_]{0,40}(?:none of (?:the |these |those )?(?!other)(?:\w+ )?sentences?|no sentences?)'
    r' (?:directly |really |clearly )?answers? (?:it|(?:the|this) question)\W*\Z',
    re.IGNORECASE,
)
_NO_SENTENCE = re.compile(
    r'(?<!nearly )(?<!almost )\b(?:none of (?!(?:the |these |those )?other)'
    r'(?:the |these |those )?(?:\w+ ){0,2}(?:sentences?|candidates)|'
    r'none of (?:them|these|those|the above) (?:\w+ly )?'
    r'(?:answers?|contains?|mentions?|provides?|addresses|states?|gives?|is relevant|are relevant)|'
    r'no (?!other)(?:given |numbered |listed |relevant |provided |candidate )?sentences?(?! (?:except|but|other))|'
    r'there (?:is|are) no (?!other)(?:answers?|sentences?|such sentences?|relevant sentences?)(?! (?:except|other))|'
    r'(?:do|does|did) not (?:contain|include|have) (?:an|the|any) answer|cannot be answered)\b'
    r'|没有(?:任何)?(?:一个)?句子|没有答案',
    re.IGNORECASE,
)
_UPPER_NONE = re.compile(r'(?<![A-Za-z0-9])NONE(?![A-Za-z0-9])')
_RANGE = re.compile(r'\[?\d{1,6}\]?\s?(?:to|through|[-–—]|until)\s?\[?\d{1,6}\]?', re.IGNORECASE)


class _Found(NamedTuple):
    """What a reply gives, by kind."""

    marked: list[list[int] | None]
    """Numbers of each marked answer; None for one that declines."""
    rankings: list[tuple[int, list[int]]]
    """Rankings on lines of their own or behind labels, with their lines."""
    inline: list[list[int]]
    """Rankings in running text, and sentences said to answer."""
    items: list[int]
    """The sentences of the first list."""
    declines: list[tuple[int, bool, bool]]
    """Lines that decline: number, whether nothing else is said, whether they cite sentences too."""
    cited: frozenset[int]


def read_ranking(reply: str, sentences: int, prompt: Prompt | str = '') -> Reading[tuple[int, ...]]:
    """Read the ranking of a reply to a selection question, in time linear in its length; never raises.

    Args:
        reply: The model's text, of any length and content.
        sentences: How many sentences were shown; their numbers are 1 to ``sentences``.
        prompt: What the model was asked.

    Returns:
        Numbers of shown sentences, best first, none twice; or None and the reason.
    """
    proper = reply_proper(reply, prompt)
    if not proper.text:
        return Reading(None, proper.unanswered)
    found = _find(_plain(proper.text))
    numbers, rule = _numbers(found)
    return _reading(numbers, rule, sentences, proper)


def read_listing(reply: str, sentences: int, prompt: Prompt | str = '') -> Reading[tuple[int, ...]]:
    """Read the sentences listed in a reply to a triggering question; an empty tuple where it declines.

    Args and returns: see :func:`read_ranking`.
    """
    proper = reply_proper(reply, prompt)
    if not proper.text:
        return Reading(None, proper.unanswered)
    found = _find(_plain(proper.text))
    if found.marked:
        last = found.marked[-1]
        return Reading((), 'marked: none') if last is None else _reading(last, 'marked', sentences, proper)
    numbers, rule = _numbers(found)
    if found.declines:
        lines_of_numbers = [line for line, _ in found.rankings]
        first_line, alone, cites = found.declines[0]
        if alone and not lines_of_numbers and not cites:
            return Reading((), 'declined')  # what follows explains it
        if lines_of_numbers and lines_of_numbers[0] < first_line and not any(each[1] for each in found.declines):
            return _reading(numbers, rule, sentences, proper)
        if numbers or cites or (found.cited and not alone and any(each[2] for each in found.declines)):
            return Reading(None, 'several')
        return Reading((), 'declined')
    if not numbers and len(found.cited) == 1:
        return _reading(list(found.cited), 'only citation', sentences, proper)
    return _reading(numbers, rule, sentences, proper)


def _reading(numbers: list[int], rule: str, sentences: int, proper: Proper) -> Reading[tuple[int, ...]]:
    shown = tuple(dict.fromkeys(number for number in numbers if 0 < number <= sentences))
    if shown:
        return Reading(shown, rule)
    if proper.cut_off:
        return Reading(None, 'cut off')
    if numbers:
        return Reading(None, 'not an option')
    if any(says_no_answer(end) or _NO_SENTENCE.search(end) or _NONE_LINE.match(end) for end in both_ends(proper.text)):
        return Reading(None, 'refused')
    return Reading(None, 'nothing stated')


def _numbers(found: _Found) -> tuple[list[int], str]:
    """Which numbers count, and by which rule."""
    if found.marked:
        return found.marked[-1] or [], 'marked'
    if found.rankings:
        return found.rankings[-1][1], 'ranking'
    if found.inline:
        return found.inline[-1], 'said'
    return found.items, 'list'


def _plain(text: str) -> str:
    if not text.isascii():
        text = fold_compatible(text.translate(_TRANSLATION))
    if '&' in text:
        text = html.unescape(text)
    text = text.translate(_EMPHASIS)
    if '\\' in text:
        text = text.replace('\\[', '[').replace('\\]', ']').replace('\\"', '"')
    if '[' in text and '\n' in text:
        text = _BROKEN_LIST.sub(lambda found: found[0].replace('\n', ' '), text)
    if 'f\n' in text or 'the\n' in text:
        text = _BROKEN_NONE.sub(r'\1 ', text)
    if '](' in text:
        text = re.sub(r'\]\([^()\s\[\]]{1,300}\)', ']', text)
    return text


def _find(text: str) -> _Found:
    marked = _marked(text)
    rankings: list[tuple[int, list[int]]] = []
    inline: list[list[int]] = []
    items: list[int] = []
    declines: list[tuple[int, bool, bool]] = []
    cited: set[int] = set()
    if marked:
        return _Found(marked, rankings, inline, items, declines, frozenset())
    known: dict[str, _Line] = {}
    previous = ''
    list_open = True
    for number, line in enumerate(_before_next_turn(text).split('\n')):
        if not line.strip():
            previous = '' if previous == 'item' else previous
            continue
        seen = known.get(line)
        if seen is None:
            seen = known[line] = _look_at(line)
        if seen.ends and (rankings or inline or items or declines):
            break
        single = len(seen.ranking) == 1
        if single and items and (seen.marked or previous == 'item') and not rankings:
            items.append(seen.ranking[0])  # the last entry of a list, without a text
            previous = 'item'
        elif seen.ranking:
            if previous == 'single' and single:
                rankings[-1][1].extend(seen.ranking)
            else:
                rankings.append((number, list(seen.ranking)))
            previous = 'single' if single else ''
        else:
            previous = ''
            inline += seen.inline
            if seen.item and list_open:
                items.append(seen.item)
                previous = 'item'
            elif items and line.rstrip().endswith(':'):
                list_open = False
        if seen.declines:
            declines.append((number, seen.declines_alone, seen.cites_beside))
        cited |= seen.cited
    return _Found(marked, rankings, inline, items, declines, frozenset(cited))


def _before_next_turn(text: str) -> str:
    first = re.search(r'\d|none', text, re.IGNORECASE)
    return text if first is None else text[: next_turn(text, first.end())]


class _Line(NamedTuple):
    """What one line gives."""

    ranking: tuple[int, ...] = ()
    marked: bool = False
    """Whether a list mark stands before it."""
    inline: tuple[list[int], ...] = ()
    item: int = 0
    declines: bool = False
    declines_alone: bool = False
    cites_beside: bool = False
    cited: frozenset[int] = frozenset()
    ends: bool = False


def _look_at(line: str) -> _Line:
    line = line[:20_000]
    lower = line.lower()
    digits = _ANY_DIGIT.search(line) is not None
    cited = frozenset(int(number) for number in _ANY_BRACKETED.findall(line)) if '[' in line else frozenset()
    ends = _ENDING.match(line) is not None
    # Words that each pattern needs are looked for first: most lines hold none of them.
    if any(word in lower for word in _DECLINING_WORDS):
        alone = (_NONE_LINE.match(line) or _NONE_ANSWERS.match(line)) is not None
        left = _RANGE.sub('', line) if digits else line
        both = digits and 'none' in lower and _NUMBER_AND_NONE.search(left) is not None
        prose = _NO_SENTENCE.search(line) or _UPPER_NONE.search(line) or _NONE_SENTENCE.search(line)
        if alone or both or prose:
            beside = both or _ANY_BRACKETED.search(left) is not None or _NUMBER_CLAUSE.search(left) is not None
            return _Line(
                declines=True, declines_alone=alone and not beside, cites_beside=beside, cited=cited, ends=ends
            )
    if not digits:
        return _Line(ends=ends)
    label = _LINE_LABEL.match(line)
    numbers = _line_of_numbers(line[label.end() if label is not None else 0 :])
    if not numbers and cited:
        mark = _MARK.match(line)  # of an item that is a ranking: '1. [2] > [3]'
        if mark is not None:
            numbers = _line_of_numbers(line[mark.end() :])
            numbers = numbers if len(numbers) > 1 else ()
    if numbers:
        return _Line(numbers, _MARK.match(line) is not None, cited=cited, ends=ends)
    return _Line(inline=tuple(map(list, _inline(line, lower))), item=_item(line, cited), cited=cited, ends=ends)


def _inline(line: str, lower: str) -> list[tuple[int, ...]]:
    """Rankings in running text, and sentences that it says to answer."""
    found = []
    if any(word in lower for word in _NAMING_WORDS):
        found += [(said.start(1), said[1]) for said in _SAID.finditer(line)]
    if '[' in line and ('>' in line or '=' in line):
        found += [(several.start(), several[0]) for several in _SEVERAL.finditer(line)]
    stated = [numbers for start, numbers in found if not _EXAMPLE.search(line[max(start - 80, 0) : start])]
    if 'sentence' in lower:
        stated += [answers[1] for answers in _ANSWERS_IT.finditer(line)]
    return list(map(_integers, stated))


def _item(line: str, cited: frozenset[int]) -> int:
    """The sentence that a line of a list opens with; 0 where it opens with none."""
    item = _ITEM.match(line) if cited else None
    return int(item[1]) if item is not None else 0


def _line_of_numbers(text: str) -> tuple[int, ...]:
    """The numbers of a text that holds nothing but numbers and what joins them."""
    text = _CUT_NUMBER.sub('', _LONG_ARROW.sub('>', _AND.sub(',', text)))
    if _BODY.fullmatch(text) is None or ('[' not in text and _NO_BARE_RANKING.search(text)):
        return ()
    return _integers(text)


def _integers(text: str) -> tuple[int, ...]:
    # int() refuses strings of thousands of digits; no such number is shown.
    return tuple(int(digits) for digits in _DIGITS.findall(text) if len(digits.lstrip('0')) <= 6 and len(digits) < 4000)


def _marked(text: str) -> list[list[int] | None]:
    """The numbers of each marked answer; None for one that declines."""
    contents: list[tuple[int, str]] = []
    if '<' in text:
        contents += [(tag.start(), tag[1]) for tag in _TAGGED.finditer(text)]
    if '\\' in text:
        contents += [(box.start(), box[1]) for box in _BOXED.finditer(text)]
    if ('"' in text or "'" in text) and ':' in text:
        keys = (key for key in _KEY.finditer(text) if re.sub('[ _-]', '', key[1].lower()) in _KEYS)
        contents += [(key.start(), key[2]) for key in keys]
    found: list[list[int] | None] = []
    known: dict[str, list[int] | str | None] = {}
    for _, content in sorted(contents):
        if content not in known:
            known[content] = _marked_numbers(content)
        numbers = known[content]
        if not isinstance(numbers, str):
            found.append(numbers)
    return found


def _marked_numbers(content: str) -> list[int] | str | None:
    """The numbers of a marked answer, None where it declines, '' where it holds neither or both."""
    bare = content.strip(' \n"\'.')
    if not bare:
        return ''
    numbers = list(_integers(re.sub(r'\\text\s?\{|[{}"\']', ' ', bare)))
    none = re.search(r'\bnone\b|\bno sentences?\b|\A\[\s*\]\Z', bare, re.IGNORECASE) is not None
    words = re.sub(r'\b(?:and|then|text|sentences?|answer|ranking|none|no)\b|[\W\d_]', '', bare, flags=re.IGNORECASE)
    if len(words) > 12 and not none:
        inner = _numbers(_find(bare))[0]
        return inner or ''
    if numbers and none:
        return ''
    return numbers or (None if none else '')
