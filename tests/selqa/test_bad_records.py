"""A malformed record stops the run with its place and field; nothing is skipped or read leniently."""

import json
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.records import RecordError
from evalscope_qa.replay import replay
from selqa.adapters import load

QUESTION = {
    'question': 'Who painted it?',
    'article': 'A',
    'section': 'S',
    'topic': 'ART',
    'q_types': ['who'],
    'is_paraphrase': False,
}
SELECTION = {**QUESTION, 'candidates': ['', 'One.', 'Two.'], 'answers': [2]}
SECTION = {'article': 'A', 'section': 'S', 'candidates': ['', 'One.', 'Two.'], 'answers': []}
TRIGGERING = {**QUESTION, 'candidate_list': [SECTION] * 5}

BAD_QUESTIONS = [
    ({'question': None}, 'question'),
    ({'question': ' '}, 'question'),
    ({'question': ['Who?']}, 'question'),
    ({'article': 3}, 'article'),
    ({'section': None}, 'section'),
    ({'topic': None}, 'topic'),
    ({'q_types': 'who'}, 'q_types'),
    ({'q_types': [None]}, 'q_types.0'),
    ({'is_paraphrase': 'true'}, 'is_paraphrase'),
    ({'is_paraphrase': 1}, 'is_paraphrase'),
]
BAD_CANDIDATES = [
    ({'candidates': 'One.'}, 'candidates'),
    ({'candidates': ['One.', 2]}, 'candidates.1'),
    ({'candidates': None, 'answers': [7]}, 'candidates'),
    ({'answers': [3]}, 'answers'),
    ({'answers': [-1]}, 'answers'),
    ({'answers': [1, 99]}, 'answers'),
    ({'answers': [0]}, 'answers'),
    ({'answers': ['2']}, 'answers.0'),
    ({'answers': [2.0]}, 'answers.0'),
    ({'answers': [True]}, 'answers.0'),
    ({'answers': 2}, 'answers'),
    ({'answers': None}, 'answers'),
]
BAD_SELECTION = [*BAD_QUESTIONS, *BAD_CANDIDATES, ({'answers': []}, 'answers'), ({'candidates': []}, 'answers')]
BAD_TRIGGERING = [
    *BAD_QUESTIONS,
    ({'candidate_list': [SECTION] * 4}, 'candidate_list'),
    ({'candidate_list': [SECTION] * 6}, 'candidate_list'),
    ({'candidate_list': []}, 'candidate_list'),
    ({'candidate_list': None}, 'candidate_list'),
    ({'candidate_list': [*[SECTION] * 4, ['One.']]}, 'candidate_list.4'),
    ({'candidate_list': [*[SECTION] * 4, {**SECTION, 'section': 1}]}, 'candidate_list.4.section'),
    *[
        ({'candidate_list': [SECTION, {**SECTION, **change}, *[SECTION] * 3]}, f'candidate_list.1.{field}')
        for change, field in BAD_CANDIDATES
    ],
]


def _cases() -> list[Any]:
    """Each malformed record with its benchmark and the field that is at fault; also each field left out."""
    return [
        pytest.param(benchmark, record, field, id=f'{benchmark} {field} {index}')
        for benchmark, good, changes in (
            ('selqa_selection', SELECTION, BAD_SELECTION),
            ('selqa_triggering', TRIGGERING, BAD_TRIGGERING),
        )
        for index, (record, field) in enumerate(
            [
                *(({**good, **change}, field) for change, field in changes),
                *(({key: good[key] for key in good if key != name}, name) for name in good),
            ]
        )
    ]


@pytest.mark.parametrize(('benchmark', 'record', 'field'), _cases())
def test_the_error_names_benchmark_record_and_field(benchmark: str, record: dict[str, Any], field: str) -> None:
    good = SELECTION if benchmark == 'selqa_selection' else TRIGGERING
    with pytest.raises(RecordError) as error:
        replay(benchmark, [good, good, record], ['[1]'] * 3)
    assert f"{benchmark}: record 2: field '{field}':" in str(error.value)


@pytest.mark.parametrize(('benchmark', 'good'), [('selqa_selection', SELECTION), ('selqa_triggering', TRIGGERING)])
def test_a_record_that_is_no_object_is_refused(benchmark: str, good: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / 'records.json'
    path.write_text(json.dumps([good, ['Who?']]), encoding='utf-8')
    with pytest.raises(ValueError, match='element 1 is of type list'):
        load(benchmark, path)


@pytest.mark.parametrize('settings', [{}, {'limit': 1}, {'dataset_args': {'extra_params': {'topics': ['ART']}}}])
def test_a_bad_record_anywhere_in_a_file_stops_the_load_at_its_own_place(
    settings: dict[str, Any], tmp_path: Path
) -> None:
    """Also beyond the limit, and among other topics, where counting the questions asked would give another place."""
    records = [{**SELECTION, 'topic': 'TV'}, SELECTION, {**SELECTION, 'answers': [9]}]
    path = tmp_path / 'records.json'
    path.write_text(json.dumps(records), encoding='utf-8')
    with pytest.raises(RecordError, match="record 2: field 'answers': position 9 is outside the 3 candidates"):
        load('selqa_selection', path, **settings)


def test_further_fields_are_of_no_concern() -> None:
    assert replay('selqa_selection', [{**SELECTION, 'id': 7, 'notes': None}], ['[2]']).metrics['map'] == 1.0


def test_an_answer_named_twice_is_one_answer() -> None:
    assert replay('selqa_selection', [{**SELECTION, 'answers': [2, 2]}], ['[2]']).metrics['map'] == 1.0


def test_a_blank_title_is_a_title() -> None:
    """The lead of an article has none."""
    assert replay('selqa_selection', [{**SELECTION, 'section': ''}], ['[2]']).metrics['map'] == 1.0
