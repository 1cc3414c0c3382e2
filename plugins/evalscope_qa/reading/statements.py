"""Finds where a reply states one of its labels: the second step of ``docs/reading.md``.

Works on :func:`plain` text. Every occurrence of a label is looked at once: the words before it, bounded in number,
decide whether it is stated there, the words behind it whether the statement is taken back.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from .labels import EXCEPTIONS, Labels, Patterns, patterns
from .markup import TICKED, UNTICKED, plain
from .tables import (
    ANSWER_NAMES,
    BEFORE_OPTION,
    CHINESE_ANSWER_NAMES,
    CHINESE_CHOOSING,
    CHINESE_CHOOSING_ADJECTIVES,
    CHOOSING_ADJECTIVES,
    CHOSEN_NAMES,
    COPULAS,
    CORRECTING_ALONE,
    CORRECTIONS,
    DETERMINERS,
    EVIDENCE,
    EXPLANATION_NAMES,
    HEDGES,
    HEDGING_ADVERBS,
    HYPOTHETICAL,
    INTRODUCING_CLAUSES,
    INTRODUCTIONS,
    MODALS,
    NOT_THE_ANSWER,
    OVERALL,
    SAYING,
    SAYING_TOWARDS,
    SEEMING,
    SUPPORTING,
)

_BEFORE = 300
"""Characters looked at before a label: the longest clause that names the answer and then states it."""
_BEHIND = 90
"""Characters looked at behind it."""
_LONGEST_ENTRY = 600
"""Characters of an entry of a list, to the next one."""
_ENTRIES_OF_A_LIST = 3
"""Entries by which a name that heads each of them is known; or all options, where there are fewer."""


TICKED_RULE = 'marked: ticked box'
OPENING_A_LINE = 'opening a line'
"""No statement by itself, but a label that opens a later line contradicts another one that is stated."""


class Statement(NamedTuple):
    """A place where a reply states a label."""

    position: int
    values: frozenset[str]
    """The label; several where a list is stated, which is no choice."""
    rule: str


# --- What stands behind a label ----------------------------------------------------------------------------------

_TAKEN_BACK = re.compile(
    r'[)\].,]?\s?\?|\)?(?:,| -| \u2014)? (?:'
    r'(?:only )?(?:if|unless|otherwise)\b(?! any| anything)|provided that\b'
    r"|(?:is|was|are|seems|appears|looks) (?:also |clearly |simply |probably |likely |therefore |thus )?(?:not|n't|"
    r'in\w+|wrong|false|too|un\w+|less|only|never|partly|partially|ruled|a common|a distractor|eliminated|excluded)\b'
    r"|(?:isn't|wasn't|aren't|cannot|can't|could|might|may|would|does not|doesn't|needs?|requires?)\b)",
    re.IGNORECASE,
)
"""``X?``, ``X if …``, ``X is incorrect``, ``X would need …``"""
_CONFIRMED = re.compile(
    r'\)?(?: ?[:-])? (?:is|would be|must be|should be|seems to be|appears to be|remains) (?:indeed |therefore |thus |'
    r'clearly |definitely |probably |likely |most likely )?(?:(?:the|my|our|a)\b )?'
    r'(?:(?:most|only|single|one|very|final|more|best|correct|right|likely|appropriate|accurate|suitable) ){0,4}'
    rf'(?:correct|right|best|{"|".join(sorted(ANSWER_NAMES))})\b(?! (?:to|for) (?:part|question)\b)',
    re.IGNORECASE,
)
"""``X is the correct answer``"""
_CHINESE_COPULAS = ('是', '为')
_CHINESE_CONFIRMED = re.compile(
    '[是为](?:唯一|最|本题|该题)?(?:正确|合适|恰当|符合题意|佳)?的?(?:选项|答案|选择)(?![是的中])'
)
"""``X是正确答案``; not ``X是正确的``, which says that its text is true."""
_CONFIRMED_TOGETHER = re.compile(
    r'\)? are (?:both |all |indeed |therefore |thus )?(?:the )?(?:correct|right|true|best)\b', re.IGNORECASE
)
"""``X and Y are correct``, where several may be"""
_STARTS_CONFIRMED = (' is ', ') is ', ' would be ', ') would be ', ' must be ', ') must be ', ' should be ', ' seems ')
_ENDS_CLAUSE = re.compile(r'[)\u0027]*(?:\Z|\n|\s?[.,;:!\u2014\u2013(]|\s?-(?!\w)| (?:because|since|as|given)\b(?!-))')
_CLAUSE_OF_ITS_OWN = re.compile(r'\)?(?:,|;|[.!]?(?:\n|\Z)| (?:because|since)\b)')
_INITIAL = re.compile(r'\. ?[a-z]')
_OPENS = re.compile(r'[)\s]{0,4}(?:\Z|\n|[^\w\s?)]| ?(?:because|since|as)\b(?!-))')
"""What makes a label at the start a clause of its own."""
_REST_OF_LINE = re.compile(r'[^\w\n?]*(?:\Z|\n)')
_ANOTHER_FOR = re.compile(r' (for|in|with|at|among|when) [^.;\n]{1,70}')

# --- What stands before it -----------------------------------------------------------------------------------------

_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[^\w\s]")
_SENTENCE_ENDS = ('. ', '? ', '! ', '; ', '.\u201d ')
_BEFORE_LABEL = frozenset(f'\n:=-\u2013\u2014|,{TICKED}{UNTICKED}')
"""Characters directly before a label that may make it a statement."""
_WEIGHING = frozenset(':=|')
_MOST_WEIGHED = 60
"""Labels with a value behind them: a table has fewer, and what has more is no table."""
_FIRST_WORD = re.compile(r'[^\W_]')
_NEXT_WORD = re.compile(r' (\w+)')
_BEHIND_LETTER_I = re.compile(r'[).:;]|\s*\Z|\n| ?\(| [-\u2013\u2014]|,? (?:because|since)\b')
_LETTER_BEFORE = re.compile(r'(?<![^\W_])\(?[A-Z0-9]\)?[).:,-]{1,2} ?\(?\Z')
_BOTH = re.compile(r' and |[和与及]', re.IGNORECASE)
_IF = re.compile(r'(?:^|[,;:] ?|\b(?:so|then|and|but|thus|therefore),? )if\b(?! (?:any|we look))|如果', re.IGNORECASE)
_OPTION_MARK = re.compile(r'\)?[).:,-]? ?')
_SEPARATORS = frozenset(':=-\u2013\u2014|')
_CHINESE_LEAD = re.compile(
    rf'(?:(?:{"|".join(CHINESE_ANSWER_NAMES)})[^,;.\n?]{{0,20}}?(?:是|为|应该是|应为|选|:)|'
    rf'(?:{"|".join(CHINESE_CHOOSING)}))(?:选项)?[\s(:]*\Z'
)
_CHINESE_NOT = re.compile('不是|并非|不选|不能选|错误|如果')
_HEADING_OPTIONS = frozenset(('选项', '选择'))
_LINE_PREFIX = re.compile(r'\(?(?:\d{1,3}|[a-z])[.)] ?|[^\w\n]+', re.IGNORECASE)


_LAST_WORDS = frozenset(
    (
        *COPULAS,
        *CORRECTING_ALONE,
        *HEDGES,
        'but',
        *SAYING,
        *INTRODUCTIONS,
        *ANSWER_NAMES,
        *CHOSEN_NAMES,
        *(second for _, second in SAYING_TOWARDS),
        *(words.split()[-1] for words in SUPPORTING),
        'be',
        'by',
    )
)
"""Words directly before a label that may make it a statement; behind any other it is read by what follows it alone."""


class Reader:
    """Finds the statements of one plain text.

    Args:
        text: What :func:`plain` returned, without the symbols of marked answers.
        labels: What an answer can be.
    """

    def __init__(self, text: str, labels: Labels) -> None:
        self.text = text
        self.labels = labels
        self.patterns: Patterns = patterns(labels)
        self._known: dict[tuple[str, str, bool], tuple[str, frozenset[str]] | None] = {}
        first = _FIRST_WORD.search(text)
        self._first = first.start() if first is not None else 0
        self._last_line = text.rfind('\n') + 1
        self._shapes: frozenset[str] | None = None
        self._heading_names: frozenset[str] | None = None
        self.weighed: list[tuple[int, frozenset[str], str]] = []
        """Labels that a colon or the like follows: position, label, and what follows."""

    def statements(self, begin: int = 0) -> list[Statement]:
        """Every place from ``begin`` on where the text states a label, in order."""
        text, known = self.text, self._known
        found = []
        if begin == 0 and self.labels.words and self.patterns.before_clause.match(text, self._first):
            opening = text[self._first : self._first + 80]
            if not opening.isupper():
                found.append(Statement(self._first, self.labels.values(opening.split(' ')[0]), 'standing'))
        for run in self.patterns.run.finditer(text, begin):
            start, end = run.span()
            if not self._may_state(start, end):
                continue
            ends_text = 0 <= start - self._last_line < 16
            key = text[max(start - _BEFORE, 0) : start], text[start : end + _BEHIND], ends_text
            if key not in known:
                known[key] = self._read(run, ends_text)
            statement = known[key]
            if statement is not None:
                found.append(Statement(start, statement[1], statement[0]))
        return found

    def _may_state(self, start: int, end: int) -> bool:
        """A cheap look at what stands directly before and behind a label."""
        text = self.text
        behind = text[end : end + 2]
        if (behind[:1] in _WEIGHING or behind[1:] in _WEIGHING) and behind and len(self.weighed) < _MOST_WEIGHED:
            self.weighed.append((start, self.labels.values(text[start:end]), text[end : end + 24]))
        place = start - 1
        while place >= 0 and text[place] in ' (':
            place -= 1
        if place < 0 or start <= self._first + 6 or 0 <= start - self._last_line < 16:
            return True
        character = text[place]
        if character in _BEFORE_LABEL:
            return True
        if character.isalnum() and character < '\u2e80':
            space = max(text.rfind(' ', max(place - 18, 0), place), text.rfind('\n', max(place - 18, 0), place))
            word = text[space + 1 : place + 1].lower().lstrip('(')
            if word in _LAST_WORDS or word.endswith("'s"):
                return True
        elif character >= '\u2e80':
            return True
        return text.startswith(_STARTS_CONFIRMED + _CHINESE_COPULAS, end) or (
            self.labels.several and self.confirmed(text[end : end + 40])
        )

    def confirmed(self, behind: str) -> bool:
        """Whether what stands behind a label calls it right (``X is the correct answer``)."""
        if behind.startswith(_STARTS_CONFIRMED) and _CONFIRMED.match(behind):
            return True
        if behind.startswith(_CHINESE_COPULAS) and _CHINESE_CONFIRMED.match(behind):
            return True
        return self.labels.several and _CONFIRMED_TOGETHER.match(behind) is not None

    def _read(self, run: 're.Match[str]', ends_text: bool) -> tuple[str, frozenset[str]] | None:
        """The rule by which a label is stated, and its value or, of a list, values."""
        text = self.text
        start, end = run.span()
        values = self.labels.values(run[0][:400])
        before = text[max(start - 3, 0) : start].rstrip(' (')[-1:]
        if not values or before == UNTICKED:
            return None
        if before == TICKED:
            return TICKED_RULE, values
        whole = len(values) == len(self.labels.names)
        if len(values) > 1 and whole and not self.labels.several:
            return None  # all of them: the options again
        behind = text[end : end + _BEHIND]
        if _TAKEN_BACK.match(behind):
            return None
        single = len(values) == 1 or (self.labels.several and not whole)
        rule = self._rule(start, end, behind, ends_text, single)
        if rule is None:
            prefix = _LETTER_BEFORE.search(text, max(start - 6, 0), start)
            if prefix is not None:  # 'C, maybe': a letter that belongs to the label
                rule = self._rule(prefix.start(), end, behind, ends_text, single)
        if rule is None and single and text[max(start - 1, 0)] in '\n(' and _CLAUSE_OF_ITS_OWN.match(behind):
            rule = OPENING_A_LINE
        if rule is None:
            return None
        other = _ANOTHER_FOR.match(behind) if len(values) == 1 else None
        if other is not None:
            for token in self.patterns.token.finditer(other[0]):
                if self.labels.value(token[0]) not in values and other[0].startswith(f' {other[1]} ', token.end()):
                    return None  # X for …, Y for …
        return rule, values

    def _rule(self, start: int, end: int, behind: str, ends_text: bool, single: bool) -> str | None:
        text, letter_end = self.text, end
        if self.labels.texts and single:
            end = self._end_of_option(start, end)
            behind = text[end : end + _BEHIND]
            # "B) the liver is wrong", but not "The answer is (D). A heap area is not …", which goes on with a sentence.
            if '.' not in text[letter_end : letter_end + 3] and _TAKEN_BACK.match(behind):
                return None
        lowest = max(start - _BEFORE, 0)
        line = max(text.rfind('\n', lowest, start) + 1, lowest)
        ends_line = _REST_OF_LINE.match(text, end) is not None
        if single and start <= self._first and self._opens(start, end, behind):
            shape = self._shape(line, start, end)
            if shape not in self._entry_shapes() if shape else not self._begins_a_list(start, letter_end):
                return 'standing'
        if not single and start <= self._first and _OPENS.match(behind) and _BOTH.search(text, start, end):
            return 'standing'  # "Yes and no."
        if single and ends_line and ends_text and not _LINE_PREFIX.sub('', text[line:start]):
            return 'standing'
        clause = text[self._clause_start(start) : start]
        if not clause.isascii() and _CHINESE_LEAD.search(clause):
            return None if _CHINESE_NOT.search(clause) else 'said'
        words = _WORDS.findall(clause.lower())
        if self.confirmed(behind):
            of_sentence = words[-6:]
            if '.' in of_sentence:  # 'A is not right. B is correct.'
                of_sentence = of_sentence[len(of_sentence) - of_sentence[::-1].index('.') :]
            return 'said' if HYPOTHETICAL.isdisjoint(of_sentence) else None
        lead = self._lead(words, line, start, behind, ends_line)
        if lead is None or self._conditional(clause):
            return None
        return None if not words and self._begins_a_list(start, letter_end) else lead

    def _end_of_option(self, start: int, end: int) -> int:
        """Where the option of a letter ends: behind its text, where that follows (``B) the liver``)."""
        mark = _OPTION_MARK.match(self.text, end)
        letter = self.text[start:end]
        if mark is None or letter not in self.labels.names[: len(self.labels.texts)]:
            return end
        option = _plain_option(self.labels.texts[self.labels.names.index(letter)])
        behind = mark.end() + len(option)
        return behind if option and self.text[mark.end() : behind].casefold() == option else end

    def _opens(self, start: int, end: int, behind: str) -> bool:
        """Whether a label at the start of a reply is a clause of its own."""
        token = self.text[start:end]
        if token == 'I' and self.labels.are_letters and not _BEHIND_LETTER_I.match(behind):
            return False
        if token == 'A' and behind.startswith(':'):
            return self._text_follows(token, behind)  # 'A: Let us see', the answer to 'Q:'
        if _OPENS.match(behind):
            return True
        word = _NEXT_WORD.match(behind)
        if word is None or self.labels.are_letters:
            return False
        return token.lower() not in EXCEPTIONS and word[1].lower() in DETERMINERS

    def _text_follows(self, token: str, behind: str) -> bool:
        index = self.labels.names.index(token)
        text = self.labels.texts[index] if index < len(self.labels.texts) else ''
        return bool(text) and behind[1:].strip().casefold().startswith(text.strip().casefold()[:30])

    def _clause_start(self, start: int) -> int:
        """Where the clause before ``start`` begins: behind the last end of a sentence or line."""
        text = self.text
        lowest = max(start - _BEFORE, 0)
        ends = [
            end + len(mark) for mark in _SENTENCE_ENDS if (end := text.rfind(mark, lowest, max(start - 1, lowest))) >= 0
        ]
        line = text.rfind('\n', lowest, start) + 1
        return max([line, lowest, *ends])

    def _lead(self, words: list[str], line: int, start: int, behind: str, ends_line: bool) -> str | None:
        """The rule by which the words before a label state it."""
        size = len(words)
        while size and words[size - 1] in '(':
            size -= 1
        if not size:
            return self._named_above(line, start, behind)
        last = words[size - 1]
        correcting = set(words[:size]) - {',', 'wait', 'sorry'}
        if correcting and correcting <= CORRECTING_ALONE:
            return 'said' if self._ends_clause(behind) else None
        if last == 'but' and 'not' in words[max(size - 4, 0) : size]:  # "not X but Y"
            size -= 1 + words[:size][::-1].index('not')
            last = words[size - 1] if size else ''
        if last in _SEPARATORS:
            while size and words[size - 1] in _SEPARATORS:
                size -= 1
            head = words[:size]
            if (
                self.text[start - 1] == '-'
                and self.text[start - 2 : start - 1].isalnum()
                and (not head or head[-1] not in ANSWER_NAMES)
            ):
                return None  # 'HDL-C'
            if self._names(head):
                return 'named'
            if self._says(head):
                return 'said'
            return 'named' if last == ':' and ends_line and head and '?' not in head and self._free(head) else None
        if last == ',':
            head = words[: size - 1]
            if not head:
                return None
            opens = head[0] if head[0] not in ('and', 'but') or len(head) == 1 else head[1]
            introduces = head[-1] in INTRODUCTIONS or opens in INTRODUCING_CLAUSES or opens in INTRODUCTIONS
            return 'said' if introduces and self._ends_clause(behind) and self._free(head[-4:]) else None
        hedged = size
        while hedged and (words[hedged - 1] in HEDGES or words[hedged - 2 : hedged] == ['to', 'be']):
            hedged -= 1 + (words[hedged - 1] == 'be')
        if self._says(words[:size]) or self._says(words[:hedged]):
            return 'said'
        if not hedged and not HEDGING_ADVERBS.isdisjoint(words):
            return 'said' if self._ends_clause(behind) else None
        if hedged and words[hedged - 1] in _SEPARATORS and self._names(words[:hedged]):
            return 'named'
        if last in INTRODUCTIONS:
            return 'said' if self._ends_clause(behind) and self._free(words[-6:-1]) else None
        if last in ANSWER_NAMES:
            return self._direct(words[:size], behind, start, line)
        return None

    def _ends_clause(self, behind: str) -> bool:
        """Whether a clause ends behind a label; not behind the first letter of a name such as "E. coli"."""
        return _ENDS_CLAUSE.match(behind) is not None and not (self.labels.are_letters and _INITIAL.match(behind))

    def _names(self, head: list[str]) -> bool:
        """Whether words name the answer, and neither another one nor one that is denied or supposed."""
        for index, word in enumerate(head):
            adjectives = head[max(index - 4, 0) : index]
            if word in ANSWER_NAMES or (word in CHOSEN_NAMES and not CHOOSING_ADJECTIVES.isdisjoint(adjectives)):
                return NOT_THE_ANSWER.isdisjoint(head[max(index - 3, 0) : index]) and self._free(head[:index])
        return any(name in word for word in head if not word.isascii() for name in CHINESE_ANSWER_NAMES)

    def _free(self, head: list[str]) -> bool:
        """Whether the last part of a clause neither negates nor supposes."""
        part = head[-12:]
        if ',' in part:
            part = part[len(part) - part[::-1].index(',') :]
        return HYPOTHETICAL.isdisjoint(part)

    def _says(self, head: list[str]) -> bool:
        """Whether a clause up to its hedges ends in "the answer is", "I would say", "the evidence supports"."""
        if not head:
            return False
        last, before = head[-1], head[-2] if len(head) > 1 else ''
        size = len(head)
        if last == 'be' and (before in MODALS or (before == 'to' and size > 2 and head[-3] in SEEMING)):
            subject = head[: size - (2 if before in MODALS else 3)]
        elif last in COPULAS:
            subject = head[: size - 1]
        elif last.endswith("'s") and last[:-2] in ANSWER_NAMES | {'it', 'that'}:
            subject = [*head[: size - 1], last[:-2]]
        else:
            return self._says_by_verb(head, last, before)
        if self._names(subject):
            return True
        if not subject or not self._free(subject):
            return False
        # "this is (B)", "it is a clear yes"
        return subject[-1] in ('it', 'this', 'that', 'which') and len(subject) < 4

    def _says_by_verb(self, head: list[str], last: str, before: str) -> bool:
        subject = head[-9:]
        if last in SAYING or (before, last) in SAYING_TOWARDS:
            if not {'i', 'we', "i'd", "i'll", "we'd", "i'm"}.intersection(subject):
                return False
            return self._free(subject)
        if last in SUPPORTING or f'{before} {last}' in SUPPORTING:
            return bool(EVIDENCE.intersection(head)) and self._free(head)
        if (before, last) == ('given', 'by'):
            return self._names(head)
        return False

    def _direct(self, words: list[str], behind: str, start: int, line: int) -> str | None:
        """``Answer B`` at the start of a line, ``… is given by option (I).`` at the end of a clause."""
        alone = all(word in ANSWER_NAMES or word in ('final', 'the', 'correct', 'my', 'best') for word in words)
        if alone and self.text[line:start].strip(' (').lower() in (' '.join(words), ' '.join(words) + ' ('):
            return 'named' if self._ends_clause(behind) and words[-1] not in self._headed_entries() else None
        if not self.labels.are_letters or not self._ends_clause(behind):
            return None
        previous = words[-2] if len(words) > 1 else ''
        return 'said' if previous in BEFORE_OPTION and self._free(words) else None

    def _named_above(self, line: int, start: int, behind: str) -> str | None:
        """A heading or label on the line before that names the answer."""
        if line == 0 or self.text[line:start].strip(' (') or not _OPENS.match(behind):
            return None
        lowest = max(line - _BEFORE, 0)
        above = self.text[max(self.text.rfind('\n', lowest, line - 1) + 1, lowest) : line - 1]
        words = _WORDS.findall(above.lower())
        ends_open = bool(words) and words[-1] in _SEPARATORS
        while words and words[-1] in _SEPARATORS:
            words.pop()
        if not words or not self._names(words) or _heads_the_options(words[-1]):
            return None
        copula = words[-1] in COPULAS or words[-1] == 'be'
        short = len(words) <= 6 and not {'.', '?', '!'}.intersection(words)
        return 'named' if ends_open or short or copula else None

    def _conditional(self, clause: str) -> bool:
        """Whether a label stands in the main clause of an ``if``."""
        return ('if' in clause or 'If' in clause or '如果' in clause) and _IF.search(clause) is not None

    # --- Lists ------------------------------------------------------------------------------------------------------

    def _shape(self, line: int, start: int, end: int) -> str:
        """What stands behind a label that opens a line; empty where it opens none or is followed by words."""
        prefix = self.text[line:start]
        if prefix.strip(' (') and not _ITEM_PREFIX.fullmatch(prefix):
            return ''
        behind = _ENTRY_MARK.match(self.text, end)
        return behind[0].strip() if behind is not None else ''

    def _begins_a_list(self, start: int, end: int) -> bool:
        """Whether the next line opens with the next option, as this one with an option: the options one by one."""
        label, mark = self.text[start:end], _ENTRY_MARK.match(self.text, end)
        if mark is None or not self.labels.are_letters or label not in self.labels.names[:-1]:
            return False
        line = self.text.find('\n', end, end + _LONGEST_ENTRY) + 1
        following = _line_openings(self.labels).match(self.text, line) if line else None
        if following is None or following[2].strip() != mark[0].strip():
            return False
        return following[1] == self.labels.names[self.labels.names.index(label) + 1]

    def _headed_entries(self) -> frozenset[str]:
        """Names that head the options one by one, each at the start of a line (``Option A …``, ``Option B …``)."""
        if self._heading_names is None:
            labels: dict[str, set[str]] = {}
            if '\n' in self.text and self.labels.are_letters:
                for match in _headed_lines(self.labels).finditer(self.text):
                    labels.setdefault(match[1].lower(), set()).add(match[2])
            enough = min(_ENTRIES_OF_A_LIST, len(self.labels.names))
            self._heading_names = frozenset(name for name, found in labels.items() if len(found) >= enough > 1)
        return self._heading_names

    def _entry_shapes(self) -> frozenset[str]:
        """What stands behind labels that differ and open lines: these are entries of a list, which states none."""
        if self._shapes is None:
            shapes: dict[str, set[str]] = {}
            if '\n' in self.text:
                for match in _line_openings(self.labels).finditer(self.text):
                    value = self.labels.value(match[1])
                    if value is not None:
                        shapes.setdefault(match[2].strip(), set()).add(value)
            self._shapes = frozenset(shape for shape, values in shapes.items() if len(values) > 1)
        return self._shapes


@lru_cache(maxsize=256)
def _plain_option(text: str) -> str:
    return plain(text).casefold()


def _heads_the_options(name: str) -> bool:
    """Whether a Chinese name heads the options (选项), not the one that is chosen (正确选项)."""
    names = [known for known in CHINESE_ANSWER_NAMES if known in name]
    if not names or not set(names) <= _HEADING_OPTIONS:
        return False
    return not any(adjective in name for adjective in CHINESE_CHOOSING_ADJECTIVES)


def sentence_start(text: str, end: int, lowest: int) -> int:
    marks = ('. ', '? ', '! ', '.\n', '?\n', '\n')
    found = ((text.rfind(mark, lowest, max(end - 1, lowest)), mark) for mark in marks)
    return max([lowest, *(place + len(mark) for place, mark in found if place >= 0)])


def _any_of(words: tuple[str, ...]) -> 're.Pattern[str]':
    latin = '|'.join(re.escape(word) for word in words if word.isascii())
    chinese = '|'.join(word for word in words if not word.isascii())
    return re.compile(rf'\b(?:{latin})\b|{chinese}')


_CORRECTS = _any_of(CORRECTIONS)
_OVERALL = _any_of(OVERALL)

_ITEM = r'\(?(?:\d{1,3}|[A-Za-z])[.)] ?\(?|[^\w\n]{1,6}'
_ITEM_PREFIX = re.compile(_ITEM)
_ENTRY_MARK = re.compile(r' ?\)?[:.)|=\u2014\u2013-]')


@lru_cache(maxsize=256)
def _line_openings(labels: Labels) -> 're.Pattern[str]':
    return re.compile(rf'^(?:{_ITEM})?({patterns(labels).token.pattern})({_ENTRY_MARK.pattern})', re.MULTILINE)


@lru_cache(maxsize=256)
def _headed_lines(labels: Labels) -> 're.Pattern[str]':
    return re.compile(
        rf'^(?:{_ITEM})?(?i:(option|choice|alternative|answer|选项)) ?\(?({patterns(labels).token.pattern})',
        re.MULTILINE,
    )


def introduced(text: str, position: int, after: int = 0) -> tuple[bool, bool]:
    """Whether a statement is introduced as a correction, in its sentence or the one before; and as a final one.

    What stands before ``after``, where the statement that it may correct stands, introduces that one.
    """
    lowest = max(position - 400, after)
    sentence = sentence_start(text, position, lowest)
    before = text[sentence_start(text, max(sentence - 2, lowest), lowest) : position].lower()
    return _CORRECTS.search(before) is not None, _OVERALL.search(before) is not None


_EXPLAINS = re.compile(
    rf'^[^\w\n]{{0,6}}(?:(?:brief|short|detailed|my|the|supporting)\s)?(?:{"|".join(EXPLANATION_NAMES)})'
    r'(?: \([^()\n]{0,40}\))?[^\w\n]{0,3}(?:[:\uff1a]|\n|\Z)',
    re.IGNORECASE | re.MULTILINE,
)


def explanation_start(text: str, after: int) -> int:
    """Where an explanation begins behind ``after``; the length of ``text`` where none does."""
    found = _EXPLAINS.search(text, after)
    return len(text) if found is None else found.start()
