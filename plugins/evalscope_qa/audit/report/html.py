"""Writes an audit's report as one HTML file: no outside resources, everything escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from ...wording import counted, one_line
from ..results import FAILED, NOT_APPLICABLE, PASSED, AuditReport, Behaviour, Example, Finding
from .causes import CauseCard, Section, effect_text, in_short, sections, short_name
from .examples import example_text
from .severity import SEVERITIES
from .summary import audited_results, introduction, not_audited, rule_counts, summary_sentences, title

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --bad: #c0392b; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 1.5rem auto; padding: 0 1rem;
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.3rem; margin-top: 2.5rem; } h3 { font-size: 1.05rem;
  margin: 0 0 .4rem; } p { margin: .4rem 0; }
code, pre { font: 14px/1.45 ui-monospace, monospace; background: var(--soft); white-space: pre-wrap; }
code { padding: 0 .25rem; } pre code { background: none; padding: 0; }
pre { padding: .5rem .6rem; margin: .5rem 0; border-radius: .3rem; }
article { border: 1px solid var(--line); border-radius: .4rem; margin: .8rem 0; padding: .7rem .8rem; }
ul { margin: .4rem 0; padding-left: 1.2rem; } li { margin: .2rem 0; }
ol.contents { padding-left: 2.2rem; } ol.contents li { margin: .1rem 0; }
details { margin: .4rem 0; } details details { margin: .2rem 0 .2rem .8rem; } summary { cursor: pointer; }
.count { font-weight: 600; color: var(--bad); } .weight { white-space: nowrap; }
.rule { font-size: 13px; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem; white-space: nowrap; }
.official { border-left: .25rem solid var(--line); padding-left: .6rem; }
.filter { display: flex; gap: .4rem 1rem; flex-wrap: wrap; align-items: center; position: sticky; top: 0; z-index: 1;
  padding: .5rem 0; background: Canvas; border-bottom: 1px solid var(--line); }
.filter input, .filter select { font: inherit; max-width: 100%; }
.warning { border: 1px solid var(--bad); padding: .4rem .7rem; border-radius: .3rem; }
:target { outline: 2px solid var(--bad); scroll-margin-top: 5rem; } article, h2 { scroll-margin-top: 5rem; }
:focus-visible { outline: 2px solid; outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; }
td, th { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
th { background: var(--soft); } td.word, td.number, th { white-space: nowrap; } td.number { text-align: right; }
td.prose { min-width: 10rem; } td.reply { min-width: 16rem; }
@media (max-width: 60rem) {
  body { margin: 1rem auto; padding: 0 .7rem; } article { padding: .5rem .6rem; }
  .filter { position: static; } article, h2, :target { scroll-margin-top: 0; }
  table, tbody, tr, td, td.word, td.number { display: block; white-space: normal; text-align: left; min-width: 0; }
  tr[hidden], tr.head { display: none; } tr { border: 1px solid var(--line); margin: .4rem 0; padding: .2rem .4rem; }
  td { border: 0; padding: .1rem 0; } td:empty { display: none; }
  td::before { content: attr(data-label) ': '; font-weight: 600; }
}
@media print { .filter { display: none; } }
"""

