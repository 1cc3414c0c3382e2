"""The answer of a reply: the last answer tag, else the last line, and never a line of the model's reasoning."""

import pytest
from evalscope_qa.reading import read_short_text
from hypothesis import given
from hypothesis import strategies as st

CASES = [
    # the last <answer>…</answer>
    ('<answer>Oslo</answer>', 'Oslo'),
    ('  <answer>\n Oslo \t</answer>  ', 'Oslo'),
    ('I say <answer>Oslo</answer>, surely.', 'Oslo'),
    ('<answer>Rome</answer> or rather <answer>Oslo</answer>', 'Oslo'),
    ('<answer>Rome</answer><answer>Oslo</answer>\nThat is all.', ''),
    ('<ANSWER>Oslo</Answer>', 'Oslo'),
    ('<answer>New\nYork</answer>', 'New\nYork'),
    ('<answer>a < b > c</answer>', 'a < b > c'),
    ('<answer><b>Oslo</b></answer>', 'Oslo'),
    ('Use <answer> tags: <answer>Oslo</answer>', 'Oslo'),
    ('<answer>Oslo</answer></answer>', 'Oslo'),
    ('</answer><answer>Oslo</answer>', 'Oslo'),
    # an opening tag that is never closed
    ('<answer>Oslo', 'Oslo'),
    ('Well.\n<answer>Oslo\n', 'Oslo'),
    ('<answer>Oslo</answe', 'Oslo'),
    ('<answer>Rome</answer> no, <answer>Oslo', 'Oslo'),
    ('<answer>Rome <answer>Oslo</answer>', 'Oslo'),
    ('<answer>Oslo</answer> or <answer>', 'Oslo'),
    ('<answer>Oslo<answer>', 'Oslo'),
    ('<answer><answer>\n', ''),
    ('Oslo <answer>', 'Oslo'),
    # attributes and space in a tag
    ('<answer type="city">Oslo</answer >', 'Oslo'),
    ('<answer\n>Oslo</answer\n>', 'Oslo'),
    # a closing tag alone: the prompt's prefill opened it
    ('Oslo</answer>', 'Oslo'),
    ('Rome\nOslo\n</answer>\nDone.', 'Oslo'),
    ('</answer>', ''),
    # no tag: the last non-empty line
    ('Oslo', 'Oslo'),
    ('The clue means Norway.\nOslo\n\n  \n', 'Oslo'),
    ('Rome\r\nOslo\r\n', 'Oslo'),
    ('Rome\rOslo', 'Oslo'),
    ('Rome\u2028Oslo', 'Oslo'),
    ('{"answer": "Oslo"}', 'Oslo'),
    ('< answer >Oslo</ answer >', '< answer >Oslo</ answer >'),
    # said, up to the end of its quotes, its sentence or its line
    ('The answer is "Oslo, Norway. Or so", they say.\nDone.', 'Oslo, Norway. Or so'),
    ('The answer is Oslo. It is in Norway.\nDone.', 'Oslo'),
    ('答案是奥斯陆。如此。\n完', '奥斯陆'),
    ('### Answer\n\nOslo\n\nIt is so.', 'Oslo'),
    ('**Answer**\nOslo\n\nIt is so.', 'Oslo'),
    ('Well, the answer\nOslo\nIt is so', 'It is so'),
    ('The answer (if any) is Rome.\nOslo', 'Oslo'),
    ('**The answer is Oslo.**', 'Oslo'),
    # what stands around it
    ('Oslo</b>', 'Oslo'),
    ('<answer>\\text{Oslo}</answer>', 'Oslo'),
    # nothing
    ('', ''),
    (' \n\t\u3000', ''),
    ('<answer></answer>', ''),
    ('<answer> \n </answer>', ''),
    ('<answer>', ''),
    ('<answer>Oslo</answer>\n<answer></answer>', 'Oslo'),
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
    assert (read_short_text(reply).answer or '') == expected


@given(st.text(max_size=200))
def test_reading_never_raises_and_gives_stripped_text(reply: str) -> None:
    answer = read_short_text(reply).answer
    assert answer is None or (answer and answer == answer.strip())


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
def test_a_long_reply_of_any_piece_is_read(piece: str) -> None:
    reply = piece * (2**18 // len(piece))
    lost = {'<think>': 'cut off', '<answer>x</answer>': 'several'}
    reading = read_short_text(f'{reply}<answer>Oslo</answer>')
    assert (reading.answer, reading.rule) == ((None, lost[piece]) if piece in lost else ('Oslo', 'marked: <answer>'))
    read_short_text(reply)
