"""Rankings of a SelQA selection record by simple rules, as replies: two baselines and the gold ranking."""

import re
from typing import Any

Record = dict[str, Any]


def shown_positions(record: Record) -> list[int]:
    """Positions of the candidates that are shown, in document order."""
    return [position for position, candidate in enumerate(record['candidates']) if candidate]


def as_reply(record: Record, positions: list[int]) -> str:
    """The reply that ranks candidates given by their positions in the record."""
    number_of = {position: number for number, position in enumerate(shown_positions(record), start=1)}
    return ' > '.join(f'[{number_of[position]}]' for position in positions)


def gold_ranking(record: Record) -> str:
    return as_reply(record, record['answers'])


def document_order(record: Record) -> str:
    return as_reply(record, shown_positions(record))


def word_overlap(record: Record) -> str:
    """Most words shared with the question first; ties in document order."""
    question = _words(record['question'])
    overlap = {position: len(question & _words(record['candidates'][position])) for position in shown_positions(record)}
    return as_reply(record, sorted(overlap, key=lambda position: -overlap[position]))


def _words(text: str) -> set[str]:
    return set(re.findall(r'\w+', text.lower()))
