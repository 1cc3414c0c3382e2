"""Of a very long reply the two ends are read: an answer at either end is found, and no reply takes long."""

import pytest
from evalscope_qa.reading import read_ranking, read_short_text, read_verdict, reply_proper
from evalscope_qa.reading.length import LONGEST_REPLY, both_ends_of

PROSE = 'The arms were compared over many weeks. '
LONG = PROSE * (100 * LONGEST_REPLY // len(PROSE))


def test_a_reply_of_the_longest_length_is_read_whole() -> None:
    for length in (0, 1, LONGEST_REPLY - 1, LONGEST_REPLY):
        text = ('ab' * LONGEST_REPLY)[:length]
        assert both_ends_of(text) is text
        assert len(reply_proper(text).text) == length


def test_a_longer_one_has_as_many_characters_of_either_end() -> None:
    text = ''.join(chr(0x4E00 + number % 20_000) for number in range(LONGEST_REPLY + 1))
    ends = both_ends_of(text).split('\n')
    assert ends == [text[: LONGEST_REPLY // 2], text[-LONGEST_REPLY // 2 :]]
    assert LONGEST_REPLY - 100 < len(reply_proper(LONG).text) <= LONGEST_REPLY + 1


@pytest.mark.parametrize('piece', ['</answer>', 'words ', '<answer>'])
def test_no_word_and_no_tag_is_cut_in_two(piece: str) -> None:
    for shift in range(len(piece)):
        text = 'y' * shift + ' ' + piece * (2 * LONGEST_REPLY // len(piece))
        first, second = both_ends_of(text).split('\n')
        assert first.endswith(piece.strip())
        assert second.startswith(piece)


@pytest.mark.parametrize('reply', [f'Answer: NO\n\n{LONG}', f'{LONG}\n\nAnswer: NO', f'{LONG}\nThe answer is no.'])
def test_an_answer_at_either_end_of_a_long_reply_is_read(reply: str) -> None:
    assert read_verdict(reply).answer == 'NO'


def test_long_replies_of_other_kinds() -> None:
    assert read_short_text(f'{LONG}\n<answer>Oslo</answer>').answer == 'Oslo'
    assert read_ranking(f'{LONG}\n\n[2] > [1]', 3).answer == (2, 1)


@pytest.mark.parametrize(
    ('reply', 'answer', 'rule'),
    [
        (f'<think>{LONG}Answer: YES\n</think>NO', 'NO', 'standing'),  # closed in the end that is read
        (f'<think>{LONG}Answer: YES', None, 'cut off'),
        (f'<think>Answer: YES {LONG}</think>{LONG}\nAnswer: NO', 'NO', 'named'),  # closed between the ends
        (f'Answer: YES {LONG}</THINK>{LONG}\nAnswer: NO', 'NO', 'named'),
        (f'{LONG}<think>{LONG}\nAnswer: YES', None, 'nothing stated'),  # opened between the ends, never closed
        (f'<|channel|>analysis<|message|>{LONG}<|end|><|channel|>final<|message|>{LONG}\nAnswer: NO', 'NO', 'named'),
    ],
)
def test_reasoning_of_a_long_reply_is_no_answer(reply: str, answer: str | None, rule: str) -> None:
    reading = read_verdict(reply)
    assert reading.answer == answer
    assert reading.rule in (rule, 'cut off')
