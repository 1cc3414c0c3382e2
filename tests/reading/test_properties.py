"""What changes nothing, and what takes every answer away, whatever the reply."""

from typing import Callable

import pytest
from evalscope_qa.reading import (
    Prompt,
    Reading,
    read_letter,
    read_listing,
    read_ranking,
    read_short_text,
    read_verdict,
)
from evalscope_qa.selqa.prompts import SELECTION_PROMPT, TRIGGERING_PROMPT
from hypothesis import example, given
from hypothesis import strategies as st
from reading.frames import STATING, WORDS

QUESTION = (
    'Abstract: Forty patients were enrolled. The arms did not differ. Of them, two died.\n\n'
    'Question: Does the new drug reduce pain?\nPlease answer YES or NO or MAYBE without an explanation.'
)
PROMPT = Prompt(QUESTION, '{question}\nPlease answer YES or NO or MAYBE without an explanation.')
CHOICE = Prompt(
    'Question: Which organ makes insulin?\nA) the liver\nB) the pancreas\nC) the spleen\nD) the lung\n'
    'Think step by step and end with "ANSWER: [LETTER]" (without quotes).',
    '{question}\n{choices}\nThink step by step and end with "ANSWER: [LETTER]" (without quotes).',
)
SENTENCES = (
    'Sentences:\n[1] The lamp was lit in 1871.\n[2] It was built by Ada Hall.\n[3] It fell in 1902.\n\n'
    'Question: Who built it?'
)
RANKING = Prompt(SELECTION_PROMPT.format(question=SENTENCES), SELECTION_PROMPT)
LISTING = Prompt(TRIGGERING_PROMPT.format(question=SENTENCES), TRIGGERING_PROMPT)
CLUE = Prompt(
    'Context:\n[DOC] [TLE] Oslo [PAR] Oslo is the capital of Norway.\n\nQuestion: the capital of Norway\n\n'
    'Put the short answer, and nothing else, inside <answer></answer>.',
    '{question}\n\nPut the short answer, and nothing else, inside <answer></answer>.',
)

READERS: dict[str, tuple[Callable[..., Reading], Prompt]] = {
    'verdict': (read_verdict, PROMPT),
    'letter': (lambda reply, prompt='': read_letter(reply, 4, prompt), CHOICE),
    'ranking': (lambda reply, prompt='': read_ranking(reply, 3, prompt), RANKING),
    'listing': (lambda reply, prompt='': read_listing(reply, 3, prompt), LISTING),
    'short text': (read_short_text, CLUE),
}

# A statement of each reader that stands alone, and a different one.
COMMITTED = {
    'verdict': [
        ('No', 'Yes'), ('The answer is maybe.', 'The answer is yes.'), ('**Maybe**', 'no'),
        ('Answer: yes', 'Answer: no'), ('I would say no.', 'I would say maybe.'), ('No, they did not', 'Yes, they did'),
        ('<answer>yes</answer>', '<answer>no</answer>'), ('\\boxed{no}', '\\boxed{maybe}'),
        ('{"answer": "yes"}', '{"answer": "maybe"}'), ('Decision: yes', 'Verdict: no'),
        ('答案是yes。', '答案是no。'),
    ],
    'letter': [
        ('B', 'D'), ('The answer is A.', 'The answer is C.'), ('**D**', 'B'), ('Answer: (C)', 'Answer: (D)'),
        ('I choose B.', 'I choose C.'), ('\\boxed{B}', '\\boxed{A}'), ('<answer>C</answer>', '<answer>D</answer>'),
        ('选B', '选C'),
    ],
    'short text': [
        ('<answer>Oslo</answer>', '<answer>Rome</answer>'), ('The answer is Oslo.', 'The answer is Rome.'),
        ('Answer: Oslo', 'Answer: Rome'), ('\\boxed{Oslo}', '\\boxed{Rome}'),
        ('{"answer": "Oslo"}', '{"answer": "Rome"}'),
    ],
    'listing': [('[2]', 'NONE'), ('[3] > [1]', 'None'), ('2', 'NONE'),
                ('[1], [2]', 'None.')],
    'ranking': [('[2] > [1]', ''), ('2, 1, 3', ''), ('[3]', ''), ('Answer: 3 > 1', '')],
}  # fmt: skip
STATEMENTS = [(name, first) for name, pairs in COMMITTED.items() for first, _ in pairs]
PAIRS = [(name, *pair) for name, pairs in COMMITTED.items() if name != 'ranking' for pair in pairs]

