"""Callables audited like benchmarks: what is found, of what, and that the clean ones are clean."""

import json
from pathlib import Path
from typing import Any, Callable

import pytest
from evalscope_qa.audit.results import AUDITED, BenchmarkResult
from evalscope_qa.audit.rules.table import rule
from evalscope_qa.cli import main

CALLABLES = Path(__file__).with_name('callables.py')
METAL = {
    'prompt': "Which is a metal?\nA. wool\nB. copper\nC. marble\nD. paper\nEnd with 'ANSWER: [LETTER]'.",
    'options': ['wool', 'copper', 'marble', 'paper'],
}
CHOICE = {**METAL, 'gold': 'B', 'extra_info': {'gold': 'B', 'golds': ['B']}}
SUM = {
    'prompt': 'What is 6 times 7?',
    'solution': '42',
    'data_source': 'sums',
    'extra_info': {'split': 'test'},
    'format': '#### {answer}',
}
CHAT = {**METAL, 'prompt': [{'role': 'user', 'content': METAL['prompt']}], 'gold': 'B'}


@pytest.fixture
def audit_scorer(tmp_path: Path) -> Callable[..., BenchmarkResult]:
    """Return a function that audits one of the callables in this process, without the audit hook."""
    from evalscope.api.registry import BENCHMARK_REGISTRY
    from evalscope_qa.audit.benchmark import audit_benchmark
    from evalscope_qa.audit.scorers.adapter import register_scorers
    from evalscope_qa.audit.scorers.options import ScorerOptions
    from evalscope_qa.audit.scoring.guard import Guard

    def audit(name: str, questions: Any, *rules: str, **options: Any) -> BenchmarkResult:
        file = tmp_path / 'questions.jsonl'
        file.write_text(''.join(f'{json.dumps(question)}\n' for question in questions))
        wanted = ScorerOptions([f'{CALLABLES}:{name}'], file, **options)
        BENCHMARK_REGISTRY.pop(wanted.names[0], None)
        register_scorers(wanted)
        tried = {'rules': [rule(rule_id) for rule_id in rules]} if rules else {}
        return audit_benchmark(wanted.names[0], Guard(), records=file, **tried)

    return audit


@pytest.mark.parametrize(
    ('name', 'question'),
    [
        ('clean', CHOICE),
        ('half', CHOICE),
        ('by_question', CHOICE),
        ('chat', CHAT),
        ('compute_score', SUM),
        ('Reward', {'prompt': 'What is 6 times 7?', 'solution': '42'}),
    ],
)
def test_a_callable_that_keeps_the_rules_is_clean(
    audit_scorer: Callable[..., BenchmarkResult], name: str, question: dict[str, Any]
) -> None:
    result = audit_scorer(name, [question], 'non-answer', 'requested-format', 'abstention-counts', 'range', 'no-crash')
    assert result.status == AUDITED and result.findings == []
    assert result.rules['non-answer'].status == 'passed'


@pytest.mark.parametrize(
    ('name', 'question', 'rule_id', 'cause', 'shown'),
    [
        ('last_capital', CHOICE, 'non-answer', 'callables.last_capital', "Don't know."),
        ('contains', SUM, 'cut-off-reasoning', 'callables.contains', '42'),
        ('skips_refusals', CHOICE, 'abstention-counts', 'callables.skips_refusals', 'cannot'),
        ('ratio', CHOICE, 'no-crash', 'callables.ratio', '1/0'),
        ('twice', SUM, 'range', 'callables.twice', ''),
    ],
)
def test_a_fault_is_found_by_its_rule_and_the_callable_is_named(
    audit_scorer: Callable[..., BenchmarkResult],
    name: str,
    question: dict[str, Any],
    rule_id: str,
    cause: str,
    shown: str,
) -> None:
    result = audit_scorer(name, [question], rule_id)
    assert {finding.cause for finding in result.findings} == {cause}
    assert all('callables.py:' in finding.location for finding in result.findings)
    assert any(shown in example.reply for finding in result.findings for example in finding.examples)


def test_a_score_has_the_range_that_is_named(audit_scorer: Callable[..., BenchmarkResult]) -> None:
    result = audit_scorer('twice', [SUM], 'range', 'non-answer', score_range=(-1.0, 1.0))
    assert result.status == AUDITED and result.findings == []


def test_a_number_stays_one_for_the_callable(audit_scorer: Callable[..., BenchmarkResult]) -> None:
    result = audit_scorer('number_equals', [{'prompt': 'What is 6 times 7?', 'gold': 42}], 'non-answer', form='plain')
    assert result.status == AUDITED and result.questions > 1 and result.findings == []


