"""Pairs replies with questions: by position, or by id; the two never mix."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..engine import Reply
from ..wording import counted
from .questions import Question
from .replies import Replies

_EXAMPLES = 3


def pair_replies(
    benchmark: str,
    questions: Sequence[Question],
    replies: Replies | Mapping[str, Reply] | Sequence[Reply],
    records: int,
) -> list[Reply]:
    """Return one reply a question, in the order of the questions.

    Args:
        benchmark: Its name, for messages.
        questions: The questions.
        replies: In the order of the questions, or with ids.
        records: The number of records, for messages.

    Raises:
        ValueError: If there is no question; if counts differ; if a question has no reply, a reply no question, or an id
            several replies, with three examples and the number of each; or if predictions were made to other questions.
    """
    if isinstance(replies, Mapping):
        replies = Replies(tuple(replies.values()), 'id', tuple(str(name) for name in replies))
    elif not isinstance(replies, Replies):
        replies = Replies(tuple(replies))
    if replies.by == 'position':
        _require_equal_counts(benchmark, records, len(questions), len(replies.values))
        return list(replies.values)
    names = [str(number) for number in range(len(questions))]
    if replies.by == 'id':
        names = [question.id for question in questions]
    _require_same_ids(benchmark, names, replies)
    if not questions:
        _require_equal_counts(benchmark, records, 0, 0)
    by_id = dict(zip(replies.ids, replies.values, strict=True))
    if replies.prompts:
        _require_same_questions(benchmark, questions, dict(zip(replies.ids, replies.prompts, strict=True)))
    return [by_id[name] for name in names]


def _require_equal_counts(benchmark: str, records: int, questions: int, replies: int) -> None:
    if questions != replies:
        raise ValueError(
            f'{benchmark}: {counted(questions, "question")} (from {counted(records, "record")}) but '
            f'{counted(replies, "reply", "replies")}. Pass one reply a question in the same order, null where there '
            'was none; or replies with the ids of the records.'
        )
    if not questions:
        raise ValueError(f'{benchmark}: there is nothing to score: no question (from {records} records), no reply.')


def _require_same_ids(benchmark: str, names: Sequence[str], replies: Replies) -> None:
    known, given = set(names), Counter(replies.ids)
    faults = [
        _fault([name for name in names if name not in given], 'question has no reply', 'questions have no reply'),
        _fault([name for name in given if name not in known], 'reply is of no question', 'replies are of no question'),
        _fault([name for name, count in given.items() if count > 1], 'id comes twice', 'ids come more than once'),
    ]
    said = '; '.join(fault for fault in faults if fault)
    if said:
        by = 'the numbers of the questions' if replies.by == 'index' else 'the ids of the questions'
        raise ValueError(
            f'{benchmark}: the replies do not fit {by}, of which there are {len(names)}: {said}. '
            'Give null as the reply to a question that has none.'
        )


def _fault(names: Sequence[str], one: str, several: str) -> str:
    if not names:
        return ''
    more = ', ...' if len(names) > _EXAMPLES else ''
    return f'{len(names)} {one if len(names) == 1 else several} ({", ".join(names[:_EXAMPLES])}{more})'


def _require_same_questions(benchmark: str, questions: Sequence[Question], prompts: Mapping[str, str]) -> None:
    """Refuse predictions made to other questions: their number alone would not show it."""
    other = [
        number
        for number, question in enumerate(questions)
        if prompts[str(number)] and question.asked and _plain(question.asked) not in _plain(prompts[str(number)])
    ]
    if other:
        examples: Iterable[str] = map(str, other[:_EXAMPLES])
        raise ValueError(
            f'{benchmark}: {len(other)} of {len(questions)} predictions were made to other questions than the records '
            f'have at their place (numbers {", ".join(examples)}). Pass the records of that run in its order, and of '
            'one subset.'
        )


def _plain(text: str) -> str:
    return ' '.join(text.split())
