"""The package's own benchmarks keep the contract, on whatever evalscope the suite runs with."""

from typing import Any

import pytest
from evalscope_qa.audit.results import AUDITED
from evalscope_qa.audit.rules import RULES
from evalscope_qa.audit.run import Options, audit
from evalscope_qa.samples import shipped_benchmarks

BENCHMARKS = shipped_benchmarks()
NOTHING_TO_TRY = {'degenerate-gold', 'requested-format'}
"""Rules that need a gold that is free text, and a format that can be filled in."""


@pytest.fixture(scope='module')
def report() -> Any:
    return audit(BENCHMARKS, Options(rules=[rule.id for rule in RULES], time_limit=240), workers=2)


@pytest.mark.parametrize('name', BENCHMARKS)
def test_a_shipped_benchmark_has_no_findings(report: Any, name: str) -> None:
    result = next(result for result in report.results if result.benchmark == name)
    assert result.status == AUDITED, result.reason
    assert [(finding.rule, finding.examples[0]) for finding in result.findings] == []


@pytest.mark.parametrize('name', BENCHMARKS)
def test_every_rule_was_tried_on_a_shipped_benchmark(report: Any, name: str) -> None:
    result = next(result for result in report.results if result.benchmark == name)
    passed = {rule_id for rule_id, outcome in result.rules.items() if outcome.status == 'passed'}
    assert passed >= {rule.id for rule in RULES} - NOTHING_TO_TRY
