"""PubMedQA: questions without a recognised answer stay in the denominator of recall."""

from typing import Dict, List, Tuple

import pytest

from evalscope.api.metric.scorer import SampleScore
from evalscope.api.registry import get_benchmark

# (gold label, reply, how often)
Replies = List[Tuple[str, str, int]]

LABELS = ('YES', 'NO', 'MAYBE')


def same_for_every_class(right: int, other_reply: str, others: int) -> Replies:
    """In each class, ``right`` correct replies and ``others`` times another one."""
    return [(label, reply, count) for label in LABELS for reply, count in ((label, right), (other_reply, others))]


def aggregate(replies: Replies) -> Dict[str, float]:
    adapter = get_benchmark('pubmedqa')
    sample_scores = []
    for gold, reply, count in replies:
        score = adapter.match_score(reply, reply, gold, None)
        metadata = {'answer': gold.lower()}
        sample_scores.extend(SampleScore(score=score, sample_id=0, sample_metadata=metadata) for _ in range(count))
    return {item.metric_name: item.score for item in adapter.aggregate_scores(sample_scores=sample_scores)}


CASES = {
    # name: (replies, accuracy, precision, recall, F1)
    'empty replies': (same_for_every_class(3, '', 1), 0.75, 1.0, 0.75, 6 / 7),
    'abstention: unsure': (same_for_every_class(1, 'Unsure.', 1), 0.5, 1.0, 0.5, 2 / 3),
    'abstention: unclear': (same_for_every_class(1, 'It is unclear from the abstract.', 3), 0.25, 1.0, 0.25, 0.4),
    # 8 of 10 right and 2 abstentions; a model with 9 of 10 right and 1 wrong scores 0.9 on all four.
    'ranking example': (same_for_every_class(8, 'Unsure.', 2), 0.8, 1.0, 0.8, 16 / 18),
    # Recall 4/6, 1/3 and 0/1; the one MAYBE is never predicted.
    'uneven support': (
        [('YES', 'YES', 4), ('YES', '', 2), ('NO', 'NO', 1), ('NO', 'Unsure.', 2), ('MAYBE', '', 1)],
        0.5,
        2 / 3,
        (4 / 6 + 1 / 3 + 0) / 3,
        (0.8 + 0.5 + 0) / 3,
    ),
    'all right': (same_for_every_class(2, '', 0), 1.0, 1.0, 1.0, 1.0),
    'all wrong': ([('YES', 'NO', 2), ('NO', 'YES', 2), ('MAYBE', 'YES', 1)], 0.0, 0.0, 0.0, 0.0),
    'all abstaining': (same_for_every_class(0, 'Unsure.', 2), 0.0, 0.0, 0.0, 0.0),
    'no samples': ([], 0.0, 0.0, 0.0, 0.0),
}


@pytest.mark.parametrize('replies, accuracy, precision, recall, f1', CASES.values(), ids=CASES.keys())
def test_macro_averages_count_every_question(
    replies: Replies, accuracy: float, precision: float, recall: float, f1: float
) -> None:
    metrics = aggregate(replies)

    assert metrics['accuracy'] == pytest.approx(accuracy)
    assert metrics['precision'] == pytest.approx(precision)
    assert metrics['recall'] == pytest.approx(recall)
    assert metrics['f1'] == pytest.approx(f1)


def test_the_better_model_ranks_first() -> None:
    abstaining = aggregate(same_for_every_class(8, '', 2))
    following = dict(zip(LABELS, LABELS[1:] + LABELS[:1]))
    guessing = aggregate([reply for gold in LABELS for reply in ((gold, gold, 9), (gold, following[gold], 1))])

    assert guessing['recall'] == pytest.approx(0.9)
    assert guessing['f1'] == pytest.approx(0.9)
    assert guessing['recall'] > abstaining['recall']
    assert guessing['f1'] > abstaining['f1']


def test_evaluation_version_tells_the_scores_apart() -> None:
    assert get_benchmark('pubmedqa').benchmark_meta.evaluation_version == 'v1.1'
