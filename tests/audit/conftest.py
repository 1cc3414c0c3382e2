"""Gives the audit's tests their benchmarks, records and one audit of all of them in worker processes."""

import json
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from audit.faults import BROKEN_RULES, records_of
from warm_process import WarmPython

ADAPTERS = Path(__file__).with_name('adapters.py')


@pytest.fixture(scope='session')
def records(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that gives the file of records of a benchmark."""
    folder = tmp_path_factory.mktemp('records')

    def file(name: str) -> Path:
        path = folder / f'{name}.json'
        path.write_text(json.dumps(records_of(name)))
        return path

    return file


@pytest.fixture(scope='session')
def registered() -> None:
    """Register the benchmarks of the tests in this process."""
    import audit.adapters  # noqa: F401


@pytest.fixture
def audit_here(registered: None, records: Callable[[str], Path]) -> Callable[..., Any]:
    """Return a function that audits one benchmark of the tests in this process, without the audit hook."""
    from evalscope_qa.audit.benchmark import audit_benchmark
    from evalscope_qa.audit.scoring.guard import Guard

    def audit(name: str, **arguments: Any) -> Any:
        return audit_benchmark(name, Guard(), **{'records': records(name), **arguments})

    return audit


@pytest.fixture(autouse=True)
def warm_workers(warm_python: WarmPython, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start worker processes as forks of the warm one."""
    monkeypatch.setattr(sys, 'executable', str(warm_python.python))


@pytest.fixture(scope='session')
def audit_in_workers(warm_python: WarmPython, records: Callable[[str], Path]) -> Callable[..., Any]:
    """Return a function that audits benchmarks of the tests in worker processes."""
    from evalscope_qa.audit.parallel import Options, audit
    from evalscope_qa.audit.rules.table import RULES

    def run(names: list[str], workers: int = 2, **options: Any) -> Any:
        everything = {
            'rules': [rule.id for rule in RULES],
            'modules': [str(ADAPTERS)],
            'records': {name: records(name) for name in names},
            'time_limit': 120,
        }
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(sys, 'executable', str(warm_python.python))
            return audit(names, Options(**{**everything, **options}), workers=workers)

    return run


@pytest.fixture(scope='session')
def whole_report(audit_in_workers: Callable[..., Any]) -> Any:
    """One audit of every benchmark that keeps or breaks a rule."""
    return audit_in_workers(['contract_clean', 'contract_clean_text', *BROKEN_RULES])
