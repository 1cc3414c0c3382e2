"""What one question asks for, and where its options come from."""

from typing import Any

import pytest
from evalscope_qa.choice import questions
from evalscope_qa.choice.adapter import read
from evalscope_qa.choice.questions import Question, options_in, telling_texts
from evalscope_qa.choice.table import BENCHMARKS
from evalscope_qa.reading import Prompt


def question(prompt: str = '', options: Any = (), several: bool = False, target: str = '', **metadata: Any) -> Question:
    return Question(Prompt(prompt), tuple(options), metadata, several, target)


PROMPTS = [
    ('Which?\nA) one\nB) two\nC) three', ('one', 'two', 'three')),
    ('Which?\nOptions:\n(A) one\n(B) two\nA: Think step by step.', ('one', 'two')),
    ('Which?\nChoices:\nA:40°\nB:60°', ('40°', '60°')),
    ('哪个？\n选项：\nA．甲\nB．乙', ('甲', '乙')),
    ('Example:\nA. x\nB. y\nAnswer: A\n\nWhich?\nA. one\nB. two\nC. three', ('one', 'two', 'three')),
    ('Which?\nA.\nB.', ('', '')),
    ('Which?\nA. one\nC. three', ()),
    ('A. Smith wrote it.', ()),
    ('', ()),
]


@pytest.mark.parametrize(('prompt', 'options'), PROMPTS, ids=[repr(row[0][:30]) for row in PROMPTS])
def test_the_options_of_a_prompt_are_its_last_lettered_list(prompt: str, options: tuple[str, ...]) -> None:
    assert options_in(prompt) == options


TEXTS = [
    (['one', 'two'], ('one', 'two')),
    (['A. one', 'B. two'], ('one', 'two')),
    (['(A)5', '(B)6'], ('5', '6')),
    (['A. one', 'two'], ('A. one', 'two')),
    (['Entailment: it follows', 'Not mentioned: it is silent'], ('Entailment', 'Not mentioned')),
    (['At 5: a dog', 'At 5: a cat'], ('At 5: a dog', 'At 5: a cat')),
    (['A', 'B', 'C', 'D'], ()),
    (['1', '2'], ('1', '2')),
]


@pytest.mark.parametrize(('options', 'texts'), TEXTS)
def test_texts_name_options_where_they_say_more_than_their_letters(options: list[str], texts: tuple[str, ...]) -> None:
    assert telling_texts(options) == texts


