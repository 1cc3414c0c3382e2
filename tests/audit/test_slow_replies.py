"""Slow replies are found in a child process, with the function that is at work, whatever it does."""

import re
import threading
import time
from typing import Any, Callable

import pytest
from evalscope_qa.audit.cases.long_replies import Loop
from evalscope_qa.audit.scoring import growth
from evalscope_qa.audit.scoring import slow_replies as module
from evalscope_qa.audit.scoring.slow_replies import Slow, slow_replies
from evalscope_qa.audit.scoring.tracing import Tracer

PACKAGE = __name__.partition('.')[0]
BLANKS = Loop(' ')
BLANKS_AND_MORE = Loop(' ', after='x')
BRACKETS = Loop('(')


def stripped(reply: str) -> str:
    return re.sub(r'\s+$', '', reply)


def searched(pattern: str, reply: str) -> Any:
    return re.search(pattern, reply)


def bracketed(reply: str) -> Any:
    return searched(r'^(?:[(\[]*)*$', reply + '!')


def computes(reply: str) -> None:
    """Of two functions the second one is slow."""
    burn(0.02)
    burn_more(30 if len(reply) > 1_000 else 0)


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(range(1000))


def burn_more(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(range(1000))


def cannot_be_stopped(reply: str) -> None:
    if len(reply) > 1_000:
        sum(range(10**12))


def waits(reply: str) -> None:
    if len(reply) > 1_000:
        threading.Event().wait()


def swallows(reply: str) -> None:
    while len(reply) > 1_000:
        try:
            burn(30)
        except BaseException:  # noqa: BLE001 - the fault on purpose
            return


@pytest.fixture
def short_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop replies after a quarter of the time, where what takes too long takes for ever."""
    monkeypatch.setattr(growth, 'LIMIT', growth.LIMIT / 4)


def found(function: Callable[[str], object], *loops: Loop, started: Callable[[str], None] = print) -> list[Slow]:
    return list(slow_replies(lambda reply: lambda: function(reply), Tracer([PACKAGE]), loops, started))


def cause_of(slow: Slow) -> str:
    assert slow.cause is not None
    return slow.cause.name


def test_a_loop_with_a_tail_is_found_and_the_one_without_is_in_time() -> None:
    names: list[str] = []
    assert found(stripped, BLANKS, started=names.append) == []
    assert names[:2] == ["' ' repeated 50 times", "' ' repeated 2,000 times"]
    (slow,) = found(stripped, BLANKS, BLANKS_AND_MORE)
    assert slow.loop == BLANKS_AND_MORE and slow.length == slow.times + 1
    # By what, measured times say: test_growth has made-up ones.
    assert slow.growth.startswith('doubling the length multiplies the time by ')
    assert cause_of(slow) == f'{__name__}.stripped'


@pytest.mark.usefixtures('short_limit')
def test_an_exponential_pattern_is_found_at_a_few_characters_and_belongs_to_who_wrote_it() -> None:
    (slow,) = found(bracketed, BLANKS, BRACKETS)
    assert slow.loop == BRACKETS and slow.times < 40
    assert slow.growth.startswith("one '(' more multiplies the time by ")
    assert cause_of(slow) == f'{__name__}.bracketed'


@pytest.mark.usefixtures('short_limit')
def test_what_is_slow_in_one_function_is_found_once_and_another_function_too() -> None:
    def both(reply: str) -> None:
        stripped(reply)
        bracketed(reply)

    slow = found(both, BRACKETS, Loop('['), BLANKS_AND_MORE, Loop('\n', after='x'))
    assert [one.loop for one in slow] == [BRACKETS, BLANKS_AND_MORE]
    assert [cause_of(one) for one in slow] == [f'{__name__}.bracketed', f'{__name__}.stripped']


@pytest.mark.usefixtures('short_limit')
def test_of_two_pieces_the_one_that_is_slow_at_ordinary_length_is_reported() -> None:
    def reads(reply: str) -> None:
        if reply[0] == '(':
            burn(0.02 * (len(reply) / 2_000) ** 2)  # a second at 14,000 characters
        else:
            burn(30 if len(reply) > 1_000 else 0)

    (slow,) = found(reads, BRACKETS, BLANKS)
    assert slow.loop == BLANKS and slow.times <= 2_000


@pytest.mark.usefixtures('short_limit')
def test_the_function_that_takes_the_time_is_the_cause() -> None:
    (slow,) = found(computes, BLANKS)
    assert cause_of(slow) == f'{__name__}.burn_more' and slow.growth == ''


@pytest.mark.usefixtures('short_limit')
def test_stopping_that_is_swallowed_is_noticed() -> None:
    (slow,) = found(swallows, BLANKS)
    assert cause_of(slow) == f'{__name__}.burn'


@pytest.mark.parametrize(
    ('function', 'seconds', 'growth'),
    [(cannot_be_stopped, 600, 'it cannot be stopped'), (waits, 0.5, 'it waits for something')],
)
def test_what_cannot_be_stopped_ends_its_process_and_is_found(
    monkeypatch: pytest.MonkeyPatch, function: Callable[[str], object], seconds: float, growth: str
) -> None:
    monkeypatch.setattr(module, '_KILLED', 1)
    monkeypatch.setattr(module, '_WAITING', seconds)
    (slow,) = found(function, BLANKS)
    assert (slow.times, slow.growth, cause_of(slow)) == (2_000, growth, f'{__name__}.{function.__name__}')


def test_a_process_that_ends_before_the_first_reply_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module._Timing, 'run', lambda self: None)
    assert found(stripped, BLANKS_AND_MORE) == []


def test_what_evalscope_does_with_every_reply_is_a_finding_of_its_own() -> None:
    from evalscope_qa.audit.framework import FRAMEWORK, audit_framework

    steps: list[tuple[str, str]] = []
    result = audit_framework(lambda rule, reply: steps.append((rule, reply)))
    assert (result.benchmark, result.rules['speed'].status) == (FRAMEWORK, 'failed')
    (finding,) = result.findings
    assert finding.cause == 'evalscope.api.messages.utils.parse_content_with_reasoning'
    assert finding.examples[0].reply.startswith("'<think>' repeated ")
    assert 'doubling the length multiplies the time by ' in finding.detail
    assert steps[0] == ('speed', '') and len(steps) > 50
