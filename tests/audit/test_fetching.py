"""Who reached for the network, and whether for a file that is kept: the condition of a finding."""

import sys
from types import ModuleType
from typing import Any, Callable

import pytest
from evalscope_qa.audit.results import AUDITED
from evalscope_qa.audit.scoring.fetching import _KEEPING, NOT_THERE_YET, who_asked
from evalscope_qa.audit.scoring.tracing import Tracer

ASKED: list[Any] = []


def module(name: str, source: str, **names: Any) -> ModuleType:
    """Return a module of that source."""
    made = ModuleType(name)
    vars(made).update(names, attempt=lambda: ASKED.append(sys._getframe()))
    exec(compile(source, f'/nowhere/{name}.py', 'exec'), vars(made))
    return made


def asked(run: Callable[[], Any]) -> tuple[str, str, str]:
    ASKED.clear()
    run()
    cause, condition = who_asked(ASKED[0], Tracer(['project', 'nltk']))
    return (cause.name, cause.location, condition) if cause is not None else ('', '', condition)


def test_a_server_that_is_asked_is_asked_always() -> None:
    project = module('project', 'def score():\n    attempt()')
    assert asked(project.score) == ('project.score', 'project.py:1', '')


@pytest.mark.parametrize('name', _KEEPING)
def test_a_file_that_is_kept_is_asked_for_by_the_caller_of_what_fetches_it(name: str) -> None:
    fetcher = module(name, 'def fetch():\n    again()\ndef again():\n    attempt()')
    project = module('project', 'def score():\n    need()\ndef need():\n    fetch()', fetch=fetcher.fetch)
    assert asked(project.score) == ('project.need', 'project.py:3', NOT_THERE_YET)


def test_a_module_that_fetches_while_it_is_imported_is_named_with_its_line() -> None:
    fetcher = module('nltk.downloader', 'def fetch():\n    attempt()')
    source = 'x = 1\nfetch()'
    name, location, condition = asked(lambda: module('project.words', source, fetch=fetcher.fetch))
    assert (name, location, condition) == ('project.words', 'project.words.py:2', NOT_THERE_YET)


def test_what_nobody_of_the_project_asked_for_has_no_cause() -> None:
    fetcher = module('nltk.downloader', 'def fetch():\n    attempt()')
    assert asked(fetcher.fetch) == ('', '', NOT_THERE_YET)


def test_scoring_that_fetches_data_once_is_found_on_the_condition_that_it_is_not_there(
    audit_in_workers: Callable[..., Any],
) -> None:
    (result,) = audit_in_workers(['fetches_once'], rules=['non-answer', 'offline']).results
    (finding,) = result.findings
    assert result.status == AUDITED
    assert (finding.cause.rpartition('adapters.')[2], finding.condition) == ('FetchingAdapter.words', NOT_THERE_YET)
