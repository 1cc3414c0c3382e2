"""Writes an audit's report as a Markdown page: lists and cards, which wrap on a narrow screen."""

from pathlib import Path

from ...wording import counted, one_line
from ..results import FAILED, NOT_APPLICABLE, PASSED, AuditReport
from .causes import CauseCard, Section, effect_text, in_short, sections, short_name
from .examples import example_text
from .severity import SEVERITIES
from .summary import audited_results, introduction, not_audited, rule_counts, summary_line, title

_NAMES_IN_LINE = 6
"""Benchmarks that are named in a line; more are folded."""


def write_markdown(report: AuditReport, path: Path) -> None:
    """Write the report; links to the rules are relative to the page's folder."""
    path.write_text(markdown(report), encoding='utf-8', errors='backslashreplace')


def markdown(report: AuditReport) -> str:
    """Return the report as Markdown."""
    found = sections(report)
    blocks = [
        f'# {plain(title(report))}',
        introduction(report, '[audit.md](audit.md)'),
        f'evalscope {report.evalscope_version}, evalscope-qa {report.package_version}, Python {report.python_version}.',
        summary_line(report),
        *(_contents(section) for section in found),
        _severities(report) if found else '## Causes\n\nNothing was found.',
        *(block for section in found for block in _section(section, report)),
        _rules(report),
        _not_audited(report),
        _clean(report),
        _notes(report),
    ]
    return '\n\n'.join(block for block in blocks if block) + '\n'


def _contents(section: Section) -> str:
    lines = [f'**[{section.title}](#{section.id})**', '']
    for card in section.cards:
        lines.append(
            f'{card.number}. [{code(short_name(card))}](#cause-{card.number}), {card.reach}, weight {card.weight}: '
            f'{_uncapitalised(card.group.fault)}'
        )
    return '\n'.join(lines)


def _severities(report: AuditReport) -> str:
    lines = [
        '## How severe, and in what order',
        '',
        f'A cause stands where its weight puts it: the sum, over the {report.noun}s that it reaches, of the heaviest '
        'that was measured there.',
        '',
    ]
    lines += [f'- **{row.weight}**: {row.measured}, because {row.reason}.' for row in SEVERITIES]
    return '\n'.join(lines)


def _section(section: Section, report: AuditReport) -> list[str]:
    return [
        f'<a id="{section.id}"></a>\n\n## {section.title}\n\n{section.text}',
        *(_card(card, report) for card in section.cards),
    ]


def _card(card: CauseCard, report: AuditReport) -> str:
    group = card.group
    rules = ', '.join(f'[{rule.id}](audit.md#{rule.id})' for rule in group.rules)
    location = f' in {code(group.location)}' if group.location else ''
    blocks = [
        f'<a id="cause-{card.number}"></a>\n\n### {card.number}. {code(short_name(card))}',
        f'{group.fault}.\n\n{code(group.cause)}{location}. Rules: {rules}. Weight: {card.sum}.',
    ]
    blocks += [
        f'**{row.sort}**, {benchmark}: {plain(row.shown)}{f" [Source](https://{row.source})" if row.source else ""}'
        for benchmark, row in card.explained
    ]
    blocks += [f'**Only where** {plain(condition)}.' for condition in card.conditions]
    if card.call:
        blocks.append(fenced(card.call))
    lines = [f'- {benchmark}: {code(example_text(example))}' for benchmark, example in card.examples]
    if card.detail:
        lines.append(f'- What happens: {code(card.detail)}')
    if card.effect is not None:
        benchmark, effect = card.effect
        lines.append(f'- What {code(in_short(effect.reply))} does: {plain(effect_text(benchmark, effect))}.')
    lines += [f'- Note: {benchmark}: {plain(note)}' for benchmark, note in card.notes]
    lines += [
        f'- The same function: [{number}](#cause-{number}), {_uncapitalised(title)}' for number, title in card.also
    ]
    lines.append(f'- Again: {code(card.command(report.plugins))}')
    blocks.append('\n'.join(lines))
    names = ', '.join(group.benchmarks)
    reach = card.reach
    blocks.append(
        f'{reach.capitalize()}.'
        if card.reaches_all
        else f'{reach}: {names}.'
        if len(group.benchmarks) <= _NAMES_IN_LINE
        else f'<details><summary>{reach}</summary>\n\n{names}\n\n</details>'
    )
    return '\n\n'.join(blocks)


def _uncapitalised(text: str) -> str:
    return f'{text[:1].lower()}{text[1:]}'


def code(text: str) -> str:
    """Return text as Markdown code on one line."""
    shown = one_line(text)
    if text.strip() and text.isprintable():
        shown = text
    fence = '`'
    while fence in shown:
        fence += '`'
    padding = ' ' if shown.startswith('`') or shown.endswith('`') else ''
    return f'{fence}{padding}{shown}{padding}{fence}'


def fenced(source: str) -> str:
    """Return Python as a block of code, whatever it holds.

    >>> print(fenced('print(1)'))
    ```python
    print(1)
    ```
    """
    fence = '```'
    while fence in source:
        fence += '`'
    return f'{fence}python\n{source}\n{fence}'


def _rules(report: AuditReport) -> str:
    counts = rule_counts(report)
    rows = ['## Rules', '', '| rule | kept | broken | nothing to try |', '|---|--:|--:|--:|']
    for known in report.rules:
        row = counts[known.id]
        if row:
            rows.append(
                f'| [{known.id}](audit.md#{known.id}) | {row[PASSED]} | {row[FAILED]} | {row[NOT_APPLICABLE]} |'
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
        f'{counted(count, report.noun)}. Nothing is known about their scores; none counts as clean.',
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
    return f'## Without findings\n\n{len(clean)} of the audited {report.noun}s: {", ".join(clean)}.'


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
