"""What the commands print in short, and what they say of models that cannot be compared."""

import json
import os
from pathlib import Path

import evalscope_qa.runs
import pytest
from evalscope_qa.cli import main
from evalscope_qa.runs import compare, read_runs, rescore
from evalscope_qa.runs.comparison.text import to_text
from evalscope_qa.runs.rescoring import plugin_free
from evalscope_qa.runs.rescoring.suitability import why_not_again
from runs_on_disk import review, version_config, write_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of iquiz, both of whose replies were credited; the second one is wrong."""
    question = '[LETTER] 是 A,B 中的一个。\n问题：Which?\n选项：\nA) x\nB) y'
    rows = [
        review(index, 1.0, target='B', prompt=question, prediction=f'答案：{letter}', value={'acc': 1.0})
        for index, letter in enumerate('BA')
    ]
    return write_run(tmp_path / 'run', 'a', {'EQ': rows}, benchmark='iquiz')


def test_compare_prints_bare_values(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['compare', str(run), '-b']) == 0
    assert capsys.readouterr().out == '1.0000\n'


@pytest.mark.parametrize('number', ['0', '-1'])
def test_no_draws_are_refused(run: Path, capsys: pytest.CaptureFixture[str], number: str) -> None:
    with pytest.raises(SystemExit):
        main(['compare', str(run), '--resamples', number])
    assert 'must be at least 1' in capsys.readouterr().err


def test_rescore_prints_bare_values_or_signatures_and_writes_json(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(['rescore', str(run), '-b', '--json', str(tmp_path / 'out.json')]) == 0
    assert capsys.readouterr().out == '0.5000\n'
    document = json.loads((tmp_path / 'out.json').read_text(encoding='utf-8'))
    found = document['benchmarks'][0]
    assert (found['changed'], found['flips'][0]['index'], found['flips'][0]['metrics']) == (1, 1, ['accuracy'])
    assert main(['rescore', str(run), '--signature-only']) == 0
    assert capsys.readouterr().out == found['signature'] + '\n'


def test_every_public_name_is_there_and_no_other() -> None:
    assert all(getattr(evalscope_qa.runs, name) is not None for name in evalscope_qa.runs.__all__)
    with pytest.raises(AttributeError, match='nothing_such'):
        _ = evalscope_qa.runs.nothing_such


def test_models_that_share_no_question_have_no_pair(tmp_path: Path) -> None:
    write_run(tmp_path / '1', 'a', {'main': [review(0, 1.0)]})
    write_run(tmp_path / '2', 'b', {'main': [review(1, 1.0)]})
    result = compare(read_runs([tmp_path]))
    assert result.benchmarks[0].versions[0].pairs == ()
    assert 'There is no pair of models to compare by this version.' in to_text(result)


def test_some_pairs_may_be_separated_and_others_not(tmp_path: Path) -> None:
    for model, right in (('a', 30), ('b', 29), ('c', 3)):
        write_run(tmp_path / model, model, {'main': [review(index, float(index < right)) for index in range(30)]})
    result = compare(read_runs([tmp_path]))
    assert '2 of 3 pairs differ at 0.05 after correction; the others are tied.' in to_text(result)
    ranks = {model.model: str(model.ranks) for model in result.benchmarks[0].versions[0].models}
    assert ranks == {'a': '1-2', 'b': '1-2', 'c': '3'}


def test_two_versions_that_agree_change_no_place(tmp_path: Path) -> None:
    for version in ('v1.0', 'v1.1'):
        for model, right in (('a', 3), ('b', 2)):
            rows = [review(index, float(index < right)) for index in range(4)]
            write_run(tmp_path / version / model, model, {'main': rows}, config=version_config('gsm8k', version))
    assert 'No pair of models changes places.' in to_text(compare(read_runs([tmp_path])))


def test_one_source_with_two_sets_of_a_model_is_refused(tmp_path: Path) -> None:
    write_run(tmp_path, 'a', {'main': [review(0, 1.0)]})
    sets = read_runs([tmp_path])
    with pytest.raises(ValueError, match='has two sets of scores for gsm8k'):
        compare([*sets, *sets])
    with pytest.raises(ValueError, match='there are no scores to compare'):
        compare([])


def test_predictions_without_a_review_are_left(tmp_path: Path, run: Path) -> None:
    prediction = {'index': 9, 'model': 'a', 'model_output': None, 'messages': []}
    folder = run / 'predictions' / 'a'
    folder.mkdir(parents=True)
    (folder / 'iquiz_EQ.jsonl').write_text(json.dumps(prediction) + '\n', encoding='utf-8')
    assert '1 predictions without a review are left as they are' in rescore([run]).benchmarks[0].note


def test_a_benchmark_whose_module_fails_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalscope.api.registry import BENCHMARK_REGISTRY

    def fail(name: str) -> None:
        raise ImportError('no module named x')

    monkeypatch.setattr(BENCHMARK_REGISTRY, 'get', fail)
    assert why_not_again('gsm8k', {}) == 'its module cannot be imported: ImportError: no module named x'


def test_an_agents_replies_are_kept() -> None:
    assert why_not_again('gsm8k', {'agent_config': {'mode': 'native'}}) == 'an agent made its replies'


def test_a_process_that_ends_without_an_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_free.sys, 'executable', '/bin/false')
    with pytest.raises(RuntimeError, match='the process without plugins ended with status 1'):
        plugin_free.in_plugin_free_process(paths=[])


@pytest.mark.parametrize(('value', 'off'), [('off', True), (' 0 ', True), ('', False), ('searchqa', False)])
def test_the_switch_says_whether_plugins_are_off(monkeypatch: pytest.MonkeyPatch, value: str, off: bool) -> None:
    monkeypatch.setitem(os.environ, 'EVALSCOPE_PLUGINS', value)
    assert plugin_free.plugins_are_off() is off
