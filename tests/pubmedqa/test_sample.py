"""The shipped samples and the ranking example."""

from collections import Counter
from pathlib import Path
from typing import Dict, List

import pytest
from evalscope_qa.pubmedqa.official_split import official_test_ids
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import sample_files
from pubmedqa.published import load

SAMPLE = sample_files('pubmedqa')
OFFICIAL = sample_files('pubmedqa_official')


@pytest.mark.parametrize('sample', [SAMPLE, OFFICIAL], ids=lambda sample: sample.benchmark)
def test_there_is_a_reply_to_each_question(sample) -> None:  # type: ignore[no-untyped-def]
    questions = load(sample.benchmark, sample.records, sample.dataset_args)
    assert len(questions) == len(read_replies(sample.replies)) == len(read_records(sample.records))


def test_labels_are_balanced_and_replies_varied() -> None:
    labels = Counter(record['answer'] for record in read_records(SAMPLE.records))
    assert sum(labels.values()) >= 24
    assert max(labels.values()) - min(labels.values()) <= 2
    replies = read_replies(SAMPLE.replies)
    assert None in replies
    assert '' in replies
    assert any(reply and '<think>' in reply and '</think>' not in reply for reply in replies)
    result = replay('pubmedqa', read_records(SAMPLE.records), replies)
    assert {sample.extracted for sample in result.samples} == {'YES', 'NO', 'MAYBE', ''}
    assert {(sample.answered, sample.scores['accuracy']) for sample in result.samples} == {
        (True, 1.0), (True, 0.0), (False, 0.0),
    }  # fmt: skip


def test_the_official_sample_is_synthetic_text_under_official_ids() -> None:
    records = read_records(OFFICIAL.records)
    assert {record['id'] for record in records} <= official_test_ids()
    assert all('synthetic' in ' '.join(record['CONTEXTS']).lower() for record in records)


RANKING = {
    'a': {'accuracy': 0.8, 'precision': 1.0, 'recall': 0.8, 'f1': 16 / 18, 'unanswered_ratio': 0.2},
    'b': {'accuracy': 0.9, 'precision': 0.9, 'recall': 0.9, 'f1': 0.9, 'unanswered_ratio': 0.0},
}


@pytest.mark.parametrize(('model', 'expected'), RANKING.items())
def test_the_better_model_ranks_first(model: str, expected: Dict[str, float]) -> None:
    folder: Path = SAMPLE.records.parent
    replies: List = read_replies(folder / f'ranking_replies_{model}.jsonl')
    result = replay('pubmedqa', read_records(folder / 'ranking_records.jsonl'), replies)
    assert result.num == 30
    assert {name: result.metrics[name] for name in expected} == pytest.approx(expected, abs=1e-15)
