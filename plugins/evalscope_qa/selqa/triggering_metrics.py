"""Question-level and section-level precision, recall and F1 of answer triggering, and the accuracy of the trigger.

Paper: Jurczyk et al., 2016, https://arxiv.org/abs/1606.08513, which follows the question-level precision, recall and F1
of WikiQA (Yang et al., 2015, https://aclanthology.org/D15-1237/, section 5.3).

Deviations:
- Those papers score every candidate sentence and trigger above a threshold. A model's reply lists sentences or declines
  by itself, so there is no threshold to tune.
- A reply that does neither is unanswered: it counts as no sentence listed in every precision and recall, and as wrong
  in ``trigger_accuracy``, also where no section has an answer.
- Section-level scores and ``trigger_accuracy`` are not in the papers.
"""

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Collection, Iterable, Optional, Sequence


@dataclass(frozen=True)
class TriggeringOutcome:
    """What one reply got right; everything the aggregation needs to know of a question."""

    answered: bool
    """The reply lists a sentence or declines."""
    listed: bool
    """The reply lists a sentence."""
    answerable: bool
    """A section holds an answer."""
    true_positive_sections: int
    """Sections with a listed sentence and an answer."""
    false_positive_sections: int
    """Sections with a listed sentence and no answer."""
    false_negative_sections: int
    """Sections with an answer and no listed sentence."""

    @property
    def trigger_correct(self) -> bool:
        """The reply lists a sentence where there is an answer, or declines where there is none."""
        return self.answered and self.listed == self.answerable

    def to_dict(self) -> dict[str, Any]:
        """The fields, ready for JSON."""
        return asdict(self)


def triggering_outcome(
    answers: Collection[int], section_sizes: Sequence[int], listing: Optional[Sequence[int]]
) -> TriggeringOutcome:
    """Compare a reply with the gold answer of one question.

    Args:
        answers: Numbers of the sentences that answer the question; empty where none does.
        section_sizes: How many sentences each section shows; numbers run from 1 through all sections.
        listing: Numbers of the sentences listed, best first; empty for a decline, ``None`` for an unanswered question.

    Sentence 3, of the second section, is the answer; 1, of the first, and 3 are listed:

    >>> outcome = triggering_outcome(answers=[3], section_sizes=[2, 2], listing=[1, 3])
    >>> outcome.trigger_correct, outcome.true_positive_sections, outcome.false_positive_sections
    (True, 1, 1)
    """
    predicted = _sections(listing or (), section_sizes)
    gold = _sections(answers, section_sizes)
    return TriggeringOutcome(
        answered=listing is not None,
        listed=bool(listing),
        answerable=bool(answers),
        true_positive_sections=len(predicted & gold),
        false_positive_sections=len(predicted - gold),
        false_negative_sections=len(gold - predicted),
    )


def _sections(sentences: Iterable[int], section_sizes: Sequence[int]) -> set[int]:
    """Positions of the sections in which the sentences lie."""
    section_of = [section for section, size in enumerate(section_sizes) for _ in range(size)]
    return {section_of[sentence - 1] for sentence in sentences}


def answer_correct(answers: Collection[int], listing: Optional[Sequence[int]]) -> float:
    """1 where the first sentence listed is an answer, or where the reply declines and there is none; else 0.

    Arguments as of :func:`triggering_outcome`.

    >>> answer_correct([3], [3, 1]), answer_correct([3], [1, 3]), answer_correct([], []), answer_correct([], None)
    (1.0, 0.0, 1.0, 0.0)
    """
    if listing is None:
        return 0.0
    return float(listing[0] in answers if listing else not answers)


def triggering_metrics(outcomes: Sequence[TriggeringOutcome], correct: Sequence[float]) -> dict[str, float]:
    """Aggregate over all questions asked.

    Args:
        outcomes: One for every question.
        correct: :func:`answer_correct` of every question; values between 0 and 1 count in part.

    Returns:
        - ``precision``: questions whose first sentence listed is an answer / questions with a sentence listed
        - ``recall``: the same / questions that have an answer
        - ``f1``: their harmonic mean
        - ``section_precision``, ``section_recall``, ``section_f1``: the same of the decision on each section, positive
          where a listed sentence lies in it, against whether the section has an answer
        - ``trigger_accuracy``: share of questions where listing or declining was right
        - ``unanswered_ratio``: share of questions without an answer in the reply

        A ratio over nothing is 0. Counts are exact, so order and repetition of the questions do not matter.

    One question is answered right, one is not answered:

    >>> outcomes = [triggering_outcome([3], [2, 2], [3]), triggering_outcome([1], [2, 2], None)]
    >>> metrics = triggering_metrics(outcomes, [1.0, 0.0])
    >>> metrics['precision'], metrics['recall'], round(metrics['f1'], 4), metrics['unanswered_ratio']
    (1.0, 0.5, 0.6667, 0.5)
    """
    asked = len(outcomes)
    top_correct = sum(
        (
            Fraction(value)
            for outcome, value in zip(outcomes, correct, strict=True)
            if outcome.listed and outcome.answerable
        ),
        start=Fraction(0),
    )
    true_positives = sum(outcome.true_positive_sections for outcome in outcomes)
    false_positives = sum(outcome.false_positive_sections for outcome in outcomes)
    false_negatives = sum(outcome.false_negative_sections for outcome in outcomes)
    return {
        **_precision_recall_f1(
            top_correct,
            sum(outcome.listed for outcome in outcomes),
            sum(outcome.answerable for outcome in outcomes),
        ),
        **_precision_recall_f1(
            Fraction(true_positives), true_positives + false_positives, true_positives + false_negatives, 'section_'
        ),
        'trigger_accuracy': _ratio(Fraction(sum(outcome.trigger_correct for outcome in outcomes)), asked),
        'unanswered_ratio': _ratio(Fraction(sum(not outcome.answered for outcome in outcomes)), asked),
    }


def _precision_recall_f1(correct: Fraction, predicted: int, gold: int, prefix: str = '') -> dict[str, float]:
    return {
        # The harmonic mean of the two below, from the counts: rounded once.
        f'{prefix}f1': _ratio(2 * correct, predicted + gold),
        f'{prefix}precision': _ratio(correct, predicted),
        f'{prefix}recall': _ratio(correct, gold),
    }


def _ratio(part: Fraction, whole: int) -> float:
    return float(part / whole) if whole else 0.0
