"""Another label in the place of a label changes the reading to it, and nothing else."""

from typing import Any, Callable

import pytest
from evalscope_qa.reading import Prompt, read_letter, read_listing, read_ranking, read_verdict
from reading.frames import LETTERS, SILENT, STATING, WORDS

Cases = Callable[[str], list[dict[str, Any]]]


def _readings(fill: Callable[[str], str]) -> dict[str, tuple[str | None, str]]:
    """Answer and rule by label, of verdicts in three cases and of letters."""
    found = {}
    for label in WORDS:
        reading = read_verdict(fill(label))
        found[label] = reading.answer, reading.rule
    for label in LETTERS:
        reading = read_letter(fill(label), len(LETTERS))
        found[label] = reading.answer, reading.rule
    return found


@pytest.mark.parametrize('frame', STATING)
def test_a_frame_that_states_states_every_label(frame: str) -> None:
    answers = {label: answer for label, (answer, _) in _readings(lambda label: frame.replace('{}', label)).items()}
    assert answers == {label: label.upper() for label in WORDS + LETTERS}


@pytest.mark.parametrize('frame', SILENT)
def test_a_frame_that_states_nothing_states_no_label(frame: str) -> None:
    readings = _readings(lambda label: frame.replace('{}', label))
    assert {label: answer for label, (answer, _) in readings.items() if answer} == {}


@pytest.mark.parametrize('frame', SILENT)
def test_why_nothing_is_stated_is_the_same_for_every_label(frame: str) -> None:
    readings = _readings(lambda label: frame.replace('{}', label))
    assert len({rule for _, rule in readings.values()}) == 1


def test_the_frames_of_the_cases_state_every_label(cases: Cases) -> None:
    for row in cases('reading_frames'):
        answers = {label: answer for label, (answer, _) in _readings(row['frame'].format).items()}
        assert answers == {label: label.upper() for label in WORDS + LETTERS}, row['frame']


NUMBER_FRAMES = [
    '[{}]', '{}', '{}.', '**[{}]**', '`[{}]`', '"[{}]"', '> [{}]', '- [{}]', '【{}】', '［{}］', '[{}].',
    'Answer: [{}]',
    'Answer: {}', 'Final ranking: {}', 'Ranking: [{}]', 'The answer is [{}].', 'The answer is {}.', '答案：[{}]',
    '<answer>[{}]</answer>', '<answer>{}</answer>', '<answer>{}', '\\boxed{[{}]}', '\\boxed{{}}', '{"answer": [{}]}',
    '{"ranking": "[{}]"}', '[{}] is the sentence that says so.', 'The sentence that answers the question is [{}].',
    '<think>[8] or 7</think>[{}]', '[{}]</s>', '[{}]\n\nExplanation: sentence [8] only repeats the question.',
    '[{}]\n\nSentence 8 does not answer the question.', '```\n[{}]\n```', '[{}]\n\nQuestion: Who else?\n[8]', '[0{}]',
    'Sentence [{}] answers the question.', 'Relevant sentences: [{}]',
]  # fmt: skip
NUMBERS_OF_NOTHING = [
    'I was born in 197{}.', 'The film of {} people won.', '<think>[{}]', 'About {} % of them agree.', '1.{}', '-{}',
    '12:0{}', 'See table {}.',
]  # fmt: skip


@pytest.mark.parametrize('frame', NUMBER_FRAMES)
def test_a_frame_that_states_states_every_number(frame: str) -> None:
    for number in range(1, 10):
        if number == 8 and '8' in frame:
            continue
        reply = frame.replace('{}', str(number))
        assert read_ranking(reply, 9).answer == (number,), reply
        assert read_listing(reply, 9).answer == (number,), reply


@pytest.mark.parametrize('frame', NUMBERS_OF_NOTHING)
def test_a_frame_that_states_nothing_states_no_number(frame: str) -> None:
    for number in range(1, 10):
        reply = frame.replace('{}', str(number))
        assert read_ranking(reply, 9).answer is None, reply
        assert read_listing(reply, 9).answer is None, reply


LETTERED = Prompt('x', '{question}\nA) yes\nB) no\nC) maybe\nAnswer with a letter.')
NUMBERED = Prompt('x', '{question}\n1. Yes\n2. No\n3. Maybe')
LETTER_FRAMES = [
    '{}', '{}.', '({})', '**{}**', 'Answer: {}', 'The answer is {}.', '<answer>{}</answer>', '\\boxed{{}}',
    '{"answer": "{}"}', 'The trial failed.\n\n{}', 'The correct option is ({}).', 'I would choose {}.',
]  # fmt: skip


@pytest.mark.parametrize('frame', LETTER_FRAMES)
@pytest.mark.parametrize(('prompt', 'letters'), [(LETTERED, 'ABC'), (NUMBERED, '123')])
def test_a_letter_of_the_prompt_states_its_label(frame: str, prompt: Prompt, letters: str) -> None:
    for letter, word in zip(letters, ('yes', 'no', 'maybe'), strict=True):
        for shown in (letter, f'{letter}) {word}', f'{letter}. {word.capitalize()}', word, word.upper()):
            reply = frame.replace('{}', shown)
            assert read_verdict(reply, prompt).answer == word.upper(), reply
    assert read_verdict(frame.replace('{}', 'E'), prompt).answer is None
