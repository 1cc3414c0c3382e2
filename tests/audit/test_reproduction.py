"""The call that a finding shows is Python that gives what was traced."""

import re
from contextlib import suppress
from typing import Any, ClassVar

import pytest
from evalscope_qa.audit.scoring.reproduction import literal, repeated, reproduced, reproduced_error
from evalscope_qa.audit.scoring.tracing import Call, Tracer

MARKER = re.compile('ANSWER: ')


def last_capital(text: str, letters: set[str]) -> set[str]:
    return {next(letter for letter in reversed(text) if letter in letters)}


def after_marker(text: str, marker: re.Pattern, *, upper: bool) -> str:
    found = text[marker.search(text).end() :]  # type: ignore[union-attr]
    return found.upper() if upper else found


def to_number(text: str) -> float:
    return float(text)


def depends(text: str, state: Any) -> str:
    return state.metadata['prefix'] + text


def ignores(text: str, state: Any, times: int) -> str:
    return text * times


def are_equal(left: object, right: object) -> bool:
    return type(left) is type(right)


def by_place(text: str, state: Any, /) -> str:
    return text


def once(text: str, seen: list[str]) -> str:
    seen.append(text)
    return text * len(seen)


class Parser:
    """Read by its methods."""

    suffix = '!'

    def plain(self, text: str) -> str:
        return text.upper()

    def own(self, text: str) -> str:
        return text + self.suffix

    @classmethod
    def of_class(cls, text: str) -> str:
        return text + cls.suffix

    def __call__(self, text: str) -> str:
        return text + self.suffix


class State:
    """As evalscope's state of a task."""

    metadata: ClassVar = {'prefix': '> '}
    choices = None
    target = ''


def traced(function: Any, *arguments: Any, **keywords: Any) -> Call:
    calls: list[Call] = []
    with suppress(ValueError):
        Tracer([__name__.partition('.')[0]]).run(lambda: function(*arguments, **keywords), calls)
    return calls[-1]


IMPORT = f'from {__name__} import '


@pytest.mark.parametrize(
    ('call', 'expected'),
    [
        (
            (last_capital, "Don't know.", {'D', 'C', 'A', 'B'}),
            IMPORT + """last_capital\nlast_capital("Don't know.", {'A', 'B', 'C', 'D'})\n# {'D'}""",
        ),
        ((Parser().plain, 'a'), IMPORT + "Parser\nParser.plain(self=None, text='a')\n# 'A'"),
        ((ignores, 'a', object(), 2), IMPORT + "ignores\nignores('a', state=None, times=2)\n# 'aa'"),
        ((by_place, 'a', object()), IMPORT + "by_place\nby_place('a', None)\n# 'a'"),
        ((ignores, 'a', None, 2), IMPORT + "ignores\nignores('a', None, 2)\n# 'aa'"),
        ((Parser().own, 'a'), IMPORT + "Parser\nParser().own('a')\n# 'a!'"),
        ((Parser.of_class, 'a'), IMPORT + "Parser\nParser.of_class('a')\n# 'a!'"),
        ((Parser(), 'a'), IMPORT + "Parser\nParser()('a')\n# 'a!'"),
        (
            (depends, 'a', State()),
            'from types import SimpleNamespace\n'
            + IMPORT
            + "depends\ndepends('a', SimpleNamespace(metadata={'prefix': '> '}, target=''))\n# '> a'",
        ),
    ],
)
def test_a_call_is_written_with_its_arguments_and_its_result(call: tuple, expected: str) -> None:
    assert reproduced(traced(*call)).call == expected


def test_a_constant_of_the_module_is_written_by_its_name() -> None:
    assert reproduced(traced(after_marker, 'ANSWER: no', MARKER, upper=True)).call == (
        f"from {__name__} import MARKER, after_marker\nafter_marker('ANSWER: no', MARKER, upper=True)\n# 'NO'"
    )


def test_a_call_that_gives_something_else_the_next_time_is_not_shown() -> None:
    assert reproduced(traced(once, 'a', ['b'])).call == ''


def test_a_call_of_which_no_argument_can_be_written_is_not_shown() -> None:
    assert reproduced(traced(are_equal, object(), object())).call == ''
    assert reproduced(traced(are_equal, None, None)).call == IMPORT + 'are_equal\nare_equal(None, None)\n# True'


def test_a_call_that_raises_is_shown_with_what_it_raises() -> None:
    call = traced(to_number, 'x' * 5000)
    shown = reproduced_error(call, 'ValueError: could not convert').call
    assert shown == IMPORT + "to_number\nto_number('x' * 5_000)\n# raises ValueError"
    assert reproduced_error(call, 'KeyError: 1').call == ''


def test_a_long_text_is_written_as_its_piece_and_tried_with_a_short_one() -> None:
    shown = repeated(traced(Parser(), '( ' * 20), '( ', 20, 1_000, 'takes 3 s').call
    assert shown == IMPORT + "Parser\nParser()('( ' * 1_000)\n# takes 3 s"


@pytest.mark.parametrize(
    ('argument', 'written'),
    [
        ('ANSWER: ' + '( ' * 20, "'ANSWER: ' + '( ' * 1_000"),
        (('( ' * 20).strip(), "'( ' * 999 + '('"),
        ('{' + '( ' * 20 + '}', "'{' + '( ' * 1_000 + '}'"),
        ('another', ''),
        ('( ' * 9, ''),
        ('( ' * 20 + 'a' * 99, ''),
    ],
)
def test_what_stands_around_a_repeated_piece_is_written_as_the_function_got_it(argument: str, written: str) -> None:
    expected = IMPORT + f'Parser\nParser()({written})\n# takes 3 s' if written else ''
    assert repeated(traced(Parser(), argument), '( ', 20, 1_000, 'takes 3 s').call == expected


@pytest.mark.parametrize(
    ('value', 'expected'),
    [
        ({'B', 'A'}, "{'A', 'B'}"),
        ('9' * 5000, "'9' * 5_000"),
        (['9' * 400], "['9' * 400]"),
        ([{'a': (1, None)}], "[{'a': (1, None)}]"),
        (object(), None),
        ([object()], None),
        ('ab' * 1000, None),
        (float('nan'), None),
    ],
)
def test_a_value_is_written_as_a_literal_where_it_has_a_short_one(value: Any, expected: str | None) -> None:
    assert literal(value) == expected
