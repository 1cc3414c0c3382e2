"""Pairs replies with questions: by position, or by id; the two never mix."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..engine import Reply
from ..wording import counted
from .questions import Questions
from .replies import Replies, ReplySource

_EXAMPLES = 3


def as_source(replies: ReplySource | Mapping[str, Reply] | Sequence[Reply]) -> ReplySource:
    """Return replies of any form as those of a file: a mapping goes by id, a sequence by position."""
    if isinstance(replies, Mapping):
        return Replies(tuple(replies.values()), 'id', tuple(str(name) for name in replies))
    if isinstance(replies, Sequence):
        return Replies(tuple(replies))
    return replies


def pair_replies(benchmark: str, questions: Questions, replies: ReplySource) -> Sequence[int] | None:
    """Return the place of each question's reply among the replies; None where they are in the order of the questions.

    Args:
        benchmark: Its name, for messages.
        questions: The questions.
        replies: The replies.

    Raises:
        ValueError: If there is no question; if counts differ; if a question has no reply, a reply no question, or an id
            several replies, with three examples and the number of each; or if predictions were made to other questions.
    """
    if replies.by == 'position':
        _require_equal_counts(benchmark, questions, len(replies))
        return None
    given = {name: place for place, name in enumerate(replies.ids)}
    names = questions.ids() if replies.by == 'id' else map(str, range(len(questions)))
    order = array('q', (given.get(name, -1) for name in names))
    if len(given) < len(replies) or len(order) != len(given) or -1 in order or len(set(order)) < len(order):
        raise ValueError(_unlike(benchmark, questions, replies))
    if not len(questions):
        _require_equal_counts(benchmark, questions, 0)
    if replies.by == 'index':
        _require_same_questions(benchmark, questions, replies, order)
    return order


def _require_equal_counts(benchmark: str, questions: Questions, replies: int) -> None:
    if len(questions) != replies:
        raise ValueError(
            f'{benchmark}: {counted(len(questions), "question")} (from {counted(questions.records, "record")}) but '
            f'{counted(replies, "reply", "replies")}. Pass one reply a question in the same order, null where there '
            'was none; or replies with the ids of the records.'
        )
    if not len(questions):
        raise ValueError(
            f'{benchmark}: there is nothing to score: no question (from {questions.records} records), no reply.'
        )


def _unlike(benchmark: str, questions: Questions, replies: ReplySource) -> str:
    """Say how the ids of replies differ from those of the questions."""
    names = list(questions.ids()) if replies.by == 'id' else [str(number) for number in range(len(questions))]
    known, given = set(names), Counter(replies.ids)
    faults = [
        _fault([name for name in names if name not in given], 'question has no reply', 'questions have no reply'),
        _fault([name for name in given if name not in known], 'reply is of no question', 'replies are of no question'),
        _fault([name for name, count in given.items() if count > 1], 'id comes twice', 'ids come more than once'),
    ]
    by = 'the numbers of the questions' if replies.by == 'index' else 'the ids of the questions'
    return (
        f'{benchmark}: the replies do not fit {by}, of which there are {len(names)}: '
        f'{"; ".join(fault for fault in faults if fault)}. Give null as the reply to a question that has none.'
    )


def _fault(names: Sequence[str], one: str, several: str) -> str:
    if not names:
        return ''
    more = ', ...' if len(names) > _EXAMPLES else ''
    return f'{len(names)} {one if len(names) == 1 else several} ({", ".join(names[:_EXAMPLES])}{more})'


def _require_same_questions(benchmark: str, questions: Questions, replies: ReplySource, order: Sequence[int]) -> None:
    """Refuse predictions made to other questions: their number alone would not show it."""
    other = []
    for number, question in enumerate(questions.iterate()):
        prompt = replies.prompt(order[number])
        if prompt and question.asked and _plain(question.asked) not in _plain(prompt):
            other.append(number)
    if other:
        examples: Iterable[str] = map(str, other[:_EXAMPLES])
        raise ValueError(
            f'{benchmark}: {len(other)} of {len(questions)} predictions were made to other questions than the records '
            f'have at their place (numbers {", ".join(examples)}). Pass the records of that run in its order, and of '
            'one subset.'
        )


def _plain(text: str) -> str:
    return ' '.join(text.split())
