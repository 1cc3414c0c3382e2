"""A model that is always right scores 1.0 however it says so, and one that says nothing scores 0, on real questions."""

from pathlib import Path
from typing import Any, Callable

import pytest
from evalscope_qa.pubmedqa.official_split import official_test_ids
from evalscope_qa.reading import read_verdict
from evalscope_qa.records import read_records
from evalscope_qa.replay import replay
from evalscope_qa.selqa.prompts import SELECTION_PROMPT, selection_question
from evalscope_qa.selqa.schemas import SelectionRecord
from reading.frames import SILENT, STATING
from selqa.rankings import gold_ranking

Records = list[dict[str, Any]]


@pytest.fixture(scope='module')
def questions(data_dir: Path) -> Records:
    ids = official_test_ids()
    return [record for record in read_records(data_dir / 'pubmedqa' / 'ori_pqal.json') if record['id'] in ids]


@pytest.fixture(scope='module')
def selections(data_dir: Path) -> Records:
    return read_records(data_dir / 'selqa' / 'selqa-ass-test.json')


def test_every_frame_states_every_verdict_of_the_official_questions(questions: Records) -> None:
    golds = [record['final_decision'] for record in questions]
    assert len(golds) == 500
    for frame in STATING:
        for case in (str.lower, str.upper, str.capitalize):
            reading = {gold: read_verdict(frame.replace('{}', case(gold))).answer for gold in set(golds)}
            assert [reading[gold] for gold in golds] == [gold.upper() for gold in golds], frame


# Frames of every kind through the adapter, with its prompt.
SAMPLE = [
    '<answer>{}</answer>', '### Answer\n{}', 'Based on the abstract: {}', '{"answer": "{}"}', '{}', 'The answer is {}.',
    '{}\n\nExplanation: the first arm improved and the second did not.',
]  # fmt: skip


@pytest.mark.parametrize('frame', SAMPLE)
def test_a_perfect_model_scores_1_on_every_quality_metric(questions: Records, frame: str) -> None:
    replies = [frame.replace('{}', record['final_decision'].capitalize()) for record in questions]
    result = replay('pubmedqa_official', questions, replies)
    assert [result.metrics[name] for name in ('accuracy', 'precision', 'recall', 'f1')] == [1.0] * 4
    assert result.metrics['unanswered_ratio'] == 0.0


def test_a_model_that_states_nothing_is_unanswered_on_every_question(questions: Records) -> None:
    replies = [
        SILENT[index % len(SILENT)].replace('{}', record['final_decision']) for index, record in enumerate(questions)
    ]
    result = replay('pubmedqa_official', questions, replies)
    assert result.metrics['unanswered_ratio'] == 1.0
    assert [result.metrics[name] for name in ('accuracy', 'precision', 'recall', 'f1')] == [0.0] * 4
    reasons = {sample.reading for sample in result.samples}
    assert reasons <= {'nothing stated', 'cut off', 'refused', 'not an option', 'several', 'empty', 'echo'}


def _numbers(record: dict[str, Any]) -> list[str]:
    return [number.strip('[]') for number in gold_ranking(record).split(' > ')]


def _wrong(record: dict[str, Any]) -> str:
    """The number of a sentence that does not answer, as far as there is one."""
    shown = sum(bool(candidate.strip()) for candidate in record['candidates'])
    return next((str(number) for number in range(1, shown + 1) if str(number) not in _numbers(record)), '99')


def _prompt(record: dict[str, Any]) -> str:
    text, _ = selection_question(SelectionRecord.model_validate(record))
    return SELECTION_PROMPT.format(question=text)


def _loose_list(record: dict[str, Any]) -> str:
    shown = [candidate for candidate in record['candidates'] if candidate.strip()]
    return '\n\n'.join(
        f'{place}. [{number}] {shown[int(number) - 1]}' for place, number in enumerate(_numbers(record), 1)
    )


PERFECT: dict[str, Callable[[dict[str, Any]], str]] = {
    'bare': gold_ranking,
    'a note after it': lambda record: (
        f'{gold_ranking(record)}\n\nSentence [{_wrong(record)}] does not answer the question.'
    ),
    'a loose list': _loose_list,
    'a label, no brackets': lambda record: f'Answer: {" > ".join(_numbers(record))}',
    'a tag': lambda record: f'<answer>{gold_ranking(record)}</answer>',
}


@pytest.mark.parametrize('write', PERFECT.values(), ids=PERFECT)
def test_a_perfect_ranking_scores_1_however_it_is_written(selections: Records, write: Callable[..., str]) -> None:
    result = replay('selqa_selection', selections, [write(record) for record in selections])
    assert result.metrics == {'map': 1.0, 'mrr': 1.0, 'precision_at_1': 1.0, 'unanswered_ratio': 0.0}


NO_RANKING: dict[str, Callable[[dict[str, Any]], str]] = {
    'the prompt': _prompt,
    'the beginning of the prompt': lambda record: _prompt(record)[: len(_prompt(record)) * 2 // 3],
    'a refusal with numbers': lambda record: (
        f'None of the sentences [1] to [{sum(map(bool, map(str.strip, record["candidates"])))}] answers it.'
    ),
}


@pytest.mark.parametrize('write', NO_RANKING.values(), ids=NO_RANKING)
def test_a_reply_without_a_ranking_scores_0(selections: Records, write: Callable[..., str]) -> None:
    result = replay('selqa_selection', selections, [write(record) for record in selections])
    assert result.metrics == {'map': 0.0, 'mrr': 0.0, 'precision_at_1': 0.0, 'unanswered_ratio': 1.0}
