"""Drops what a reply repeats of its prompt: a model that only repeats what it was asked has answered nothing.

Dropped are (``docs/reading.md``)

- the beginning of the reply as far as it is the beginning of the prompt, a few words at least;
- lines of the prompt that follow each other there and here; numbered or lettered ones (sentences, options) only where
  they are two or more from the first on, because a model may quote those that it means;
- words of the prompt's template, five or more in a row.

What lies inside one line of the prompt otherwise (a quoted sentence, an option) is none.
"""

import re
from functools import lru_cache
from typing import NamedTuple

_SHORTEST_BEGINNING = 20
"""Characters: a reply of a word or two that the prompt happens to begin with is an answer."""
_TEMPLATE_WORDS = 5

_QUOTE_MARKS = re.compile(r'^[ \t]*(?:>[ \t]*)+', re.MULTILINE)
_ENTRY = re.compile(r'\s*(?:\[(\d{1,4})\]|\(?([A-Za-z]|\d{1,2})[).:、])')
_LIST_GOES_ON = re.compile(r'\s?(?:[>,=]|->|→)\s?\[?\d')
_FIELD = re.compile(r'\{\w*\}')


class Prompt(NamedTuple):
    """What a model was asked."""

    text: str
    """The current question's prompt as sent, without few-shot examples."""
    template: str = ''
    """The prompt template, with its fields."""

    def __bool__(self) -> bool:  # a named tuple is true by its length
        return bool(self.text)


def drop_echo(reply: str, prompt: Prompt) -> str:
    """Return ``reply`` without what it repeats of ``prompt``, stripped."""
    text = reply
    while True:
        if text.startswith('>') or '\n>' in text:
            text = _QUOTE_MARKS.sub('', text)
        kept = _without_template(_without_lines(_without_beginning(text, prompt.text), prompt.text), prompt.template)
        kept = kept.strip()
        if kept == text:
            return kept if kept != reply else reply
        text = kept


def _without_beginning(reply: str, prompt: str) -> str:
    start = _common_beginning(reply, prompt.lstrip())
    if start < _SHORTEST_BEGINNING:
        return reply
    return reply[_word_end(reply, start) :]


def _word_end(reply: str, end: int) -> int:
    """Step back from the inside of a word, which goes on differently and so is the reply's own."""
    while 0 < end < len(reply) and not reply[end].isspace() and not reply[end - 1].isspace() and reply[end] < '⺀':
        end -= 1
    return end


def _common_beginning(one: str, other: str) -> int:
    """Length of the common beginning, found by halving, so that it is compared and not looped over."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


@lru_cache(maxsize=64)
def _lines(prompt: str) -> tuple[list[str], dict[str, list[int]]]:
    """The prompt's lines that are not blank, and where each stands."""
    lines = [line.strip() for line in prompt.split('\n') if line.strip()]
    places: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        places.setdefault(line, []).append(place)
    return lines, places


def _without_lines(reply: str, prompt: str) -> str:
    """Drop runs of two or more of the prompt's lines; the last line of a run may be cut short."""
    if '\n' not in reply or '\n' not in prompt:
        return reply
    asked, places = _lines(prompt)
    lines = reply.split('\n')
    stripped = [line.strip() for line in lines]
    if not any(line in places for line in stripped):
        return reply
    dropped: set[int] = set()
    filled = [index for index, line in enumerate(stripped) if line]
    position = 0
    while position < len(filled):
        best = 0
        before = stripped[filled[position - 1]] if position else ''
        reordered = before in places and _ENTRY.match(before) is not None
        for place in places.get(stripped[filled[position]], ())[:8]:
            best = max(best, _run(stripped, filled, position, asked, place, reordered))
        if best > 1:
            dropped.update(filled[position : position + best])
        position += max(best, 1)
    return '\n'.join(line for index, line in enumerate(lines) if index not in dropped) if dropped else reply


def _run(stripped: list[str], filled: list[int], position: int, asked: list[str], place: int, reordered: bool) -> int:
    """How many of the reply's lines from ``position`` on are the prompt's from ``place`` on; 0 where it is no echo."""
    length = 0
    while position + length < len(filled) and place + length < len(asked):
        line, line_asked = stripped[filled[position + length]], asked[place + length]
        if line != line_asked:
            last = position + length == len(filled) - 1
            length += int(last and length > 0 and line_asked.startswith(line))
            break
        length += 1
    entries = [line for line in asked[place : place + length] if _ENTRY.match(line)]
    # Entries alone are quoted, not repeated, unless they begin with the first of them, and no other entry before it.
    if len(entries) == length and (reordered or (place > 0 and _ENTRY.match(asked[place - 1]))):
        return 0
    return length


@lru_cache(maxsize=64)
def _phrases(template: str) -> tuple[str, ...]:
    """Every run of five words of the template's own text that holds two words of letters."""
    phrases: dict[str, None] = {}
    for line in _FIELD.sub('\n', template).replace('{{', '{').replace('}}', '}').split('\n'):
        words = line.split()
        for start in range(len(words) - _TEMPLATE_WORDS + 1):
            piece = words[start : start + _TEMPLATE_WORDS]
            if sum(word.strip('.,:;()[]\'"').isalpha() for word in piece) > 1:
                phrases[' '.join(piece)] = None
    return tuple(phrases)


def _without_template(reply: str, template: str) -> str:
    """Drop runs of the template's words."""
    found = [phrase for phrase in _phrases(template) if phrase in reply] if template else []
    if not found:
        return reply
    spans: list[tuple[int, int]] = []
    for phrase in found:
        behind = template[template.find(phrase) + len(phrase) :] if phrase in template else ''
        start = reply.find(phrase)
        while start >= 0:
            end = start + len(phrase)
            end = _word_end(reply, end + _common_beginning(reply[end : end + len(behind)], behind))
            if _LIST_GOES_ON.match(reply, end):  # the form as shown, but the list is the reply's own
                end = start + max(phrase.find('['), 0)
            spans.append((start, max(end, start)))
            start = reply.find(phrase, max(end, start + len(phrase)))
    pieces: list[str] = []
    position = 0
    for start, end in sorted(spans):
        if start > position:
            pieces.append(reply[position:start])
        position = max(position, end)
    pieces.append(reply[position:])
    return '\n'.join(pieces)
