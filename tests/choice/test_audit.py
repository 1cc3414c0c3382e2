"""The audit finds none of the faults that these readings are for, in some benchmarks of each kind.

`python tests/benchmarks/strict_audit.py` audits all of them.
"""

import sys
from typing import Any

import pytest
from evalscope.api.registry import BENCHMARK_REGISTRY
from evalscope_qa.audit.parallel import Options, audit
from evalscope_qa.audit.results import AUDITED
from warm_process import WarmPython

RULES = ['non-answer', 'cut-off-reasoning', 'repeatable', 'requested-format']
KINDS = {
    'one letter': ['mmlu', 'super_gpqa', 'a_okvqa'],
    'one letter, Chinese template': ['ceval', 'iquiz', 'maritime_bench'],
    'several letters': ['drivel_multilabel', 'cmmu'],
    'yes or no': ['coin_flip', 'pope', 'boolq'],
    'labels': ['anli'],
    'options in the prompt': ['bbh', 'tir_bench'],
    'scored at random': ['cmmmu'],
}
HELD = [name for names in KINDS.values() for name in names if name in BENCHMARK_REGISTRY]


@pytest.fixture(scope='module')
def results(fresh_python: WarmPython) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, 'executable', str(fresh_python.python))
        patch.setenv('EVALSCOPE_PLUGINS', 'strict')
        report = audit(HELD, Options(rules=RULES, time_limit=240), workers=2)
    return {result.benchmark: result for result in report.results}


@pytest.mark.parametrize('name', HELD)
def test_the_audit_finds_nothing(results: Any, name: str) -> None:
    result = results[name]
    found = [finding for finding in result.findings if finding.rule in RULES]  # not speed, on a busy machine
    examples = [example.reply for finding in found for example in finding.examples]
    if name in KINDS['several letters']:  # all letters in the requested format are an answer, worth some F1
        examples = [reply for reply in examples if reply not in ('ANSWER: ABCDE', 'ANSWER: A, B, C, D, E')]
    assert examples == []
    if name not in (
        'cmmu',
        'tir_bench',
    ):  # their example may be cut in a release, so that no reply is known to be right
        assert result.status == AUDITED
