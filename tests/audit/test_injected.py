"""A part of what ``measure.py`` measures: a few injected faults are found by their rule in their function.

Ten seconds of processor time; all of them take ``python tests/audit/measure.py`` five minutes.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from audit.clean_adapters import CLEAN, name_of
from audit.injected import FAULTS
from audit.known_faults import KNOWN_FAULTS
from audit.measure import Row, compare_with_known
from evalscope_qa.audit.benchmark import audit_benchmark
from evalscope_qa.audit.results import AUDITED
from evalscope_qa.audit.rules.table import RULES, rule
from evalscope_qa.audit.scoring.guard import Guard

TRIED = (
    'every_option_covers_the_gold',
    'first_guess_of_finished_reasoning',
    'last_option_is_never_read',
    'capital_letters_never_match',
    'golds_joined_into_one',
    'silence_is_the_text_none',
    'two_empty_sets_are_equal',
    'average_over_the_classes_predicted',
    'first_question_counts_twice',
    'raises_on_half_a_character',
)


def audited(name: str, base: Any, rules: tuple[str, ...], folder: Path) -> Any:
    records = folder / 'records.json'
    records.write_text(json.dumps(base.records))
    return audit_benchmark(name, Guard(), records=records, rules=[rule(one) for one in rules])


@pytest.mark.parametrize('name', TRIED)
def test_an_injected_fault_is_found_by_its_rule(tmp_path: Path, name: str) -> None:
    fault = FAULTS[name]
    row = Row(fault, audited(name, fault.base, fault.rules[:1], tmp_path))
    assert row.by_its_rule, row.result.reason


@pytest.mark.parametrize('base', CLEAN, ids=name_of)
def test_the_rules_of_right_answers_find_nothing_where_there_is_nothing(tmp_path: Path, base: Any) -> None:
    rules = ('requested-format', 'several-golds', 'wrong-answer', 'degenerate-gold', 'order', 'mean', 'range')
    result = audited(name_of(base), base, rules, tmp_path)
    assert (result.status, result.findings) == (AUDITED, []), result.reason


def test_the_list_is_long_and_breaks_every_rule() -> None:
    within = [fault for fault in FAULTS.values() if fault.rules]
    assert len(within) >= 60
    assert {one for fault in within for one in fault.rules} == {known.id for known in RULES}


def test_known_faults_name_rules_and_are_listed_once() -> None:
    assert len(set(KNOWN_FAULTS)) == len(KNOWN_FAULTS)
    assert len({known.benchmark for known in KNOWN_FAULTS}) >= 90
    assert {known.rule for known in KNOWN_FAULTS} <= {known.id for known in RULES}


def test_a_report_is_compared_with_the_known_faults_and_with_another(capsys: pytest.CaptureFixture[str]) -> None:
    known = KNOWN_FAULTS[0]
    finding = {'rule': known.rule, 'cause': known.function}
    first = {'results': [{'benchmark': known.benchmark, 'reason': '', 'findings': [finding]}]}
    second = {'results': [{'benchmark': 'other', 'reason': '', 'findings': [finding]}]}
    compare_with_known(first, second)
    said = capsys.readouterr().out
    assert ': 1 flagged' in said and '1 faults by the right rule in the right function' in said
    assert '1 causes, 1 of them in the second report, which has 1' in said
    assert '1 findings, 0 of them in the second report, which has 1' in said
    assert f'- {known.benchmark} {known.rule} {known.function}' in said