def test_several_golds_are_handed_over_together(audit_scorer: Callable[..., BenchmarkResult]) -> None:
    question = {'prompt': 'Who found gravity?', 'gold': ['Newton', 'Isaac Newton']}
    result = audit_scorer('one_of', [question], 'non-answer', 'no-crash', form='plain')
    assert result.status == AUDITED and result.questions > 1 and result.findings == []


def test_labels_that_are_no_letters_are_the_golds(audit_scorer: Callable[..., BenchmarkResult]) -> None:
    question = {'prompt': 'Which?', 'gold': '(B)', 'options': {'(A)': 'wool', '(B)': 'copper'}}
    result = audit_scorer('equal', [question], 'non-answer', form='plain')
    assert result.status == AUDITED and result.questions == 2 and result.findings == []


def test_a_stated_right_reply_that_is_refused_is_a_finding(audit_scorer: Callable[..., BenchmarkResult]) -> None:
    question = {**CHOICE, 'right': ['It is copper, so B.', 'ANSWER: B'], 'wrong': 'ANSWER: A or B'}
    (finding,) = audit_scorer('clean', [question], 'requested-format').findings
    assert [example.reply for example in finding.examples] == ['It is copper, so B.']


def test_reasoning_is_handed_to_the_callable(audit_scorer: Callable[..., BenchmarkResult]) -> None:
    question = {'prompt': 'Think first.', 'gold': 'Oslo', 'format': '<think>\nCold.\n</think>\n{answer}'}
    result = audit_scorer('thoughtful', [question], 'requested-format', form='plain')
    assert result.status == AUDITED and result.findings == []


# -- the command and pytest --------------------------------------------------------------------------------------------


@pytest.fixture
def question_file(tmp_path: Path) -> Path:
    file = tmp_path / 'questions.jsonl'
    file.write_text(f'{json.dumps(CHOICE)}\n')
    return file


def command(file: Path, *more: object) -> list[str]:
    return [str(word) for word in ('audit', '--questions', file, '--workers', 1, '--rule', 'non-answer', *more)]


def test_the_command_audits_callables_with_the_exit_status_of_benchmarks(
    question_file: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(command(question_file, '--scorer', f'{CALLABLES}:clean')) == 0
    assert '1 audited, of which 0 broke a rule and 1 kept all' in capsys.readouterr().out
    both = ['--scorer', f'{CALLABLES}:clean', '--scorer', f'{CALLABLES}:last_capital']
    assert main(command(question_file, *both, '--form', 'plain')) == 1
    shown = capsys.readouterr().out
    assert '2 audited, of which 1 broke a rule and 1 kept all' in shown
    assert 'cause: callables.last_capital ' in shown and 'callables.py:last_capital' in shown


def test_a_package_to_trace_may_be_the_cause(question_file: Path, capsys: pytest.CaptureFixture) -> None:
    words = command(question_file, '--scorer', f'{CALLABLES}:by_difflib', '--form', 'plain')
    assert main([*words, '--trace', 'difflib']) == 1
    assert 'cause: difflib.' in capsys.readouterr().out


@pytest.mark.parametrize(
    ('words', 'message'),
    [
        (['--questions', 'q.jsonl'], '--questions goes with --scorer'),
        (['mmlu', '--form', 'plain'], '--form goes with --scorer'),
        (['mmlu', '--trace', 'math_verify'], '--trace goes with --scorer'),
        (['mmlu', '--score-range', '0', '1'], '--score-range goes with --scorer'),
        (['--scorer', 'rewards:score'], '--scorer needs --questions F.jsonl'),
        (['--scorer', 'rewards:score', '--questions', '/none.jsonl'], '/none.jsonl: no such file'),
        (['--scorer', 'rewards', '--questions', '/none.jsonl'], 'expected module:function'),
        (['mmlu', '--scorer', 'rewards:score', '--questions', 'q.jsonl'], 'leave out benchmarks, --all'),
        (['--all', '--scorer', 'rewards:score', '--questions', 'q.jsonl'], 'leave out benchmarks, --all'),
        (['--scorer', 'rewards:score', '--questions', 'q.jsonl', '--time-limit', '0'], 'must be positive'),
    ],
)
def test_arguments_that_do_not_fit_are_exit_status_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture
) -> None:
    assert main(['audit', *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ('words', 'message'),
    [
        (['--scorer', 'no_such_module:score'], 'no_such_module cannot be imported: ModuleNotFoundError'),
        (['--scorer', f'{CALLABLES}:unclear'], 'how to call it cannot be told; pass --form'),
        (['--scorer', f'{CALLABLES}:three'], "missing a required argument: 'tolerance'"),
    ],
)
def test_a_callable_that_cannot_be_used_is_exit_status_2(
    words: list[str], message: str, question_file: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(command(question_file, *words)) == 2
    assert message in capsys.readouterr().err
