"""Writes a comparison as one HTML file without outside resources: interval plots, matrices of pairs, tables."""

from collections.abc import Iterable, Sequence
from html import escape

from . import shown
from .results import BenchmarkResult, Comparison, ModelResult, PairResult, VersionResult

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --mark: #2a6fdb; --better: #2a9d5544;
  --worse: #c0392b44; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .3rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
.plot { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr max-content; gap: .3rem .8rem;
  align-items: center; }
.plot .name { overflow-wrap: anywhere; } .plot .value { text-align: right; font-variant-numeric: tabular-nums; }
.track { position: relative; height: 1.3rem; background: var(--soft); border-radius: .2rem; }
.bar { position: absolute; top: .5rem; height: .3rem; background: var(--mark); opacity: .55; border-radius: .15rem;
  min-width: 2px; }
.dot { position: absolute; top: .3rem; width: .7rem; height: .7rem; margin-left: -.35rem; border-radius: 50%;
  background: var(--mark); }
.axis { display: flex; justify-content: space-between; font-size: 12px; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; margin: .3rem 0; }
td, th { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
th { background: var(--soft); font-weight: 600; }
.matrix td, .matrix th.n { text-align: center; font-variant-numeric: tabular-nums; padding: .25rem .35rem; }
.matrix th { overflow-wrap: anywhere; } .matrix small { display: block; opacity: .75; }
.better { background: var(--better); } .worse { background: var(--worse); } .same { background: var(--soft); }
code { font: 12px/1.4 ui-monospace, monospace; background: var(--soft); padding: 0 .25rem; overflow-wrap: anywhere; }
.small { font-size: 13px; opacity: .85; } .known { font-weight: 600; }
@media (max-width: 600px) {
  body { font-size: 14px; } .plot { grid-template-columns: 1fr max-content; }
  .plot { grid-auto-flow: dense; } .plot .name { grid-column: 1; } .plot .value { grid-column: 2; }
  .plot .track, .plot .axis { grid-column: 1 / -1; } .plot .corner { display: none; }
  .matrix td, .matrix th.n { padding: .2rem .15rem; font-size: 12px; } .matrix th { font-size: 12px; }
  .rows th { display: none; } .rows, .rows tbody, .rows tr { display: block; }
  .rows tr { border-bottom: 2px solid var(--line); padding: .3rem 0; }
  .rows td { display: grid; grid-template-columns: 8.5rem 1fr; border: 0; padding: .05rem .2rem;
    overflow-wrap: anywhere; }
  .rows td::before { content: attr(data-label); opacity: .75; }
}
"""


def to_html(comparison: Comparison) -> str:
    """Return the comparison as an HTML document."""
    names = ', '.join(dict.fromkeys(result.benchmark for result in comparison.benchmarks))
    parts = [
        '<!DOCTYPE html>',
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<title>Comparison: {escape(names)}</title><style>{_STYLE}</style></head><body>',
        '<h1>Which model is better, and is that known?</h1>',
    ]
    for result in comparison.benchmarks:
        parts.append(f'<h2>{escape(shown.heading(result))}</h2>')
        if len(result.versions) > 1:
            parts += _side_by_side(result)
        for version in result.versions:
            parts += _version(version, result, comparison)
    parts.append('</body></html>\n')
    return '\n'.join(parts)


def _version(version: VersionResult, result: BenchmarkResult, comparison: Comparison) -> Iterable[str]:
    yield f'<h3>{escape(shown.version_name(version).capitalize())}</h3>'
    yield f'<p class="known">{escape(shown.conclusion(version, result))}</p>'
    yield _plot(version, result)
    if version.pairs:
        yield _matrix(version, result)
    yield _table([shown.model_row(found, result) for found in version.models], shown.MODEL_HEADERS)
    if version.pairs:
        yield _table([shown.pair_row(found, result) for found in version.pairs], shown.PAIR_HEADERS)
    yield from (f'<p class="small">{escape(note)}</p>' for note in shown.notes(version))
    yield f'<p class="small">{escape(shown.methods(version, comparison))}</p>'
    yield f'<p><code>{escape(version.signature)}</code></p>'


def _plot(version: VersionResult, result: BenchmarkResult) -> str:
    """Return the interval plot: a dot for the value, a bar for the interval, one axis for all models."""
    low, high = _axis(version.models)
    span = high - low

    def percent(value: float) -> str:
        return f'{100 * (value - low) / span:.2f}%'

    rows = []
    for found in version.models:
        bar = ''
        if found.interval.low is not None and found.interval.high is not None:
            width = f'{100 * (found.interval.high - found.interval.low) / span:.2f}%'
            bar = f'<span class="bar" style="left:{percent(found.interval.low)};width:{width}"></span>'
        text = f'{shown.number(found.interval.value, result.scale)} {shown.interval(found.interval, result.scale)}'
        rows.append(
            f'<span class="name">{escape(shown.ranks(found, result))}. {escape(found.model)}</span>'
            f'<span class="track" role="img" aria-label="{escape(text)}">{bar}'
            f'<span class="dot" style="left:{percent(found.interval.value)}"></span></span>'
            f'<span class="value">{escape(text)}</span>'
        )
    ticks = ''.join(f'<span>{shown.number(low + span * step / 4, result.scale)}</span>' for step in range(5))
    return (
        f'<div class="plot">{"".join(rows)}<span class="corner"></span><span class="axis">{ticks}</span>'
        '<span class="corner"></span></div>'
    )


def _axis(models: Sequence[ModelResult]) -> tuple[float, float]:
    """Return the ends of the axis: all intervals, with a margin, and not beyond 0 and 1 where no value is."""
    values = [
        value
        for found in models
        for value in (found.interval.low, found.interval.value, found.interval.high)
        if value is not None
    ]
    low, high = min(values), max(values)
    margin = 0.08 * (high - low) or 0.05 * max(1.0, abs(high))
    bottom = max(0.0, low - margin) if low >= 0 else low - margin
    top = min(1.0, high + margin) if high <= 1 else high + margin
    return bottom, top


def _matrix(version: VersionResult, result: BenchmarkResult) -> str:
    """Return the matrix of pairs: the row's model minus the column's, coloured where a test separates them."""
    models = [found.model for found in version.models]
    pairs = {(found.first, found.second): found for found in version.pairs}
    head = ''.join(f'<th class="n" title="{escape(name)}">{number}</th>' for number, name in enumerate(models, 1))
    rows = []
    for number, row in enumerate(models, 1):
        cells = ''.join(_cell(row, column, pairs, result) for column in models)
        rows.append(f'<tr><th>{number} {escape(row)}</th>{cells}</tr>')
    return (
        '<h3>Row minus column, and p after Holm\'s correction</h3><div class="wide"><table class="matrix">'
        f'<tr><th></th>{head}</tr>{"".join(rows)}</table></div>'
    )


def _cell(row: str, column: str, pairs: dict[tuple[str, str], PairResult], result: BenchmarkResult) -> str:
    found, sign = pairs.get((row, column)), 1
    if found is None:
        found, sign = pairs.get((column, row)), -1
    if found is None:
        return '<td class="same"></td>'
    value = sign * found.interval.value
    ahead = value < 0 if result.higher_is_better is False else value > 0
    style = f' class="{"better" if ahead else "worse"}"' if found.separated else ''
    return (
        f'<td{style}>{shown.difference(value or 0.0, result.scale)}<small>{escape(shown.p_value(found.corrected_p))}'
        '</small></td>'
    )


def _side_by_side(result: BenchmarkResult) -> list[str]:
    headers = ('model', *(shown.version_name(version) for version in result.versions))
    sentences = shown.reversal_sentences(result) or ['No pair of models changes places.']
    return [_table(shown.ranking_rows(result), headers), *(f'<p>{escape(sentence)}</p>' for sentence in sentences)]


def _table(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    head = ''.join(f'<th>{escape(name)}</th>' for name in headers)
    body = ''.join(f'<tr>{"".join(map(_labelled, headers, row))}</tr>' for row in rows)
    return f'<div class="wide"><table class="rows"><tr>{head}</tr>{body}</table></div>'


def _labelled(header: str, cell: str) -> str:
    """Return a cell that knows its header: a narrow page shows a row as a list."""
    return f'<td data-label="{escape(header)}">{escape(cell)}</td>'
