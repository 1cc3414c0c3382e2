"""Which replies of a cause are shown, and how."""

from collections import Counter
from itertools import zip_longest

from ...wording import counted, one_line
from ..results import Example, Group


def example_text(example: Example) -> str:
    """Return an example as a sentence."""
    gold = f' where the gold is {one_line(example.gold)}' if example.gold else ''
    return f'{one_line(example.reply)}{gold}{_outcome(example)}; allowed: {example.expected}'


def _outcome(example: Example) -> str:
    if example.score is None:
        return ''
    if example.metric == 'seconds':
        return f' takes {example.score:g} s or more'
    if example.metric == 'num':
        return f' is counted {counted(int(example.score), "time")}'
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


def _typeable(reply: str) -> bool:
    return reply.isprintable() and len(reply.split()) >= 2
