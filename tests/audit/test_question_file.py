"""Files of questions for callables: what a line may hold, and what is said of one that cannot be used."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.audit.scorers.forms import FORMS
from evalscope_qa.audit.scorers.options import ScorerError
from evalscope_qa.audit.scorers.question_file import (
    GOLD_FIELDS,
    OPTION_FIELDS,
    PROMPT_FIELDS,
    parse_question,
    read_questions,
)

GOOD = {'prompt': 'Which?', 'gold': 'B'}


@pytest.mark.parametrize(
    ('line', 'field', 'problem'),
    [
        ({'gold': 'B'}, 'prompt', 'is missing'),
        ({'prompt': ' ', 'gold': 'B'}, 'prompt', 'expected a text, or messages of role and content'),
        ({'question': [{'role': 'user'}], 'gold': 'B'}, 'question', 'messages of role and content'),
        ({'prompt': 'Which?'}, 'gold', 'is missing; it may also be called answer, target, solution, ground_truth'),
        ({'prompt': 'Which?', 'answer': 'B', 'target': 'C'}, 'gold', 'which of answer, target it is cannot be told'),
        ({'prompt': 'Which?', 'gold': True}, 'gold', 'expected a text, a number or a list of texts, not True'),
        ({'prompt': 'Which?', 'gold': ''}, 'gold', "not ''"),
        ({'prompt': 'Which?', 'gold': []}, 'gold', 'not []'),
        ({'prompt': 'Which?', 'solution': {'a': 1}}, 'solution', 'goes into a field of its own'),
        ({**GOOD, 'options': ['one']}, 'options', 'a list of two texts or more'),
        ({**GOOD, 'choices': 'AB'}, 'choices', 'or an object of label and text'),
        ({**GOOD, 'options': ['wool']}, 'options', 'two texts'),
        (
            {'prompt': 'Which?', 'gold': 'E', 'options': ['x', 'y']},
            'gold',
            "'E' is none of the options; write one of A, B",
        ),
        ({**GOOD, 'right': 3}, 'right', 'expected a text or a list of texts, not 3'),
        ({**GOOD, 'wrong': [3]}, 'wrong', 'a list of texts'),
        ({**GOOD, 'format': 'ANSWER:'}, 'format', "'ANSWER:' has no {answer} in it"),
    ],
)
def test_what_cannot_be_used_is_named_with_file_line_and_field(
    line: dict[str, Any], field: str, problem: str, tmp_path: Path
) -> None:
    file = tmp_path / 'questions.jsonl'
    file.write_text(f'{json.dumps(GOOD)}\n{json.dumps(line)}\n')
    with pytest.raises(ScorerError) as raised:
        read_questions(file)
    message = str(raised.value)
    assert message.startswith(f"{file}: line 2: field '{field}': ") and problem in message


@pytest.mark.parametrize(
    ('name', 'text', 'problem'),
    [
        ('questions.jsonl', '', 'holds no question'),
        ('questions.jsonl', '{"prompt": "a", "gold": "b"}\n[]\n', 'line 2 is no object'),
        ('questions.jsonl', '{"prompt": "a", "gold": "b"}\n{"prompt"\n', 'line 2'),
        ('questions.csv', 'prompt,gold\na,b\n', 'expected JSON Lines'),
    ],
)
def test_a_file_that_is_none_is_refused(name: str, text: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ValueError, match=problem):
        read_questions(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match='no such file'):
        read_questions(tmp_path / 'none.jsonl')


@pytest.mark.parametrize(
    ('options', 'labels', 'texts'),
    [
        (None, [], []),
        (['wool', 'iron'], ['A', 'B'], ['wool', 'iron']),
        ({'(A)': 'wool', '(B)': 'iron', 'B': 'tin'}, ['(A)', '(B)', 'B'], ['wool', 'iron', 'tin']),
    ],
)
def test_options_are_texts_with_letters_or_the_labels_that_are_given(
    options: Any, labels: list[str], texts: list[str]
) -> None:
    question = parse_question({**GOOD, **({} if options is None else {'options': options})})
    assert (question.labels, question.options) == (labels, texts)


def test_fields_for_the_audit_alone_are_not_handed_on() -> None:
    question = parse_question(
        {**GOOD, 'right': 'ANSWER: B', 'wrong': ['B!', 'C'], 'format': 'ANSWER: {answer}', 'extra_info': {'id': 7}}
    )
    assert question.columns == {**GOOD, 'extra_info': {'id': 7}}
    assert question.stated.right == ['ANSWER: B'] and question.stated.wrong == ['B!', 'C']
    assert question.stated.formats == ['ANSWER: {answer}']


@pytest.mark.parametrize(
    ('line', 'gold', 'texts'),
    [
        ({'prompt': 'Which?', 'gold': 'B', 'answer': 'see B'}, 'B', ['B']),
        ({'question': 'How many?', 'ground_truth': 42}, 42, ['42']),
        (
            {'prompt': [{'role': 'user', 'content': 'How far?'}], 'target': ['2 km', 'two km']},
            ['2 km', 'two km'],
            ['2 km', 'two km'],
        ),
    ],
)
def test_the_gold_keeps_its_type_whatever_it_is_called(line: dict[str, Any], gold: Any, texts: list[str]) -> None:
    question = parse_question(line)
    assert question.gold == gold and type(question.gold) is type(gold)
    assert question.golds == texts
    assert question.prompt_text in ('Which?', 'How many?', 'How far?')


def test_the_questions_and_forms_that_the_docs_show_can_be_used() -> None:
    page = (Path(__file__).parents[2] / 'docs' / 'audit.md').read_text(encoding='utf-8')
    section = page.partition('## Callables that are no benchmark')[2].partition('\n## ')[0]
    lines = [line for line in section.split('\n') if line.startswith('{"')]
    assert [parse_question(json.loads(line)).gold for line in lines] == ['42', 'B']
    assert re.findall(r'^\| `([\w-]+)` \| `', section, re.MULTILINE) == sorted(
        (form.name for form in FORMS), key=['plain', 'record', 'verl', 'trl', 'inspect', 'lm-eval'].index
    )
    fields = [*PROMPT_FIELDS, *GOLD_FIELDS, *OPTION_FIELDS, 'format', 'right', 'wrong']
    table = section.partition('| field | meaning |')[2]
    assert all(f'`{field}`' in table for field in fields)