FOUR = ('lime', 'basalt', 'slate', 'chalk')
LETTERED = 'Which?\nA) lime\nB) basalt\nC) slate\nD) chalk'
SEVERAL = f"answer with 'ANSWER: [LETTERS]' … {LETTERED}"
CASES = [
    # benchmark, question, reply, what is read; None for unanswered, ... for a question that evalscope reads itself
    ('mmlu', question(LETTERED, FOUR), 'ANSWER: B', 'B'),
    ('mmlu', question(LETTERED, FOUR), "Don't know.", None),
    ('mmlu', question(LETTERED, FOUR), 'A, B', None),
    ('mmlu', question(LETTERED, FOUR), 'The answer is basalt.', 'B'),
    ('ceval', question(LETTERED, FOUR), '答案：B', 'B'),
    ('maritime_bench', question(LETTERED, FOUR), '[[B]]', 'B'),
    ('truthful_qa', question(LETTERED, FOUR), 'ANSWER: A, B', None),
    ('truthful_qa', question(LETTERED, FOUR, several=True), 'ANSWER: A, B', 'AB'),
    ('boolq', question('', ('Yes', 'No')), 'No, because it says so.', 'NO'),
    ('boolq', question('', ('Yes', 'No')), 'ANSWER: A', 'YES'),
    ('boolq', question('', ('No', 'Yes')), 'ANSWER: A', 'NO'),
    ('boolq', question('', ('Yes', 'No')), 'No answer.', None),
    ('anli', question('', ('Entailment: it follows', 'Neutral: it may')), 'The answer is Neutral.', 'B'),
    ('drivel_multilabel', question('', ('A. paradox', 'B. wordplay', 'C. x')), 'ANSWER: A, C', 'AC'),
    ('drivel_multilabel', question('', ('A. paradox', 'B. wordplay', 'C. x')), 'ANSWER: ABC', None),
    ('logic_vista', question('', 'ABCDEFGHI', several=True), 'ANSWER: D', 'D'),
    ('coin_flip', question(), 'ANSWER: NO', 'NO'),
    ('coin_flip', question(), 'No answer.', None),
    ('pope', question(), 'Yes, there is a dog.', 'YES'),
    ('pope', question(), 'Not sure.', None),
    ('agieval', question(LETTERED, FOUR), 'A, C', None),
    ('agieval', question(SEVERAL, FOUR), '答案：A、C', 'AC'),
    ('agieval', question('What is 2 + 2?'), '4', ...),
    ('cmmu', question('', ()), '4', ...),
    ('bbh', question(LETTERED), 'So the answer is (C).', 'C'),
    ('bbh', question('True and False is'), 'So the answer is False.', ...),
    ('air_bench_foundation', question(choices={'A': 'x', 'B': 'y'}), 'B', 'B'),
    ('air_bench_foundation', question(choices={'A': 'x', 'B': 'y'}), 'C', None),
    ('air_bench_foundation', question(), 'D', 'D'),
    ('phyx_mc', question(), 'The answer is D', 'D'),
    ('phyx_mc', question(), 'The answer is E', None),
    ('cmmmu', question(type='选择', option1='甲', option2='乙', option3='丙', option4='丁'), '选AC', 'AC'),
    ('cmmmu', question(type='判断'), '正确', '对'),
    ('cmmmu', question(type='判断'), '答案是不正确。', '错'),
    ('cmmmu', question(type='判断'), '错误', '错'),
    ('cmmmu', question(type='判断'), '对于这个问题，我不知道。', None),
    ('cmmmu', question(type='填空'), '42', ...),
    ('math_verse', question(LETTERED), 'ANSWER: A', 'A'),
    ('math_verse', question('How long is it?'), '4', ...),
    ('real_world_qa', question('How many dogs are there?'), 'ANSWER: 4', ...),
    ('tir_bench', question(LETTERED, target='B'), 'It is B.', 'B'),
    ('tir_bench', question('Which?', target='B'), 'Answer: Q', 'Q'),
    ('tir_bench', question(LETTERED, target='AC'), 'Answer: A, C', 'AC'),
    ('tir_bench', question('Read it.', target='EXIT', task='ocr'), 'EXIT', ...),
    ('tir_bench', question('How many?', target='72'), '72', ...),
]


@pytest.mark.parametrize(('name', 'asked', 'reply', 'read_as'), CASES, ids=[f'{row[0]}: {row[2]}' for row in CASES])
def test_a_reply_is_read_by_what_its_question_asks_for(name: str, asked: Question, reply: str, read_as: Any) -> None:
    form = BENCHMARKS[name].asks(asked)
    if read_as is ...:
        assert form is questions.TEXT
    else:
        assert read(reply, form, Prompt('')).answer == read_as


def test_yes_and_no_are_given_back_as_their_letters() -> None:
    assert BENCHMARKS['boolq'].asks(question('', ('No', 'Yes'))).answers == {'NO': 'A', 'YES': 'B'}


def test_labels_change_places_and_the_reading_with_them() -> None:
    for name, words in (('coin_flip', ('YES', 'NO')), ('cmmmu', ('对', '错'))):
        form = BENCHMARKS[name].asks(question(type='判断'))
        for frame in ('{}', 'ANSWER: {}', '答案：{}', '<answer>{}</answer>', '**{}**'):
            assert [read(frame.format(word), form, Prompt('')).answer for word in words] == list(words)
            assert read(frame.format(' / '.join(words)), form, Prompt('')).answer is None
