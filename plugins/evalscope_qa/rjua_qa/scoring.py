"""Set F1 of diagnoses and advice, and the aggregates over all questions.

Paper: Lyu et al., "RJUA-QA: A Comprehensive QA Dataset for Urology", 2023, https://arxiv.org/abs/2312.09785. The
formula of the final accuracy, (2 F1 of the diseases + F1 of the advice) / 3 for each question, is the one of the
dataset's README, http://data.openkg.cn/dataset/rjua-qadatasets; the paper leaves it open. No official script is known.

Deviations, all for cases that the README does not name:

- Items match if they are equal in NFKC without white space.
- Two empty sets have F1 1, an empty and a filled one 0.
- An unanswered reply, one with neither section, scores 0 on every metric but Rouge-L, even where a gold set is empty.
- The micro F1 are not in the README; they are here for comparison with papers that report them.
"""

from statistics import mean
from typing import Dict, Iterable, List, Mapping, NamedTuple, Sequence

from .items import match_key
from .rouge_l import rouge_l
from .schema import Gold
from .sections import ParsedReply

METRICS = ('final_accuracy', 'f1_disease', 'f1_advice', 'rouge_l')
"""The quality metrics of one question, the primary one first."""
SECTION_METRICS = METRICS[:-1]
"""Those that need a section: an unanswered reply scores 0 on each."""


class ItemCounts(NamedTuple):
    """How a predicted set of items compares with the gold set."""

    true_positives: int
    false_positives: int
    false_negatives: int


class ReplyCounts(NamedTuple):
    """The counts of one question."""

    disease: ItemCounts
    advice: ItemCounts

    def to_json(self) -> Dict[str, List[int]]:
        """The counts in a form that JSON can hold."""
        return {'disease': list(self.disease), 'advice': list(self.advice)}

    @classmethod
    def of(cls, counts: Mapping[str, Sequence[int]]) -> 'ReplyCounts':
        """Restore what :meth:`to_json` gave."""
        return cls(ItemCounts(*counts['disease']), ItemCounts(*counts['advice']))


def count_items(gold: Iterable[str], predicted: Iterable[str]) -> ItemCounts:
    """Compare two lists of items, in NFKC, as sets.

    >>> count_items(['肾结石', '肾积水'], ['肾结石', '膀胱结石', '肾结石'])
    ItemCounts(true_positives=1, false_positives=1, false_negatives=1)
    """
    gold_keys, predicted_keys = set(map(match_key, gold)), set(map(match_key, predicted))
    shared = len(gold_keys & predicted_keys)
    return ItemCounts(shared, len(predicted_keys) - shared, len(gold_keys) - shared)


def set_f1(counts: ItemCounts) -> float:
    """F1 = 2PR / (P + R) with P = TP / (TP + FP) and R = TP / (TP + FN), which is 2TP / (2TP + FP + FN).

    Two empty sets have F1 1.0.

    >>> set_f1(ItemCounts(true_positives=1, false_positives=1, false_negatives=1)), set_f1(ItemCounts(0, 0, 0))
    (0.5, 1.0)
    """
    both_sizes = 2 * counts.true_positives + counts.false_positives + counts.false_negatives
    return 2 * counts.true_positives / both_sizes if both_sizes else 1.0


def final_accuracy(f1_disease: float, f1_advice: float) -> float:
    """The dataset's own score of a question: the diseases count double.

    >>> final_accuracy(f1_disease=1.0, f1_advice=0.5)
    0.8333333333333334
    """
    return (2 * f1_disease + f1_advice) / 3


def count_reply(reply: ParsedReply, gold: Gold) -> ReplyCounts:
    """Count the items of both sections; a section that is not there has none.

    >>> gold = Gold(answer='需要复查。', disease=['肾结石'], advice=['复查'])
    >>> count_reply(ParsedReply(disease=['肾结石'], advice=None, text=''), gold).to_json()
    {'disease': [1, 0, 0], 'advice': [0, 0, 1]}
    """
    return ReplyCounts(count_items(gold.disease, reply.disease or []), count_items(gold.advice, reply.advice or []))


def score_reply(reply: ParsedReply, gold: Gold, rouge_tokenizer: str = 'char') -> Dict[str, float]:
    """Return each of :data:`METRICS` for one question, from 0.0 to 1.0.

    Args:
        reply: The reply as read.
        gold: What the record says.
        rouge_tokenizer: What Rouge-L compares; see :func:`~.rouge_l.rouge_l`.

    >>> gold = Gold(answer='需要复查。', disease=['肾结石'], advice=['复查'])
    >>> score_reply(ParsedReply(disease=['肾结石'], advice=None, text='需要复查。'), gold)
    {'final_accuracy': 0.6666666666666666, 'f1_disease': 1.0, 'f1_advice': 0.0, 'rouge_l': 1.0}
    """
    f1_disease, f1_advice = map(set_f1, count_reply(reply, gold)) if reply.answered else (0.0, 0.0)
    return {
        'final_accuracy': final_accuracy(f1_disease, f1_advice),
        'f1_disease': f1_disease,
        'f1_advice': f1_advice,
        'rouge_l': rouge_l(reply.text, gold.answer, rouge_tokenizer),
    }


def aggregate_replies(
    values: Iterable[Dict[str, float]], counts: Sequence[ReplyCounts], answered: Sequence[bool]
) -> Dict[str, float]:
    """Return the metrics over all questions.

    The means are those of exact arithmetic, rounded once, and the micro F1 come from sums of integers: neither the
    order of the questions nor repeating all of them changes a bit.

    Args:
        values: Each question's value of every one of :data:`METRICS`.
        counts: Each question's counts, in the same order.
        answered: For each question, in the same order, whether the reply has a section.

    Returns:
        :data:`METRICS` as means, ``f1_disease_micro``, ``f1_advice_micro`` and ``unanswered_ratio``; 0.0 for no
        questions.

    >>> right = {'final_accuracy': 1.0, 'f1_disease': 1.0, 'f1_advice': 1.0, 'rouge_l': 0.5}
    >>> both = ReplyCounts(ItemCounts(1, 0, 0), ItemCounts(2, 0, 0))
    >>> missed = ReplyCounts(ItemCounts(0, 0, 1), ItemCounts(0, 0, 2))
    >>> metrics = aggregate_replies([right, dict.fromkeys(METRICS, 0.0)], [both, missed], answered=[True, False])
    >>> metrics['final_accuracy'], round(metrics['f1_disease_micro'], 4), metrics['unanswered_ratio']
    (0.5, 0.6667, 0.5)
    """
    columns: Dict[str, List[float]] = {metric: [] for metric in METRICS}
    for value in values:
        for metric, column in columns.items():
            column.append(float(value[metric]))
    asked = len(answered)
    return {
        **{metric: mean(column) if column else 0.0 for metric, column in columns.items()},
        'f1_disease_micro': _micro_f1([count.disease for count in counts], answered),
        'f1_advice_micro': _micro_f1([count.advice for count in counts], answered),
        'unanswered_ratio': (asked - sum(answered)) / asked if asked else 0.0,
    }


def _micro_f1(counts: Sequence[ItemCounts], answered: Sequence[bool]) -> float:
    """F1 of the counts summed over all questions; where all sets are empty, 1.0 if every question is answered."""
    total = ItemCounts(
        sum(count.true_positives for count in counts),
        sum(count.false_positives for count in counts),
        sum(count.false_negatives for count in counts),
    )
    if not any(total):
        return float(len(answered) > 0 and all(answered))
    return set_f1(total)
