"""Precision, recall and F1 of yes/no questions over every question asked, answered or not."""

from typing import Sequence


def yes_no_metrics(golds: Sequence[str], answers: Sequence[str]) -> dict[str, float]:
    """Return the metrics of YES, by evalscope's names.

    An unanswered question whose gold is YES is one that was not found; one whose gold is NO is no false alarm.

    Args:
        golds: ``YES`` or ``NO``, one a question asked.
        answers: ``YES``, ``NO`` or, of a reply without an answer, anything else.

    Returns:
        ``precision``, ``recall``, ``f1`` and ``yes_ratio``; 0 where nothing can be divided by.

    >>> yes_no_metrics(['YES', 'YES', 'NO', 'NO'], ['YES', '', 'YES', 'NO'])
    {'precision': 0.5, 'recall': 0.5, 'f1': 0.5, 'yes_ratio': 0.5}
    """
    right = sum(gold == answer == 'YES' for gold, answer in zip(golds, answers, strict=True))
    answered, wanted = list(answers).count('YES'), list(golds).count('YES')
    return {
        'precision': right / answered if answered else 0.0,
        'recall': right / wanted if wanted else 0.0,
        'f1': 2 * right / (answered + wanted) if answered + wanted else 0.0,
        'yes_ratio': answered / len(golds) if golds else 0.0,
    }