_SCRIPT = """
const rule = document.getElementById('rule'), name = document.getElementById('benchmark');
const shown = document.getElementById('shown'), groups = [...document.querySelectorAll('article.group')];
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
    document.querySelector('a[href="#' + group.id + '"]').parentElement.hidden = group.hidden;
  }
  for (const section of document.querySelectorAll('section.causes')) {
    section.hidden = !section.querySelector('article.group:not([hidden])');
  }
  for (const row of document.querySelectorAll('tr[data-benchmark]')) {
    row.hidden = wanted && !row.dataset.benchmark.toLowerCase().includes(wanted);
  }
  shown.textContent = count + (count === 1 ? ' finding shown' : ' findings shown');
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
    heading = escape(title(report))
    found = sections(report)
    parts = [
        '<!DOCTYPE html>',
        '<html lang="en"><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<title>{heading}</title><style>{_STYLE}</style></head><body>',
        f'<h1>{heading}</h1>',
        f'<p>{escape(introduction(report, "docs/audit.md of evalscope-qa"))}</p>',
        *(f'<p>{escape(sentence)}</p>' for sentence in summary_sentences(report)),
        f'<p>evalscope {escape(report.evalscope_version)}, evalscope-qa {escape(report.package_version)}, Python '
        f'{escape(report.python_version)}, {report.seconds:g} s.</p>',
    ]
    if report.interrupted:
        parts.append(f'<p class="warning">Interrupted. Not reached: {escape(", ".join(report.not_reached))}</p>')
    parts.append(_filter(report))
    parts += [_contents(section) for section in found]
    parts.append(_severities(report) if found else '<h2>Causes</h2><p>Nothing was found.</p>')
    parts += [_section(section, report) for section in found]
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
        f'{options}</select></label><label>{report.noun.capitalize()} '
        '<input id="benchmark" list="benchmarks" placeholder="all"></label>'
        f'<datalist id="benchmarks">{names}</datalist><span id="shown"></span></div>'
    )


def _contents(section: Section) -> str:
    rows = ''.join(
        f'<li value="{card.number}"><a href="#cause-{card.number}"><code>{escape(short_name(card))}</code></a> '
        f'{card.reach}, weight {card.weight}: {escape(card.group.fault)}</li>'
        for card in section.cards
    )
    return f'<nav><h2><a href="#{section.id}">{escape(section.title)}</a></h2><ol class="contents">{rows}</ol></nav>'


def _severities(report: AuditReport) -> str:
    rows = (('', (str(row.weight), escape(row.measured), escape(row.reason))) for row in SEVERITIES)
    return (
        '<details><summary>How severe, and in what order</summary><p>A cause stands where its weight puts it: the sum, '
        f'over the {report.noun}s that it reaches, of the heaviest that was measured there.</p>'
        f'{_table((("weight", "number"), ("measured", "prose"), ("because", "prose")), rows)}</details>'
    )


def _section(section: Section, report: AuditReport) -> str:
    return (
        f'<section class="causes"><h2 id="{section.id}">{escape(section.title)}</h2><p>{escape(section.text)}</p>'
        f'{"".join(_card(card, report) for card in section.cards)}</section>'
    )


def _card(card: CauseCard, report: AuditReport) -> str:
    group = card.group
    location = f' in <code>{escape(group.location)}</code>' if group.location else ''
    order = [rule.id for rule in group.rules]
    findings = sorted(group.findings, key=lambda finding: (order.index(finding.rule), finding.benchmark))
    rules = ' '.join(f'<span class="rule">{escape(rule.id)}</span>' for rule in group.rules)
    lines = [
        f'<li><span class="example">{escape(benchmark)}: <code>{escape(example_text(example))}</code></span></li>'
        for benchmark, example in card.examples
    ]
    if card.detail:
        lines.append(f'<li>What happens: <code>{escape(card.detail)}</code></li>')
    if card.effect is not None:
        benchmark, effect = card.effect
        lines.append(f'<li>What <code>{escape(in_short(effect.reply))}</code> does: ')
        lines.append(f'{escape(effect_text(benchmark, effect))}.</li>')
    lines += [f'<li>Note: {escape(benchmark)}: {escape(note)}</li>' for benchmark, note in card.notes]
    lines += [
        f'<li>The same function: <a href="#cause-{number}">{number}</a>, {escape(title)}</li>'
        for number, title in card.also
    ]
    lines.append(f'<li>Again: <code>{escape(card.command(report.plugins))}</code></li>')
    marks = ''.join(
        f'<p class="official"><strong>{row.sort}</strong>, {escape(benchmark)}: {escape(row.shown)}{_source(row)}</p>'
        for benchmark, row in card.explained
    )
    marks += ''.join(
        f'<p class="official"><strong>Only where</strong> {escape(condition)}.</p>' for condition in card.conditions
    )
    call = f'<pre><code>{escape(card.call)}</code></pre>' if card.call else ''
    return (
        f'<article class="group" id="cause-{card.number}">'
        f'<h3>{card.number}. <code>{escape(short_name(card))}</code></h3>'
        f'<p>{escape(group.fault)}. {rules}</p><p><code>{escape(group.cause)}</code>{location}</p>{marks}{call}'
        f'<ul>{"".join(lines)}</ul><p class="weight">Weight: {escape(card.sum)}</p>'
        f'<details><summary>{group.noun.capitalize()}s, with all that was found: '
        f'<span class="count">{len(group.benchmarks)}</span></summary>'
        f'{"".join(_finding(finding) for finding in findings)}</details></article>'
    )


def _source(row: Behaviour) -> str:
    return f' <a href="https://{escape(row.source)}">Source</a>' if row.source else ''


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
    return f'<h2>Could not be audited</h2>{_table((("reason", "prose"), (f"{report.noun}s", "prose")), rows)}'


_BENCHMARK_COLUMNS = (
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
    return f'<h2>Audited {report.noun}s</h2>{_table(((report.noun, "word"), *_BENCHMARK_COLUMNS), rows)}'
