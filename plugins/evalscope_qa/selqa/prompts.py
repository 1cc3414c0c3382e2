"""Numbers the sentences of a SelQA question and builds the text that a model is asked.

The form ``[2] > [1] > [3]`` is that of listwise reranking with language models (Sun et al., 2023, RankGPT,
https://arxiv.org/abs/2304.09542).
"""

import re
from typing import Optional, Sequence

from .schemas import Section, SelectionGold, SelectionRecord, TriggeringGold, TriggeringRecord

NONE = 'NONE'

SELECTION_FORM = 'in the form [2] > [1] > [3]'
"""How the prompt shows a ranking; where a reply repeats it, that is no ranking."""
SELECTION_PROMPT = (
    '{question}\n\n'
    'Rank the numbered sentences by how well they answer the question, from most to least relevant. '
    f'Reply with nothing but the ranking of all sentences, {SELECTION_FORM}.'
)
TRIGGERING_PROMPT = (
    '{question}\n\n'
    'Which of the numbered sentences answer the question? '
    'Reply with nothing but their numbers, best first, in the form [2] > [1], or with NONE if no sentence answers it.'
)
FEW_SHOT_PREFIX = 'Examples:\n\n{fewshot}\n\nNow answer this one:\n\n'

_LINE_BREAK = re.compile(r'[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+')


def shown_numbers(candidates: Sequence[str], first: int = 1) -> dict[int, int]:
    """Number the candidates that are shown.

    Args:
        candidates: Sentences; empty ones are not shown.
        first: Number of the first sentence shown.

    Returns:
        The number of each shown candidate by its position in ``candidates``.
    """
    shown = [position for position, candidate in enumerate(candidates) if candidate.strip()]
    return {position: number for number, position in enumerate(shown, start=first)}


def format_ranking(numbers: Sequence[int]) -> str:
    """Return sentence numbers, best first, in the form that the prompts ask for; '' where there are none."""
    return ' > '.join(f'[{number}]' for number in numbers)


def format_listing(numbers: Optional[Sequence[int]]) -> str:
    """Return a triggering answer: its numbers, ``NONE`` for no number, '' for no answer (``None``)."""
    return '' if numbers is None else format_ranking(numbers) or NONE


def selection_question(record: SelectionRecord) -> tuple[str, SelectionGold]:
    """Return what is asked of a selection record, and its gold answer."""
    numbers = shown_numbers(record.candidates)
    text = f'Sentences:\n{_numbered(record.candidates, numbers)}\n\nQuestion: {record.question}'
    return text, SelectionGold(answers=[numbers[position] for position in record.answers], sentences=len(numbers))


def triggering_question(record: TriggeringRecord) -> tuple[str, TriggeringGold]:
    """Return what is asked of a triggering record, and its gold answer; the numbers run through all sections."""
    shown: list[str] = []
    answers: list[int] = []
    sizes: list[int] = []
    for section in record.candidate_list:
        numbers = shown_numbers(section.candidates, first=1 + sum(sizes))
        sizes.append(len(numbers))
        answers.extend(numbers[position] for position in section.answers)
        if numbers:
            shown.append(f'{_heading(section)}\n{_numbered(section.candidates, numbers)}')
    text = '\n\n'.join([*shown, f'Question: {record.question}'])
    return text, TriggeringGold(answers=answers, section_sizes=sizes)


def _heading(section: Section) -> str:
    return f'Article: {section.article}\nSection: {section.section}'


def _numbered(candidates: Sequence[str], numbers: dict[int, int]) -> str:
    # One line a sentence, whatever the text holds; it is otherwise shown as published.
    return '\n'.join(f'[{number}] {_LINE_BREAK.sub(" ", candidates[position])}' for position, number in numbers.items())
