"""A ranking or a listing is read out of a reply, or the reply is unanswered; nothing is guessed.

Every case here would be silent if misread: the score would move and no error would say why.
"""

import pytest
from evalscope_qa import reading
from evalscope_qa.reading import Prompt
from evalscope_qa.selqa.prompts import SELECTION_PROMPT, TRIGGERING_PROMPT, format_listing, format_ranking
from hypothesis import given
from hypothesis import strategies as st

MEGABYTE = 200_000
"""Characters of a long reply; a whole megabyte is read by ``tests/benchmarks/reading_speed.py``."""


def read_ranking(reply: str, sentences: int) -> list[int] | None:
    answer = reading.read_ranking(reply, sentences, Prompt('x', SELECTION_PROMPT)).answer
    return None if answer is None else list(answer)


def read_listing(reply: str, sentences: int) -> list[int] | None:
    answer = reading.read_listing(reply, sentences, Prompt('x', TRIGGERING_PROMPT)).answer
    return None if answer is None else list(answer)


BRACKETED = [
    # the forms
    ('[2] > [1] > [3]', [2, 1, 3]),
    ('[2]', [2]),
    ('[2][1][3]', [2, 1, 3]),
    ('[2], [1] and [3]', [2, 1, 3]),
    ('[2]>[1]', [2, 1]),
    ('[4, 2, 5]', [4, 2, 5]),
    ('[4,2,5]', [4, 2, 5]),
    ('[ 4 , 2 ]', [4, 2]),
    ('[4 > 2 > 5]', [4, 2, 5]),
    ('[[4], [2]]', [4, 2]),
    ('[[4, 2], [5]]', [4, 2, 5]),
    ('["4", "2"]', [4, 2]),
    ('{"ranking": [4, 2, 5]}', [4, 2, 5]),
    ('[\n  4,\n  2,\n  5\n]', [4, 2, 5]),
    ('[\n  [4],\n  [2]\n]', [4, 2]),
    ('```json\n[4, 2]\n```', [4, 2]),
    ('```\n[4] > [2]\n```', [4, 2]),
    ('**[4] > [2]**', [4, 2]),
    ('`[4] > [2]`', [4, 2]),
    (r'\[4\] > \[2\]', [4, 2]),
    ('Answer: [4] > [2].', [4, 2]),
    ('[04] > [2]', [4, 2]),
    ('1. [3]\n2. [5]\n3. [1]', [3, 5, 1]),
    ('- [3]: it names the year\n- [5]', [3, 5]),
    # numbers not shown and repeats are left out
    ('[9] > [2] > [0] > [2] > [6]', [2]),
    ('[3] > [3] > [1] > [3]', [3, 1]),
    ('[3, 3, 1]', [3, 1]),
    ('[9] > [0]', None),
    ('[6]', None),
    ('[-1] > [1.5] > [1-3] > [2]', None),
    # the last ranking, or the list
    ('[1] is about ships.\n[2] is about trains.\n\n[2] > [1]', [2, 1]),
    ('Sentence [5] looks good.\n\n[4]\n[2]', [4, 2]),
    ('[5] > [4]\r\n\r\n[4]\r\n[2]', [4, 2]),
    ('[5]\r[4]', [5, 4]),
    ('[5] > [4]\nThat is my ranking.', [5, 4]),
    ('[5]\nthen\n[4]', [4]),
    ('[5]\n \n[4]', [5, 4]),
    ('[5] is close, but\n[4] > [2]', [4, 2]),
    ('[3] > [1]\n\nThe film came out in [1994].', [3, 1]),
    # reasoning is no answer
    ('<think>[1] looks right</think>[5] > [4]', [5, 4]),
    ('[1] > [2]</think>[5] > [4]', [5, 4]),
    ('<think>[1] looks right', None),
    ('[2] > [1]<think>or [1] > [2]?', [2, 1]),
    ('<THINKING depth="2">[1]</THINKING>\n[5]', [5]),
    # variants of brackets and digits
    ('2]', [2]),
    ('(2) > (1)', [2, 1]),
    ('[２] > [١]', [2, 1]),
    ('［２］＞［１］', [2, 1]),
    # no number
    ('', None),
    (' \n\t ', None),
    ('[]', None),
    ('[ ]', None),
    ('[a] > [b]', None),
    ('[2', None),
    ('I cannot rank these sentences.', None),
]

