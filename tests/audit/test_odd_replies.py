"""The odd and the long replies."""

import ast

from evalscope_qa.audit.cases.long_replies import LONGEST, Loop, loops
from evalscope_qa.audit.cases.odd_replies import hostile_replies


def test_hostile_replies_come_bare_and_in_the_formats_that_work() -> None:
    replies = hostile_replies(['ANSWER: {answer}'])
    assert {'²', 'ANSWER: ²', '\x00', '9' * 5000} <= set(replies)
    assert len(replies) == len(set(replies))


def test_every_piece_is_repeated_bare_and_with_a_tail_and_some_in_the_first_format_that_works() -> None:
    found = list(loops(['{answer}', 'ANSWER: {answer}'])), list(loops(['<a>{answer}</a>', '{answer}']))
    pieces = {loop.piece for loop in found[0]}
    assert {' ', '<think>', '1 '} <= pieces
    assert len(found[0]) == 2 * len(pieces), 'the bare format is no other reply'
    assert len(found[0]) < len(found[1]) == len(set(found[1]))
    assert Loop('1 ', '<a>', '</a>') in found[1]


def test_a_tail_is_of_another_kind_than_what_is_repeated() -> None:
    tails = {loop.piece: loop.after for loop in loops() if loop.after}
    assert tails[' '] == tails['('] == 'x'
    assert tails['a'] == tails['1'] == '!'


def test_a_loop_is_as_long_as_asked_for_and_its_expression_is_its_text() -> None:
    for loop in loops(["it's {answer}\n."]):
        times = loop.times(LONGEST)
        around = len(loop.before) + len(loop.after)
        assert LONGEST - len(loop.piece) < len(loop.text(times)) - around <= LONGEST
        assert eval(loop.expression(7)) == loop.text(7)
        assert ast.parse(loop.expression(7), mode='eval')
    assert Loop('The answer is ').times(3) == 1
