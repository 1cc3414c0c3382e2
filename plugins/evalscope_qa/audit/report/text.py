"""Writes an audit's report as text."""

import sys
from typing import TextIO

from ...wording import counted
from ..results import AuditReport
from .summary import best_examples, example_text, not_audited, summary_line

_NAMES_SHOWN = 8
_EXAMPLES_SHOWN = 5
"""Of a cause: enough to see what its replies have in common."""


def write_text(report: AuditReport, stream: TextIO | None = None) -> None:
    """Write the report for a terminal."""
    stream = stream or sys.stdout

    def line(text: str = '') -> None:
        print(
            text.encode(stream.encoding or 'utf-8', 'backslashreplace').decode(stream.encoding or 'utf-8'), file=stream
        )

    for group in report.groups():
        names = group.benchmarks
        line(f'{group.fault} [{", ".join(rule.id for rule in group.rules)}]')
        line(f'  cause: {group.cause}' + (f' ({group.location})' if group.location else ''))
        shown = ', '.join(names[:_NAMES_SHOWN]) + (
            f' and {len(names) - _NAMES_SHOWN} more' if len(names) > _NAMES_SHOWN else ''
        )
        line(f'  in {counted(len(names), "benchmark")}: {shown}')
        examples = best_examples(group, _EXAMPLES_SHOWN)
        for number, (benchmark, example) in enumerate(examples):
            line(f'  {"     " if number else "e.g. "}{benchmark}: {example_text(example)}')
        cases = sum(finding.count for finding in group.findings)
        if cases > len(examples):
            line(f'  {len(examples)} of {counted(cases, "case")} are shown')
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
