"""How severe what was measured is: one table, shown in the report, so that a reader can predict the order of causes."""

import math
from dataclasses import dataclass

from ..cases.non_answers import BLANK, CUT_OFF, DENIAL, ECHO, EMPTY, GUESS, HEDGE, REFUSAL, UNDETERMINED
from ..results import Finding


@dataclass(frozen=True)
class Severity:
    """One row: what was measured, how much it weighs, and why."""

    weight: int
    measured: str
    reason: str
    rules: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    """Kinds of replies, of which a finding has at least one; empty for whatever the rules find."""
    characters: int | None = None
    """Characters of the shortest reply that takes too long, at most; None for any."""

    def fits(self, finding: Finding) -> bool:
        """Whether this was measured."""
        return (
            finding.rule in self.rules
            and (not self.kinds or any(kind in finding.kinds for kind in self.kinds))
            and (self.characters is None or _characters(finding) <= self.characters)
        )


def _characters(finding: Finding) -> float:
    """Return how long the shortest slow reply is: how the detail of a finding of *speed* begins."""
    number = finding.detail.partition(' ')[0].replace(',', '')
    return int(number) if number.isdecimal() else math.inf


SEVERITIES = (
    Severity(
        8,
        'A reply is run as code, or starts a program',
        'it decides over the machine, not only over its score',
        ('no-code',),
    ),
    Severity(
        8,
        'A reply ends the evaluation, or its question leaves the average',
        'the score is of other questions than were asked, and does not show it',
        ('no-crash', 'abstention-counts', 'mean'),
    ),
    Severity(
        8,
        'A blank reply, or one of marks alone, is credited',
        'a model that says nothing has a score',
        ('non-answer',),
        (BLANK, EMPTY),
    ),
    Severity(8, 'The same reply does not always score the same', 'a number may not come again', ('repeatable',)),
    Severity(
        4,
        'Plain words that answer nothing are credited',
        'models do say them: one that declines scores as one that guesses',
        ('non-answer',),
        (REFUSAL, UNDETERMINED),
    ),
    Severity(
        4,
        'A right answer is refused, a wrong one credited, or a metric moves or lies where it must not',
        'models are ranked by something else than their answers',
        ('requested-format', 'wrong-answer', 'several-golds', 'correction', 'order', 'range'),
    ),
    Severity(
        4,
        'A reply of 2,000 characters or fewer takes more than a second',
        'one of ordinary length holds an evaluation for hours',
        ('speed',),
        characters=2_000,
    ),
    Severity(
        2,
        'A reply that names the gold, or repeats the prompt, and answers nothing is credited',
        'a parser finds there what nobody answered; rarer in what models say',
        ('non-answer',),
        (DENIAL, HEDGE, ECHO),
    ),
    Severity(
        2,
        'A reply of 20,000 characters or fewer takes more than a second',
        'reasoning models write as much, and a model in a loop more, which takes minutes',
        ('speed',),
        characters=20_000,
    ),
    Severity(2, 'Scoring reaches for the network', 'offline, or another day, there is no score', ('offline',)),
    Severity(
        1,
        'A reply cut off while it weighs answers is credited',
        'it depends on the token limit how often models are cut off',
        ('cut-off-reasoning',),
        (CUT_OFF,),
    ),
    Severity(
        1,
        'A gold that normalises to nothing is matched by a reply without an answer',
        'few golds are such',
        ('degenerate-gold',),
    ),
    Severity(1, 'A longer reply takes more than a second', 'only replies of a model in a loop are so long', ('speed',)),
    Severity(
        1,
        'An explicit guess inside cut-off reasoning is credited',
        'some hold that it is an answer',
        ('cut-off-reasoning',),
        (GUESS,),
    ),
)
"""The heaviest first; a finding is of the first row that fits."""

OTHER = Severity(1, 'Anything else', 'no row says more', ())


def severity(finding: Finding) -> Severity:
    """Return the row of a finding."""
    return next((row for row in SEVERITIES if row.fits(finding)), OTHER)
