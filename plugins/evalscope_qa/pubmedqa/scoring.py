"""Accuracy, macro precision, recall and F1 of PubMedQA verdicts, over every question asked.

Paper: Jin et al., 2019, https://arxiv.org/abs/1909.06146. Official script: ``evaluation.py`` of
https://github.com/pubmedqa/pubmedqa (accuracy and macro F1 by scikit-learn).

Deviations:

- A reply without a verdict is a fourth predicted value: it lowers its gold class's recall and belongs to no class. The
  official script expects one of the three labels for every question.
- All three classes are always averaged, also one that no question has (its recall and F1 are 0 then).
"""

from collections import Counter
from statistics import mean
from typing import Dict, Optional, Sequence

CLASSES = ('YES', 'NO', 'MAYBE')

METRICS = (
    'accuracy',
    'precision',
    'recall',
    'f1_score',
    'yes_ratio',
    'no_ratio',
    'maybe_ratio',
    'unanswered_ratio',
)
"""Every metric reported, the primary one first."""


def score_verdict(gold: str, prediction: Optional[str]) -> float:
    """1.0 where the predicted class is the gold class, else 0.0; an unanswered question (None) scores 0.0.

    >>> score_verdict('YES', 'YES'), score_verdict('YES', 'NO'), score_verdict('YES', None)
    (1.0, 0.0, 0.0)
    """
    return float(prediction == gold)


def aggregate_verdicts(
    golds: Sequence[str], predictions: Sequence[Optional[str]], correct: Sequence[float]
) -> Dict[str, float]:
    """Aggregate over all questions asked.

    Args:
        golds: The gold class of each question, one of :data:`CLASSES`.
        predictions: The predicted class of each question in the same order; None where it is unanswered.
        correct: :func:`score_verdict` of each question, or what a judge put in its place.

    Returns:
        :data:`METRICS`, all from 0.0 to 1.0. Precision, recall and F1 are unweighted means over the three classes; a
        class's value is 0.0 where its denominator is. The four ratios sum to 1. All are 0.0 for no questions.

    Two of three questions are answered, one of them right; the recall of MAYBE, which no reply names, is 0:

    >>> metrics = aggregate_verdicts(['YES', 'NO', 'MAYBE'], ['YES', 'YES', None], [1.0, 0.0, 0.0])
    >>> [round(metrics[name], 4) for name in ('accuracy', 'precision', 'recall', 'f1_score', 'unanswered_ratio')]
    [0.3333, 0.1667, 0.3333, 0.2222, 0.3333]
    """
    asked = len(golds)
    pairs = Counter(zip(golds, predictions, strict=True))
    gold_counts = Counter(golds)
    predicted_counts = Counter(predictions)
    true_positives = {label: pairs[label, label] for label in CLASSES}
    precision = {label: _ratio(true_positives[label], predicted_counts[label]) for label in CLASSES}
    recall = {label: _ratio(true_positives[label], gold_counts[label]) for label in CLASSES}
    f1 = {
        # 2PR / (P + R) from the counts.
        label: _ratio(2 * true_positives[label], predicted_counts[label] + gold_counts[label])
        for label in CLASSES
    }
    return {
        'accuracy': float(mean(correct)) if correct else 0.0,
        'precision': _macro_mean(precision),
        'recall': _macro_mean(recall),
        'f1_score': _macro_mean(f1),
        'yes_ratio': _ratio(predicted_counts['YES'], asked),
        'no_ratio': _ratio(predicted_counts['NO'], asked),
        'maybe_ratio': _ratio(predicted_counts['MAYBE'], asked),
        'unanswered_ratio': _ratio(predicted_counts[None], asked),
    }


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _macro_mean(values: Dict[str, float]) -> float:
    """Add one value after another, as scikit-learn does; ``sum`` rounds differently from Python 3.12 on."""
    yes, no, maybe = (values[label] for label in CLASSES)
    return (yes + no + maybe) / 3
