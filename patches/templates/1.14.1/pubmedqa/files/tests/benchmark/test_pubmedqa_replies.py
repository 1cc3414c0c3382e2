"""PubMedQA through the adapter: which replies are credited, what the aggregates are, and what the model is sent."""

from typing import Any, Dict, List, Optional, Tuple

import pytest

from evalscope.api.evaluator import TaskState
from evalscope.api.metric import SampleScore
from evalscope.api.model import ModelOutput
from evalscope.api.registry import get_benchmark
from evalscope.config import TaskConfig

LABELS = ('YES', 'NO', 'MAYBE')

# (gold label, reply)
Replies = List[Tuple[str, Optional[str]]]


@pytest.fixture
def adapter() -> Any:
    return get_benchmark('pubmedqa', TaskConfig(model='canned', eval_type='mock_llm', datasets=['pubmedqa']))


def record(gold: str) -> Dict[str, str]:
    return {'context': 'An abstract.', 'question': 'Does it work?', 'answer': gold.lower(), 'reasoning': ''}


def score(adapter: Any, replies: Replies) -> List[SampleScore]:
    scores = []
    for gold, reply in replies:
        output = None if reply is None else ModelOutput.from_content(model='canned', content=reply)
        state = TaskState(model='canned', sample=adapter.record_to_sample(record(gold)), output=output, completed=True)
        state.output = output  # the constructor puts an empty output in the place of None
        scores.append(adapter.calculate_metrics(state))
    return scores


def aggregate(adapter: Any, replies: Replies) -> Dict[str, float]:
    scores = adapter.aggregate_scores(sample_scores=score(adapter, replies))
    return {item.metric_name: item.score for item in scores}


VERDICTS = {
    'capital label': ('YES', 'YES'),
    'small label with a stop': ('no.', 'NO'),
    'capitalised label': ('Maybe', 'MAYBE'),
    'empty': ('', None),
    'abstention': ('It is unclear from the abstract.', None),
    'list of labels': ('YES or NO', None),
    # A statement counts whatever its case, and outranks mentions.
    'explicit statement': ('The answer is yes.', 'YES'),
    'statement in markdown': ('**Final answer:** maybe', 'MAYBE'),
    'statement in JSON': ('{"answer": "no"}', 'NO'),
    'statement after mentions': ('Some say NO, some say YES.\nThe answer is NO.', 'NO'),
    'last line': ('The evidence is mixed.\n\nmaybe', 'MAYBE'),
    'leading label, then a determiner': ('YES. No adverse events were seen.', 'YES'),
    # Determiners and adverbs are not labels.
    'determiner': ('No conclusion can be drawn.', None),
    'adverb': ('Maybe the dose was too low.', None),
    # Reasoning is not an answer, least of all where it was cut off.
    'reasoning': ('<thinking>At first sight NO.</thinking>YES', 'YES'),
    'reasoning cut off': ('<think>It must be YES', None),
}


@pytest.mark.parametrize('reply, verdict', VERDICTS.values(), ids=VERDICTS.keys())
def test_reply_is_credited_for_its_verdict_alone(adapter: Any, reply: str, verdict: Optional[str]) -> None:
    credited = [gold for gold in LABELS if aggregate(adapter, [(gold, reply)])['accuracy'] == 1.0]

    assert credited == [verdict] * (verdict is not None)


def test_missing_output_is_unanswered(adapter: Any) -> None:
    metrics = aggregate(adapter, [('YES', None), ('YES', 'YES')])

    assert metrics['accuracy'] == 0.5
    assert metrics['unanswered_ratio'] == 0.5


def test_abstaining_does_not_outrank_answering(adapter: Any) -> None:
    following = dict(zip(LABELS, LABELS[1:] + LABELS[:1]))
    abstaining = aggregate(adapter, [(gold, reply) for gold in LABELS for reply in [gold] * 8 + ['Unsure.'] * 2])
    guessing = aggregate(adapter, [(gold, reply) for gold in LABELS for reply in [gold] * 9 + [following[gold]]])

    quality = ('accuracy', 'precision', 'recall', 'f1')
    assert [abstaining[name] for name in quality] == pytest.approx([0.8, 1.0, 0.8, 16 / 18])
    assert [guessing[name] for name in quality] == pytest.approx([0.9] * 4)


def test_shares_of_the_replies_sum_to_one(adapter: Any) -> None:
    metrics = aggregate(adapter, [('YES', reply) for reply in ('YES', 'YES', 'NO', 'MAYBE', 'Unsure.')])

    shares = [metrics[name] for name in ('yes_ratio', 'no_ratio', 'maybe_ratio', 'unanswered_ratio')]
    assert shares == [0.4, 0.2, 0.2, 0.2]


def test_prompt_is_plain_text(adapter: Any) -> None:
    # A list of content parts reaches some servers as an empty prompt.
    sample = adapter.record_to_sample(record('YES'))

    text = sample.input if isinstance(sample.input, str) else sample.input[0].content
    assert isinstance(text, str)


@pytest.mark.parametrize('change', [{'answer': 'perhaps'}, {'question': None}], ids=['label', 'question'])
def test_malformed_record_is_an_error_that_names_the_benchmark(adapter: Any, change: Dict[str, Any]) -> None:
    with pytest.raises(ValueError, match='pubmedqa'):
        adapter.record_to_sample({**record('YES'), **change})


def test_evaluation_version_tells_the_scores_apart(adapter: Any) -> None:
    assert adapter.benchmark_meta.evaluation_version == 'v1.3'
