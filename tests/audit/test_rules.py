"""Every rule is broken by one benchmark and by no other, and two benchmarks keep them all."""

import json
from pathlib import Path
from typing import Any, Callable

import pytest
from audit.faults import BROKEN_RULES, BROKEN_TOO, CAUSES
from evalscope_qa.audit.results import AUDITED, NOT_APPLICABLE, NOT_AUDITED, PASSED
from evalscope_qa.audit.rules.table import RULES, rule

ONLY_IN_WORKERS = {'offline', 'no-code', 'speed'}
"""Rules that need the audit hook, which a test process could not get rid of, or a process of their own."""
CLEAN = ('contract_clean', 'contract_clean_text')
NOTHING_TO_TRY = {'contract_clean': {'degenerate-gold', 'several-golds'}, 'contract_clean_text': {'wrong-answer'}}
"""Rules of golds or replies that a clean benchmark has none of."""
PAGE = Path(__file__).parents[2] / 'docs' / 'audit.md'


def result_of(report: Any, name: str) -> Any:
    return next(result for result in report.results if result.benchmark == name)


def test_every_rule_has_a_benchmark_that_breaks_it() -> None:
    assert set(BROKEN_RULES.values()) == {known.id for known in RULES}


@pytest.mark.parametrize(('name', 'broken'), BROKEN_RULES.items())
def test_a_fault_is_found_by_its_rule_and_by_no_other(whole_report: Any, name: str, broken: str) -> None:
    result = result_of(whole_report, name)
    assert result.status == AUDITED, result.reason
    rules = {broken} | ({BROKEN_TOO[name]} if name in BROKEN_TOO else set())
    assert {finding.rule for finding in result.findings} == rules
    assert {rule_id for rule_id, outcome in result.rules.items() if outcome.status == 'failed'} == rules


@pytest.mark.parametrize(('name', 'cause'), CAUSES.items())
def test_a_finding_names_the_function_at_fault(whole_report: Any, name: str, cause: str) -> None:
    causes = {finding.cause.rpartition('adapters.')[2] for finding in result_of(whole_report, name).findings}
    assert causes == {cause}


@pytest.mark.parametrize('name', CLEAN)
def test_a_clean_benchmark_keeps_every_rule(whole_report: Any, name: str) -> None:
    result = result_of(whole_report, name)
    assert result.status == AUDITED
    assert result.findings == []
    tried = {rule_id for rule_id, outcome in result.rules.items() if outcome.status == PASSED}
    assert tried == {known.id for known in RULES} - NOTHING_TO_TRY[name]


def test_a_clean_text_benchmark_is_tried_with_degenerate_golds(whole_report: Any) -> None:
    assert result_of(whole_report, 'contract_clean_text').rules['degenerate-gold'].status == PASSED
    assert result_of(whole_report, 'contract_clean').rules['degenerate-gold'].status == NOT_APPLICABLE


@pytest.mark.parametrize(('name', 'broken'), [pair for pair in BROKEN_RULES.items() if pair[1] not in ONLY_IN_WORKERS])
def test_a_rule_finds_its_fault_in_this_process_too(audit_here: Callable[..., Any], name: str, broken: str) -> None:
    result = audit_here(name, rules=[known for known in RULES if known.id not in ONLY_IN_WORKERS])
    rules = {broken} | ({BROKEN_TOO[name]} if name in BROKEN_TOO else set())
    assert {finding.rule for finding in result.findings} == rules


@pytest.mark.parametrize('name', CLEAN)
def test_a_clean_benchmark_is_clean_in_this_process_too(audit_here: Callable[..., Any], name: str) -> None:
    assert audit_here(name, rules=[known for known in RULES if known.id not in ONLY_IN_WORKERS]).findings == []


