"""What official scripts do, and what evalscope documents: which cases it covers, and that its rows are real."""

import json
import re
from pathlib import Path
from typing import Any

import evalscope
import pytest
from evalscope_qa.audit.official import DOCUMENTED, OFFICIAL, official
from evalscope_qa.audit.rules.table import RULES

READ_RELEASE = '1.14.1'
"""The evalscope whose functions were compared with the official ones."""


@pytest.mark.parametrize('row', [*OFFICIAL, *DOCUMENTED], ids=lambda row: f'{row.benchmark}-{row.function}')
def test_a_row_names_a_benchmark_and_a_function_of_evalscope(row: Any) -> None:
    """A benchmark or function that is renamed, or gone, would leave its findings unmarked."""
    from evalscope.api.registry import BENCHMARK_REGISTRY

    package = Path(evalscope.__file__).parent
    parts = row.function.split('.')
    found = [file for file in package.rglob('*.py') if f'def {parts[-1]}(' in file.read_text(encoding='utf-8')]
    if evalscope.__version__ == READ_RELEASE:  # others have other functions
        assert row.benchmark in BENCHMARK_REGISTRY
        assert any(file.stem == parts[0] or f'class {parts[0]}' in file.read_text(encoding='utf-8') for file in found)
    assert {rule.id for rule in RULES} >= set(row.rules)


@pytest.mark.parametrize('row', OFFICIAL, ids=lambda row: f'{row.benchmark}-{row.function}')
def test_what_is_official_names_a_source_at_a_commit(row: Any) -> None:
    assert re.fullmatch(r'github\.com/[\w.-]+/[\w.-]+/blob/[0-9a-f]{40}/[\w./-]+\.py', row.source)


@pytest.mark.skipif(evalscope.__version__ != READ_RELEASE, reason='other releases have other descriptions')
@pytest.mark.parametrize('row', DOCUMENTED, ids=lambda row: f'{row.benchmark}-{row.function}')
def test_what_is_documented_stands_in_the_description(row: Any) -> None:
    meta = json.loads((Path(evalscope.__file__).parent / 'benchmarks' / '_meta' / f'{row.benchmark}.json').read_text())
    cause = f'evalscope.{row.function}'
    said = meta['meta']['description']
    explained = official(row.benchmark, row.rules[0], cause, 'a reply', 'A', said)
    assert explained is not None and explained.text == row.sentence and not explained.source
    assert official(row.benchmark, row.rules[0], cause, 'a reply', 'A', 'It says nothing.') is None


def covered(benchmark: str, function: str, reply: str | None, gold: str, rule: str = 'non-answer') -> bool:
    return official(benchmark, rule, f'evalscope.benchmarks.{function}', reply, gold, '') is not None


YES_NO, AIR = 'yes_no.extract_verdict', 'AIRBenchFoundationAdapter.extract_answer'
CMMMU = 'cmmmu.utils.get_multi_choice_prediction'


@pytest.mark.parametrize(
    ('benchmark', 'function', 'reply', 'gold', 'is_official'),
    [
        ('pope', YES_NO, 'No answer.', 'NO', True),
        ('pope', YES_NO, 'It is not, or is it. Yes', 'NO', True),
        ('pope', YES_NO, '<think>\nIt might be NO, or something else', 'NO', False),
        ('pope', YES_NO, 'not YES', 'YES', False),
        ('pope', YES_NO, '', 'YES', True),
        ('halueval', YES_NO, 'No answer.', 'NO', True),
        ('halueval', YES_NO, 'not NO', 'NO', False),
        ('halueval', YES_NO, 'Yes or No', 'NO', False),
        ('halueval', YES_NO, 'Yes?', 'YES', True),
        ('air_bench_foundation', AIR, "Don't know.", 'D (flute)', True),
        ('air_bench_foundation', AIR, 'It is not D.', 'D (flute)', True),
        ('air_bench_foundation', AIR, 'A definitive answer cannot be given.', 'C (drum)', False),
        ('air_bench_foundation', AIR, '', 'A (horn)', False),
        ('cmmmu', CMMMU, "Don't know.", 'D', True),
        ('cmmmu', CMMMU, '', 'D', False),
        ('arc', CMMMU, "Don't know.", 'D', False),
        ('cmmmu', 'cmmmu.utils.another', "Don't know.", 'D', False),
    ],
)
def test_a_reply_is_official_where_the_official_script_credits_it_too(
    benchmark: str, function: str, reply: str, gold: str, is_official: bool
) -> None:
    assert covered(benchmark, function, reply, gold) is is_official


def test_ten_replies_are_official_by_rule_and_function() -> None:
    assert covered('eq_bench', 'eq_bench_adapter.EQBenchAdapter.match_score', None, '', 'abstention-counts')
    assert not covered('eq_bench', 'eq_bench_adapter.EQBenchAdapter.match_score', None, '', 'order')
