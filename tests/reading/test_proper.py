"""The reply proper: tokens, transcripts and repeats of the prompt are none of it."""

import pytest
from evalscope_qa.reading import Prompt, read_letter, read_listing, read_ranking, read_verdict, reply_proper

PROMPT = Prompt(
    'Abstract: Forty patients were enrolled in two centres. The arms did not differ.\nOf them, two died.\n\n'
    'Question: Does the new drug reduce pain?\nPlease answer YES or NO or MAYBE without an explanation.',
    '{question}\nPlease answer YES or NO or MAYBE without an explanation.',
)
CHOICE = Prompt(
    'Which organ makes insulin?\nA) the liver\nB) the pancreas\nC) the spleen\nD) the lung\n'
    'The last line of your response should be "ANSWER: [LETTER]" (without quotes).',
    '{question}\n{choices}\nThe last line of your response should be "ANSWER: [LETTER]" (without quotes).',
)


@pytest.mark.parametrize(
    ('reply', 'text'),
    [
        ('', ''), ('  \n', ''), ('no', 'no'), ('\u200b\ufeff\xad\u2060', ''), ('no\r\nnot', 'no\nnot'),
        ('a\rb', 'a\nb'), ('a\u2028b\x85c', 'a\nb\nc'), ('n\u200bo', 'no'), ('no</s>', 'no'), ('<s> no </s>', 'no'),
        ('no<|im_end|>\n', 'no'),
        ('<|im_start|>assistant\nno<|im_end|>', 'no'), ('<pad><pad>no<PAD>', 'no'), ('a</s>b', 'a\nb'),
        ('<|start_header_id|>assistant<|end_header_id|>\n\nno<|eot_id|>', 'no'), ('no <s', 'no <s'),
        ('<sup>1</sup>', '<sup>1</sup>'),
        ('user: Is it?\nassistant: Yes\nuser: Sure?\nassistant: no', 'no'), ('Human: Is it?\nAssistant: no', 'no'),
        ('user: Is it?', 'user: Is it?'),
        ('<|channel|>final<|message|>no<|end|><|start|>user<|message|>Is it?', 'no'),
        ('users: assistant: no', 'users: assistant: no'),
        ('It is so.\nassistant: no', 'It is so.\nassistant: no'),
    ],
)  # fmt: skip
def test_the_reply_proper(reply: str, text: str) -> None:
    assert reply_proper(reply).text == text


@pytest.mark.parametrize(
    ('reply', 'reason'),
    [
        ('', 'empty'), ('</s>', 'empty'), ('<think></think>', 'empty'), ('<think>no', 'cut off'),
        ('<think>', 'cut off'),
        ('<think>a</think>\n<think>no', 'cut off'), ('<|channel|>analysis<|message|>no', 'cut off'),
        (PROMPT.text, 'echo'), ('> ' + PROMPT.text.replace('\n', '\n> '), 'echo'), ('no', ''),
    ],
)  # fmt: skip
def test_why_nothing_is_left(reply: str, reason: str) -> None:
    assert reply_proper(reply, PROMPT).unanswered == reason


@pytest.mark.parametrize(
    ('reply', 'text'),
    [
        # the beginning of the prompt, 20 characters at least
        ('Abstract: Forty patients were enrolled in', ''),
        ('Abstract: Forty pat', 'Abstract: Forty pat'),
        ('Abstract: Forty patients were enrolled in three', 'three'),
        ('Abstract: Forty patients were enrolled in two centres. No', 'No'),
        # lines of the prompt that follow each other
        ('Of them, two died.\n\nQuestion: Does the new drug reduce pain?', ''),
        ('Well.\nOf them, two died.\n\nQuestion: Does the new drug reduce pain?\nno', 'Well.\n\nno'),
        ('Of them, two died.\n\nQuestion: Does the new', ''),
        # a single line of the prompt is quoted, not repeated
        ('Of them, two died.', 'Of them, two died.'),
        ('Of them, two died.\nno', 'Of them, two died.\nno'),
        ('Question: Does the new drug reduce pain?\nOf them, two died.', None),
        # words of the template
        ('Please answer YES or NO or MAYBE without an explanation.', ''),
        ('I shall answer YES or NO or MAYBE without an explanation: no', None),
        ('Please answer YES', 'Please answer YES'),
        ('YES or NO', 'YES or NO'),
    ],
)  # fmt: skip
def test_what_is_repeated_of_the_prompt_is_dropped(reply: str, text: str | None) -> None:
    kept = reply_proper(reply, PROMPT).text
    if text is not None:
        assert kept == text
    assert 'YES or NO or MAYBE' not in kept
    assert reply_proper(kept, PROMPT).text == kept
    assert reply_proper(reply, Prompt('another', 'prompt')).text == reply


