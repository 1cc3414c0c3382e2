"""The reply formats that prompts spell out."""

import pytest
from evalscope_qa.audit.cases.formats import fill, requested_formats


@pytest.mark.parametrize(
    ('prompt', 'formats'),
    [
        ("The last line is 'ANSWER: [LETTER]' (without quotes).", ['ANSWER: {answer}']),
        ('The last line should be of the format: ANSWER: [LETTER] where LETTER is one of A, B.', ['ANSWER: {answer}']),
        ('最后一行应该是："答案：[LETTER]"（不带引号）', ['答案：{answer}']),
        ('End with "So the answer is [ANSWER]" (without quotes).', ['So the answer is {answer}']),
        ('Give "the answer is [ANSWER]."', ['the answer is {answer}.']),
        ('The response must be of the form "ANSWER: <answer>".', ['ANSWER: {answer}']),
        ('回答的最后一行必须是 "ANSWER: <答案>" 的形式', ['ANSWER: {answer}']),
        ('Put your final answer within \\boxed{}.', ['\\boxed{{answer}}']),
        ('Put your final answer within \\boxed{answer}.', ['\\boxed{{answer}}']),
        ('Put the short answer inside <answer></answer> tags.', ['<answer>{answer}</answer>']),
        ('<answer>[Final answer]</answer>', ['<answer>{answer}</answer>']),
        ('End with a line of the form:\nProgram: <program>', ['Program: {answer}']),
        ("'ANSWER: [LETTERS]' where [LETTERS] is one or more of A,B.", ['ANSWER: {answer}']),
    ],
)
def test_a_format_with_a_placeholder_is_found(prompt: str, formats: list[str]) -> None:
    assert requested_formats(prompt)[: len(formats)] == formats


@pytest.mark.parametrize(
    'prompt', ['Please answer YES or NO.', 'Answer: ', 'What is [1] + [2]?', 'See <https://x.org> for the answer.', '']
)
def test_prose_spells_no_format_out(prompt: str) -> None:
    assert requested_formats(prompt) == []


def test_several_formats_come_in_the_order_of_the_prompt_and_once() -> None:
    prompt = "Use \\boxed{}. Or 'ANSWER: [LETTER]'. Again: \\boxed{}."
    assert requested_formats(prompt) == ['\\boxed{{answer}}', 'ANSWER: {answer}']


def test_filling_keeps_the_braces_of_latex_and_of_the_answer() -> None:
    assert fill('\\boxed{{answer}}', '\\frac{1}{2}') == '\\boxed{\\frac{1}{2}}'
    assert fill('{"answer": "{answer}"}', 'A') == '{"answer": "A"}'
