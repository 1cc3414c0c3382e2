"""Reasoning is not an answer: what a model wrote for itself is dropped before anything is read from a reply."""

import pytest
from evalscope_qa.reading import strip_reasoning
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ('reply', 'answer'),
    [
        ('', ''),
        ('plain text', 'plain text'),
        ('<think>It could be YES.</think>NO', 'NO'),
        ('<thinking>a</thinking>b', 'b'),
        ('<reasoning>a</reasoning>b', 'b'),
        ('<THINK>a</Think>b', 'b'),
        ('<think mode="deep" id=3>a</think>b', 'b'),
        ('<think>a</think >b', 'b'),
        ('<think\n>a</think\n>b', 'b'),
        ('before <think>a</think> after', 'before   after'),
        ('NO<think>a</think>thing', 'NO thing'),
        ('<think>a</think>b<think>c</think>d', 'b d'),
        ('<think>a<think>b</think>c</think>d', 'd'),
        ('<think>a</reasoning>b', 'b'),
        # a tag of another name inside reasoning is text
        ('<think>use a <reasoning> tag</think>YES', 'YES'),
        ('<reasoning>a <think> b</reasoning>\nno', '\nno'),
        ('<think>a<thinking>b<reasoning>c</think>d', 'd'),
        ('<think>a<reasoning>b</think>c</reasoning>d', 'd'),
        ('<think>a</reasoning>b</think>c', 'c'),
        ('<think>a<reasoning>b</reasoning>c', ''),
        ('<think/>b', 'b'),
        ('a <think /> b', 'a   b'),
        # the opening tag was part of the prompt
        ('a</think>b', 'b'),
        ('a</think>b</think>c', 'c'),
        ('a<think>b</think>c</think>d', 'd'),
        # the reply was cut off while reasoning
        ('<think>The answer is yes', ''),
        ('YES <think>but', 'YES '),
        ('<think>a<think>b</think>YES', ''),
        ('a</think>b<think>c', 'b'),
        # not reasoning tags
        ('<thinker>a</thinker>', '<thinker>a</thinker>'),
        ('<rethink>a</rethink>', '<rethink>a</rethink>'),
        ('a < think > b', 'a < think > b'),
        ('<think', '<think'),
        ('think</ think>', 'think</ think>'),
        ('<answer>a</answer>', '<answer>a</answer>'),
    ],
)
def test_reasoning_blocks_are_dropped(reply: str, answer: str) -> None:
    assert strip_reasoning(reply) == answer


_TAGS = ('<think>', '</think>', '<THINKING a>', '</thinking>', '<reasoning>', '</Reasoning>', '<reasoning/>')
_PIECES = st.lists(st.sampled_from((*_TAGS, 'a', 'b ', '\n', '<', '>')))


def _slow_reference(pieces: list[str]) -> set[str]:
    """The letters outside reasoning, by closing one block after another."""
    names = {'<think>': 'think', '<THINKING a>': 'thinking', '<reasoning>': 'reasoning'}
    closing = {'</think>': 'think', '</thinking>': 'thinking', '</Reasoning>': 'reasoning'}
    filled = [piece for piece in pieces if piece.strip()]
    pieces = [piece for place, piece in enumerate(filled) if piece not in names or filled[place - 1 : place] != [piece]]
    while any(piece in closing for piece in pieces):
        end = next(place for place, piece in enumerate(pieces) if piece in closing)
        opened = [place for place in range(end) if pieces[place] in names]
        same = [place for place in opened if names[pieces[place]] == closing[pieces[end]]]
        start = (same or opened or [0])[-1]
        pieces = pieces[:start] + pieces[end + 1 :]
    cut = next((place for place, piece in enumerate(pieces) if piece in names), len(pieces))
    return {piece.strip() for piece in pieces[:cut] if piece.strip() in ('a', 'b')}


@given(_PIECES)
def test_what_is_kept_equals_closing_one_block_after_another(pieces: list[str]) -> None:
    kept = strip_reasoning(''.join(pieces))
    assert {character for character in kept if character in 'ab'} == _slow_reference(pieces)


@given(st.text())
def test_stripping_never_raises_and_keeps_text_without_tags(reply: str) -> None:
    assert strip_reasoning(reply) == reply or '<' in reply
