"""Hanging, dying and unknown benchmarks, and interruptions, do not lose the rest of an audit."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from evalscope_qa.audit.parallel import AuditError, Options, audit
from evalscope_qa.audit.results import AUDITED, FAILED, NOT_AUDITED
from evalscope_qa.audit.workers.pool import Pool

ADAPTERS = Path(__file__).with_name('adapters.py')


@pytest.fixture(scope='module')
def report(audit_in_workers: Callable[..., Any]) -> Any:
    return audit_in_workers(
        ['hangs', 'dies', 'contract_clean', 'needs_package'], rules=['non-answer', 'no-crash', 'order'], time_limit=15
    )


def result_of(report: Any, name: str) -> Any:
    return next(result for result in report.results if result.benchmark == name)


def test_the_results_come_in_the_order_asked_for(report: Any) -> None:
    assert [result.benchmark for result in report.results] == ['hangs', 'dies', 'contract_clean', 'needs_package']
    assert not report.interrupted and report.not_reached == []


def test_a_benchmark_that_hangs_is_stopped_and_the_reply_is_a_finding(report: Any) -> None:
    result = result_of(report, 'hangs')
    (finding,) = result.findings
    assert finding.rule == 'no-crash'
    assert '½' in finding.examples[0].reply
    assert 'not finished after 15 s' in finding.detail
    assert result.rules['no-crash'].status == FAILED
    assert result.rules['non-answer'].status == 'passed', 'what was known before is kept'
    assert 'the rules from no-crash on were not tried' in result.notes[-1]


def test_a_benchmark_that_kills_its_process_is_reported_with_the_exit_status(report: Any) -> None:
    (finding,) = result_of(report, 'dies').findings
    assert 'exit status 3' in finding.detail
    assert '½' in finding.examples[0].reply


def test_the_others_are_audited_all_the_same(report: Any) -> None:
    assert result_of(report, 'contract_clean').status == AUDITED
    assert result_of(report, 'contract_clean').findings == []
    assert result_of(report, 'needs_package').status == NOT_AUDITED


def test_an_unknown_benchmark_is_an_error_that_names_it(audit_in_workers: Callable[..., Any]) -> None:
    with pytest.raises(AuditError, match='no_such_benchmark'):
        audit(['contract_clean', 'no_such_benchmark'], Options(rules=['order'], modules=[str(ADAPTERS)]), workers=1)


@pytest.mark.parametrize('module', ['no_such_module_anywhere', '/no/such/file.py'])
def test_a_module_that_cannot_be_imported_is_an_error_that_names_it(module: str) -> None:
    with pytest.raises(AuditError, match=r'no.such'):
        audit(['contract_clean'], Options(rules=['order'], modules=[module]), workers=1)


def test_a_malformed_record_is_an_error_and_not_a_finding(tmp_path: Path) -> None:
    records = tmp_path / 'records.json'
    records.write_text('[{"question": ')
    options = Options(rules=['order'], modules=[str(ADAPTERS)], records={'contract_clean': records})
    with pytest.raises(AuditError, match=r'records\.json'):
        audit(['contract_clean'], options, workers=1)


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_keeps_what_was_finished_and_ends_the_workers(
    tmp_path: Path, records: Callable[[str], Path], number: signal.Signals
) -> None:
    """The first benchmark is quick, the second never ends."""
    report = tmp_path / 'report.json'
    script = f"""
from pathlib import Path
import evalscope_qa.audit.parallel as run
from evalscope_qa.audit.report.json_file import write_json

class Bar(run.tqdm):
    def update(self, n=1):
        print('finished one', flush=True)

run.tqdm = Bar
records = Path({str(records('contract_clean'))!r})
options = run.Options(
    rules=['no-crash'], modules=[{str(ADAPTERS)!r}], records={{'contract_clean': records, 'hangs': records}}
)
write_json(run.audit(['contract_clean', 'hangs'], options, workers=1), Path({str(report)!r}))
"""
    command = [sys.executable, '-c', script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == 'finished one\n'
            process.send_signal(number)
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
    text = report.read_text()
    assert '"interrupted": true' in text
    assert '"not_reached": [\n  "hangs"\n ]' in text
    assert '"benchmark": "contract_clean"' in text


def test_only_the_main_thread_takes_over_a_signal() -> None:
    from concurrent.futures import ThreadPoolExecutor

    from evalscope_qa.audit.parallel import _terminated_as_interrupted

    def handler_inside() -> object:
        with _terminated_as_interrupted():
            return signal.getsignal(signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(handler_inside).result() is before
    assert handler_inside() is not before
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_worker_that_never_starts_ends_the_audit_and_names_what_it_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one does whose module waits for something at its import."""
    monkeypatch.setattr('evalscope_qa.audit.workers.pool.START_LIMIT', 0.0)
    with pytest.raises(AuditError, match=r'did not start in 0 s; it was importing evalscope and .*adapters\.py'):
        audit(['contract_clean'], Options(rules=['order'], modules=[str(ADAPTERS)]), workers=1)


def test_the_time_limit_of_a_benchmark_begins_when_its_process_has_started() -> None:
    with Pool(Options(rules=['order'], time_limit=1.0), workers=1) as pool:
        worker = pool._start()
        start_limit = worker.deadline
        worker.assign('contract_clean')
        assert worker.deadline == start_limit
        worker.started = True
        worker.assign('contract_clean')
        assert worker.deadline < start_limit
