"""Writes an audit's report as text."""

import sys
from typing import TextIO

from ...wording import counted
from ..results import AuditReport
from .causes import CauseCard, effect_text, sections
from .examples import best_examples, example_text
from .summary import not_audited, summary_line

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

    found = sections(report)
    for section in found:
        if len(found) > 1 or section.id != 'causes':
            line(f'== {section.title}')
            line()
        for card in section.cards:
            for text in _card(card):
                line(text)
            line(f'  again: {card.command(report.plugins)}')
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


def _card(card: CauseCard) -> list[str]:
    group, names = card.group, card.group.benchmarks
    more = f' and {len(names) - _NAMES_SHOWN} more' if len(names) > _NAMES_SHOWN else ''
    lines = [
        f'{card.number}. {group.fault} [{", ".join(rule.id for rule in group.rules)}]',
        f'  cause: {group.cause}' + (f' ({group.location})' if group.location else ''),
        f'  in {card.reach}: {", ".join(names[:_NAMES_SHOWN])}{more}; weight {card.sum}',
    ]
    lines += [
        f'  {row.sort.lower()}, {benchmark}: {row.shown} {row.source}'.rstrip() for benchmark, row in card.explained
    ]
    lines += [f'  only where {condition}' for condition in card.conditions]
    lines += [f'  {"      " if number else "call: "}{text}' for number, text in enumerate(card.call.splitlines())]
    examples = best_examples(group, _EXAMPLES_SHOWN)
    for number, (benchmark, example) in enumerate(examples):
        lines.append(f'  {"     " if number else "e.g. "}{benchmark}: {example_text(example)}')
    lines += [f'  the same function: {number}, {title}' for number, title in card.also]
    lines += [f'  note: {benchmark}: {note}' for benchmark, note in card.notes]
    cases = sum(finding.count for finding in group.findings)
    if cases > len(examples):
        lines.append(f'  {len(examples)} of {counted(cases, "case")} are shown')
    if card.effect is not None:
        benchmark, effect = card.effect
        lines.append(f'  {effect.reply!r}: {effect_text(benchmark, effect)}')
    return [*lines, f'  {card.detail}'] if card.detail else lines
