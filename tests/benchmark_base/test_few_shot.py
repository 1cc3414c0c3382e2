"""Few-shot examples never give away the answer of a question that is asked: by split, by file, or one by one."""

import json
from pathlib import Path
from typing import Any

import datasets
import pytest
from evalscope_qa.engine import configured_adapter
from evalscope_qa.records import read_records
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks

ADAPTERS = {name: configured_adapter(name) for name in shipped_benchmarks()}
# Another than the evaluated split holds the examples of all but the official benchmark, which tells them by their ids.
EVALUATED = {name: made.eval_split for name, made in ADAPTERS.items() if made.train_split != made.eval_split}
FROM_HUB = [name for name in EVALUATED if '://' not in ADAPTERS[name].dataset_id]
GIVEN_AWAY = "few-shot examples come from the split '.*', but .*: the prompts would give answers away"

benchmarks = pytest.mark.parametrize('benchmark', EVALUATED)


def _records(benchmark: str) -> list[dict[str, Any]]:
    return read_records(sample_files(benchmark).records)


def _file(benchmark: str, split: str) -> str:
    return ADAPTERS[benchmark].split_files.example_name(split)


def _folder(path: Path, benchmark: str, **splits: list[dict[str, Any]]) -> Path:
    for split, records in splits.items():
        (path / _file(benchmark, split)).write_text('\n'.join(map(json.dumps, records)) + '\n', encoding='utf-8')
    return path


def _load(benchmark: str, path: Path, limit: int | None = None, **settings: Any) -> list[str]:
    """The prompts of a run with two examples."""
    arguments = {'local_path': str(path), 'few_shot_num': 2, 'train_split': 'train', **settings}
    adapter = configured_adapter(benchmark, arguments, limit=limit)
    return [sample.input[-1].text for questions in adapter.load_dataset().values() for sample in questions]


@benchmarks
def test_examples_of_another_split_are_in_the_prompt(benchmark: str, tmp_path: Path) -> None:
    records, evaluated = _records(benchmark), EVALUATED[benchmark]
    _folder(tmp_path, benchmark, train=records[:2], **{evaluated: records[2:4]})
    prompts = _load(benchmark, tmp_path)
    assert len(prompts) == 2
    for prompt in prompts:
        assert all(record['question'].strip() in prompt for record in records[:2])


@benchmarks
def test_the_evaluated_split_gives_no_examples(benchmark: str, tmp_path: Path) -> None:
    records, evaluated = _records(benchmark), EVALUATED[benchmark]
    _folder(tmp_path, benchmark, train=records[:2], **{evaluated: records[2:]})
    for settings in ({'eval_split': 'train'}, {'train_split': evaluated}):
        with pytest.raises(ValueError, match=GIVEN_AWAY) as error:
            _load(benchmark, tmp_path, limit=1, **settings)
        assert _file(benchmark, settings.get('eval_split', evaluated)) in str(error.value)


@benchmarks
def test_the_evaluated_file_gives_no_examples(benchmark: str, tmp_path: Path) -> None:
    file = _folder(tmp_path, benchmark, train=_records(benchmark)) / _file(benchmark, 'train')
    with pytest.raises(ValueError, match=GIVEN_AWAY):
        _load(benchmark, file, limit=1)


@benchmarks
def test_a_question_that_stands_in_both_files_is_no_example(benchmark: str, tmp_path: Path) -> None:
    records, evaluated = _records(benchmark), EVALUATED[benchmark]
    _folder(tmp_path, benchmark, train=[records[3], records[1]], **{evaluated: records[:3]})
    with pytest.raises(ValueError, match='number 2 is one of the questions evaluated') as error:
        _load(benchmark, tmp_path)
    assert error.match(GIVEN_AWAY)
    assert len(_load(benchmark, tmp_path, limit=1)) == 1  # the question is not asked


@pytest.mark.parametrize('benchmark', FROM_HUB)
def test_the_evaluated_split_of_a_hub_gives_no_examples(
    benchmark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def load_dataset(path: str, split: str = '', **_: Any) -> datasets.Dataset:
        asked.append(split)
        return datasets.Dataset.from_list(_records(benchmark))

    monkeypatch.setattr(datasets, 'load_dataset', load_dataset)
    arguments = {'few_shot_num': 1, 'train_split': 'both', 'eval_split': 'both'}
    adapter = configured_adapter(benchmark, arguments, dataset_hub='huggingface', dataset_dir=str(tmp_path))
    with pytest.raises(ValueError, match='that is the split evaluated'):
        adapter.load_dataset()
    assert asked == ['both']
