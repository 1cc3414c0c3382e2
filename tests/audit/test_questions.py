"""How the gold of a question is read, replaced and varied."""

from typing import Any

import pytest
from evalscope_qa.audit.cases.questions import (
    LABEL,
    LETTER,
    NUMBER,
    TEXT,
    gold_values,
    unlike,
    vary,
    with_gold,
    with_options,
)
from evalscope_qa.engine import prompt_text


def sample(target: Any, prompt: str = 'A question.', choices: Any = None, metadata: Any = None) -> Any:
    from evalscope.api.dataset import Sample

    return Sample(input=prompt, target=target, choices=choices, metadata=metadata or {})


@pytest.mark.parametrize(
    ('target', 'values'),
    [
        ('Paris', ['Paris']),
        (['Paris', 'Lutetia', ' '], ['Paris', 'Lutetia']),
        ('["0.28", "28%"]', ['0.28', '28%']),
        ("[('Chaz Schilens',), ('JaMarcus Russell',)]", ['Chaz Schilens', 'JaMarcus Russell']),
        ('[[1, 2], [3]]', ['[[1, 2], [3]]']),
        ('[not a list', ['[not a list']),
        ('  ', []),
        (None, []),
    ],
)
def test_the_accepted_answers_are_read_from_every_shape_of_target(target: Any, values: list[str]) -> None:
    assert gold_values(target) == values


@pytest.mark.parametrize(
    ('target', 'expected'),
    [
        ('Paris', 'Rome'),
        (['Paris', 'Lutetia'], ['Rome']),
        ('["Paris"]', '["Rome"]'),
        ("[('Paris',)]", "[('Rome',)]"),
    ],
)
def test_another_gold_has_the_shape_of_the_old_one(target: Any, expected: Any) -> None:
    assert with_gold(sample(target), 'Rome').target == expected


def test_another_gold_replaces_the_old_one_in_the_metadata_in_its_case() -> None:
    metadata = {'answer': 'yes', 'labels': ['YES'], 'nested': {'gold': 'Yes'}, 'id': 'yesterday', 'number': 1}
    changed = with_gold(sample('YES', metadata=metadata), 'No')
    assert changed.metadata == {
        'answer': 'no',
        'labels': ['No'],
        'nested': {'gold': 'No'},
        'id': 'yesterday',
        'number': 1,
    }
    assert metadata['answer'] == 'yes'


def test_every_option_letter_becomes_the_gold_the_own_one_first() -> None:
    questions = vary(sample('B', choices=['Oslo', 'Lima', 'Quito']))
    assert [question.gold for question in questions] == ['B (Lima)', 'A (Oslo)', 'C (Quito)']
    assert {question.kind for question in questions} == {LETTER}
    assert questions[0].answers == ['B', 'Lima']
    assert questions[0].others == ['A', 'C']


def test_the_letters_may_stand_in_the_prompt_alone() -> None:
    questions = vary(sample('B', prompt='Which one?\n(A) Oslo\n(B) Lima\n(C) Quito'))
    assert [question.gold for question in questions] == ['B', 'A', 'C']


@pytest.mark.parametrize('target', ['AC', ['A', 'C']])
def test_several_right_options_are_one_question(target: Any) -> None:
    question, *single = vary(sample(target, choices=['Oslo', 'Lima', 'Quito']))
    assert question.multiple
    assert question.answers == ['AC', 'A,C', 'A', 'C']
    assert [one.gold for one in single] == ['A (Oslo)', 'B (Lima)', 'C (Quito)']
    assert not any(one.multiple for one in single)
    assert [gold_values(one.sample.target) for one in single] == [['A'], ['B'], ['C']]


@pytest.mark.parametrize(
    ('target', 'prompt', 'golds'),
    [
        ('YES', 'Is it?', ['YES', 'NO']),
        ('No', 'Is it?', ['No', 'Yes']),
        ('yes', 'Answer yes, no or maybe.', ['yes', 'no', 'maybe']),
        ('MAYBE', 'Is it?', ['MAYBE', 'YES', 'NO']),
        ('True', 'Is it?', ['True', 'False']),
        ('对', '对吗？', ['对', '错']),
    ],
)
def test_every_label_of_a_closed_set_becomes_the_gold_in_its_style(target: str, prompt: str, golds: list[str]) -> None:
    questions = vary(sample(target, prompt=prompt))
    assert [question.gold for question in questions if question.kind == LABEL] == golds


