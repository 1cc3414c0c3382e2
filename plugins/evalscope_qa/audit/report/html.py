"""Writes an audit's report as one HTML file: no outside resources, everything escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from ...wording import counted, one_line
from ..results import FAILED, NOT_APPLICABLE, PASSED, AuditReport, Example, Finding, Group
from .summary import audited_results, best_examples, example_text, not_audited, rule_counts, summary_line

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --bad: #c0392b; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
body, td { overflow-wrap: break-word; }
table { border-collapse: collapse; width: 100%; }
td, th { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
th { background: var(--soft); } td.word, td.number, th { white-space: nowrap; } td.number { text-align: right; }
td.prose { min-width: 12rem; } td.reply { min-width: 20rem; }
code { font: 13px/1.4 ui-monospace, monospace; background: var(--soft); padding: 0 .25rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: .3rem; margin: .4rem 0; padding: .3rem .6rem; }
details details { margin-left: .6rem; } summary { cursor: pointer; }
.count { display: inline-block; min-width: 2.2rem; text-align: right; font-weight: 600; color: var(--bad); }
.rule { font-size: 12px; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem; white-space: nowrap; }
.example { display: block; }
.filter { display: flex; gap: .5rem 1rem; flex-wrap: wrap; align-items: center; position: sticky; top: 0;
  padding: .5rem 0; background: Canvas; } .filter input, .filter select { font: inherit; max-width: 100%; }
.warning { border: 1px solid var(--bad); padding: .4rem .7rem; border-radius: .3rem; }
@media (max-width: 60rem) {
  body { margin: 1rem auto; } details { padding: .3rem .4rem; } details details { margin-left: 0; }
  table, tbody, tr, td, td.word, td.number { display: block; white-space: normal; text-align: left; min-width: 0; }
  tr[hidden], tr.head { display: none; } tr { border: 1px solid var(--line); margin: .4rem 0; padding: .2rem .4rem; }
  td { border: 0; padding: .1rem 0; } td:empty { display: none; }
  td::before { content: attr(data-label) ': '; font-weight: 600; }
}
"""

_SCRIPT = """
const rule = document.getElementById('rule'), name = document.getElementById('benchmark');
const shown = document.getElementById('shown'), groups = [...document.querySelectorAll('details.group')];
function filter() {
  const wanted = name.value.trim().toLowerCase();
  let count = 0;
  for (const group of groups) {
    const names = new Set();
    for (const finding of group.querySelectorAll('details.finding')) {
      const data = finding.dataset;
      finding.hidden = (rule.value && data.rule !== rule.value) || !data.benchmark.toLowerCase().includes(wanted);
      if (!finding.hidden) { names.add(data.benchmark); count += 1; }
    }
    group.hidden = !names.size;
    group.querySelector('.count').textContent = names.size;
  }
  for (const row of document.querySelectorAll('tr[data-benchmark]')) {
    row.hidden = wanted && !row.dataset.benchmark.toLowerCase().includes(wanted);
  }
  shown.textContent = count + ' findings shown';
}
rule.addEventListener('change', filter);
name.addEventListener('input', filter);
filter();
"""


def write_html(report: AuditReport, path: Path) -> None:
    """Write the report."""
    # A reply may hold a lone surrogate, which UTF-8 cannot; the browser is shown its escape.
    path.write_text(html(report), encoding='utf-8', errors='backslashreplace')


def html(report: AuditReport) -> str:
    """Return the report as an HTML document."""
    title = f'Audit of evalscope {report.evalscope_version}'
    parts = [
        '<!DOCTYPE html>',
        '<html lang="en"><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<title>{escape(title)}</title><style>{_STYLE}</style></head><body>',
        f'<h1>{escape(title)}</h1>',
        f'<p>{escape(summary_line(report))}</p>',
        f'<p>evalscope {escape(report.evalscope_version)}, evalscope-qa {escape(report.package_version)}, Python '
        f'{escape(report.python_version)}, {report.seconds:g} s.</p>',
    ]
    if report.interrupted:
        parts.append(f'<p class="warning">Interrupted. Not reached: {escape(", ".join(report.not_reached))}</p>')
    parts += [_filter(report), '<h2>Findings by cause</h2>']
    parts += [_group(group) for group in report.groups()] or ['<p>Nothing was found.</p>']
    parts += [_rules(report), _not_audited(report), _benchmarks(report)]
    parts.append(f'<script>{_SCRIPT}</script></body></html>\n')
    return '\n'.join(parts)


