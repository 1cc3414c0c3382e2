"""Writes an audit's report as text and as JSON."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Optional, TextIO

from .results import AUDITED, AuditReport, BenchmarkResult, Example, Group
from .rules import RULES, rule

FORMAT_VERSION = 1
"""Of the JSON report."""
_NAMES_SHOWN = 8


def summary_line(report: AuditReport) -> str:
    """Return the outcome in one sentence."""
    audited = audited_results(report)
    with_findings = {finding.benchmark for finding in report.findings}
    clean = [result for result in audited if result.benchmark not in with_findings]
    text = (
        f'{len(report.results)} benchmarks: {len(audited)} audited, of which {len(clean)} without findings; '
        f'{len(report.results) - len(audited)} could not be audited. '
        f'{len(report.findings)} findings in {len(with_findings)} benchmarks, of {len(report.groups())} causes.'
    )
    if report.interrupted:
        text += f' INTERRUPTED: {len(report.not_reached)} more were not reached.'
    return text


def audited_results(report: AuditReport) -> list[BenchmarkResult]:
    """Return the results of the benchmarks that were audited."""
    return [result for result in report.results if result.status == AUDITED]


def not_audited(report: AuditReport) -> list[tuple[str, list[str]]]:
    """Return each reason for which benchmarks could not be audited with their names, the most frequent first."""
    by_reason: dict[str, list[str]] = {}
    for result in report.results:
        if result.status != AUDITED:
            by_reason.setdefault(result.reason, []).append(result.benchmark)
    return sorted(by_reason.items(), key=lambda item: (-len(item[1]), item[0]))


def one_line(text: str) -> str:
    """Return text as one printable line: quoted, and escaped where it must be."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() or '\n' in text else ascii(text)


def example_text(example: Example) -> str:
    """Return an example as a sentence."""
    gold = f' where the gold is {one_line(example.gold)}' if example.gold else ''
    return f'{one_line(example.reply)}{gold}{_outcome(example)}; allowed: {example.expected}'


def _outcome(example: Example) -> str:
    if example.score is None:
        return ''
    if example.metric == 'seconds':
        return f' takes {example.score:g} s'
    return f' scores {example.score:g} on {example.metric}'


def best_example(group: Group) -> tuple[str, Example]:
    """Return the most telling example of a group, and its benchmark.

    That is silence, else plain words that many of its benchmarks credit.
    """
    pairs = [(finding.benchmark, example) for finding in group.findings for example in finding.examples]
    reach = Counter(example.reply for _, example in pairs)

    def rank(pair: tuple[str, Example]) -> tuple:
        benchmark, example = pair
        return example.reply != '', not _typeable(example.reply), -reach[example.reply], len(example.reply), benchmark

    return min(pairs, key=rank)


def _typeable(reply: str) -> bool:
    return reply.isprintable() and len(reply.split()) >= 2


def rule_counts(report: AuditReport) -> dict[str, Counter]:
    """Return for each rule how many benchmarks passed it, failed it, or gave it nothing to try."""
    return {
        known.id: Counter(result.rules[known.id].status for result in report.results if known.id in result.rules)
        for known in RULES
    }


def write_text(report: AuditReport, stream: Optional[TextIO] = None) -> None:
    """Write the report for a terminal."""
    stream = stream or sys.stdout

    def line(text: str = '') -> None:
        print(
            text.encode(stream.encoding or 'utf-8', 'backslashreplace').decode(stream.encoding or 'utf-8'), file=stream
        )

    for group in report.groups():
        names = group.benchmarks
        line(f'{rule(group.rule).fault} [{group.rule}]')
        line(f'  cause: {group.cause}' + (f' ({group.location})' if group.location else ''))
        shown = ', '.join(names[:_NAMES_SHOWN]) + (
            f' and {len(names) - _NAMES_SHOWN} more' if len(names) > _NAMES_SHOWN else ''
        )
        line(f'  in {len(names)} benchmark{"s" if len(names) > 1 else ""}: {shown}')
        benchmark, example = best_example(group)
        line(f'  e.g. {benchmark}: {example_text(example)}')
        details = sorted({finding.detail for finding in group.findings if finding.detail})
        if details:
            line(f'  {details[0]}')
        line()
    reasons = not_audited(report)
    if reasons:
        line('Could not be audited:')
        for reason, names in reasons:
            line(f'  {reason}: {", ".join(names)}')
        line()
    noted = [(result.benchmark, note) for result in report.results for note in result.notes]
    for benchmark, note in noted:
        line(f'Note: {benchmark}: {note}')
    line(
        f'evalscope {report.evalscope_version}, evalscope-qa {report.package_version}, '
        f'Python {report.python_version}, {report.seconds:g} s'
    )
    line(summary_line(report))


def write_json(report: AuditReport, path: Path) -> None:
    """Write the report as JSON: everything, with the groups as lists of names."""
    document = {
        'format': FORMAT_VERSION,
        **report.to_dict(),
        'causes': [
            {'rule': group.rule, 'cause': group.cause, 'location': group.location, 'benchmarks': group.benchmarks}
            for group in report.groups()
        ],
        'rules': {known.id: {'demand': known.demand, 'page': known.page} for known in RULES},
    }
    path.write_text(json.dumps(document, ensure_ascii=True, indent=1) + '\n', encoding='utf-8')
