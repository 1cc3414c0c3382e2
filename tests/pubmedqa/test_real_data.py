"""All 500 official test questions, replayed from the official file, against scikit-learn."""

import json
import random
from pathlib import Path
from typing import Any, Dict, List

import pytest
from evalscope_qa.pubmedqa.official_split import official_test_ids
from evalscope_qa.pubmedqa.scoring import CLASSES
from evalscope_qa.records import read_records
from evalscope_qa.replay import ReplayResult, replay
from pubmedqa.published import load
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

QUALITY = ('accuracy', 'precision', 'recall', 'f1')


@pytest.fixture(scope='module')
def records(data_dir: Path) -> List[Dict[str, Any]]:
    """The official test questions, in the order of the official file."""
    return [
        record
        for record in read_records(data_dir / 'pubmedqa' / 'ori_pqal.json')
        if record['id'] in official_test_ids()
    ]


def replayed(records: List[Dict[str, Any]], replies: List[Any]) -> ReplayResult:
    return replay('pubmedqa_official', records, replies)


def by_scikit_learn(result: ReplayResult) -> Dict[str, float]:
    golds = [sample.gold for sample in result.samples]
    predictions = [sample.extracted or 'UNANSWERED' for sample in result.samples]
    precision, recall, f1, _ = precision_recall_fscore_support(
        golds, predictions, labels=list(CLASSES), average='macro', zero_division=0
    )
    return {'accuracy': accuracy_score(golds, predictions), 'precision': precision, 'recall': recall, 'f1': f1}


def test_the_ids_are_those_of_the_official_ground_truth(data_dir: Path) -> None:
    truth = json.loads((data_dir / 'pubmedqa' / 'test_ground_truth.json').read_text(encoding='utf-8'))
    assert official_test_ids() == set(truth)


@pytest.mark.parametrize(('benchmark', 'asked'), [('pubmedqa', 1000), ('pubmedqa_official', 500)])
def test_the_official_file_is_a_local_path(data_dir: Path, benchmark: str, asked: int) -> None:
    samples = load(benchmark, data_dir / 'pubmedqa' / 'ori_pqal.json')
    assert len(samples) == asked
    truth = json.loads((data_dir / 'pubmedqa' / 'test_ground_truth.json').read_text(encoding='utf-8'))
    golds = {sample.metadata['pubmed_id']: sample.target for sample in samples}
    assert {identifier: golds[identifier] for identifier in truth} == {
        key: label.upper() for key, label in truth.items()
    }


def test_gold_replies_score_1_everywhere(records: List[Dict[str, Any]]) -> None:
    result = replayed(records, [record['final_decision'] for record in records])
    assert result.num == 500
    assert [result.metrics[name] for name in QUALITY] == [1.0] * 4
    shares = [276 / 500, 169 / 500, 55 / 500, 0.0]
    assert [result.metrics[f'{name}_ratio'] for name in ('yes', 'no', 'maybe', 'unanswered')] == shares


def test_yes_to_all_scores_the_share_of_yes(records: List[Dict[str, Any]]) -> None:
    result = replayed(records, ['YES'] * 500)
    assert result.metrics['accuracy'] == 0.552
    assert result.metrics['f1'] == by_scikit_learn(result)['f1'] == pytest.approx(2 * 0.552 / 1.552 / 3, abs=1e-12)


@pytest.mark.parametrize('seed', range(3))
def test_random_replies_agree_with_scikit_learn(records: List[Dict[str, Any]], seed: int) -> None:
    source = random.Random(seed)
    replies = [source.choice(['yes', 'Answer: no', '**Maybe**', 'Insufficient evidence.']) for _ in records]
    result = replayed(records, replies)
    assert 0.2 < result.metrics['unanswered_ratio'] < 0.3
    assert {name: result.metrics[name] for name in QUALITY} == pytest.approx(by_scikit_learn(result), abs=1e-12)


def test_the_conclusions_of_the_abstracts_are_no_verdicts_by_their_no(records: List[Dict[str, Any]]) -> None:
    """Prose that states findings says "no" as a determiner; almost none of it may be read as an answer."""
    result = replayed(records, [record['LONG_ANSWER'] for record in records])
    assert result.metrics['unanswered_ratio'] > 0.99
