"""Audits one benchmark in this process, which must be a worker: guarded, and disposable."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .results import AUDITED, FAILED, NOT_APPLICABLE, NOT_AUDITED, PASSED, BenchmarkResult, RuleOutcome
from .rules.findings import NotApplicable
from .rules.table import RULES, Rule
from .scoring.at_work import AtWork
from .scoring.guard import Guard, NetworkAttempt
from .scoring.timing import ScoringStopped
from .subject import CannotAudit, ScoringOnline, Subject, build_subject


def audit_benchmark(
    benchmark: str,
    guard: Guard,
    *,
    dataset_args: Mapping[str, Any] | None = None,
    records: Path | None = None,
    rules: Sequence[Rule] = RULES,
    step: Callable[[str, str], None] = lambda rule, reply: None,
    keep: Callable[[BenchmarkResult], None] = lambda result: None,
    at_work: AtWork | None = None,
) -> BenchmarkResult:
    """Replay the rules through one benchmark.

    Args:
        benchmark: Its registered name.
        guard: The installed guard.
        dataset_args: What ``--dataset-args`` would hold for it.
        records: Records to make questions of.
        rules: The rules to try.
        step: Called with rule and reply before something is tried that may hang.
        keep: Called after every rule with what is known so far.
        at_work: Is told what is being scored.

    Returns:
        The result; findings in the order of the rules.

    Raises:
        ValueError: If the benchmark is unknown, or the records named cannot be used.
    """
    started = time.monotonic()
    result = BenchmarkResult(benchmark, NOT_AUDITED)
    step('set-up', '')
    try:
        subject = build_subject(benchmark, guard, dataset_args or {}, records, step, at_work)
    except CannotAudit as reason:
        result.reason = str(reason)
    except ScoringOnline as online:
        result.reason = f'its scoring wants the network for any reply ({online})'
        for rule in rules:
            if rule.id == 'offline':
                result.rules[rule.id] = _try_rule(online.subject, rule, result)
    else:
        _try_rules(subject, rules, result, keep)
    result.seconds = round(time.monotonic() - started, 2)
    return result


def _try_rules(
    subject: Subject, rules: Sequence[Rule], result: BenchmarkResult, keep: Callable[[BenchmarkResult], None]
) -> None:
    result.source = subject.source
    result.evaluation_version = subject.adapter.benchmark_meta.evaluation_version
    result.questions = len(subject.uncalibrated)
    result.status = AUDITED if subject.questions else NOT_AUDITED
    result.notes = list(subject.notes)
    if not subject.questions:
        result.reason = 'no reply could be shown to be right: ' + subject.no_right_answer
    for rule in rules:
        result.rules[rule.id] = _try_rule(subject, rule, result)
        result.replies = subject.scorer.replies
        keep(result)
    result.tainted = subject.scorer.stopped_here


def _try_rule(subject: Subject, rule: Rule, result: BenchmarkResult) -> RuleOutcome:
    if rule.needs_right_answer and not subject.questions:
        return RuleOutcome(NOT_APPLICABLE, 'no right reply is known')
    try:
        findings = list(rule.check(subject))
    except NotApplicable as reason:
        return RuleOutcome(NOT_APPLICABLE, str(reason))
    except (NetworkAttempt, ScoringStopped) as interruption:
        return RuleOutcome(NOT_APPLICABLE, f'could not be tried: {interruption}')
    except Exception as error:  # noqa: BLE001 - one rule's trouble must not hide the others' findings
        return RuleOutcome(NOT_APPLICABLE, f'could not be tried: {type(error).__name__}: {str(error)[:200]}')
    result.findings.extend(findings)
    return RuleOutcome(FAILED if findings else PASSED)
