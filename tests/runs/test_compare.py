"""Comparing runs: what is paired, what is refused, versions side by side, metrics that are no mean."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.cli import main
from evalscope_qa.runs import Attempt, Metric, Options, ScoreSet, compare, read_runs, read_scores_csv
from evalscope_qa.runs.comparison.html import to_html
from evalscope_qa.runs.comparison.text import to_json, to_text
from runs_on_disk import review, version_config, write_run


def scores(model: str, values: Sequence[float], version: str = '', metric: Metric | None = None, **of: Any) -> ScoreSet:
    attempts = tuple(
        Attempt(question=('', index), index=index, values={'accuracy': value}) for index, value in enumerate(values)
    )
    return ScoreSet(model, 'b', version, f'runs/{model}', attempts, (metric,) if metric else (), **of)


def test_only_questions_that_both_were_asked_count() -> None:
    first, second = scores('a', [1, 1, 0, 1, 1]), scores('b', [0, 1, 0])
    found = compare([first, second]).benchmarks[0].versions[0]
    assert [(model.model, model.questions) for model in found.models] == [('a', 5), ('b', 3)]
    pair = found.pairs[0]
    assert (pair.questions, pair.left_out, pair.first_alone, pair.second_alone) == (3, 2, 1, 0)
    assert pair.interval.value == pytest.approx(1 / 3)


def test_repeats_are_averaged_within_a_question(tmp_path: Path) -> None:
    file = tmp_path / 'scores.csv'
    file.write_text('item_id,model_id,score,epoch\n1,a,1,1\n1,a,0,2\n2,a,1,1\n1,b,1,1\n2,b,0,1\n', encoding='utf-8')
    found = compare(read_scores_csv(file)).benchmarks[0].versions[0]
    assert [(model.model, model.interval.value, model.repeats) for model in found.models] == [
        ('a', 0.75, 2),
        ('b', 0.5, 1),
    ]


def test_a_cluster_column_clusters(tmp_path: Path) -> None:
    file = tmp_path / 'scores.csv'
    rows = [f'{item},{model},{value},{item // 3}' for model, value in (('a', 1), ('b', 0)) for item in range(9)]
    file.write_text('item_id,model_id,score,cluster\n' + '\n'.join(rows), encoding='utf-8')
    found = compare(read_scores_csv(file)).benchmarks[0].versions[0]
    assert {model.interval.method for model in found.models} == {'t, clustered'}
    assert (found.pairs[0].test.method, found.pairs[0].test.p) == ('exact permutation', 0.25)


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('item_id,model_id\n1,a\n', 'no column score; the columns are item_id, model_id'),
        ('item_id,model_id,score\n1,a,x\n', "row 1: the score is 'x'; expected a number"),
        ('item_id,model_id,score\n1,a,nan\n', "the score is 'nan'"),
        ('item_id,model_id,score\n1,a,1\n1,a,0\n', 'row 2: a second score of a for item 1; tell repeats apart'),
        ('item_id,model_id,score\n', 'there is no row of scores'),
    ],
)
def test_scores_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    file = tmp_path / 'scores.csv'
    file.write_text(text, encoding='utf-8')
    assert main(['compare', '--scores', str(file)]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize('change', [{'target': 'no'}, {'prompt': 'Another question?'}])
def test_one_index_with_two_questions_is_refused(tmp_path: Path, change: dict[str, str]) -> None:
    rows = [review(index, 1.0) for index in range(3)]
    write_run(tmp_path / '1', 'a', {'main': rows})
    write_run(tmp_path / '2', 'b', {'main': [*rows[:2], review(2, 1.0, **change)]})
    with pytest.raises(ValueError, match=rf'question 2 of subset main has another {next(iter(change))} for b .*0 more'):
        compare(read_runs([tmp_path]))


def test_two_versions_stand_side_by_side_with_what_reverses() -> None:
    result = compare(
        [
            scores('a', [1, 1, 1, 0], 'v1.0'),
            scores('b', [1, 1, 0, 0], 'v1.0'),
            scores('a', [1, 0, 0, 0], 'v1.1'),
            scores('b', [1, 1, 0, 0], 'v1.1'),
        ]
    )
    found = result.benchmarks[0]
    assert [version.version for version in found.versions] == ['v1.0', 'v1.1']
    assert found.reversals == (('a', 'b'),)
    text = to_text(result)
    assert 'a is ahead of b by evaluation version v1.0, behind it by evaluation version v1.1.' in text
    assert 'a !' in text and 'a !' in to_html(result)


def test_runs_of_one_model_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in '12':
        write_run(tmp_path / folder, 'a', {'main': [review(0, 1.0), review(1, 0.0)]})
    found = compare(read_runs([tmp_path / '1', tmp_path / '2'])).benchmarks[0].versions[0]
    assert [model.model for model in found.models] == ['a (1)', 'a (2)']


def test_a_run_given_twice_is_one(tmp_path: Path) -> None:
    write_run(tmp_path / '1', 'a', {'main': [review(0, 1.0)]})
    assert len(read_runs([tmp_path, tmp_path / '1'])) == 1


def test_lower_is_better_where_the_report_says_so() -> None:
    metric = Metric('accuracy', higher_is_better=False, primary=True)
    found = compare([scores('a', [1] * 20, metric=metric), scores('b', [0] * 20, metric=metric)]).benchmarks[0]
    assert [(model.model, str(model.ranks)) for model in found.versions[0].models] == [('b', '1'), ('a', '2')]


def test_a_metric_that_only_describes_ranks_nobody() -> None:
    metric = Metric('accuracy', higher_is_better=None, primary=True)
    result = compare([scores('a', [1] * 20, metric=metric), scores('b', [0] * 20, metric=metric)])
    assert 'no model is better for it' in to_text(result)


def test_who_was_unanswered_alone_and_why(tmp_path: Path) -> None:
    refused = {'metadata': {'answered': False, 'reading': 'refused'}, 'extracted_prediction': ''}
    empty = {'extracted_prediction': '', 'prediction': ''}
    write_run(tmp_path / '1', 'a', {'main': [review(0, 0.0, **refused), review(1, 0.0, **empty), review(2, 1.0)]})
    write_run(tmp_path / '2', 'b', {'main': [review(0, 1.0), review(1, 0.0, **refused), review(2, 0.0, **empty)]})
    found = compare(read_runs([tmp_path])).benchmarks[0].versions[0]
    assert found.models[0].unanswered_by_reason == {'refused': 1, 'empty': 1}
    pair = found.pairs[0]
    assert (pair.first_unanswered_alone, pair.second_unanswered_alone) == ({'refused': 1}, {'empty': 1})


def test_replies_that_the_benchmark_could_not_score_are_left_out(tmp_path: Path) -> None:
    write_run(tmp_path / '1', 'a', {'main': [review(0, 1.0), review(1, 0.0, value={}, status='excluded')]})
    write_run(tmp_path / '2', 'b', {'main': [review(0, 1.0), review(1, 0.0)]})
    pair = compare(read_runs([tmp_path])).benchmarks[0].versions[0].pairs[0]
    assert (pair.questions, pair.left_out) == (1, 1)


def test_questions_of_a_passage_are_clusters(tmp_path: Path) -> None:
    write_run(tmp_path / '1', 'a', {'main': [review(index, index % 2) for index in range(6)]})
    found = compare(read_runs([tmp_path], cluster='passage')).benchmarks[0].versions[0]
    assert found.models[0].interval.method == 't, clustered'
    with pytest.raises(ValueError, match="no field 'page' to make clusters of; it has"):
        read_runs([tmp_path], cluster='page')


def test_numbers_in_json_are_those_stored() -> None:
    result = compare([scores('a', [1, 0, 1]), scores('b\ud800', [0, 0, 1])])
    document = json.loads(to_json(result).encode('utf-8'))
    assert document['benchmarks'][0]['versions'][0]['pairs'][0]['first_alone'] == 1
    assert document['options']['seed'] == 0


def test_names_are_escaped_in_html_and_markdown() -> None:
    page = to_html(compare([scores('<img src=x>', [1, 0]), scores('a|b', [0, 0])]))
    assert '<img' not in page and '&lt;img' in page


@pytest.mark.parametrize(
    ('arguments', 'message'),
    [
        ([], 'nothing to compare'),
        (['nowhere'], 'no such folder'),
        (['.'], 'no run of evalscope'),
    ],
)
def test_nothing_to_compare(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(['compare', *arguments]) == 2
    assert message in capsys.readouterr().err


def test_unknown_metrics_and_benchmarks_are_named(tmp_path: Path) -> None:
    write_run(tmp_path / '1', 'a', {'main': [review(0, 1.0)]})
    with pytest.raises(ValueError, match='no benchmark here has a metric bleu; there are accuracy'):
        compare(read_runs([tmp_path]), Options(('bleu',)))
    with pytest.raises(ValueError, match='no run holds mmlu; they hold gsm8k'):
        read_runs([tmp_path], datasets=['mmlu'])


@pytest.mark.parametrize(
    ('line', 'message'),
    [('{"index": 1', 'line 2 is not JSON'), ('[1]', 'line 2 is a list'), ('{"index": 1}', 'review 1 is not one')],
)
def test_a_broken_review_is_named(tmp_path: Path, line: str, message: str) -> None:
    write_run(tmp_path, 'a', {'main': [review(0, 1.0)]})
    with (tmp_path / 'reviews' / 'a' / 'gsm8k_main.jsonl').open('a', encoding='utf-8') as stream:
        stream.write(line)
    with pytest.raises(ValueError, match=message):
        read_runs([tmp_path])


def test_versions_come_from_the_configuration(tmp_path: Path) -> None:
    write_run(tmp_path, 'a', {'main': [review(0, 1.0)]}, config=version_config('gsm8k', 'v1.2'))
    assert read_runs([tmp_path])[0].version == 'v1.2'


def test_signature_only_prints_the_lines_to_cite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = {**version_config('gsm8k', 'v1.2'), 'dataset_args': {'gsm8k': {'few_shot_num': 3, 'local_path': 'x'}}}
    write_run(tmp_path, 'a', {'main': [review(0, 1.0)]}, config={**config, 'evalscope_version': '1.14.1'})
    assert main(['compare', str(tmp_path), '--signature-only']) == 0
    line = capsys.readouterr().out
    assert line.startswith('benchmark:gsm8k|version:v1.2|metric:accuracy|n:1|data:sha256=')
    assert '|settings:few_shot_num=3|evalscope:1.14.1|evalscope-qa:' in line
    assert line.count('\n') == 1
