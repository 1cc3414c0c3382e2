"""The answer of a reply: the last answer tag, else the last line, and never a line of the model's reasoning."""

import string
from typing import List

import pytest
from evalscope_qa.reading import read_short_text

def extract_answer(reply): return read_short_text(reply).answer or ''

from hypothesis import given
from hypothesis import strategies as st

CASES = [
    # the last <answer>…</answer>
    ('<answer>Oslo</answer>', 'Oslo'),
    ('  <answer>\n Oslo \t</answer>  ', 'Oslo'),
    ('I say <answer>Oslo</answer>, surely.', 'Oslo'),
    ('<answer>Rome</answer> or rather <answer>Oslo</answer>', 'Oslo'),
    ('<answer>Rome</answer><answer>Oslo</answer>\nThat is all.', 'Oslo'),
    ('<ANSWER>Oslo</Answer>', 'Oslo'),
    ('<answer>New\nYork</answer>', 'New\nYork'),
    ('<answer>a < b > c</answer>', 'a < b > c'),
    ('<answer><b>Oslo</b></answer>', '<b>Oslo</b>'),
    ('Use <answer> tags: <answer>Oslo</answer>', 'Oslo'),
    ('<answer>Oslo</answer></answer>', 'Oslo'),
    ('</answer><answer>Oslo</answer>', 'Oslo'),
    # an opening tag that is never closed
    ('<answer>Oslo', 'Oslo'),
    ('Well.\n<answer>Oslo\n', 'Oslo'),
    ('<answer>Oslo</answe', 'Oslo</answe'),
    ('<answer>Rome</answer> no, <answer>Oslo', 'Oslo'),
    ('<answer>Rome <answer>Oslo</answer>', 'Oslo'),
    ('<answer>Oslo</answer> or <answer>', 'Oslo'),
    ('<answer>Oslo<answer>', 'Oslo'),
    ('<answer><answer>\n', ''),
    ('Oslo <answer>', ''),
    # attributes and space in a tag
    ('<answer type="city">Oslo</answer >', 'Oslo'),
    ('<answer\n>Oslo</answer\n>', 'Oslo'),
    # a closing tag alone: the prompt's prefill opened it
    ('Oslo</answer>', 'Oslo'),
    ('Rome</answer> I mean\nOslo</answer>', 'Oslo'),
    ('Rome\nOslo\n</answer>\nDone.', 'Oslo'),
    ('</answer>', ''),
    # no tag: the last non-empty line
    ('Oslo', 'Oslo'),
    ('The clue means Norway.\nOslo\n\n  \n', 'Oslo'),
    ('Rome\r\nOslo\r\n', 'Oslo'),
    ('Rome\rOslo', 'Oslo'),
    ('Rome\u2028Oslo', 'Oslo'),
    ('{"answer": "Oslo"}', '{"answer": "Oslo"}'),
    ('< answer >Oslo</ answer >', '< answer >Oslo</ answer >'),
    ('<answers>Oslo</answers>', '<answers>Oslo</answers>'),
    ('<an\u017fwer>Oslo', '<an\u017fwer>Oslo'),
    # nothing
    ('', ''),
    (' \n\t\u3000', ''),
    ('<answer></answer>', ''),
    ('<answer> \n </answer>', ''),
    ('<answer>', ''),
    ('<answer>Oslo</answer>\n<answer></answer>', ''),
    # reasoning is not an answer
    ('<think>Rome?</think>Oslo', 'Oslo'),
    ('<think>maybe <answer>Rome</answer></think><answer>Oslo</answer>', 'Oslo'),
    ('<think>surely <answer>Rome</answer></think>', ''),
    ('so <answer>Rome</answer></think>\nOslo', 'Oslo'),
    ('<think>it must be <answer>Oslo</answer>, or', ''),
    ('<answer>Oslo</answer><think>or <answer>Rome</answer>', 'Oslo'),
    ('<THINKING depth="2">Rome</THINKING>\n<answer>Oslo</answer>', 'Oslo'),
    ('<reasoning>Rome</reasoning>', ''),
]


@pytest.mark.parametrize(('reply', 'expected'), CASES, ids=[repr(reply)[:60] for reply, _ in CASES])
def test_the_answer_of_a_reply(reply: str, expected: str) -> None:
    assert extract_answer(reply) == expected


def slow_extract(reply: str) -> str:
    """The rules for a reply without reasoning, by cutting at lower-case tags."""
    lowered = ''.join(character.lower() if character in string.ascii_uppercase else character for character in reply)
    if '<answer>' in lowered and not reply[len(lowered.rpartition('<answer>')[0]) + len('<answer>') :].strip():
        lowered = lowered.rpartition('<answer>')[0]
        reply = reply[: len(lowered)]
        if '<answer>' not in lowered:
            return ''
    if '<answer>' in lowered:
        start = len(lowered) - len(lowered.rsplit('<answer>', 1)[1])
        return reply[start : start + len(lowered[start:].split('</answer>')[0])].strip()
    before = reply[: len(lowered.rsplit('</answer>', 1)[0])]
    return next((line.strip() for line in reversed(before.splitlines()) if line.strip()), '')


PIECES = [
    '<answer>',
    '</answer>',
    '<ANSWER>',
    '</Answer>',
    '<',
    'answer>',
    '/',
    'Oslo',
    'İ',
    ' ',
    '\n',
    '\r',
    '\u2028',
    '.',
]


@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_extraction_follows_the_rules_on_any_mixture_of_tags_and_text(pieces: List[str]) -> None:
    reply = ''.join(pieces)
    assert extract_answer(reply) == slow_extract(reply)


@given(st.text(max_size=200))
def test_extraction_never_raises_and_returns_stripped_text_of_the_reply(reply: str) -> None:
    answer = extract_answer(reply)
    assert answer == answer.strip()
    assert answer in reply


@pytest.mark.parametrize(
    'piece',
    [
        '<answer>',
        '</answer>',
        '<answer',
        '<',
        'x',
        '\n',
        ' ',
        'x\r',
        '<think>',
        '</think>',
        '<answer>x</answer>',
        '\ud800',
    ],
)
def test_a_megabyte_of_any_piece_is_extracted(piece: str) -> None:
    reply = piece * (2**20 // len(piece))
    assert extract_answer(f'{reply}<answer>Oslo</answer>') == ('' if piece == '<think>' else 'Oslo')
    assert isinstance(extract_answer(reply), str)