BARE = [
    ('3', [3]),
    (' 3 \n', [3]),
    ('3.', [3]),
    ('2, 1, 3', [2, 1, 3]),
    ('2,1,3', [2, 1, 3]),
    ('2 > 1 > 3', [2, 1, 3]),
    ('2 > 1 > 3.', [2, 1, 3]),
    ('2 1 3', [2, 1, 3]),
    ('2; 1; 3', [2, 1, 3]),
    ('2 -> 1 -> 3', [2, 1, 3]),
    ('2 → 1', [2, 1]),
    ('2，1、3', [2, 1, 3]),
    ('ranking: 2, 1, 3', [2, 1, 3]),
    ('Ranking: 2 > 1', [2, 1]),
    ('RANKING: 2 > 1', [2, 1]),
    ('Ranking : 2', [2]),
    ('Ranking：2, 1', [2, 1]),
    ('**Ranking:** 2 > 1', [2, 1]),
    ('**Ranking**: 2 > 1', [2, 1]),
    ('**Ranking: 2 > 1**', [2, 1]),
    ('## Ranking: 2, 1', [2, 1]),
    ('> 2, 1', [2, 1]),
    ('- Ranking: 2, 1', [2, 1]),
    ('*2, 1*', [2, 1]),
    ('`2 > 1`', [2, 1]),
    ('"2, 1"', [2, 1]),
    ('```\n2 > 1\n```', [2, 1]),
    ('2 => 1 -> 3.', [2, 1, 3]),
    ('> - 3\n> - 1', [3, 1]),
    ('2, 1.**', [2, 1]),
    ('Ranking:\n2, 1', [2, 1]),
    ('3\n1\n2', [3, 1, 2]),
    ('- 3\n- 1\n- 2', [3, 1, 2]),
    ('Ranking: 3\n1\n2', [3, 1, 2]),
    ('Here is the ranking:\n2, 1, 3', [2, 1, 3]),
    ('2, 1, 3\nThe second sentence names the year.', [2, 1, 3]),
    ('5, 4\n\n2, 1', [2, 1]),
    ('5, 4\nno, rather\n2, 1', [2, 1]),
    ('1.5\n3\n2', [3, 2]),
    ('5\n1.5\n3\n2', [3, 2]),
    ('5\n4\n1.5', [5, 4]),
    ('The first film came out in 2\n1, 3', [1, 3]),
    ('2, 2, 9, 0, 1', [2, 1]),
    ('<think>5, 4</think>2, 1', [2, 1]),
    ('9', None),
    ('1939', None),
    ('2, 1\n\n1939', None),
    ('2, 1 [sic]', None),
    ('[sic]\n2, 1', [2, 1]),
    ('2, 1]', [2, 1]),
    ('The most relevant sentence mentions 1939 and 2 others.', None),
    ('The answer is 2.', [2]),
    ('Sentence 2', [2]),
    ('Answer: 2, 1', [2, 1]),
    ('2 and 1', [2, 1]),
    ('1. 3\n2. 5', None),
    ('1.5', None),
    ('-1', None),
    ('1-3', None),
    ('1-', None),
    ('1-\n1-\n', None),
    ('1.->2', None),
    ('2 --> 1', [2, 1]),
    ('2 => 1-', None),
    ('-3', None),
    ('+3', None),
    ('ranking 2, 1', [2, 1]),
    ('ranking:: 2, 1', [2, 1]),
    (' ' * 21 + '3', [3]),
    ('2024-01-03', None),
    ('1/2', None),
    ('12:30', None),
    ('2 = 1', None),
    ('2 < 1', None),
    ('２', [2]),
    ('---', None),
    ('ranking:', None),
]

