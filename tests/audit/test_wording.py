"""How a reply is shown in a report."""

from evalscope_qa.wording import describe, one_line


def test_a_reply_is_described_where_it_cannot_be_shown() -> None:
    assert describe(None) == '(no choice in the response)'
    assert describe('short') == 'short'
    assert describe('xy' * 500, 10) == 'xyxyxyxyxy… (1,000 characters)'
    assert describe('ANSWER: ' + '9' * 400) == 'ANSWER: 99999[… 400 in all]'
    assert describe('9' * 5000) == "'9' repeated 5,000 times"


def test_one_line_is_quoted_and_printable() -> None:
    assert one_line('a\nb "c"') == '"a\\nb \\"c\\""'
    assert one_line('答案') == '"答案"'
    assert one_line('\x00') == "'\\x00'"
