"""Figures on the official selection test and dev files, replayed as replies.

The two baselines' figures were computed independently of this package, by plain floating-point sums in file order; the
means here are exact and rounded once, so they agree to within the rounding of those sums.
"""

from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from evalscope_qa.records import read_records
from evalscope_qa.replay import ReplayResult, replay
from selqa.adapters import load
from selqa.rankings import document_order, gold_ranking, shown_positions, word_overlap

QUALITY = ('map', 'mrr', 'precision_at_1')


@pytest.fixture(scope='module')
def records(data_dir: Path) -> list[dict[str, Any]]:
    return read_records(data_dir / 'selqa' / 'selqa-ass-test.json')


def values(result: ReplayResult) -> list[float]:
    return [result.metrics[name] for name in QUALITY]


@pytest.mark.parametrize(
    ('split', 'rank', 'expected'),
    [
        ('test', word_overlap, [0.8017374772513062, 0.8136545625932419, 0.720125786163522]),
        ('test', document_order, [0.41521225641286447, 0.4136919513522311, 0.24150943396226415]),
        ('dev', word_overlap, [0.8226427616471987, 0.8323347788651175, 0.7375796178343949]),
        ('dev', document_order, [0.41043305118302104, 0.40974645400136867, 0.23694267515923567]),
    ],
)
def test_the_baselines(data_dir: Path, split: str, rank: Any, expected: list[float]) -> None:
    records = read_records(data_dir / 'selqa' / f'selqa-ass-{split}.json')
    result = replay('selqa_selection', records, [rank(record) for record in records])
    assert values(result) == pytest.approx(expected, rel=0, abs=1e-14)
    assert result.metrics['unanswered_ratio'] == 0.0


def test_the_baselines_equal_trec_eval_over_all_questions(records: list[dict[str, Any]]) -> None:
    run, judgements = {}, {}
    for number, record in enumerate(records):
        ranking = [int(text.strip('[]')) for text in word_overlap(record).split(' > ')]
        run[str(number)] = {str(sentence): float(-rank) for rank, sentence in enumerate(ranking)}
        numbers = {position: str(shown) for shown, position in enumerate(shown_positions(record), start=1)}
        judgements[str(number)] = {
            sentence: int(position in record['answers']) for position, sentence in numbers.items()
        }
    per_question = pytrec_eval.RelevanceEvaluator(judgements, {'map', 'recip_rank'}).evaluate(run)
    assert len(per_question) == len(records) == 1590
    result = replay('selqa_selection', records, [word_overlap(record) for record in records])
    for name, measure in (('map', 'map'), ('mrr', 'recip_rank')):
        mean = sum(question[measure] for question in per_question.values()) / len(records)
        assert result.metrics[name] == pytest.approx(mean, rel=0, abs=1e-14)


def test_the_gold_ranking_scores_exactly_1(records: list[dict[str, Any]]) -> None:
    result = replay('selqa_selection', records, [gold_ranking(record) for record in records])
    assert result.metrics == {'map': 1.0, 'mrr': 1.0, 'precision_at_1': 1.0, 'unanswered_ratio': 0.0}


def test_an_empty_reply_to_all_scores_0_over_all_questions(records: list[dict[str, Any]]) -> None:
    result = replay('selqa_selection', records, [''] * len(records))
    assert result.metrics == {'map': 0.0, 'mrr': 0.0, 'precision_at_1': 0.0, 'unanswered_ratio': 1.0}
    assert result.num == 1590


def test_half_the_questions_unanswered_halves_every_mean(records: list[dict[str, Any]]) -> None:
    result = replay('selqa_selection', records, [gold_ranking(record) for record in records[:795]] + [None] * 795)
    assert result.metrics == {'map': 0.5, 'mrr': 0.5, 'precision_at_1': 0.5, 'unanswered_ratio': 0.5}


@pytest.mark.parametrize(('split', 'questions', 'shown'), [('test', 1590, 19435), ('dev', 785, None)])
def test_a_folder_of_official_files_is_loaded_by_split(
    data_dir: Path, split: str, questions: int, shown: int | None
) -> None:
    dataset = load('selqa_selection', data_dir / 'selqa', dataset_args={'eval_split': split})
    assert len(dataset) == questions
    if shown is not None:  # the published TSV of this split has as many rows
        assert sum('"sentences":' in sample.target for sample in dataset) == questions
        assert sum(int(sample.target.rsplit(':', 1)[1].rstrip('}')) for sample in dataset) == shown


def test_topics_of_the_official_file(data_dir: Path) -> None:
    arguments = {'extra_params': {'topics': ['MUSIC', 'TV']}}
    dataset = load('selqa_selection', data_dir / 'selqa' / 'selqa-ass-test.json', dataset_args=arguments, limit=200)
    assert len(dataset) == 200
    assert {sample.metadata['topic'] for sample in dataset} == {'MUSIC', 'TV'}
