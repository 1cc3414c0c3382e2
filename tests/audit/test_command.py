"""The command: arguments, exit status and files."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from audit.faults import records_of
from evalscope_qa.audit.rules.table import RULES
from evalscope_qa.cli import main

ADAPTERS = Path(__file__).with_name('adapters.py')


def arguments(name: str, records: Callable[[str], Path], *more: object) -> list[str]:
    fixed = ['audit', name, '--import', ADAPTERS, '--records', records(name), '--rule', 'non-answer', '--workers', 1]
    return [str(word) for word in (*fixed, *more)]


def test_a_finding_is_exit_status_1_and_every_report_is_written(
    records: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    files = [tmp_path / f'report.{ending}' for ending in ('json', 'html', 'md')]
    more = ('--json', files[0], '--html', files[1], '--markdown', files[2])
    assert main(arguments('breaks_non_answer', records, *more)) == 1
    shown = capsys.readouterr().out
    assert 'FirstLetterAdapter.first_letter' in shown
    assert json.loads(files[0].read_text())['results'][0]['findings']
    assert all('first_letter' in file.read_text() for file in files)
    again = tmp_path / 'again.md'
    assert main(['audit', '--from', str(files[0]), '--markdown', str(again)]) == 1
    assert capsys.readouterr().out == shown and again.read_text() == files[2].read_text()


def test_nothing_found_is_exit_status_0(records: Callable[[str], Path], capsys: pytest.CaptureFixture) -> None:
    assert main(arguments('contract_clean', records)) == 0
    assert '1 benchmark: 1 audited, of which 0 broke a rule and 1 kept all' in capsys.readouterr().out


def test_the_rules_are_listed(capsys: pytest.CaptureFixture) -> None:
    assert main(['audit', '--list-rules']) == 0
    shown = capsys.readouterr().out
    assert all(known.id in shown and known.demand in shown for known in RULES)


@pytest.mark.parametrize(
    ('words', 'message'),
    [
        ([], 'name the benchmarks'),
        (['mmlu', '--all'], '--all audits every benchmark, so mmlu is not to be named too'),
        (['--all', '--records', 'x.json'], 'exactly one benchmark'),
        (['mmlu', '--records', '/no/such/file.json'], 'no such file'),
        (['mmlu', '--rule', 'quick'], "'quick' is not a rule"),
        (['mmlu', '--dataset-args', '[]'], 'must be a JSON object'),
        (['mmlu', '--dataset-args', '{'], 'not valid JSON'),
        (['mmlu', '--time-limit', '0'], 'must be positive'),
        (['mmlu', '--workers', '0'], 'at least 1'),
        (['mmlu', '--from', 'report.json'], 'leave out what to audit'),
        (['--from', '/no/such/report.json'], 'No such file'),
    ],
)
def test_arguments_that_do_not_fit_are_exit_status_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture
) -> None:
    assert main(['audit', *words]) == 2
    assert message in capsys.readouterr().err


def test_nothing_audited_is_exit_status_2_and_not_clean(
    records: Callable[[str], Path], capsys: pytest.CaptureFixture
) -> None:
    assert main(arguments('needs_package', records)) == 2
    captured = capsys.readouterr()
    assert '1 benchmark: 0 audited' in captured.out
    assert 'nothing could be audited' in captured.err


def test_a_name_that_is_nearly_right_is_suggested(capsys: pytest.CaptureFixture) -> None:
    assert main(['audit', 'pubmedq', '--workers', '1']) == 2
    assert 'For pubmedq, did you mean pubmedqa?' in capsys.readouterr().err


def test_help_tells_how_a_rule_is_named(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        main(['audit', '--help'])
    shown = ' '.join(capsys.readouterr().out.split())
    assert 'try only this rule, such as non-answer; may be repeated; --list-rules shows them all' in shown


def test_a_report_that_cannot_be_written_costs_neither_the_printed_one_nor_the_others(
    records: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(report: Any, path: Path) -> None:
        raise OSError(28, 'No space left on device')

    monkeypatch.setattr('evalscope_qa.audit.report.json_file.write_json', full)
    files = tmp_path / 'report.json', tmp_path / 'report.html'
    assert main(arguments('breaks_non_answer', records, '--json', files[0], '--html', files[1])) == 2
    captured = capsys.readouterr()
    assert 'FirstLetterAdapter.first_letter' in captured.out
    assert 'report.json was not written: No space left on device' in captured.err
    assert 'first_letter' in files[1].read_text()


def test_an_unknown_benchmark_is_exit_status_2(capsys: pytest.CaptureFixture) -> None:
    assert main(['audit', 'no_such_benchmark', '--workers', '1']) == 2
    assert 'no benchmark named no_such_benchmark' in capsys.readouterr().err


@pytest.mark.parametrize('module', ['my_adapters', './my_adapters.py'])
def test_the_command_runs_as_a_program_in_any_folder(
    run_process: Callable[..., Any], tmp_path: Path, module: str
) -> None:
    """Records and a module are named relative to it."""
    (tmp_path / 'mine.json').write_text(json.dumps(records_of('contract_clean')))
    shutil.copy(ADAPTERS, tmp_path / 'my_adapters.py')
    words = ['audit', 'contract_clean', '--import', module, '--records', 'mine.json', '--rule', 'order']
    done = run_process(sys.executable, '-m', 'evalscope_qa', *words)
    assert done.returncode == 0, done.stderr
    assert 'and 1 kept all' in done.stdout


def test_dataset_args_reach_the_benchmark(records: Callable[[str], Path], capsys: pytest.CaptureFixture) -> None:
    settings = json.dumps({'contract_clean': {'filters': {'remove_until': 'ANSWER'}}})
    assert main(arguments('contract_clean', records, '--dataset-args', settings)) == 2
    assert 'no reply could be shown to be right' in capsys.readouterr().out