def _table(columns: Sequence[tuple[str, str]], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return a table that a narrow screen shows as one block a row.

    Args:
        columns: Title and kind of each column: ``word`` is not broken, ``number`` neither and to the right, ``prose``
            and ``reply`` are given room.
        rows: Attributes and cells of each row, as HTML.
    """
    head = ''.join(f'<th>{escape(title)}</th>' for title, _ in columns)
    lines = [
        f'<tr{attributes}>'
        + ''.join(
            f'<td class="{kind}" data-label="{escape(title)}">{cell}</td>'
            for (title, kind), cell in zip(columns, cells, strict=True)
        )
        + '</tr>'
        for attributes, cells in rows
    ]
    return f'<table><tr class="head">{head}</tr>{"".join(lines)}</table>'


def _filter(report: AuditReport) -> str:
    broken = sorted({finding.rule for finding in report.findings})
    options = ''.join(f'<option value="{escape(rule_id)}">{escape(rule_id)}</option>' for rule_id in broken)
    names = ''.join(f'<option value="{escape(result.benchmark)}">' for result in report.results)
    return (
        '<div class="filter"><label>Rule <select id="rule"><option value="">all</option>'
        f'{options}</select></label><label>Benchmark <input id="benchmark" list="benchmarks" placeholder="all"></label>'
        f'<datalist id="benchmarks">{names}</datalist><span id="shown"></span></div>'
    )


def _group(group: Group) -> str:
    location = f' <small>{escape(group.location)}</small>' if group.location else ''
    order = [rule.id for rule in group.rules]
    findings = sorted(group.findings, key=lambda finding: (order.index(finding.rule), finding.benchmark))
    inner = ''.join(_finding(finding) for finding in findings)
    rules = ' '.join(f'<span class="rule">{escape(rule.id)}</span>' for rule in group.rules)
    demands = ''.join(f'<p>{escape(rule.demand)}</p>' for rule in group.rules)
    examples = ''.join(
        f'<span class="example">{escape(example_text(example))}</span>'
        for _, example in best_examples(group, len(group.rules))
    )
    return (
        f'<details class="group"><summary><span class="count">{len(group.benchmarks)}</span> {escape(group.fault)} '
        f'{rules}<br><code>{escape(group.cause)}</code>{location}{examples}</summary>{demands}{inner}</details>'
    )


def _finding(finding: Finding) -> str:
    detail = f'<p>{escape(finding.detail)}</p>' if finding.detail else ''
    more = finding.count - len(finding.examples)
    rest = f'<p>{counted(more, "more case")}.</p>' if more > 0 else ''
    return (
        f'<details class="finding" data-benchmark="{escape(finding.benchmark)}" data-rule="{escape(finding.rule)}">'
        f'<summary>{escape(finding.benchmark)} <span class="rule">{escape(finding.rule)}</span></summary>{detail}'
        f'{_examples(finding.examples)}{rest}</details>'
    )


_EXAMPLE_COLUMNS = (
    ('reply', 'reply'),
    ('gold', 'prose'),
    ('metric', 'word'),
    ('score', 'number'),
    ('allowed', 'prose'),
)


def _examples(examples: list[Example]) -> str:
    return _table(
        _EXAMPLE_COLUMNS,
        (
            (
                '',
                (
                    f'<code>{escape(one_line(example.reply))}</code>',
                    escape(example.gold),
                    escape(example.metric),
                    '' if example.score is None else f'{example.score:g}',
                    escape(example.expected),
                ),
            )
            for example in examples
        ),
    )


_RULE_COLUMNS = (
    ('rule', 'word'),
    ('demands', 'prose'),
    ('kept', 'number'),
    ('broken', 'number'),
    ('nothing to try', 'number'),
)


def _rules(report: AuditReport) -> str:
    counts = rule_counts(report)
    rows = (
        ('', (escape(known.id), escape(known.demand), *(str(counts[known.id][status]) for status in _STATUSES)))
        for known in report.rules
        if counts[known.id]
    )
    return f'<h2>Rules</h2>{_table(_RULE_COLUMNS, rows)}'


_STATUSES = (PASSED, FAILED, NOT_APPLICABLE)


def _not_audited(report: AuditReport) -> str:
    reasons = not_audited(report)
    if not reasons:
        return ''
    rows = (('', (escape(reason), escape(', '.join(names)))) for reason, names in reasons)
    return f'<h2>Could not be audited</h2>{_table((("reason", "prose"), ("benchmarks", "prose")), rows)}'


_BENCHMARK_COLUMNS = (
    ('benchmark', 'word'),
    ('version', 'word'),
    ('questions from', 'prose'),
    ('questions', 'number'),
    ('replies', 'number'),
    ('rules broken', 'prose'),
    ('notes', 'prose'),
)


def _benchmarks(report: AuditReport) -> str:
    rows = []
    for result in audited_results(report):
        broken = sorted(rule_id for rule_id, outcome in result.rules.items() if outcome.status == FAILED)
        cells = (
            escape(result.benchmark),
            escape(result.evaluation_version),
            escape(result.source),
            str(result.questions),
            str(result.replies),
            escape(', '.join(broken)) or 'none',
            escape('; '.join(result.notes)),
        )
        rows.append((f' data-benchmark="{escape(result.benchmark)}"', cells))
    return f'<h2>Audited benchmarks</h2>{_table(_BENCHMARK_COLUMNS, rows)}'
