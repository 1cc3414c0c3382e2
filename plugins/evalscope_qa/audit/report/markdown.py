"""Writes an audit's report as a Markdown page."""

from pathlib import Path

from ...wording import counted, describe, one_line
from ..results import FAILED, NOT_APPLICABLE, PASSED, AuditReport, Group
from .summary import audited_results, best_example, best_examples, example_text, not_audited, rule_counts, summary_line

_IN_TABLE = 130
"""Characters of a reply or gold shown in a table."""
_EXAMPLES = 3
"""Shown of a cause."""


def write_markdown(report: AuditReport, path: Path) -> None:
    """Write the report; links to the rules are relative to the page's folder."""
    path.write_text(markdown(report), encoding='utf-8')


def markdown(report: AuditReport) -> str:
    """Return the report as Markdown."""
    blocks = [
        f'# Audit of evalscope {report.evalscope_version}',
        'Canned replies were replayed through the scoring of every benchmark below: no model, no dataset, no network. '
        'The questions are the examples that evalscope ships, with the gold answer varied. [audit.md](audit.md) says '
        'what each rule demands, and why. Every reply shown was scored, and anyone can type it.',
        f'evalscope {report.evalscope_version}, evalscope-qa {report.package_version}, '
        f'Python {report.python_version}.\n'
        f'{summary_line(report)}',
        _causes(report),
        *(_details(number, group) for number, group in enumerate(report.groups(), start=1)),
        _rules(report),
        _not_audited(report),
        _clean(report),
        _notes(report),
    ]
    return '\n\n'.join(block for block in blocks if block) + '\n'


def _causes(report: AuditReport) -> str:
    if not report.groups():
        return '## Causes\n\nNothing was found.'
    rows = [
        '## Causes',
        '',
        'Ranked by the number of benchmarks that each reaches.',
        '',
        '| # | benchmarks | rule | function | reply, and the gold for which it scores |',
        '|--:|--:|---|---|---|',
    ]
    for number, group in enumerate(report.groups(), start=1):
        _, example = best_example(group)
        gold = f', gold {code(describe(example.gold, _IN_TABLE))}' if example.gold else ''
        rows.append(
            f'| [{number}](#cause-{number}) | {len(group.benchmarks)} | {_rule_links(group)} '
            f'| {code(_short(group.cause))} | {code(describe(example.reply, _IN_TABLE))}{gold} |'
        )
    return '\n'.join(rows)


def _rule_links(group: Group) -> str:
    return ', '.join(f'[{rule.id}](audit.md#{rule.id})' for rule in group.rules)


def _short(cause: str) -> str:
    """Return a dotted name without the parts that say little."""
    return cause.removeprefix('evalscope.').removeprefix('benchmarks.')


def _details(number: int, group: Group) -> str:
    location = f' in {code(group.location)}' if group.location else ''
    lines = [
        f'<a id="cause-{number}"></a>',
        f'### {number}. {group.fault}: {code(group.cause.rpartition(".")[2] or group.cause)}',
        '',
        f'{code(group.cause)}{location}, {counted(len(group.benchmarks), "benchmark")}: {", ".join(group.benchmarks)}.',
        '',
    ]
    lines += [f'- {benchmark}: {code(example_text(example))}' for benchmark, example in best_examples(group, _EXAMPLES)]
    details = sorted({finding.detail for finding in group.findings if finding.detail})
    if details:
        lines += ['', f'What happens: {code(details[0])}']
    return '\n'.join(lines)


def code(text: str) -> str:
    """Return text as Markdown code on one line, safe in a table."""
    shown = one_line(text)
    if text.strip() and text.isprintable():
        shown = text
    fence = '`'
    while fence in shown:
        fence += '`'
    padding = ' ' if shown.startswith('`') or shown.endswith('`') else ''
    return f'{fence}{padding}{shown}{padding}{fence}'.replace('|', '\\|')


def _rules(report: AuditReport) -> str:
    counts = rule_counts(report)
    rows = [
        '## Rules',
        '',
        '| rule | demands | kept | broken | nothing to try |',
        '|---|---|--:|--:|--:|',
    ]
    for known in report.rules:
        counted = counts[known.id]
        if counted:
            rows.append(
                f'| [{known.id}](audit.md#{known.id}) | {known.demand} | {counted[PASSED]} | {counted[FAILED]} '
                f'| {counted[NOT_APPLICABLE]} |'
            )
    return '\n'.join(rows)


def _not_audited(report: AuditReport) -> str:
    reasons = not_audited(report)
    if not reasons:
        return ''
    count = sum(len(names) for _, names in reasons)
    lines = [
        '## Could not be audited',
        '',
        f'{counted(count, "benchmark")}. Nothing is known about their scores; none counts as clean.',
        '',
    ]
    lines += [f'- {plain(reason)}: {", ".join(names)}' for reason, names in reasons]
    return '\n'.join(lines)


def plain(text: str) -> str:
    """Return text with what Markdown would interpret escaped, and without the user's home folder."""
    text = text.replace(str(Path.home()), '~')
    for character in '\\`*_<>[]|':
        text = text.replace(character, f'\\{character}')
    return text


def _clean(report: AuditReport) -> str:
    with_findings = {finding.benchmark for finding in report.findings}
    clean = [result.benchmark for result in audited_results(report) if result.benchmark not in with_findings]
    if not clean:
        return ''
    return f'## Without findings\n\n{len(clean)} of the audited benchmarks: {", ".join(clean)}.'


def _notes(report: AuditReport) -> str:
    notes: dict[str, list[str]] = {}
    for result in report.results:
        for note in result.notes:
            notes.setdefault(note, []).append(result.benchmark)
    if not notes:
        return ''
    return '\n'.join(
        ['## Notes', '', *(f'- {plain(note)}: {", ".join(names)}' for note, names in sorted(notes.items()))]
    )
