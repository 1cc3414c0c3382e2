"""Average precision, reciprocal rank and precision at 1 of a ranking of sentences, and their means over all questions.

Paper: Jurczyk et al., 2016, https://arxiv.org/abs/1606.08513 (MAP and MRR). Official tool of these metrics: trec_eval,
https://github.com/usnistgov/trec_eval (``map``, ``recip_rank``).

Deviations:
- The mean is over every question asked, as ``trec_eval -c`` does: a question whose ranking holds no relevant sentence,
  or that has no ranking at all, counts 0. A published recipe for this dataset appends a reciprocal rank only when it
  finds a hit, so that its mean leaves the misses out.
- Sentences that the ranking leaves out are not retrieved. A sentence listed twice counts once, at its first place.
- trec_eval sorts by score and calls near scores ties; here the order of the reply is the ranking.
"""

import statistics
from typing import Collection, Iterable, Sequence


def average_precision(relevant: Collection[int], ranking: Sequence[int]) -> float:
    """Average precision: the precision at the rank of each relevant sentence, summed and divided by ``len(relevant)``.

    Args:
        relevant: Numbers of the relevant sentences, none twice.
        ranking: Numbers of sentences, best first; empty for an unanswered question.

    Returns:
        A value from 0 to 1; 0 where nothing is relevant.

    >>> average_precision(relevant={1, 3}, ranking=[3, 2, 1])  # (1/1 + 2/3) / 2
    0.8333333333333333
    >>> average_precision({1, 3}, [])
    0.0
    """
    hits = 0
    total = 0.0
    for rank, sentence in enumerate(dict.fromkeys(ranking), start=1):
        if sentence in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant) if relevant else 0.0


def reciprocal_rank(relevant: Collection[int], ranking: Sequence[int]) -> float:
    """1 / rank of the first relevant sentence, 0 where the ranking holds none; arguments as above.

    >>> reciprocal_rank({1, 3}, [2, 1, 3])
    0.5
    """
    for rank, sentence in enumerate(dict.fromkeys(ranking), start=1):
        if sentence in relevant:
            return 1 / rank
    return 0.0


def precision_at_1(relevant: Collection[int], ranking: Sequence[int]) -> float:
    """1 where the first sentence of the ranking is relevant, else 0; arguments as above.

    >>> precision_at_1({1, 3}, [3, 2]), precision_at_1({1, 3}, [2, 3])
    (1.0, 0.0)
    """
    return float(bool(ranking) and ranking[0] in relevant)


def mean_over_questions(values: Iterable[float]) -> float:
    """The mean of a per-question metric, rounded once: the same in any order and for any number of repetitions.

    Args:
        values: One value for every question asked.

    Returns:
        The mean, 0 of no questions.

    >>> mean_over_questions([1.0, 0.0]), mean_over_questions([])
    (0.5, 0.0)
    """
    collected = list(values)
    return float(statistics.mean(collected)) if collected else 0.0