LISTED = [
    ('No sentence but [4] answers it.', [4]),
    ('{"answer": 17} NONE', [17]),
    ('<answer>17</answer>\nNONE', [17]),
    ('[17]', [17]),
    ('[17], [3]', [17, 3]),
    ('[17, 3]', [17, 3]),
    ('[[17], [3]]', [17, 3]),
    ('["17"]', [17]),
    ('[3] > [17] > [3] > [31]', [3, 17]),
    ('Sentence [12] answers it.', [12]),
    ('Sentence [12] answers it, and so does 13.', [12]),
    ('Is [3] right? No\nSentence [17] is.', None),
    ('Is [3] right? No.\nSentences [17] and [2] are.', None),
    ('[12]: none of them says it better.', [12]),
    ('[1] is about ships.\n\n[12]', [12]),
    ('Answer: [12]', [12]),
    ('<think>NONE</think>[12]', [12]),
    ('NONE</think>[12]', [12]),
    ('[12]. None of the other sentences answers it.', [12]),
    ('None the less, [12].', [12]),
    ('Nonetheless, [12].', [12]),
    ('[12]: it was none other than Kubrick.', [12]),
    ('[12] answers it; no other sentence does.', [12]),
    ('17', [17]),
    (' 17\n', [17]),
    ('17.', [17]),
    ('**17**', [17]),
    ('"17"', [17]),
    ('#17', [17]),
    ('Answer: 17', [17]),
    ('**Final answer:** 17', [17]),
    ('<think>3 or 17</think>17', [17]),
    ('[31]', None),
    ('[0]', None),
    ('31', None),
    ('0', None),
    ('17, 3', [17, 3]),
    ('17 3', [17, 3]),
    ('The answer is 17.', [17]),
    ('Sentence 17 answers it.', [17]),
    ('The answer is:\n17\nas it names the year.', [17]),
    ('1.7', None),
    ('-17', None),
    ('１７', [17]),
    ('[]', []),
    ('', None),
    (' \n', None),
    ('I do not know.', None),
    ('No.', None),
    ('<think>[17]', None),
]

DECLINED = [
    'There is no answer.',
    'No answer.',
    '[ ]',
    'NONE',
    'None',
    'none',
    'None.',
    'NONE!',
    ' NONE \n',
    '**NONE**',
    '_NONE_',
    '`NONE`',
    '"NONE"',
    "'none'",
    '“None.”',
    '(none)',
    '[NONE]',
    '[none]',
    '{"answer": "NONE"}',
    '> None',
    '- None',
    '# None',
    '```\nNONE\n```',
    '<answer>NONE</answer>',
    '<answer>None</answer>',
    'Answer: NONE',
    'Answer: none',
    '**Answer:** None.',
    'Answer:\nNone',
    'Sentences that answer the question: none',
    'The answer is NONE.',
    'The answer is none.',
    'NONE of the sentences',
    'None of the sentences answers the question.',
    'none of these sentences name the painter',
    'None of the given sentences answers it.',
    'None of the\nsentences answers it.',
    'None of the following sentences answers it.',
    'none of these candidate sentences',
    'None of them answers it.',
    'None of these answer the question.',
    'The lamp was lit in 1871. None of them answers it.',
    'No relevant sentence.',
    'There is no relevant sentence.',
    'None of the above.',
    'No sentence answers the question.',
    'no sentences answer it',
    'There is no sentence that says so.',
    'None, because the text does not name the painter.',
    'None。',
    '答案：None。',
    r'\boxed{None}',
    r'$\boxed{\text{None}}$',
    'Answer: **None**',
    'None (the painter is not named).',
    'None - the painter is not named.',
    'The painter is not named. None.',
    'NONE\n\nThe lamp was lit in 1871.',
    'The lamp was lit in 1871.\nNONE',
    '<think>[4]?</think>NONE',
    '<think>NONE</think>None.',
]

