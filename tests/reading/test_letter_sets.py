"""The letters of a question of which any number of options may be right: a list is an answer here."""

from itertools import combinations

import pytest
from evalscope_qa.reading import read_letter, read_letters
from hypothesis import given
from hypothesis import strategies as st

TEXTS = ('lime', 'basalt', 'slate', 'chalk')

LISTS = [
    ('ANSWER: A, C', 'AC'), ('ANSWER: AC', 'AC'), ('ANSWER: A C', 'AC'), ('ANSWER: A;C', 'AC'), ('ANSWER: A & C', 'AC'),
    ('ANSWER: A and C', 'AC'), ('ANSWER: A/C', 'AC'), ('ANSWER: CA', 'AC'), ('ANSWER: (A)(C)', 'AC'),
    ('**ANSWER: [A, C]**', 'AC'), ('ANSWER:\nA\nC', 'AC'), ('A, C', 'AC'), ('AC', 'AC'), ('A，C', 'AC'), ('C', 'C'),
    ('ANSWER: C', 'C'), ('ANSWER: A, B, C, D', 'ABCD'), ('ABCD', 'ABCD'), ('A, B, C and D', 'ABCD'),
    ('答案：A、C', 'AC'), ('答案：A、B和D', 'ABD'), ('选AC', 'AC'), ('因此，正确答案是ABD。', 'ABD'),
    ('故选：BCD', 'BCD'),
    ('<answer>A,C</answer>', 'AC'), ('\\boxed{A, C}', 'AC'), ('$\\boxed{\\text{AC}}$', 'AC'), ('\\boxed{ABCD}', 'ABCD'),
    ('\\boxed{A},\\boxed{C}', 'AC'), ('\\boxed{A} and \\boxed{C}', 'AC'), ('{"answer": ["A","C"]}', 'AC'),
    ('[x] A\n[ ] B\n[x] C\n[ ] D', 'AC'), ('A: true\nB: false\nC: true\nD: false', 'AC'),
    ('The correct options are B and D.', 'BD'), ('I choose A, B and D because', 'ABD'), ('the answer is a, c', 'AC'),
    ('Both A and C are correct.', 'AC'), ('So the final answer is A, C and D.', 'ACD'),
]  # fmt: skip

ADDING_UP = [
    ('A is correct. B is incorrect. C is correct.', 'AC'), ('A is correct. So the answer is A and C.', 'AC'),
    ('A is wrong. The correct answers are A and C.', 'AC'), ('A, C are not correct. B is correct.', 'B'),
]  # fmt: skip

WHICH_COUNTS = [
    ('ANSWER: A, C\nWait, actually ANSWER: B', 'B'), ('ANSWER: A, C\nANSWER: B', None),
    ('ANSWER: A, C\nANSWER: C, A', 'AC'), ('<answer>A</answer> <answer>B, C</answer>', None),
]  # fmt: skip

SILENT = [
    '', ' ', "Don't know.", 'A, B, C, D', 'A) lime\nB) basalt\nC) slate\nD) chalk', 'It could be A or B.',
    '<think>ANSWER: A, C', 'not A, C', 'The answer is not A, C.', 'None of A, B, C, D', 'ANSWER: E', 'ANSWER: A, E',
    'A definitive answer cannot be determined.', 'Let me check every option. First, suppose that it were A, C',
    'Is it A, C?', 'ANSWER: AA',
]  # fmt: skip

WITH_TEXTS = [
    ('ANSWER: A) lime, C) slate', 'AC'), ('The correct answers are:\n- A) lime\n- C) slate', 'AC'),
    ('The answer is slate.', 'C'), ('A) lime and C) slate are correct.', 'AC'), ('A) lime\nC) slate', 'AC'),
    ('A) lime is wrong.', None), ('A) lime\nB) basalt\nC) slate\nD) chalk', None),
]  # fmt: skip


@pytest.mark.parametrize(
    ('reply', 'letters'), [*LISTS, *ADDING_UP, *WHICH_COUNTS, *((reply, None) for reply in SILENT)]
)
def test_a_list_is_an_answer(reply: str, letters: 'str | None') -> None:
    assert read_letters(reply, 4).answer == letters


@pytest.mark.parametrize(('reply', 'letters'), WITH_TEXTS)
def test_the_texts_of_options_may_stand_beside_their_letters(reply: str, letters: 'str | None') -> None:
    assert read_letters(reply, 4, texts=TEXTS).answer == letters


@pytest.mark.parametrize('letters', [set_ for size in (1, 2, 3) for set_ in combinations('ABCD', size)])
@pytest.mark.parametrize(
    'frame', ['ANSWER: {}', '答案：{}', '<answer>{}</answer>', 'The correct answers are {}.', '{}']
)
def test_other_letters_change_the_reading_to_them(frame: str, letters: tuple[str, ...]) -> None:
    for joined in (', '.join(letters), ''.join(letters), '、'.join(letters), ' and '.join(letters)):
        assert read_letters(frame.format(joined), 4).answer == ''.join(letters)


@pytest.mark.parametrize(
    'reply', ['A', 'ANSWER: B', 'The answer is (C).', '\\boxed{D}', "I don't know", 'not A', '答案：B']
)
def test_of_one_letter_both_readers_say_the_same(reply: str) -> None:
    assert read_letters(reply, 4).answer == read_letter(reply, 4).answer


@pytest.mark.parametrize(
    ('reply', 'reason'),
    [
        ('', 'empty'), ('<think>A, C', 'cut off'), ("I don't know.", 'refused'), ('ANSWER: A\nANSWER: B', 'several'),
        ('ANSWER: A, E', 'not an option'), ('Stones are hard.', 'nothing stated'),
    ],
)  # fmt: skip
def test_an_unanswered_reply_has_its_reason(reply: str, reason: str) -> None:
    assert read_letters(reply, 4).rule == reason


@given(st.text(alphabet='ABCDE,;() \n:是答案ANSWERisand*[]{}\\boxed<>/', max_size=200))
def test_any_text_is_read_without_an_error(reply: str) -> None:
    answer = read_letters(reply, 4, texts=TEXTS).answer
    assert answer is None or (answer and set(answer) <= set('ABCD') and list(answer) == sorted(set(answer)))


NUMBERED = [
    ('ANSWER: 14', '14'), ('ANSWER: 1', '1'), ('14', '14'), ('**14**', '14'), ('ANSWER: L', 'L'), ('\\boxed{14}', '14'),
    ('The answer is 14.', '14'), ('The answer is intent 76.', '51'), ('ANSWER: 14) intent 39', '14'),
    ('ANSWER: 52', None), ('ANSWER: 100', None), ('ANSWER: 1.5', None), ('1, 2, 3', None), ("Don't know.", None),
    ('ANSWER: I cannot answer this question.', None),
]  # fmt: skip


@pytest.mark.parametrize(('reply', 'label'), NUMBERED)
def test_options_after_z_have_numbers(reply: str, label: 'str | None') -> None:
    texts = [f'intent {number}' for number in range(77)]
    assert read_letter(reply, 77, texts=texts).answer == label
