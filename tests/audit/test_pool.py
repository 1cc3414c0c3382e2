"""Hanging, dying and unknown benchmarks, and interruptions, do not lose the rest of an audit."""

import os
import re
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
AUDITED_HERE = ['hangs', 'hangs_on_a_refusal', 'dies', 'dies_of_a_refusal', 'contract_clean', 'needs_package']


@pytest.fixture(scope='module')
def report(audit_in_workers: Callable[..., Any]) -> Any:
    return audit_in_workers(AUDITED_HERE, rules=['non-answer', 'no-crash', 'order'], time_limit=8)


def result_of(report: Any, name: str) -> Any:
    return next(result for result in report.results if result.benchmark == name)


def test_the_results_come_in_the_order_asked_for(report: Any) -> None:
    assert [result.benchmark for result in report.results] == AUDITED_HERE
    assert not report.interrupted and report.not_reached == []


def test_a_benchmark_that_hangs_is_stopped_and_the_reply_is_a_finding(report: Any) -> None:
    result = result_of(report, 'hangs')
    (finding,) = result.findings
    assert finding.rule == 'no-crash'
    assert '½' in finding.examples[0].reply
    assert finding.detail == 'not finished: it has waited for 8 s'
    assert result.rules['no-crash'].status == FAILED
    assert result.rules['non-answer'].status == 'passed', 'what was known before is kept'
    assert 'the rules from no-crash on were not tried' in result.notes[-1]


def test_a_benchmark_that_kills_its_process_is_reported_with_the_exit_status(report: Any) -> None:
    (finding,) = result_of(report, 'dies').findings
    assert 'exit status 3' in finding.detail
    assert '½' in finding.examples[0].reply


@pytest.mark.parametrize(
    ('name', 'detail'),
    [
        ('hangs_on_a_refusal', 'not finished after 8 s of processor time'),
        ('dies_of_a_refusal', 'the process died (exit status 4)'),
    ],
)
def test_a_reply_that_stops_a_process_under_another_rule_is_a_finding_too(name: str, detail: str, report: Any) -> None:
    result = result_of(report, name)
    (finding,) = result.findings
    assert (finding.rule, finding.detail) == ('no-crash', detail)
    (example,) = finding.examples
    assert example.reply.startswith("'I cannot") and example.gold
    assert result.rules['no-crash'].status == FAILED


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


@pytest.mark.parametrize(
    ('text', 'problem'),
    [
        ('import threading\nthreading.Event().wait()\n', 'it has waited for 1 s'),
        ('while True:\n    pass\n', 'not finished after 1 s of processor time'),
    ],
    ids=['waits', 'computes'],
)
def test_a_module_whose_import_never_ends_is_an_error_that_names_it(tmp_path: Path, text: str, problem: str) -> None:
    module = tmp_path / 'never_imported.py'
    module.write_text(text)
    with pytest.raises(AuditError, match=rf'{problem} in the import of \S*never_imported\.py$'):
        audit(['contract_clean'], Options(rules=['order'], modules=[str(module)], time_limit=1), workers=1)


@pytest.mark.parametrize(
    ('text', 'problem'),
    [
        ('import socket\nsocket.create_connection(("192.0.2.1", 80))\n', 'NetworkAttempt: socket.getaddrinfo'),
        ('import sys\nsys.exit("not today")\n', 'SystemExit: not today'),
        ('import os\nos._exit(5)\n', r'ended at start, in the import of \S*no_module\.py \(exit status 5'),
    ],
    ids=['asks a server', 'exits', 'ends the process'],
)
def test_a_module_that_does_not_let_itself_be_imported_is_an_error(tmp_path: Path, text: str, problem: str) -> None:
    module = tmp_path / 'no_module.py'
    module.write_text(text)
    with pytest.raises(AuditError, match=problem):
        audit(['contract_clean'], Options(rules=['order'], modules=[str(module)]), workers=1)


def test_a_worker_that_does_not_start_later_on_costs_its_benchmark_and_no_other(
    tmp_path: Path, records: Callable[[str], Path]
) -> None:
    """The module lets itself be imported by the first process alone, and that one dies over its first benchmark."""
    module = tmp_path / 'once.py'
    module.write_text(
        f"""
import importlib.util, pathlib, sys, threading
mark = pathlib.Path({str(tmp_path / 'mark')!r})
if mark.exists():
    threading.Event().wait()
mark.touch()
"""
    )
    options = Options(
        rules=['no-crash'],
        modules=[str(ADAPTERS), str(module)],
        records={'dies': records('dies'), 'contract_clean': records('contract_clean')},
        time_limit=8,
    )
    with Pool(options, workers=1) as pool:
        assert pool.registered(['dies', 'contract_clean']) == ['dies', 'contract_clean']
        died, stuck = pool.run(['dies', 'contract_clean'])
    assert 'exit status 3' in died.findings[0].detail
    assert stuck.status == NOT_AUDITED
    assert re.fullmatch(r'not finished: it has waited for 8 s in the import of \S*once\.py', stuck.reason)


def test_the_time_of_a_benchmark_begins_when_its_process_has_started() -> None:
    with Pool(Options(rules=['order']), workers=1) as pool:
        worker = pool._start()
        worker.assign('contract_clean')
        worker.note({'event': 'starting', 'pid': os.getpid(), 'what': 'import of evalscope', 'asked': False})
        assert worker.step == ('the import of evalscope', '')
        worker.note({'event': 'ready'})
        assert worker.step == ('set-up', '') and worker.started and not worker.idle
        worker.rest()
        worker.assign('contract_clean')
        assert worker.step == ('set-up', '') and not worker.idle


def test_as_many_workers_start_at_once_as_there_is_work_for() -> None:
    with Pool(Options(rules=['order'], modules=[str(ADAPTERS)]), workers=3) as pool:
        pool.registered(['contract_clean', 'dies'])
        assert len(pool._workers) == 2
