"""Sentences are shown one a line, numbered from 1 over those that are not empty; answers are given in these numbers."""

import re

import pytest
from evalscope_qa.selqa.prompts import (
    SELECTION_PROMPT,
    TRIGGERING_PROMPT,
    format_listing,
    format_ranking,
    selection_question,
    shown_numbers,
    triggering_question,
)
from evalscope_qa.selqa.schemas import SelectionRecord, TriggeringRecord

QUESTION = {
    'question': 'Who?',
    'article': 'A',
    'section': 'S',
    'topic': 'ART',
    'q_types': ['who'],
    'is_paraphrase': False,
}


def selection(candidates: list[str], answers: list[int]) -> SelectionRecord:
    return SelectionRecord.model_validate({**QUESTION, 'candidates': candidates, 'answers': answers})


def triggering(*sections: tuple[list[str], list[int]]) -> TriggeringRecord:
    return TriggeringRecord.model_validate(
        {
            **QUESTION,
            'candidate_list': [
                {
                    'article': f'Article {index}',
                    'section': f'Title {index}',
                    'candidates': list(texts),
                    'answers': answers,
                }
                for index, (texts, answers) in enumerate(sections)
            ],
        }
    )


@pytest.mark.parametrize(
    ('candidates', 'first', 'numbers'),
    [
        (['a', 'b'], 1, {0: 1, 1: 2}),
        (['', 'a', '', 'b', ''], 1, {1: 1, 3: 2}),
        (['', 'a', ' \t', 'b'], 5, {1: 5, 3: 6}),
        (['', ''], 1, {}),
        ([], 1, {}),
        (['same', 'same'], 1, {0: 1, 1: 2}),
    ],
)
def test_empty_candidates_take_no_number(candidates: list[str], first: int, numbers: dict[int, int]) -> None:
    assert shown_numbers(candidates, first) == numbers


def test_a_selection_question() -> None:
    text, gold = selection_question(selection(['', 'One.', 'Two.', '', 'Three.'], [4, 1]))
    assert text == 'Sentences:\n[1] One.\n[2] Two.\n[3] Three.\n\nQuestion: Who?'
    assert (gold.answers, gold.sentences) == ([3, 1], 3)


def test_a_triggering_question_numbers_through_its_sections_and_heads_each() -> None:
    text, gold = triggering_question(
        triggering((['One.', ''], [0]), (['Two.', 'Three.'], []), (['', ''], []), (['', 'Four.'], [1]), (['Five.'], []))
    )
    assert text == (
        'Article: Article 0\nSection: Title 0\n[1] One.\n\n'
        'Article: Article 1\nSection: Title 1\n[2] Two.\n[3] Three.\n\n'
        'Article: Article 3\nSection: Title 3\n[4] Four.\n\n'
        'Article: Article 4\nSection: Title 4\n[5] Five.\n\n'
        'Question: Who?'
    )
    assert (gold.answers, gold.section_sizes, gold.sentences) == ([1, 4], [1, 2, 0, 1, 1], 5)


def test_a_triggering_question_without_any_sentence_can_still_be_asked() -> None:
    text, gold = triggering_question(triggering(*[(['', ''], [])] * 5))
    assert text == 'Question: Who?'
    assert (gold.answers, gold.sentences) == ([], 0)


@pytest.mark.parametrize('line_break', ['\n', '\r\n', '\r', '\u2028', '\x0b', '\x85', '\n\n'])
def test_a_sentence_is_one_line_and_otherwise_shown_as_published(line_break: str) -> None:
    text, _ = selection_question(selection([f' One{line_break}and  a half. ', 'Two.'], [0]))
    assert text.splitlines()[1:3] == ['[1]  One and  a half. ', '[2] Two.']


def test_braces_in_a_sentence_survive_the_prompt_template() -> None:
    text, _ = selection_question(selection(['{question} {0} {', 'Two.'], [0]))
    assert '[1] {question} {0} {\n' in SELECTION_PROMPT.format(question=text)


def test_each_prompt_asks_for_the_form_that_is_read() -> None:
    assert '[2] > [1] > [3]' in SELECTION_PROMPT
    assert re.search(r'\bNONE\b', TRIGGERING_PROMPT)
    assert SELECTION_PROMPT.count('{question}') == TRIGGERING_PROMPT.count('{question}') == 1


def test_answers_are_written_in_the_form_asked_for() -> None:
    assert format_ranking([3, 1]) == '[3] > [1]'
    assert format_ranking([]) == ''
    assert (format_listing([3, 1]), format_listing([]), format_listing(None)) == ('[3] > [1]', 'NONE', '')