def test_a_question_with_a_label_is_asked_with_numbers_too() -> None:
    numbers = [question for question in vary(sample('yes', prompt='Is it?')) if question.kind == NUMBER]
    assert [question.gold for question in numbers] == ['0', '7']
    assert all(question.made_up for question in numbers)


@pytest.mark.parametrize('target', ['18', '-3.5', '948,578', '\\boxed{204}', '12%'])
def test_a_number_is_varied_by_what_a_failed_parse_may_give(target: str) -> None:
    questions = vary(sample(target))
    assert questions[0].gold == target
    assert '0' in [question.gold for question in questions]
    assert {question.kind for question in questions} == {NUMBER}
    assert target not in questions[0].others


@pytest.mark.parametrize('target', ['Sunset Boulevard', ['Sunset Boulevard'], '["Sunset Boulevard"]'])
def test_other_short_texts_become_the_gold_too(target: Any) -> None:
    questions = vary(sample(target))
    assert [question.answers for question in questions] == [['Sunset Boulevard'], ['Reykjavik'], ['copper wire']]
    assert {question.kind for question in questions} == {TEXT}
    assert [gold_values(question.sample.target) for question in questions] == [
        question.answers for question in questions
    ]


@pytest.mark.parametrize('target', ['word ' * 20, ''])
def test_a_whole_text_or_a_gold_kept_elsewhere_is_left_as_it_is(target: str) -> None:
    (question,) = vary(sample(target))
    assert question.kind == TEXT


@pytest.mark.parametrize(
    'description',
    [
        '- **Task Type**: several (MCQ, OCR, maze)',
        '- **Input**: an image and a question (multiple-choice or free-form)',
        'Text.\n- **Output**: answer letter, or a number\nMore.',
    ],
)
def test_options_are_added_where_the_description_tells_of_multiple_choice(description: str) -> None:
    questions = with_options(sample('72', prompt='How many?'), description)
    assert [question.sample.target for question in questions] == ['A', 'B', 'C', 'D']
    assert questions[1].gold == 'B (copper), with options added to the example'
    assert (questions[1].answers, questions[1].others, questions[1].kind) == (['B'], ['A', 'C', 'D'], LETTER)
    assert prompt_text(questions[3].sample.input) == 'How many?\nA. wool\nB. copper\nC. marble\nD. paper'


def test_options_are_added_behind_the_last_message() -> None:
    from evalscope.api.messages import ChatMessageSystem, ChatMessageUser, ContentText

    shown = sample('72')
    shown.input = [ChatMessageSystem(content='Be brief.'), ChatMessageUser(content=[ContentText(text='How many?')])]
    prompt = prompt_text(with_options(shown, '- **Task Type**: MCQ')[0].sample.input)
    assert prompt == 'Be brief.\nHow many?\nA. wool\nB. copper\nC. marble\nD. paper'
    assert shown.input[-1].text == 'How many?'


@pytest.mark.parametrize(
    'description',
    [
        '',
        '- **Task Type**: open questions',
        'These multiple-choice problems are read as open ones.\n- **Output**: text',
    ],
)
def test_no_options_are_added_where_the_description_does_not_tell_of_multiple_choice(description: str) -> None:
    assert with_options(sample('72'), description) == []


def test_ratings_are_written_as_lines() -> None:
    question, *_ = vary(sample("{'emotion1': 'Calm', 'emotion2': 'Joy', 'emotion1_score': 3, 'emotion2_score': 0}"))
    assert question.answers[-1] == 'Calm: 3\nJoy: 0'


@pytest.mark.parametrize(('choice', 'declines'), [('None of these', True), ('Oslo', False)])
def test_a_gold_that_declines_is_known(choice: str, declines: bool) -> None:
    assert vary(sample('A', choices=[choice, 'Lima']))[0].declines is declines


@pytest.mark.parametrize('text', ['FEE', 'Sunset Boulevard', '对我做了介绍', 'a', 'the 2nd of May'])
def test_a_wrong_text_has_the_size_of_the_right_one_and_none_of_its_letters(text: str) -> None:
    wrong = unlike(text)
    assert len(wrong) == len(text) and len(wrong.split()) == len(text.split())
    assert not any(one == other for one, other in zip(wrong, text, strict=True) if one.isalpha())


def test_a_wrong_text_is_never_blank() -> None:
    assert unlike('').strip()
