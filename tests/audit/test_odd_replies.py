"""The odd and the long replies."""

from evalscope_qa.audit.cases.odd_replies import hostile_replies, long_replies


def test_hostile_replies_come_bare_and_in_the_formats_that_work() -> None:
    replies = hostile_replies(['ANSWER: {answer}'])
    assert {'²', 'ANSWER: ²', '\x00', '9' * 5000} <= set(replies)
    assert len(replies) == len(set(replies))


def test_long_replies_have_both_lengths_and_the_shorter_ones_come_first() -> None:
    lengths = [len(reply) for _, reply in long_replies()]
    assert max(lengths) <= 200_000
    half = len(lengths) // 2
    assert all(length <= 20_000 for length in lengths[:half])
    assert all(length > 190_000 for length in lengths[half:])
