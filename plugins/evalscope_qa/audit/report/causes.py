"""The causes of a report in its sections, the weightiest first, each with what shows it: what every form renders."""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...wording import counted, one_line
from ..cases.non_answers import GUESS
from ..results import AUDITED, FRAMEWORK, AuditReport, Behaviour, Effect, Example, Finding, Group
from .examples import best_examples
from .severity import Severity, severity

_MANY_MODULES = ('utils', 'parser', 'metrics')
"""Names that many modules have."""
_SHORT = 60
_READABLE = 240
"""Characters of a call that is read at a glance."""


@dataclass
class CauseCard:
    """One function to mend, in one section."""

    number: int
    group: Group
    weights: list[tuple[Severity, int]]
    """What was measured, with the number of benchmarks where nothing heavier was."""
    reaches_all: bool = False
    """Whether it is at work on every reply, whatever the benchmark."""
    explained: list[tuple[str, Behaviour]] = field(default_factory=list)
    """What explains its findings, each with the benchmark, where that is documented or official behaviour."""
    also: list[tuple[int, str]] = field(default_factory=list)
    """Numbers of the same function's causes in other sections, each with the title of its section."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """How its benchmarks were audited, each with its name, where that is so of all of them."""

    @property
    def weight(self) -> int:
        """Severity times reach: each benchmark counts with the heaviest that was measured there."""
        return sum(row.weight * count for row, count in self.weights)

    @property
    def reach(self) -> str:
        """How many benchmarks it reaches, in words."""
        return 'every benchmark' if self.reaches_all else counted(len(self.group.benchmarks), self.group.noun)

    @property
    def sum(self) -> str:
        """How the weight comes about: ``4 × 70 + 1 × 2 = 282``."""
        terms = [f'{row.weight} × {count}' for row, count in self.weights]
        return f'{" + ".join(terms)} = {self.weight}'

    @property
    def call(self) -> str:
        """A call of the function that shows it, as Python; empty where there is none."""
        examples = [example for _, example in best_examples(self.group, len(self.group.findings) * 5) if example.call]
        told = f'# raises {self.detail.partition(":")[0]}'
        calls = sorted((example.call for example in examples), key=lambda call: not call.endswith(told))
        return next((call for call in calls if len(call) <= _READABLE), next(iter(calls), ''))

    @property
    def examples(self) -> list[tuple[str, Example]]:
        """The most telling replies, each with its benchmark."""
        return best_examples(self.group, 3)

    @property
    def _order(self) -> dict[str, int]:
        """The place of each reply that is shown."""
        return {example.reply: number for number, (_, example) in enumerate(self.examples)}

    @property
    def detail(self) -> str:
        """What happened in the finding of the first reply shown that says so; empty where none does."""
        order = self._order

        def first_shown(finding: Finding) -> tuple[int, int]:
            places = [order.get(example.reply, len(order)) for example in finding.examples]
            return min(places, default=len(order)), -severity(finding).weight

        findings = sorted(self.group.findings, key=first_shown)
        return next((finding.detail.removesuffix(': ') for finding in findings if finding.detail), '')

    @property
    def conditions(self) -> list[str]:
        """What has to be so besides, where it was not looked up."""
        return sorted({finding.condition for finding in self.group.findings if finding.condition})

    @property
    def effect(self) -> tuple[str, Effect] | None:
        """How far its most telling reply moves a score, where there are most golds; None where it was not measured."""
        measured = [(finding.benchmark, finding.effect) for finding in self.group.findings if finding.effect]
        order = self._order
        common = Counter(effect.metric for _, effect in measured)

        def rank(pair: tuple[str, Effect]) -> tuple[int, int, int]:
            return order.get(pair[1].reply, len(order)), -common[pair[1].metric], -pair[1].golds

        return min(measured, key=rank, default=None)

    def command(self, plugins: str) -> str:
        """Return the shortest command that repeats a finding.

        Args:
            plugins: What ``EVALSCOPE_PLUGINS`` was; empty if it was not set.
        """
        first = self.group.rules[0].id
        names = [finding.benchmark for finding in self.group.findings if finding.rule == first]
        name = min(names, key=lambda name: (len(name), name))
        what = ['--scorer', name, '--questions', 'F.jsonl'] if self.group.noun == 'callable' else [name]
        words = ['evalscope-qa', 'audit', *what]
        prefix = f'EVALSCOPE_PLUGINS={shlex.quote(plugins)} ' if plugins else ''
        return f'{prefix}{shlex.join([*words, "--rule", first])}'


@dataclass(frozen=True)
class Section:
    """Causes of one sort."""

    id: str
    title: str
    text: str
    sort: str
    """What its causes are, after their number."""
    cards: list[CauseCard]


_SECTIONS = (
    (
        'causes',
        'Causes',
        'The functions to mend, by weight: the severity of what was measured times its reach. Each {noun} counts with '
        'the heaviest that was measured there.',
        '',
    ),
    (
        'official',
        'Documented or official behaviour',
        'The authors of these benchmarks score so themselves, and the source is named; or evalscope says of the '
        'benchmark that it does, and is quoted. That explains it, and does not make an answer of what is none.',
        'of documented or official behaviour',
    ),
    (
        'conditional',
        'On a condition that was not looked up',
        'These hold only if something else is so, which canned replies cannot show; each says what. Where it is not, '
        'no score is wrong.',
        'on a condition that was not looked up',
    ),
    (
        'guess',
        'An explicit guess inside cut-off reasoning',
        'All that was found here rests on one kind of reply: the reasoning was cut off, and holds a first guess in the '
        'requested format. Some hold that it is an answer. The functions are those that read it; where reasoning that '
        'never ends is taken out of a reply before, all of these end at once.',
        'of an explicit guess inside cut-off reasoning',
    ),
)


def sections(report: AuditReport) -> list[Section]:
    """Return the sections that have causes, each sorted by weight; numbers go on from one to the next."""
    by_section: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_section.setdefault(_section(finding), []).append(finding)
    found, number = [], 0
    for section_id, title, text, sort in _SECTIONS:
        cards = _cards(by_section.get(section_id, []), report)
        for card in cards:
            number += 1
            card.number = number
        if cards:
            found.append(Section(section_id, title, text.format(noun=report.noun), sort, cards))
    placed = [(section.title, card) for section in found for card in section.cards]
    for _, card in placed:
        same = [(title, other) for title, other in placed if other.group.cause == card.group.cause]
        card.also = [(other.number, title) for title, other in same if other is not card]
    return found


def _section(finding: Finding) -> str:
    if finding.official is not None:
        return 'official'
    if finding.condition:
        return 'conditional'
    return 'guess' if set(finding.kinds) == {GUESS} else 'causes'


def _cards(findings: Sequence[Finding], report: AuditReport) -> list[CauseCard]:
    rules = report.rules
    notes = {result.benchmark: result.notes for result in report.results}
    every = sum(result.status == AUDITED and result.benchmark != FRAMEWORK for result in report.results)
    by_cause: dict[str, list[Finding]] = {}
    for finding in findings:
        by_cause.setdefault(finding.cause, []).append(finding)
    cards = []
    for cause, found in by_cause.items():
        heaviest = {rule.id: 0 for rule in rules}
        for finding in found:
            heaviest[finding.rule] = max(heaviest[finding.rule], severity(finding).weight)
        broken = sorted((rule for rule in rules if heaviest[rule.id]), key=lambda rule: -heaviest[rule.id])
        location = next((finding.location for finding in found if ':' in finding.location), found[0].location)
        group = Group(cause, location, broken, found)
        explained = list(dict.fromkeys((one.benchmark, one.official) for one in found if one.official is not None))
        reaches_all = any(finding.benchmark == FRAMEWORK for finding in found)
        weights = _weights(found, every if reaches_all else None)
        noted = [(name, note) for name in group.benchmarks for note in notes.get(name, ())]
        if {name for name, _ in noted} != set(group.benchmarks):
            noted = []  # it is at work where nothing is to be said, too
        cards.append(CauseCard(0, group, weights, reaches_all, explained, notes=noted))
    order = {rule.id: number for number, rule in enumerate(rules)}
    return sorted(cards, key=lambda card: (-card.weight, order[card.group.rules[0].id], card.group.cause))


def _weights(findings: Sequence[Finding], every: int | None = None) -> list[tuple[Severity, int]]:
    """Return the rows of the findings with their numbers of benchmarks; ``every`` in their place where it is given."""
    heaviest: dict[str, Severity] = {}
    for finding in findings:
        row = severity(finding)
        known = heaviest.get(finding.benchmark)
        if known is None or row.weight > known.weight:
            heaviest[finding.benchmark] = row
    counts = Counter(heaviest.values())
    if every is not None:
        counts = Counter({max(counts, key=lambda row: row.weight): max(every, 1)})
    return sorted(counts.items(), key=lambda item: -item[0].weight)


def effect_text(benchmark: str, effect: Effect) -> str:
    """Return in words how far a reply moves a score."""
    gold = f', where the gold is {one_line(effect.gold)},' if effect.gold else ''
    golds = f' with {counted(effect.golds, "gold")}' if effect.golds else ''
    return (
        f'as the reply to ten questions of {benchmark}{golds} it scores {effect.always:.3g} on {effect.metric} (ten '
        f'wrong answers: {effect.always_wrong:.3g}); eight right answers and two such replies{gold} score '
        f'{effect.twice:.3g} (two wrong answers: {effect.twice_wrong:.3g})'
    )


def short_name(card: CauseCard) -> str:
    """Return the function with what it is in: its class, or its module, and what tells modules of that name apart."""
    parts = card.group.cause.split('.')
    return '.'.join(parts[-3 if parts[-2:-1] and parts[-2] in _MANY_MODULES else -2 :])


def in_short(reply: str) -> str:
    """Return the beginning of a reply, on one line."""
    reply = ' '.join(reply.split()) or one_line(reply)
    return reply if len(reply) <= _SHORT else f'{reply[:_SHORT]}…'
