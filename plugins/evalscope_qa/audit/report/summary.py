"""What every form of the report says in words: the outcome in a few sentences, reasons and counts."""

from collections import Counter

from ...wording import counted
from ..results import AUDITED, FRAMEWORK, AuditReport, BenchmarkResult
from .causes import sections


def title(report: AuditReport) -> str:
    """Return what was audited, for a heading: callables by their names, benchmarks by their evalscope."""
    if report.noun == 'callable':
        return f'Audit of {", ".join(result.benchmark for result in report.results)}'
    return f'Audit of evalscope {report.evalscope_version}'


def introduction(report: AuditReport, rules: str) -> str:
    """Return what was done, in a few sentences.

    Args:
        report: The report.
        rules: What names the page of the rules.
    """
    questions = 'those of the file' if report.noun == 'callable' else 'the examples that come with it'
    return (
        f'Canned replies were replayed through the scoring of every {report.noun} below: no model, no dataset, no '
        f'network. The questions are {questions}, with the gold answer varied. {rules} says what each rule demands, '
        'and why. Every reply shown was scored, and every call shown was run.'
    )


def summary_line(report: AuditReport) -> str:
    """Return the outcome in a few sentences."""
    text = ' '.join(summary_sentences(report))
    if report.interrupted:
        text += f' INTERRUPTED: {len(report.not_reached)} more were not reached.'
    return text


def summary_sentences(report: AuditReport) -> list[str]:
    """Return what was audited, what became of it, and what the numbers count."""
    benchmarks = [result.benchmark for result in report.results if result.benchmark != FRAMEWORK]
    audited = {result.benchmark for result in audited_results(report)} - {FRAMEWORK}
    faulty = {finding.benchmark for finding in report.findings} - {FRAMEWORK}
    others = len(benchmarks) - len(audited)
    kept, broke, found = len(audited - faulty), len(audited & faulty), len(report.findings)
    extra = f', of which {len(faulty - audited)} broke a rule that needs no right answer' if faulty - audited else ''
    sentences = [
        f'{counted(len(benchmarks), report.noun)}: {len(audited)} audited, of which {broke} broke a rule and '
        f'{kept} kept all; {others} could not be audited{extra}.',
        f'{counted(found, "finding")} in {counted(len(faulty), report.noun)}{_by_section(report)}.',
    ]
    if found > len(faulty):
        sentences.append(
            f'A finding is one rule that one {report.noun} breaks in one function, so a {report.noun} may have '
            f'several; a cause is a function, and may be at work in many {report.noun}s.'
        )
    return sentences


def _by_section(report: AuditReport) -> str:
    parts = [f'{counted(len(section.cards), "cause")} {section.sort}'.strip() for section in sections(report)]
    return f': {", ".join(parts)}' if parts else ''


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


def rule_counts(report: AuditReport) -> dict[str, Counter]:
    """Return for each rule how many benchmarks passed it, failed it, or gave it nothing to try."""
    return {
        known.id: Counter(result.rules[known.id].status for result in report.results if known.id in result.rules)
        for known in report.rules
    }