CONTRADICTORY = [
    '[4] or NONE',
    '[4] or none',
    'NONE or [4]',
    'NONE, or rather [4]',
    '[4]\n\nNONE',
    'NONE [31]',
    'None of the sentences answers the question, but [4] comes close.',
    '17 or NONE',
    'NONE\n17',
    '17\nNONE',
    '17, NONE',
    # a number of an accepted form, whatever joins it to the decline
    'Answer: 17 or NONE',
    'Final answer: 17 or NONE',
    '**Final answer:** 17 or **NONE**',
    'Answer: 17\nNONE',
    'NONE\n\nAnswer: 17',
    'Answer: 17\n\nNone.',
    'Answer: 17, none',
    'Ranking: 17\nNONE',
    '17 and NONE',
    '17, but NONE',
    'Either 17 or NONE.',
    '17 / NONE',
    '17 (or NONE)',
    'NONE (17)',
    'NONE; 17',
    'NONE: 17',
    'NONE, 17.',
    'NONE -> 17',
    'NONE or 17, 3',
    '17? NONE.',
    '17? None。',
    '"NONE", "17"',
    '[NONE, 17]',
    '- 17\n- NONE',
    '**17**\n\nNone.',
    '17. No sentence answers.',
    '17, no sentence',
    '17 or none of the sentences',
    'None of the sentences, 17',
    'No sentence answers the question. 17',
    'None of the 30 sentences; 17',
    'None of the sentences answers it, 17',
    'None of them answers the question: 17',
    'None of the above, 17',
    'NONE of these or 17',
    'NONE but 17',
    # undecided in a sentence
    'The answer is 17 or NONE.',
    'NONE, or 17 if one must be named.',
]

# Numbers in the sentences around a decline are no answer.
DECLINED_WITH_NUMBERS = [
    'None of the 30 sentences answers it.',
    'None of these 30 numbered sentences answers it.',
    'None of the sentences 1-30 answers it.',
    'None of the sentences (1–30).',
    'No sentence (of 30) answers it.',
    'No sentence mentions 1999.',
    'No sentence gives the year, 1999.',
    'Sentences 1 to 30: NONE',
    'Question 3: NONE',
    'NONE (0 of 30)',
    'NONE. In 1999 it was built.',
    'None. The lamp was lit in 1871.',
    'The lamp was lit in 1871. None.',
    'NONE\n1. The lamp was lit.\n2. It was built.',
    'NONE\n\n---',
]

UNDECIDED = [
    'Nonetheless',
    'None the less, it says so.',
    'None of it matters.',
    'It was none other than Kubrick.',
    'One or none of them.',
    'nonesuch',
    'A sentence answers it.',
    'This is non-sentence text.',
    'casino sentence',
    'It says no\nSentence after that.',
    'None of them matters.',
    'Nearly none of them answers it.',
    'No single sentence answers it.',
]


@pytest.mark.parametrize(('reply', 'ranking'), BRACKETED + BARE)
def test_a_ranking_is_read_or_the_reply_is_unanswered(reply: str, ranking: list[int] | None) -> None:
    assert read_ranking(reply, 5) == ranking


@pytest.mark.parametrize(('reply', 'listing'), LISTED)
def test_a_listing_is_read_or_the_reply_is_unanswered(reply: str, listing: list[int] | None) -> None:
    assert read_listing(reply, 30) == listing


@pytest.mark.parametrize('reply', DECLINED + DECLINED_WITH_NUMBERS)
def test_a_decline_is_an_answer(reply: str) -> None:
    assert read_listing(reply, 30) == []


@pytest.mark.parametrize('reply', CONTRADICTORY)
def test_numbers_and_a_decline_together_are_no_answer(reply: str) -> None:
    assert read_listing(reply, 30) is None


@pytest.mark.parametrize('reply', UNDECIDED)
def test_a_word_that_only_looks_like_a_decline_is_none(reply: str) -> None:
    assert read_listing(reply, 30) is None


@pytest.mark.parametrize(
    ('sentences', 'reply', 'ranking'),
    [(12, '[11] > [3] > [12] > [13]', [11, 3, 12]), (100, '[100] > [99] > [101]', [100, 99]), (1, '[1] > [2]', [1])],
)
def test_the_numbers_shown_decide_which_count(sentences: int, reply: str, ranking: list[int]) -> None:
    assert read_ranking(reply, sentences) == read_listing(reply, sentences) == ranking


def test_where_nothing_is_shown_only_a_decline_is_an_answer() -> None:
    assert read_listing('[1]', 0) is None
    assert read_listing('0', 0) is None
    assert read_listing('NONE', 0) == []


@pytest.mark.parametrize('digits', [5_000, MEGABYTE])
def test_a_number_longer_than_int_accepts_is_not_shown(digits: int) -> None:
    number = '9' * digits
    for reply in (
        f'{number}, 2',
        f'[{number}] > [2]',
        f'[{number}]',
        number,
        f'Answer: {number}',
        f'[{"0" * digits}7]',
    ):
        assert read_ranking(reply, 5) in (None, [2])
        assert read_listing(reply, 5) in (None, [2])


