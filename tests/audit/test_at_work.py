"""What a worker is scoring can be read by another process, for as long as it is scoring it."""

import os
import tempfile
from pathlib import Path

import pytest
from evalscope_qa.audit.scoring.at_work import AtWork, read_at_work


@pytest.fixture
def file() -> tuple[AtWork, int]:
    descriptor, path = tempfile.mkstemp()
    at_work = AtWork(path)
    assert not Path(path).exists(), 'the file is gone with the processes that have it open'
    return at_work, descriptor


@pytest.mark.parametrize(
    ('reply', 'shown'),
    [('a\nb', "'a\\nb'"), (None, 'None'), ('\ud800', "'\\ud800'"), ('x' * 1_000_000, "'" + 'x' * 199)],
)
def test_a_reply_is_shown_while_it_is_scored(reply: str | None, shown: str, file: tuple[AtWork, int]) -> None:
    at_work, descriptor = file
    assert read_at_work(descriptor) is None
    with at_work.reply(reply, '½'):
        scoring = read_at_work(descriptor)
        assert scoring is not None and (scoring.reply, scoring.gold) == (shown, '½')
        assert scoring.began > 0
    assert read_at_work(descriptor) is None


def test_it_is_not_shown_behind_an_exception(file: tuple[AtWork, int]) -> None:
    at_work, descriptor = file
    with pytest.raises(SystemExit), at_work.reply('a', 'b'):
        raise SystemExit
    assert read_at_work(descriptor) is None


def test_what_a_child_process_scores_is_not_the_workers(file: tuple[AtWork, int]) -> None:
    at_work, descriptor = file
    with at_work.reply('of the worker', ''):
        child = os.fork()
        if child == 0:
            with at_work.reply('of the child', ''):
                os._exit(0)
        os.waitpid(child, 0)
        scoring = read_at_work(descriptor)
        assert scoring is not None and scoring.reply == "'of the worker'"


def test_without_a_file_nothing_is_noted() -> None:
    with AtWork().reply('a', 'b'):
        pass
