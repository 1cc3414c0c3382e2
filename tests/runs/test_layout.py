"""Which file of a run belongs to which model, benchmark and subset."""

import json
from pathlib import Path

import pytest
from evalscope_qa.runs import read_runs
from evalscope_qa.runs.layout import find_runs, read_rows
from runs_on_disk import review, write_run


def files(folder: Path) -> list[tuple[str, str, str]]:
    return [(file.model, file.benchmark, file.subset) for run in find_runs(folder) for file in run.files]


@pytest.mark.parametrize(
    ('benchmark', 'subset', 'config'),
    [
        ('gsm8k', 'main', {}),
        ('mmlu_pro', 'computer science', {'datasets': ['mmlu', 'mmlu_pro']}),
        ('mmlu', 'pro_forma', {'datasets': ['mmlu', 'gsm8k']}),
        ('arc', 'ARC-Easy', {'datasets': []}),  # named nowhere in the run: known to evalscope
        ('my_own', 'a_b', {'datasets': ['my_own']}),
    ],
)
def test_names_with_underscores_are_split_by_the_benchmarks_of_the_run(
    tmp_path: Path, benchmark: str, subset: str, config: dict
) -> None:
    write_run(tmp_path, 'model', {subset: [review(0, 1.0)]}, benchmark=benchmark, config=config)
    assert files(tmp_path) == [('model', benchmark, subset)]


def test_reports_name_benchmarks_that_no_configuration_does(tmp_path: Path) -> None:
    write_run(tmp_path, 'model', {'x': [review(0, 1.0)]}, benchmark='my_own', config={'datasets': []})
    (tmp_path / 'reports' / 'model').mkdir(parents=True)
    (tmp_path / 'reports' / 'model' / 'my_own.json').write_text('{}', encoding='utf-8')
    assert files(tmp_path) == [('model', 'my_own', 'x')]


def test_a_name_that_begins_with_no_benchmark_is_an_error(tmp_path: Path) -> None:
    write_run(tmp_path, 'model', {'x': [review(0, 1.0)]}, benchmark='nothing_known', config={'datasets': []})
    with pytest.raises(ValueError, match=r'nothing_known_x\.jsonl: the name begins with no benchmark'):
        find_runs(tmp_path)


def test_a_model_of_an_organisation_has_a_slash(tmp_path: Path) -> None:
    write_run(tmp_path, 'org/model', {'main': [review(0, 1.0)]})
    assert files(tmp_path) == [('org/model', 'gsm8k', 'main')]


def test_runs_are_found_below_a_folder_of_time_stamps(tmp_path: Path) -> None:
    for stamp in ('20260101_000000', '20260102_000000'):
        write_run(tmp_path / 'outputs' / stamp, stamp, {'main': [review(0, 1.0)]})
    write_run(tmp_path / 'outputs' / '.new.partial-1', 'half written', {'main': [review(0, 1.0)]})
    assert [run.path.name for run in find_runs(tmp_path)] == ['20260101_000000', '20260102_000000']


@pytest.mark.parametrize('text', ['a: [', '- 1\n'])
def test_a_broken_configuration_is_named(tmp_path: Path, text: str) -> None:
    write_run(tmp_path, 'model', {'main': [review(0, 1.0)]})
    (tmp_path / 'configs' / 'task_config.yaml').write_text(text, encoding='utf-8')
    with pytest.raises(ValueError, match=r'task_config\.yaml: '):
        find_runs(tmp_path)


def test_a_broken_report_is_named(tmp_path: Path) -> None:
    write_run(tmp_path, 'model', {'main': [review(0, 1.0)]})
    (tmp_path / 'reports' / 'model').mkdir(parents=True)
    (tmp_path / 'reports' / 'model' / 'gsm8k.json').write_text('{', encoding='utf-8')
    with pytest.raises(ValueError, match=r'gsm8k\.json: evalscope cannot read this report'):
        read_runs([tmp_path])


def test_of_several_reviews_of_one_index_the_last_counts(tmp_path: Path) -> None:
    write_run(tmp_path, 'model', {'main': [review(0, 0.0), review(1, 0.0), review(0, 1.0)]})
    assert read_runs([tmp_path])[0].question_values('accuracy') == {('main', 0): 1.0, ('main', 1): 0.0}


def test_lines_are_split_at_line_ends_alone(tmp_path: Path) -> None:
    (tmp_path / 'rows.jsonl').write_text(
        json.dumps({'text': 'a\u2028b\x85c'}, ensure_ascii=False) + '\r\n\n{}\n', encoding='utf-8', newline=''
    )
    assert read_rows(tmp_path / 'rows.jsonl') == [{'text': 'a\u2028b\x85c'}, {}]


def test_the_prompt_is_the_same_in_every_layout(tmp_path: Path) -> None:
    old = review(0, 1.0, prompt='Which?')
    old['messages'], old['input'], old['target'] = [], '**User**: \nWhich?', 'yes'
    new = review(0, 1.0, prompt='Which?')
    new['messages'].insert(0, {'role': 'system', 'content': 'Be short.'})
    write_run(tmp_path / 'old', 'a', {'main': [old]})
    write_run(tmp_path / 'new', 'b', {'main': [new]})
    prompts = {attempt.prompt for scores in read_runs([tmp_path]) for attempt in scores.attempts}
    targets = {attempt.target for scores in read_runs([tmp_path]) for attempt in scores.attempts}
    assert (prompts, targets) == ({'Which?'}, {('yes',)})