@given(st.lists(st.integers(1, 40), unique=True))
def test_what_was_extracted_reads_back_as_itself(numbers: list[int]) -> None:
    assert read_ranking(format_ranking(numbers), 40) == (numbers or None)
    assert read_listing(format_listing(numbers), 40) == numbers


def test_an_unanswered_listing_reads_back_as_unanswered() -> None:
    assert read_listing(format_listing(None), 40) is None


PIECES = ['[', ']', '1', '22', '٣', '²', ',', ' > ', '\n', ' ', '\r', 'NONE', 'none', 'or', 'no sentence', 'ranking:']
PIECES += ['answer:', '.', '-', '*', '"', '<think>', '</think>', 'x', '\x00', '\ud800', '9' * 20]


@given(st.lists(st.sampled_from(PIECES)).map(''.join) | st.text(), st.integers(0, 40))
def test_any_text_gives_shown_numbers_once_each_and_never_an_error(reply: str, sentences: int) -> None:
    for read in (read_ranking, read_listing):
        numbers = read(reply, sentences)
        assert numbers is None or (len(set(numbers)) == len(numbers) and set(numbers) <= set(range(1, sentences + 1)))
    assert read_ranking(reply, sentences) != []


MEGABYTE_PIECES = [
    '[',
    ']',
    '[1',
    '[1,',
    '[1] > ',
    '[1]\n',
    '[1]\n\n',
    '1 ',
    '1.',
    '1\n',
    '1\n\n',
    '1.\n',
    '1-\n',
    '-1\n',
    '1.1\n',
    '\n 1',
    '1->',
    '\n',
    ' ',
    '"',
    '> ',
]
MEGABYTE_PIECES += ['none ', 'NONE ', 'none of the ', 'no ', '1 or none\n', 'ranking: ', 'answer: ', '<think']


@pytest.mark.parametrize('piece', MEGABYTE_PIECES)
def test_a_long_reply_of_anything_is_read(piece: str) -> None:
    reply = piece * (MEGABYTE // len(piece))
    assert read_ranking(reply, 5) in ([1], None)
    assert read_listing(reply, 5) in ([1], [], None)
    assert read_listing(f'NONE {reply}', 5) in ([], None)


@pytest.mark.parametrize('filler', ['The sentences were weighed.\n', 'x', '\n', ' '])
def test_an_answer_far_from_the_end_is_found(filler: str) -> None:
    after = filler * (100_000 // len(filler))
    assert read_ranking(f'[4]\n\n[2]\n[1]\n{after}', 5) == [4, 2, 1]
    assert read_ranking(f'4\n\n2\n1\n{after}', 5) == [4, 2, 1]
    assert read_listing(f'[2]\n{after}', 5) == [2]
    assert read_listing(f'NONE\n{after}', 5) == []


def test_of_many_rankings_the_last_counts() -> None:
    assert read_ranking('[1]\n\n[3]\n' + '[2] > [1]\n' * 20_000, 5) == [2, 1]
    assert read_ranking('1\n\n3\n' + '2, 1\n' * 20_000 + '4, 1', 5) == [4, 1]


@pytest.mark.parametrize(
    ('reply', 'ranking'),
    [
        ('Reply with nothing but the ranking of all sentences, in the form [2] > [1] > [3].', None),
        (SELECTION_PROMPT.format(question='Why?'), None),
        ('The ranking of all sentences, in the form [2] > [1] > [3], is [3] > [1].', [3, 1]),
        ('The ranking, in the form [2] > [1] > [3]:\n[3] > [1]', [3, 1]),
        ('The ranking, in the form [2] > [1] > [3]\n[3] > [1]', [3, 1]),
        ('The ranking, in the form [2] > [1] > [3] > [4], follows.', [2, 1, 3, 4]),
    ],
)
def test_the_form_that_the_prompt_shows_is_no_ranking_of_the_model(reply: str, ranking: list[int]) -> None:
    assert read_ranking(reply, 4) == ranking
