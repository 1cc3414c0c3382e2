"""What every form of the report says in words: the outcome in a sentence, reasons, examples and counts."""

from collections import Counter
from itertools import zip_longest

from ...wording import counted, one_line
from ..results import AUDITED, AuditReport, BenchmarkResult, Example, Group


def summary_line(report: AuditReport) -> str:
    """Return the outcome in one sentence."""
    audited = {result.benchmark for result in audited_results(report)}
    faulty = {finding.benchmark for finding in report.findings}
    others = len(report.results) - len(audited)
    text = (
        f'{counted(len(report.results), "benchmark")}: {len(audited)} audited, {len(audited & faulty)} with findings '
        f'and {len(audited - faulty)} without; {others} could not be audited'
        + (f', {len(faulty - audited)} of them with findings all the same' if faulty - audited else '')
        + f'. {counted(len(report.findings), "finding")} of {counted(len(report.groups()), "cause")}.'
    )
    if report.interrupted:
        text += f' INTERRUPTED: {len(report.not_reached)} more were not reached.'
    return text


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


def example_text(example: Example) -> str:
    """Return an example as a sentence."""
    gold = f' where the gold is {one_line(example.gold)}' if example.gold else ''
    return f'{one_line(example.reply)}{gold}{_outcome(example)}; allowed: {example.expected}'


def _outcome(example: Example) -> str:
    if example.score is None:
        return ''
    if example.metric == 'seconds':
        return f' takes {example.score:g} s'
    return f' scores {example.score:g} on {example.metric}'


def best_examples(group: Group, number: int) -> list[tuple[str, Example]]:
    """Return the most telling examples of a group, each with its benchmark: so many, or one a rule; no reply twice.

    That is silence, then plain words without the gold that many of its benchmarks credit; the rules come by turns.
    """
    best: dict[str, tuple[str, Example]] = {}
    ranked = [iter(_ranked(group, rule.id)) for rule in group.rules]
    for rank in zip_longest(*ranked):
        for pair in rank:
            if pair is not None and len(best) < max(number, len(group.rules)):
                best.setdefault(pair[1].reply, pair)
    return list(best.values())


def _ranked(group: Group, rule: str) -> list[tuple[str, Example]]:
    pairs = [
        (finding.benchmark, example)
        for finding in group.findings
        if finding.rule == rule
        for example in finding.examples
    ]
    reach = Counter(example.reply for _, example in pairs)

    def rank(pair: tuple[str, Example]) -> tuple:
        benchmark, example = pair
        typeable = _typeable(example.reply)
        return (
            example.reply != '',
            not typeable,
            example.names_gold,
            -reach[example.reply],
            len(example.reply),
            benchmark,
        )

    return sorted(pairs, key=rank)


def best_example(group: Group) -> tuple[str, Example]:
    """Return the most telling example of a group, and its benchmark."""
    return best_examples(group, 1)[0]


def _typeable(reply: str) -> bool:
    return reply.isprintable() and len(reply.split()) >= 2


def rule_counts(report: AuditReport) -> dict[str, Counter]:
    """Return for each rule how many benchmarks passed it, failed it, or gave it nothing to try."""
    return {
        known.id: Counter(result.rules[known.id].status for result in report.results if known.id in result.rules)
        for known in report.rules
    }
