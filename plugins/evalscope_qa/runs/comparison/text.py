"""Writes a comparison as text, Markdown and JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from . import shown
from .results import BenchmarkResult, Comparison


def to_text(comparison: Comparison) -> str:
    """Return the comparison as text for a terminal."""
    return _document(comparison, heading='{}', table='simple', code='{}')


def to_markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown."""
    return _document(comparison, heading='## {}', table='github', code='`{}`')


def to_json(comparison: Comparison) -> str:
    """Return everything as a JSON object that can be written as UTF-8: values as stored, not as shown."""
    document = asdict(comparison)
    for benchmark, result in zip(document['benchmarks'], comparison.benchmarks, strict=True):
        for version, found in zip(benchmark['versions'], result.versions, strict=True):
            for model, of_model in zip(version['models'], found.models, strict=True):
                model['ranks'] = {'best': of_model.ranks.best, 'worst': of_model.ranks.worst}
            for pair, of_pair in zip(version['pairs'], found.pairs, strict=True):
                pair['separated'] = of_pair.separated
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    return text.encode('utf-8', 'backslashreplace').decode('utf-8')


def _document(comparison: Comparison, *, heading: str, table: str, code: str) -> str:
    parts = []
    for result in comparison.benchmarks:
        parts.append(heading.format(shown.heading(result)))
        if len(result.versions) > 1:
            parts += _side_by_side(result, table)
        for version in result.versions:
            if len(result.versions) > 1:
                parts.append(f'By {shown.version_name(version)}:')
            parts.append(
                _table([shown.model_row(found, result) for found in version.models], shown.MODEL_HEADERS, table)
            )
            if version.pairs:
                rows = [shown.pair_row(found, result) for found in version.pairs]
                parts.append(_table(*_without_empty_columns(rows, shown.PAIR_HEADERS), table))
            parts.append(shown.conclusion(version, result))
            parts += shown.notes(version)
            parts += [f'({shown.methods(version, comparison)})', code.format(version.signature)]
    return '\n\n'.join(parts) + '\n'


def _side_by_side(result: BenchmarkResult, table: str) -> list[str]:
    headers = ('model', *(shown.version_name(version) for version in result.versions))
    sentences = shown.reversal_sentences(result) or ['No pair of models changes places.']
    return [_table(shown.ranking_rows(result), headers, table), '\n'.join(sentences)]


def _table(rows: Sequence[Sequence[str]], headers: Sequence[str], style: str) -> str:
    from tabulate import tabulate

    if style == 'github':
        rows = [[cell.replace('|', '\\|') for cell in row] for row in rows]
    return tabulate(rows, headers=headers, tablefmt=style, disable_numparse=True)


def _without_empty_columns(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """Leave out the columns that say nothing in any row, which a terminal's width is too good for."""
    kept = [
        position for position in range(len(headers)) if any(row[position] not in ('-', '0', '0 : 0') for row in rows)
    ]
    return [[row[position] for position in kept] for row in rows], [headers[position] for position in kept]