def test_a_gold_that_was_made_up_is_the_condition_of_its_finding(whole_report: Any) -> None:
    (finding,) = result_of(whole_report, 'breaks_degenerate_gold').findings
    assert finding.condition == 'the dataset has such a gold; the audit made it up'
    others = [result for result in whole_report.results if result.benchmark != 'breaks_degenerate_gold']
    assert {found.condition for result in others for found in result.findings} == {''}


def test_a_finding_shows_reply_gold_metric_score_and_what_is_allowed(whole_report: Any) -> None:
    finding = result_of(whole_report, 'breaks_non_answer').findings[0]
    assert finding.count > len(finding.examples) > 0
    shown = {example.reply: example for example in finding.examples}
    assert "Don't know." in shown
    example = shown["Don't know."]
    assert (example.gold, example.metric, example.score) == ('D (Hanoi)', 'accuracy', 1.0)
    assert example.expected.startswith('0,')


def test_a_benchmark_that_credits_nothing_is_not_audited_and_not_clean(audit_here: Callable[..., Any]) -> None:
    result = audit_here('never_right', rules=[known for known in RULES if known.id not in ONLY_IN_WORKERS])
    assert result.status == NOT_AUDITED
    assert 'no reply could be shown to be right' in result.reason
    assert result.rules['non-answer'].status == NOT_APPLICABLE
    assert result.rules['no-crash'].status == PASSED


@pytest.mark.parametrize(
    ('name', 'record', 'broken', 'reason'),
    [
        (
            'contract_clean',
            {'question': 'Which?', 'choices': ['None of the above', 'Unknown'], 'answer': 'A'},
            'non-answer',
            'every gold answer at hand says that there is no answer',
        ),
        (
            'contract_clean_text',
            {'question': 'What was said?', 'answer': 'a long word ' * 20},
            'cut-off-reasoning',
            'a right reply is a whole text',
        ),
    ],
)
def test_a_rule_that_does_not_fit_the_golds_says_so(
    audit_here: Callable[..., Any], tmp_path: Path, name: str, record: dict, broken: str, reason: str
) -> None:
    records = tmp_path / 'records.json'
    records.write_text(json.dumps([record]))
    outcome = audit_here(name, records=records, rules=[rule(broken)]).rules[broken]
    assert (outcome.status, reason in outcome.reason) == (NOT_APPLICABLE, True), outcome.reason


@pytest.mark.parametrize(
    ('name', 'replies'),
    [('keeps_metrics_of_one_class', set()), ('breaks_metrics_of_classes', {"1 right reply and 9 times ''"})],
)
def test_a_class_may_be_left_unanswered_where_recall_and_f1_are_of_another(
    audit_here: Callable[..., Any], name: str, replies: set[str]
) -> None:
    result = audit_here(name, rules=[rule('abstention-counts')])
    assert result.status == AUDITED
    assert {example.reply for finding in result.findings for example in finding.examples} == replies


def test_a_missing_package_is_the_reason_and_not_a_finding(audit_here: Callable[..., Any]) -> None:
    result = audit_here('needs_package')
    assert (result.status, result.findings) == (NOT_AUDITED, [])
    assert 'sentience' in result.reason


def test_scoring_that_always_wants_the_network_is_a_finding_and_no_audit(audit_in_workers: Callable[..., Any]) -> None:
    (result,) = audit_in_workers(['always_online']).results
    assert result.status == NOT_AUDITED
    assert [finding.rule for finding in result.findings] == ['offline']
    assert 'models.example.org' in result.reason


def test_rules_are_found_by_id_and_an_unknown_one_names_them_all() -> None:
    assert rule('speed').id == 'speed'
    with pytest.raises(ValueError, match='non-answer, cut-off-reasoning'):
        rule('quick')


@pytest.mark.parametrize('known', RULES, ids=lambda known: known.id)
def test_every_rule_has_a_section_in_the_documentation(known: Any) -> None:
    assert f'\n## {known.id}\n' in PAGE.read_text(encoding='utf-8')
