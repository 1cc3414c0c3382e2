"""Faults of evalscope's own benchmarks that are known, found on the releases that have them and not on the others."""

import sys
from typing import Any

import evalscope
import pytest
from evalscope_qa.audit.parallel import Options, audit
from evalscope_qa.audit.results import AUDITED, NOT_AUDITED
from evalscope_qa.audit.rules.table import RULES
from warm_process import WarmPython

BENCHMARKS = [
    'mmlu',
    'super_gpqa',
    'cmmmu',
    'coin_flip',
    'tir_bench',
    'pubmedqa',
    'gsm8k',
    'humaneval',
    'simple_qa',
    'tifa160',
    'gaia',
]
RELEASE = tuple(int(part) for part in evalscope.__version__.split('.')[:2])
SLOW = {'speed', 'no-crash'}


@pytest.fixture(scope='module')
def report(fresh_python: WarmPython) -> Any:
    """An audit of evalscope's own adapters, whatever plugins are installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, 'executable', str(fresh_python.python))
        patch.setenv('EVALSCOPE_PLUGINS', 'off')
        return audit(
            BENCHMARKS, Options(rules=[rule.id for rule in RULES if rule.id not in SLOW], time_limit=240), workers=2
        )


def findings(report: Any, name: str, rule: str) -> list[Any]:
    result = next(result for result in report.results if result.benchmark == name)
    return [finding for finding in result.findings if finding.rule == rule]


def replies(found: list[Any]) -> set[str]:
    return {example.reply for finding in found for example in finding.examples}


def test_the_last_capital_letter_of_a_refusal_is_an_option_in_mmlu(report: Any) -> None:
    found = {finding.cause.rpartition('.')[2]: finding for finding in findings(report, 'mmlu', 'non-answer')}
    assert "Don't know." in replies([found['_fallback_parse_answer']])


def test_a_refusal_in_the_requested_format_is_option_a_in_mmlu(report: Any) -> None:
    found = findings(report, 'mmlu', 'non-answer')
    assert 'ANSWER: A definitive answer cannot be determined.' in replies(found)


def test_i_cannot_answer_is_option_i_in_super_gpqa(report: Any) -> None:
    (finding,) = findings(report, 'super_gpqa', 'non-answer')
    assert 'I cannot answer this question.' in replies([finding])
    assert all(example.gold[0] in 'AI' for example in finding.examples)


def test_silence_is_a_guess_in_cmmmu(report: Any) -> None:
    (finding,) = findings(report, 'cmmmu', 'repeatable')
    assert finding.cause == 'evalscope.benchmarks.cmmmu.utils.get_multi_choice_prediction'


def test_recall_of_coin_flip_forgets_the_unanswered(report: Any) -> None:
    (finding,) = findings(report, 'coin_flip', 'abstention-counts')
    assert {example.metric for example in finding.examples} >= {'recall'}
    assert all(example.score == 1.0 for example in finding.examples)


def test_silence_is_the_first_option_in_tir_bench(report: Any) -> None:
    """Its example asks for a number; its description tells of multiple choice."""
    found = {finding.cause.rpartition('.')[2]: finding for finding in findings(report, 'tir_bench', 'non-answer')}
    silence = found['judge_choice'].examples[0]
    assert (silence.reply, silence.gold[0], silence.score) == ('', 'A', 1.0)


@pytest.mark.skipif(RELEASE != (1, 12), reason='later releases count the unanswered in the recall of pubmedqa')
def test_recall_of_pubmedqa_forgets_the_unanswered_in_1_12(report: Any) -> None:
    found = findings(report, 'pubmedqa', 'abstention-counts')
    assert 'recall' in {example.metric for finding in found for example in finding.examples}


@pytest.mark.parametrize('name', ['mmlu', 'gsm8k', 'coin_flip'])
def test_a_first_guess_inside_reasoning_that_never_ended_is_an_answer(report: Any, name: str) -> None:
    assert any(reply.startswith('<think>') for reply in replies(findings(report, name, 'cut-off-reasoning')))


@pytest.mark.parametrize('name', ['mmlu', 'super_gpqa', 'coin_flip', 'gsm8k'])
@pytest.mark.parametrize('rule', ['requested-format', 'order', 'correction', 'offline', 'no-code'])
def test_what_these_benchmarks_do_well_is_not_reported(report: Any, name: str, rule: str) -> None:
    result = next(result for result in report.results if result.benchmark == name)
    assert result.status == AUDITED
    assert result.rules[rule].status == 'passed'


@pytest.mark.parametrize(
    ('name', 'reason'),
    [
        ('humaneval', 'runs the reply as code'),
        ('simple_qa', 'judge model'),
        ('tifa160', 'images'),
        ('gaia', 'agent'),
    ],
)
def test_what_cannot_be_tried_with_text_is_listed_with_the_reason(report: Any, name: str, reason: str) -> None:
    result = next(result for result in report.results if result.benchmark == name)
    assert (result.status, result.findings) == (NOT_AUDITED, [])
    assert reason in result.reason
