"""The rules of the scoring contract: id, what it demands, and the check that replays it.

Each has a section of the same name in ``docs/audit.md``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..results import Finding, RuleDescription
from ..subject import Subject
from . import bounds, chance_and_order, golds, means, right_answers, robustness, single_replies, ten_questions


@dataclass(frozen=True)
class Rule:
    """One rule."""

    id: str
    demand: str
    """What it demands, in one line."""
    fault: str
    """What a finding of it says, as a headline."""
    check: Callable[[Subject], Iterator[Finding]]
    """Yields what was found; raises ``NotApplicable`` where the rule has nothing to try."""
    needs_right_answer: bool = True

    @property
    def description(self) -> RuleDescription:
        return RuleDescription(self.id, self.demand, self.fault)


RULES = (
    Rule(
        'non-answer',
        'A reply that answers nothing, or names two answers, earns no more than a wrong answer.',
        'A reply that answers nothing is credited',
        single_replies.check_non_answers,
    ),
    Rule(
        'cut-off-reasoning',
        'A reply cut off while reasoning, before the answer, earns nothing.',
        'A reply that was cut off while reasoning is credited',
        single_replies.check_cut_off,
    ),
    Rule(
        'requested-format',
        'The gold answer in the format that the prompt requests earns full credit.',
        'The right answer in the requested format is refused',
        right_answers.check_requested_format,
    ),
    Rule(
        'degenerate-gold',
        'A gold answer that is empty, or becomes so by normalisation, is not matched by a reply without an answer.',
        'A gold answer that normalises to nothing gives free credit',
        golds.check_degenerate_gold,
    ),
    Rule(
        'several-golds',
        'Each of several golds that a question lists earns credit.',
        'Only some of several gold answers are credited',
        golds.check_several_golds,
    ),
    Rule(
        'wrong-answer',
        'Another option, label or number than the gold earns less than the gold.',
        'A wrong answer earns full credit',
        right_answers.check_wrong_answers,
    ),
    Rule(
        'repeatable',
        'The same reply scores the same every time.',
        'The same reply does not always score the same',
        chance_and_order.check_repeatable,
        needs_right_answer=False,
    ),
    Rule(
        'abstention-counts',
        'A question that is not answered stays in the denominator of every quality metric.',
        'Unanswered questions leave the denominator',
        ten_questions.check_abstention,
        needs_right_answer=False,
    ),
    Rule(
        'order',
        'The order of the questions does not change any metric.',
        'The score depends on the order of the questions',
        chance_and_order.check_order,
    ),
    Rule(
        'correction',
        'Making a wrong reply right lowers no quality metric.',
        'Making a wrong reply right lowers a metric',
        ten_questions.check_correction,
    ),
    Rule(
        'mean',
        'A metric that is called a mean is the mean over the questions asked.',
        'A mean is not that of the questions',
        means.check_mean,
    ),
    Rule(
        'range',
        'Every metric is a number within the range that is declared for it.',
        'A metric leaves its range',
        bounds.check_range,
        needs_right_answer=False,
    ),
    Rule(
        'no-crash',
        'No reply makes scoring raise, or lose the question.',
        'A reply makes scoring fail',
        robustness.check_no_crash,
        needs_right_answer=False,
    ),
    Rule(
        'offline',
        'Scoring does not reach for the network.',
        'Scoring reaches for the network',
        robustness.check_offline,
        needs_right_answer=False,
    ),
    Rule(
        'no-code',
        'Scoring does not run the reply as code.',
        'Scoring runs the reply as code',
        robustness.check_no_code,
        needs_right_answer=False,
    ),
    Rule(
        'speed',
        'Scoring a reply of up to 200,000 characters takes no more than a second.',
        'Scoring a long reply takes more than a second',
        robustness.check_speed,
        needs_right_answer=False,
    ),
)


def rule(rule_id: str) -> Rule:
    """Return a rule by its id.

    Raises:
        ValueError: If there is none; the message names them all.
    """
    for candidate in RULES:
        if candidate.id == rule_id:
            return candidate
    raise ValueError(f'{rule_id!r} is not a rule; the rules are {", ".join(candidate.id for candidate in RULES)}.')