UNCHANGING = {
    'reasoning': '<think>It could be A, yes, Rome or [1]; the answer is no, C or [3].</think>\n{}',
    'reasoning of another model': '[THINK]The answer is D.[/THINK]{}',
    'reasoning opened in the prompt': 'The answer is yes, or B.</think>\n\n{}',
    'reasoning in a channel': '<|channel|>analysis<|message|>Yes or B.<|end|><|channel|>final<|message|>{}',
    'reasoning in a channel without tokens': 'analysisWe think of B or yes.assistantfinal{}',
    'a stop token': '{}<|im_end|>',
    'several stop tokens': '<s>{}</s><|endoftext|><pad><pad>',
    'a token of a turn': '<|im_start|>assistant\n{}',
    'emphasis': '**{}**',
    'a code fence': '```\n{}\n```',
    'a quote mark': '> {}',
    'space around': '\n\n  {} \n\n',
    'invisible characters': '\u200b{}\ufeff',
    'another turn': '{}\n\nHuman: Thank you.\nAssistant: You are welcome.',
    'another question': '{}\n\nQuestion: What of the rest?\nAnswer: unknown',
    'an explanation': '{}\n\nExplanation: The arms were alike in age and sex.',
    'Windows line ends': '{}\r\n\r\nExplanation: The arms were alike in age and sex.',
}


@pytest.mark.parametrize('frame', UNCHANGING.values(), ids=UNCHANGING)
@pytest.mark.parametrize(('name', 'reply'), STATEMENTS)
def test_what_stands_around_a_reply_changes_nothing(frame: str, name: str, reply: str) -> None:
    read, prompt = READERS[name]
    expected = read(reply).answer
    assert expected is not None
    assert read(frame.replace('{}', reply)).answer == expected
    assert read(frame.replace('{}', reply), prompt).answer == expected


@pytest.mark.parametrize(('name', 'reply'), [(name, reply) for name, reply in STATEMENTS if name != 'short text'])
def test_a_sentence_of_explanation_without_a_label_changes_nothing(name: str, reply: str) -> None:
    read, prompt = READERS[name]
    for sentence in ('The arms were alike in age.', 'This follows from the second table.', '它们的年龄相同。'):
        for joint in (' ', '\n', '\n\n'):
            if joint == ' ' and (name in ('ranking', 'listing') or reply.endswith(('*', '。'))):
                continue
            written = (
                f'{reply}.{joint}{sentence}' if joint == ' ' and reply[-1].isalnum() else f'{reply}{joint}{sentence}'
            )
            assert read(written, prompt).answer == read(reply).answer, written


@pytest.mark.parametrize(('name', 'reply'), STATEMENTS)
def test_a_longer_prompt_changes_nothing(name: str, reply: str) -> None:
    read, prompt = READERS[name]
    longer = Prompt('It was a long day. ' * 200 + '\n' + prompt.text + '\nThe end of it.', prompt.template)
    assert read(reply, longer) == read(reply, prompt) == read(reply)


@pytest.mark.parametrize('name', READERS)
def test_an_echo_of_any_prefix_of_the_prompt_is_unanswered(name: str) -> None:
    read, prompt = READERS[name]
    for end in range(20, len(prompt.text) + 1):
        for reply in (prompt.text[:end], '> ' + prompt.text[:end].replace('\n', '\n> '), prompt.text[:end] + '\n\n'):
            reading = read(reply, prompt)
            assert reading.answer is None, reply
    assert read(prompt.text, prompt).rule == 'echo'


@pytest.mark.parametrize('name', READERS)
@given(data=st.data())
def test_lines_of_the_prompt_from_any_to_any_are_unanswered(name: str, data: st.DataObject) -> None:
    read, prompt = READERS[name]
    if name == 'short text':
        return  # its last line is a text like any other: see the echo of a prefix
    lines = prompt.text.split('\n')
    first = data.draw(st.integers(0, len(lines) - 2))
    last = data.draw(st.integers(first + 2, len(lines)))
    reply = '\n'.join(lines[first:last])
    if '[3]' in reply and '[1]' not in reply:
        return  # a list of some sentences may be meant
    assert read(reply, prompt).answer is None, reply


