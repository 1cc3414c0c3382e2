"""The pytest plugin: off until asked for, one test a rule, and quiet in every other pytest run."""

import json
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from evalscope_qa.audit.rules.table import RULES

ADAPTERS = Path(__file__).with_name('adapters.py')


@pytest.fixture
def run_pytest(run_process: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Return a function that runs pytest in an empty folder."""
    (tmp_path / 'pytest.ini').write_text('[pytest]\n')

    def run(*words: object, **how: Any) -> Any:
        return run_process(sys.executable, '-m', 'pytest', '-p', 'no:cacheprovider', *words, **how)

    return run


def contract(records: Callable[[str], Path], *names: str) -> list[object]:
    words: list[object] = ['--evalscope-contract', *names, '--evalscope-contract-import', ADAPTERS]
    for name in names:
        words += ['--evalscope-contract-records', f'{name}={records(name)}']
    return words


def test_it_is_off_until_asked_for(run_pytest: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / 'test_other.py').write_text(
        'import sys\n'
        'def test_nothing_was_imported():\n'
        '    loaded = [name for name in sys.modules if name.startswith("evalscope_qa.") or name == "evalscope"]\n'
        '    assert set(loaded) <= {"evalscope_qa.pytest_plugin"}\n'
    )
    done = run_pytest('-W', 'error', '-q', cold=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '1 passed' in done.stdout and 'warning' not in done.stdout


def test_a_clean_benchmark_passes_one_test_a_rule(
    run_pytest: Callable[..., Any], records: Callable[[str], Path]
) -> None:
    done = run_pytest('-v', *contract(records, 'contract_clean'))
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'evalscope-contract::contract_clean::non-answer PASSED' in done.stdout
    assert 'evalscope-contract::contract_clean::degenerate-gold SKIPPED' in done.stdout
    assert f'{len(RULES) - 2} passed, 2 skipped' in done.stdout  # no golds of texts, none of which several are right


def test_a_broken_rule_fails_its_test_alone_and_shows_the_replay(
    run_pytest: Callable[..., Any], records: Callable[[str], Path]
) -> None:
    done = run_pytest('-v', *contract(records, 'breaks_non_answer'))
    assert done.returncode == 1
    assert 'evalscope-contract::breaks_non_answer::non-answer FAILED' in done.stdout
    assert f'1 failed, {len(RULES) - 3} passed, 2 skipped' in done.stdout
    assert 'FirstLetterAdapter.first_letter' in done.stdout
    assert '"Don\'t know." where the gold is "D (Hanoi)" scores 1 on accuracy' in done.stdout


def test_a_benchmark_that_could_not_be_audited_fails_and_says_why(
    run_pytest: Callable[..., Any], records: Callable[[str], Path]
) -> None:
    done = run_pytest(*contract(records, 'needs_package'), '-k', 'non-answer')
    assert done.returncode == 1
    assert 'needs_package could not be audited' in done.stdout and 'sentience' in done.stdout


def test_an_unknown_benchmark_fails_and_names_it(run_pytest: Callable[..., Any]) -> None:
    done = run_pytest('--evalscope-contract', 'no_such_benchmark', '-k', 'order')
    assert done.returncode == 1
    assert 'no benchmark named no_such_benchmark' in done.stdout


def test_records_that_do_not_exist_are_an_error_of_the_test(run_pytest: Callable[..., Any]) -> None:
    done = run_pytest(
        '--evalscope-contract',
        'contract_clean',
        '--evalscope-contract-records',
        'contract_clean=/none.json',
        '-k',
        'order',
    )
    assert done.returncode == 1
    assert 'expected NAME=FILE' in done.stdout


def test_tests_are_collected_without_an_audit_and_selected_by_mark(
    run_pytest: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / 'test_other.py').write_text('def test_other():\n    pass\n')
    done = run_pytest('--collect-only', '-q', '-m', 'evalscope_contract', '--evalscope-contract', 'mmlu,arc')
    assert 'evalscope-contract::mmlu::speed' in done.stdout and 'evalscope-contract::arc::speed' in done.stdout
    assert 'test_other' not in done.stdout


def test_a_callable_is_tested_like_a_benchmark(run_pytest: Callable[..., Any], tmp_path: Path) -> None:
    questions = tmp_path / 'questions.jsonl'
    options = ['wool', 'copper', 'marble', 'paper']
    questions.write_text(json.dumps({'prompt': "End with 'ANSWER: [LETTER]'.", 'gold': 'B', 'options': options}))
    callables = ADAPTERS.with_name('callables.py')
    scorers = [word for name in ('clean', 'twice') for word in ('--evalscope-contract-scorer', f'{callables}:{name}')]
    how = ['--evalscope-contract-form', 'plain', '--evalscope-contract-score-range', '-1', '1']
    words = ['-v', '-k', 'order', *scorers, '--evalscope-contract-questions', questions]
    done = run_pytest(*words, *how)
    assert done.returncode == 1
    assert "missing a required argument: 'ground_truth'" in done.stdout  # of twice, in the form plain
    done = run_pytest('-v', '-k', 'non-answer', *scorers[:2], *words[-2:], *how)
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'evalscope-contract::callables.py:clean::non-answer PASSED' in done.stdout


@pytest.mark.parametrize(
    ('words', 'message'),
    [
        ([], '--evalscope-contract-scorer needs --evalscope-contract-questions FILE'),
        (['--evalscope-contract-questions', '/none.jsonl'], '/none.jsonl: no such file'),
    ],
)
def test_a_callable_without_questions_is_an_error_of_the_test(
    run_pytest: Callable[..., Any], words: list[str], message: str
) -> None:
    done = run_pytest('--evalscope-contract-scorer', 'rewards:score', *words, '-k', 'order or range')
    assert done.returncode == 1
    assert done.stdout.count(message) >= 2
