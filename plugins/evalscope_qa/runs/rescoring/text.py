"""Writes what scoring again gave: for a terminal, as JSON, and the flips as a table."""

import csv
import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import TextIO

from .results import Flip, RankingChange, Rescore, RescoredBenchmark


def to_text(result: Rescore) -> str:
    """Return the result as text for a terminal."""
    parts = [_metrics_table(result.benchmarks)] if result.benchmarks else []
    parts += [_counts_table(result.benchmarks)] if result.benchmarks else []
    parts += [_ranking(change) for change in result.rankings]
    notes = [f'{found.model}, {found.benchmark}: {found.note}.' for found in result.benchmarks if found.note]
    parts += ['\n'.join(notes)] if notes else []
    if result.kept:
        lines = [f'  {kept.model}, {kept.benchmark}: {kept.reason}' for kept in result.kept]
        parts.append('\n'.join(['Not scored again, kept as they are:', *lines]))
    if result.output:
        parts.append(f'Written to {result.output}')
    parts.append('\n'.join(dict.fromkeys(found.signature for found in result.benchmarks)))
    return '\n\n'.join(part for part in parts if part) + '\n'


def to_json(result: Rescore) -> str:
    """Return everything as a JSON object that can be written as UTF-8."""
    text = json.dumps(asdict(result), ensure_ascii=False, indent=2, allow_nan=False)
    return text.encode('utf-8', 'backslashreplace').decode('utf-8')


def write_flips(flips: Iterable[Flip], stream: TextIO) -> None:
    """Write one row a reply whose score changed; of several metrics, names and scores are separated by ``; ``.

    Args:
        flips: The changes.
        stream: Opened with ``newline=''``, and with ``errors='backslashreplace'``.
    """
    names = [field.name for field in fields(Flip)]
    writer = csv.writer(stream)
    writer.writerow(names)
    writer.writerows([_cell(getattr(flip, name)) for name in names] for flip in flips)


def _cell(value: object) -> object:
    return '; '.join('' if item is None else str(item) for item in value) if isinstance(value, tuple) else value


def _metrics_table(results: Iterable[RescoredBenchmark]) -> str:
    from tabulate import tabulate

    rows = []
    for found in results:
        versions = f'{found.version_before or "not recorded"} -> {found.version_after}'
        for change in found.metrics:
            rows.append(
                [
                    found.benchmark,
                    found.model,
                    change.name,
                    _number(change.before),
                    _number(change.after),
                    _difference(change.before, change.after),
                    versions,
                ]
            )
    headers = ['benchmark', 'model', 'metric', 'before', 'after', 'change', 'evaluation version']
    return tabulate(rows, headers=headers, disable_numparse=True, colalign=['left'] * 3 + ['right'] * 3 + ['left'])


def _counts_table(results: Iterable[RescoredBenchmark]) -> str:
    from tabulate import tabulate

    rows = [
        [
            found.benchmark,
            found.model,
            found.questions,
            found.changed,
            found.credited_unanswered,
            ', '.join(f'{count} {reason}' for reason, count in found.unanswered_by_reason.items()) or '0',
        ]
        for found in results
    ]
    headers = ['benchmark', 'model', 'replies', 'changed', 'unanswered but credited before', 'unanswered']
    return tabulate(rows, headers=headers)


def _ranking(change: RankingChange) -> str:
    from tabulate import tabulate

    reversing = {model for pair in change.reversals for model in pair}
    rows = [
        [model + (' !' if model in reversing else ''), before, change.after[model]]
        for model, before in change.before.items()
    ]
    lines = [f'{ahead} was ahead of {behind} and is behind it now.' for ahead, behind in change.reversals]
    table = tabulate(rows, headers=[f'{change.benchmark}, {change.metric}', 'rank before', 'rank after'])
    return '\n'.join([table, *lines])


def _number(value: float | None) -> str:
    return '-' if value is None else f'{value:.4f}'


def _difference(before: float | None, after: float | None) -> str:
    return '-' if before is None or after is None else f'{round(after, 4) - before:+.4f}'
