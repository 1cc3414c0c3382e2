"""A scorer of batches gives, in batches of any size and after a trip through pickle, what a replay gives."""

import json
import pickle
from typing import Any

import numpy
import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import BatchScorer, read_replies, replay
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks

CHOICES = {
    'choices': {'text': ['iron', 'oxygen'], 'label': ['A', 'B']},
    'answerKey': 'A',
    'question': 'Which is a metal?',
}


@pytest.mark.parametrize('benchmark', [*shipped_benchmarks(), 'arc'])
def test_batches_give_the_metrics_and_the_rows_of_a_replay(benchmark: str) -> None:
    if benchmark == 'arc':
        records: list[Any] = [{**CHOICES, 'id': str(number)} for number in range(10)]
        replies: list[Any] = ['ANSWER: A', 'ANSWER: B', None, '', 'oxygen'] * 2
        settings: dict[str, Any] = {}
    else:
        files = sample_files(benchmark)
        records, replies, settings = read_records(files.records), read_replies(files.replies), files.dataset_args
    expected = replay(benchmark, records, replies, settings)
    scorer = pickle.loads(pickle.dumps(BatchScorer(benchmark, settings)))
    kept: list[bytes] = []
    for start in range(0, len(records), 3):
        texts = [json.dumps(record) for record in records[start : start + 3]]
        batch = {'record': numpy.array(texts), 'reply': numpy.array(replies[start : start + 3], dtype=object)}
        columns = scorer(batch)
        assert scorer({**batch, 'record': records[start : start + 3]}) == columns  # as often as one likes
        samples = expected.samples[start : start + 3]
        assert columns['answered'] == [sample.answered for sample in samples]
        assert columns['reading'] == [sample.reading for sample in samples]
        assert columns['extracted'] == [sample.extracted for sample in samples]
        for name in samples[0].scores:
            assert columns[f'score_{name}'] == [sample.scores[name] for sample in samples]
        kept += columns['kept']
    assert scorer.metrics(kept) == expected.metrics


def test_a_record_that_makes_no_question_is_an_error() -> None:
    files = sample_files('selqa_selection')
    scorer = BatchScorer('selqa_selection', {'extra_params': {'topics': ['no such topic']}})
    with pytest.raises(
        ValueError, match='0 questions of 2 records, but 2 replies; a batch takes records that make one'
    ):
        scorer({'record': read_records(files.records)[:2], 'reply': ['[1]', '[2]']})