@pytest.mark.parametrize(('name', 'reply'), STATEMENTS)
def test_an_answer_behind_an_echo_counts(name: str, reply: str) -> None:
    read, prompt = READERS[name]
    assert read(f'{prompt.text}\n\n{reply}', prompt).answer == read(reply).answer


@pytest.mark.parametrize(('name', 'first', 'second'), PAIRS)
@pytest.mark.parametrize('joint', ['\n', '\n\n', ' '])
def test_two_different_committed_replies_are_unanswered(name: str, first: str, second: str, joint: str) -> None:
    read, prompt = READERS[name]
    if joint == ' ' and not (first.endswith(('.', '}', '>', '。')) and name != 'listing'):
        return
    for reply in (f'{first}{joint}{second}', f'{second}{joint}{first}'):
        assert read(reply).answer is None, reply
        assert read(reply, prompt).answer is None, reply


def test_every_two_statements_that_differ_are_unanswered() -> None:
    frames = [
        'The answer is {}.', 'Answer: {}', 'I would say {}.', 'I choose {}.', '{}', '**{}**', '{}, as they say.',
        'The verdict is {}.', 'Final decision: {}', 'The evidence supports {}.', '答案是{}。',
    ]  # fmt: skip
    for one in frames:
        for other in frames:
            if other.startswith('Final'):
                continue  # which settles it
            for label, different in (('yes', 'no'), ('no', 'maybe'), ('MAYBE', 'YES'), ('No', 'Yes')):
                reply = one.replace('{}', label) + '\n' + other.replace('{}', different)
                assert read_verdict(reply).answer is None, reply


PIECES = [
    'yes', 'no', 'maybe', 'NO', 'A', 'B', 'I', 'C)', '[1]', '[2] >', '3', 'NONE', 'none of the sentences', 'answer',
    'The answer is', 'final', 'wait', 'if', 'not', 'I would say', '<answer>', '</answer>', '\\boxed{', '}',
    '{"answer": "', '"', "'", '<think>', '</think>', '<|channel|>final<|message|>', 'analysis', 'assistantfinal',
    '</s>', '<|im_end|>',
    '\n', '\n\n', ' ', ': ', ', ', '. ', '? ', '**', '`', '```', '#', '> ', '- ', '|', '- [x] ', '☑', '~~', '&quot;',
    '&#', '\\text{', '$', '答案是', '选', '。', 'Question:', 'User:', 'Explanation:', '(a)', '(b)', '0.5', '100 %',
    'true', 'false', '\x00', '\ud800', '\u200b', '\u0301', 'ＮＯ', '１', '９' * 5, '9' * 30, '\r', '\u2028', 'ﷺ',
    '\ue000', '\ue003', '\ue005',
]  # fmt: skip
REPLIES = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=40).map(''.join),
    st.lists(st.sampled_from(PIECES), max_size=40).map(' '.join),
)
UNANSWERED = {'empty', 'cut off', 'refused', 'echo', 'several', 'nothing stated', 'not an option'}


@given(REPLIES)
@example('\ud800 yes')
@example('<answer>' * 50)
@example('[' * 100 + '1')
def test_any_reply_is_read_or_has_a_reason(reply: str) -> None:
    for name, (read, prompt) in READERS.items():
        for reading in (read(reply), read(reply, prompt)):
            assert reading.rule
            assert (reading.answer is None) == (reading.rule in UNANSWERED), (name, reading)
            assert read(reply) == read(reply)


@given(REPLIES)
def test_any_prompt_can_be_asked(prompt: str) -> None:
    for reply in ('no', 'The answer is B.', '[2] > [1]\nOslo'):
        for read, _ in READERS.values():
            read(reply, prompt)
            read(reply, Prompt(prompt, prompt))


@given(REPLIES)
def test_space_around_a_reply_changes_nothing(reply: str) -> None:
    for read, _ in READERS.values():
        assert read(f' \n {reply} \n\n').answer == read(reply).answer


@given(st.sampled_from(STATING), st.sampled_from(WORDS), st.text(alphabet='bcdfg hjkl.,\n', max_size=200))
def test_reasoning_of_any_content_changes_nothing(frame: str, label: str, reasoning: str) -> None:
    reply = frame.replace('{}', label)
    if reply.startswith('<think>'):
        return
    assert read_verdict(f'<think>{reasoning}</think>{reply}') == read_verdict(reply)
    assert read_verdict(f'<think>{reasoning} yes or no {reply}').answer is None
