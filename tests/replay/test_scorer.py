"""A scorer of batches gives, in batches of any size and after a trip through pickle, what a replay gives."""

import json
import pickle

import numpy
import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import BatchScorer, replay
from evalscope_qa.replay.samples import sample_files
from replay.any_benchmark import BENCHMARKS, inputs_of


@pytest.mark.parametrize('benchmark', BENCHMARKS)
def test_batches_give_the_metrics_and_the_rows_of_a_replay(benchmark: str) -> None:
    records, replies, settings = inputs_of(benchmark)
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