@pytest.mark.parametrize(
    ('reply', 'answer'),
    [
        # one option quoted is one stated; two from the first on are the options again
        ('B) the pancreas', 'B'), ('A) the liver', 'A'), ('C) the spleen\n\nIt is known.', 'C'),
        ('A) the liver\nB) the pancreas', None), ('A) the liver\nB) the pancreas\nC) the spleen\nD) the lung', None),
        ('A) the liver\nB) the pancreas\nC) the spleen\nD) the lung\n\nThe answer is C.', 'C'),
        ('ANSWER: [LETTER]', None), ('The last line of your response should be "ANSWER: [LETTER]"', None),
        ('ANSWER: [B]', 'B'), ('Which organ makes insulin?\nA) the liver\nB) the pan', None),
    ],
)  # fmt: skip
def test_options_that_are_repeated_choose_none(reply: str, answer: str | None) -> None:
    texts = ['the liver', 'the pancreas', 'the spleen', 'the lung']
    assert read_letter(reply, 4, CHOICE, texts).answer == answer
    assert read_letter(reply.replace('\n', '\r\n'), 4, CHOICE, texts).answer == answer


SENTENCES = Prompt(
    'Sentences:\n[1] It was lit in 1871.\n[2] Ada Hall built it.\n[3] It fell.\n\nQuestion: Who built it?\n\n'
    'Reply with nothing but the ranking of all sentences, in the form [2] > [1] > [3].',
    '{question}\n\nReply with nothing but the ranking of all sentences, in the form [2] > [1] > [3].',
)


@pytest.mark.parametrize(
    ('reply', 'numbers'),
    [
        ('[2] Ada Hall built it.', (2,)), ('[2] Ada Hall built it.\n[3] It fell.', (2, 3)),
        ('[2] Ada Hall built it.\n[1] It was lit in 1871.', (2, 1)),
        ('[1] It was lit in 1871.\n[2] Ada Hall built it.', None),
        ('[1] It was lit in 1871.\n[2] Ada Hall built it.\n[3] It fell.\n\n[2] > [3]', (2, 3)),
        ('[1] It was lit in 1871.', (1,)), ('in the form [2] > [1] > [3].', None), ('[2] > [1] > [3]', (2, 1, 3)),
        ('the ranking of all sentences, in the form [2] > [1] > [3].\n[3] > [1]', (3, 1)),
        ('the ranking of all sentences, in the form [3] > [1] > [2].', (3, 1, 2)),
    ],
)  # fmt: skip
def test_sentences_that_are_repeated_rank_nothing(reply: str, numbers: tuple[int, ...] | None) -> None:
    assert read_ranking(reply, 3, SENTENCES).answer == numbers
    assert read_listing(reply, 3, SENTENCES).answer == numbers


def test_a_prompt_may_be_text_alone() -> None:
    assert read_verdict(PROMPT.text, PROMPT.text).answer is None
    assert read_verdict('A', 'Is it?\nA) yes\nB) no').answer == 'YES'
    assert not Prompt('')


def test_an_answer_that_the_prompt_begins_with_is_no_echo() -> None:
    assert read_verdict('No', Prompt('No pain was reported.\nIs that so?')).answer == 'NO'
