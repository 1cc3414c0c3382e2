"""The canned replies: many, in two languages, and none of them an answer."""

import re

import pytest
from evalscope_qa.audit.cases.non_answers import (
    BLANK,
    EMPTY,
    REFUSAL,
    UNDETERMINED,
    CannedReply,
    cut_off_replies,
    echoes,
    hedges,
    is_abstention,
    non_answers,
    non_answers_in_format,
    replies_that_name_and_do_not_answer,
)


def texts(replies: list[CannedReply]) -> list[str]:
    return [reply.text for reply in replies]


def test_there_are_more_than_forty_non_answers_and_none_comes_twice() -> None:
    replies = texts(non_answers())
    assert len(replies) == len(set(replies)) > 40


def test_the_non_answers_are_in_english_and_in_chinese_and_hold_blanks_and_refusals() -> None:
    replies = non_answers()
    chinese = [reply for reply in replies if re.search('[一-鿿]', reply.text)]
    assert len(chinese) >= 10
    assert len([reply for reply in replies if re.search('[a-z]', reply.text)]) >= 30
    assert {reply.kind for reply in replies} == {BLANK, EMPTY, REFUSAL, UNDETERMINED}


@pytest.mark.parametrize('text', texts(non_answers()))
def test_no_non_answer_holds_a_label_a_lone_letter_or_a_number(text: str) -> None:
    assert not re.search(r'\b(yes|true|false|maybe|correct)\b|答案[:：]|\d', text, re.IGNORECASE)
    # 'A' and 'I' are English words here; any other capital alone would be the name of an option.
    assert not re.search(r'\b[B-HJ-Z]\b', text)


def test_the_first_capitals_of_the_non_answers_reach_every_letter_of_ten_options() -> None:
    firsts = {text.strip()[:1] for text in texts(non_answers())}
    lasts = {re.findall('[A-Z]', text)[-1] for text in texts(non_answers()) if re.search('[A-Z]', text)}
    assert firsts >= set('ABCDEFGHIJ')
    assert lasts >= set('ABCDEFGHIJ')


@pytest.mark.parametrize(
    'gold',
    [
        'Cannot be determined',
        "Can't be determined",
        'data inadequate',
        'None of the above',
        'Not enough information',
        'unanswerable',
        'NONE',
        'Unknown',
        'neutral',
        '以上都不对',
        '无法确定',
        '(E)None of these',
    ],
)
def test_a_gold_that_declines_is_recognised(gold: str) -> None:
    assert is_abstention(gold)


@pytest.mark.parametrize('gold', ['B', 'yes', 'NO', 'Paris', '42', 'the Nonet', 'a knotty problem', '答案', 'Candle'])
def test_an_ordinary_gold_is_not_taken_for_one_that_declines(gold: str) -> None:
    assert not is_abstention(gold)


def test_a_hedge_names_both_answers_in_either_order() -> None:
    replies = texts(hedges('A', 'C'))
    assert all('A' in reply and 'C' in reply for reply in replies)
    assert any(reply.index('A') < reply.index('C') for reply in replies)
    assert any(reply.index('A') > reply.index('C') for reply in replies)


def test_an_echo_repeats_the_instructions_without_question_and_choices() -> None:
    template = (
        "Answer the question. The last line has the form 'ANSWER: [LETTER]', one of {letters}.\n\n{question}\n{choices}"
    )
    replies = texts(echoes(template, ['A', 'B']))
    assert "The last line has the form 'ANSWER: [LETTER]', one of A,B." in replies
    assert not any('{' in reply for reply in replies)


def test_an_echo_of_latex_has_its_braces_and_a_bare_label_is_none() -> None:
    assert texts(echoes('{question}\nPut your answer within \\boxed{{}}.', [])) == ['Put your answer within \\boxed{}.']
    assert echoes('{question}\nAnswer:', []) == []


@pytest.mark.parametrize('kind', ['letter', 'label', 'number', 'text'])
def test_reasoning_that_is_cut_off_names_the_gold_and_never_closes_its_tag(kind: str) -> None:
    replies = texts(cut_off_replies('B', ['D'], 'ANSWER: B', kind))
    assert all('B' in reply and '</think>' not in reply for reply in replies)
    untagged = [reply for reply in replies if not reply.startswith('<think>')]
    assert len(untagged) == (1 if kind == 'letter' else 0)


def test_a_reply_that_names_the_gold_may_still_not_answer() -> None:
    replies = texts(replies_that_name_and_do_not_answer(['A', 'B'], 'B', 'ANSWER: {answer}'))
    assert replies == ['I cannot tell whether it is B.', 'It is not B.', 'ANSWER: not B', 'ANSWER: A, B']


def test_a_format_that_is_the_bare_answer_gives_no_other_non_answers() -> None:
    assert non_answers_in_format('{answer}') == []
    assert 'ANSWER: 无法确定' in texts(non_answers_in_format('ANSWER: {answer}'))
