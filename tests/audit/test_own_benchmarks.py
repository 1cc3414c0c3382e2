"""The benchmarks of the package keep the contract, on any evalscope the suite runs with: the pytest plugin says so."""

import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from evalscope_qa.audit.rules.table import RULES
from evalscope_qa.replay.samples import shipped_benchmarks
from warm_process import WarmPython

BENCHMARKS = shipped_benchmarks()
NOTHING_TO_TRY = {
    ('pubmedqa', 'degenerate-gold'),
    ('pubmedqa', 'several-golds'),
    ('pubmedqa_official', 'degenerate-gold'),
    ('pubmedqa_official', 'several-golds'),
    ('rjua_qa', 'several-golds'),
    ('rjua_qa', 'wrong-answer'),
    ('selqa_selection', 'degenerate-gold'),
    ('selqa_selection', 'mean'),
    ('selqa_selection', 'several-golds'),
    ('selqa_selection', 'wrong-answer'),
    ('selqa_triggering', 'degenerate-gold'),
    ('selqa_triggering', 'mean'),
    ('selqa_triggering', 'several-golds'),
    ('selqa_triggering', 'wrong-answer'),
}
"""Golds that are no short free text, single ones, and answers that are no options, labels or numbers."""


@pytest.fixture(scope='module')
def outcomes(warm_python: WarmPython, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """The outcome of each contract test of a run of the plugin: passed, skipped, or the failure's text."""
    folder = tmp_path_factory.mktemp('contract')
    (folder / 'pytest.ini').write_text('[pytest]\njunit_family = xunit1\n')
    command = [str(warm_python.python), '-m', 'pytest', '-p', 'no:cacheprovider', '--junitxml', 'report.xml']
    command += ['--evalscope-contract-time-limit', '240', '--evalscope-contract', *BENCHMARKS]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900, check=False)
    assert (folder / 'report.xml').exists(), done.stdout + done.stderr
    return {
        (Path(case.attrib['classname']).name.split('.')[-1], case.attrib['name']): _outcome(case)
        for case in ElementTree.parse(folder / 'report.xml').iter('testcase')
    }


def _outcome(case: ElementTree.Element) -> str:
    for child in case:
        if child.tag in ('failure', 'error'):
            return str(child.text)
        if child.tag == 'skipped':
            return 'skipped'
    return 'passed'


@pytest.mark.parametrize('rule', [rule.id for rule in RULES])
@pytest.mark.parametrize('name', BENCHMARKS)
def test_a_shipped_benchmark_keeps_the_rule(outcomes: dict[tuple[str, str], str], name: str, rule: str) -> None:
    assert outcomes[name, rule] == ('skipped' if (name, rule) in NOTHING_TO_TRY else 'passed')
