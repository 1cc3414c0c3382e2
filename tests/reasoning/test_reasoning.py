"""Reasoning is not an answer: what a model wrote for itself is dropped before anything is read from a reply."""

import pytest
from evalscope_qa.reasoning import strip_reasoning
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


_PIECES = st.lists(
    st.sampled_from(['<think>', '</think>', '<THINKING a>', '</thinking>', '<reasoning/>', 'a', 'b ', '\n', '<', '>'])
)


def _slow_reference(reply: str) -> set[str]:
    """The letters outside reasoning, by removing innermost blocks until none is left."""
    import re

    reply = reply.replace('<reasoning/>', ' ').replace('<THINKING a>', '<think>').replace('</thinking>', '</think>')
    while True:
        shorter = re.sub(r'<think>((?!</?think>)[\s\S])*</think>', ' ', reply)
        if shorter == reply:
            break
        reply = shorter
    reply = reply.split('</think>')[-1].split('<think>')[0]
    return {character for character in reply if character in 'ab'}


@given(_PIECES)
def test_what_is_kept_equals_removing_innermost_blocks_one_by_one(pieces: list[str]) -> None:
    kept = strip_reasoning(''.join(pieces))
    assert {character for character in kept if character in 'ab'} == _slow_reference(''.join(pieces))


@given(st.text())
def test_stripping_never_raises_and_keeps_text_without_tags(reply: str) -> None:
    assert strip_reasoning(reply) == reply or '<' in reply
