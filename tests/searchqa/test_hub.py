"""The dataset comes from Hugging Face unless the user set another hub; no loader here reaches the network."""

import argparse
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, Optional

import datasets
import modelscope
import pytest
from evalscope.api.registry import get_benchmark
from evalscope.arguments import add_argument
from evalscope.config import parse_task_config
from evalscope.constants import HubType
from evalscope_qa import benchmark_base
from evalscope_qa.discovery import load_plugins
from evalscope_qa.records import RecordError

Row = Dict[str, Any]


class Hubs:
    """Stands in for both hubs: serves ``splits`` and notes what was asked for."""

    def __init__(self, row: Callable[..., Row]) -> None:
        self.splits = {split: [row(number, split) for number in range(5)] for split in ('train', 'validation')}
        self.asked: List[tuple[str, str, str, Optional[str], Optional[str]]] = []

    def _serve(self, hub: str, name: str, split: str, revision: Any, subset: Any) -> datasets.Dataset:
        self.asked.append((hub, name, split, revision, subset))
        return datasets.Dataset.from_list(self.splits[split])

    def hugging_face(self, path: str, name: Any = None, split: str = '', revision: Any = None, **_: Any) -> Any:
        return self._serve('huggingface', path, split, revision, name)

    def model_scope(
        self, dataset_name: str, subset_name: Any = None, split: str = '', version: Any = None, **_: Any
    ) -> Any:
        return self._serve('modelscope', dataset_name, split, version, subset_name)


@pytest.fixture
def hubs(monkeypatch: pytest.MonkeyPatch, row: Callable[..., Row]) -> Hubs:
    load_plugins()
    fake = Hubs(row)
    monkeypatch.setattr(datasets, 'load_dataset', fake.hugging_face)
    monkeypatch.setattr(modelscope.MsDataset, 'load', fake.model_scope)
    return fake


def test_the_name_of_the_hub_is_evalscopes() -> None:
    assert benchmark_base.HUGGING_FACE == HubType.HUGGINGFACE


def test_hugging_face_is_the_default(hubs: Hubs, adapter: Callable[..., Any]) -> None:
    questions = adapter().load_dataset()['default']
    assert hubs.asked == [('huggingface', 'lucadiliello/searchqa', 'validation', None, None)]
    assert [sample.metadata['key'] for sample in questions] == [f'validation-{number}' for number in range(5)]


@pytest.mark.parametrize('hub', [HubType.MODELSCOPE, HubType.HUGGINGFACE])
def test_the_hub_that_the_user_set_is_asked(hubs: Hubs, adapter: Callable[..., Any], hub: str) -> None:
    adapter(dataset_hub=hub).load_dataset()
    assert hubs.asked == [(hub, 'lucadiliello/searchqa', 'validation', None, None)]


@pytest.mark.parametrize(
    ('options', 'expected'),
    [
        ([], 'huggingface'),
        (['--dataset-hub', 'modelscope'], 'modelscope'),
        (['--dataset-hub', 'huggingface'], 'huggingface'),
    ],
)
def test_the_command_line_sets_the_hub(options: List[str], expected: str) -> None:
    parser = argparse.ArgumentParser()
    add_argument(parser)
    load_plugins()
    arguments = parser.parse_args(['--model', 'canned', '--eval-type', 'mock_llm', '--datasets', 'searchqa', *options])
    assert get_benchmark('searchqa', parse_task_config(arguments)).dataset_hub == expected


@pytest.mark.parametrize(('line', 'expected'), [('', 'huggingface'), ('dataset_hub: modelscope', 'modelscope')])
def test_a_configuration_file_sets_the_hub(tmp_path: Path, line: str, expected: str) -> None:
    file = tmp_path / 'run.yaml'
    file.write_text(f'model: canned\neval_type: mock_llm\ndatasets: [searchqa]\n{line}\n', encoding='utf-8')
    load_plugins()
    assert get_benchmark('searchqa', parse_task_config(str(file))).dataset_hub == expected


@pytest.mark.parametrize('hub', [None, HubType.MODELSCOPE])
def test_a_revision_is_asked_for(hubs: Hubs, adapter: Callable[..., Any], hub: Optional[str]) -> None:
    adapter({'dataset_revision': 'abc123'}, **({'dataset_hub': hub} if hub else {})).load_dataset()
    assert hubs.asked == [(hub or 'huggingface', 'lucadiliello/searchqa', 'validation', 'abc123', None)]


def test_another_dataset_id_is_asked_for(hubs: Hubs, adapter: Callable[..., Any]) -> None:
    adapter({'dataset_id': 'someone/searchqa-copy', 'dataset_revision': 'v2'}).load_dataset()
    assert hubs.asked == [('huggingface', 'someone/searchqa-copy', 'validation', 'v2', None)]


def test_the_runs_own_hub_setting_is_left_to_the_other_benchmarks(
    hubs: Hubs, adapter: Callable[..., Any], row: Callable[..., Row], folder: Callable[..., str]
) -> None:
    for made in (adapter(), adapter({'local_path': folder(validation=[row(1)])})):
        config = made._task_config
        before = (config.dataset_hub, set(config.model_fields_set))
        made.load_dataset()
        assert (config.dataset_hub, set(config.model_fields_set)) == before == (HubType.MODELSCOPE, before[1])
        assert 'dataset_hub' not in before[1]


def test_another_benchmark_that_loads_first_does_not_choose_the_hub(hubs: Hubs, adapter: Callable[..., Any]) -> None:
    made = adapter()
    made._task_config.dataset_hub = HubType.LOCAL  # what evalscope does for the time of loading a local dataset,
    made._task_config.dataset_hub = HubType.MODELSCOPE  # and what it puts back
    made.load_dataset()
    assert hubs.asked[0][0] == 'huggingface'


def test_no_warning_says_that_the_id_is_modelscopes(
    hubs: Hubs, adapter: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from evalscope.api.benchmark import benchmark

    warnings: List[str] = []
    # evalscope up to 1.13 has no such warning, nor a logger there.
    monkeypatch.setattr(benchmark, 'logger', SimpleNamespace(warning=warnings.append), raising=False)
    adapter().load_dataset()
    assert warnings == []


def test_an_adapter_made_for_its_metadata_needs_no_configuration() -> None:
    load_plugins()
    assert get_benchmark('searchqa').dataset_hub == 'huggingface'


def test_few_shot_examples_come_from_the_training_split(hubs: Hubs, adapter: Callable[..., Any]) -> None:
    questions = adapter({'few_shot_num': 3}, limit=2).load_dataset()['default']
    assert [(hub, split) for hub, _, split, _, _ in hubs.asked] == [
        ('huggingface', 'validation'),
        ('huggingface', 'train'),
    ]
    assert len(questions) == 2
    prompt = questions[1].input[-1].text
    order = [
        prompt.find(text)
        for number in range(3)
        for text in (f'train clue {number}', f'<answer>train answer {number}</answer>')
    ]
    assert -1 not in order
    assert order == sorted(order)
    assert prompt.find('validation clue 1') > order[-1]
    assert 'train clue 3' not in prompt


@pytest.mark.parametrize('repeats', [1, 3])
def test_a_bad_record_of_a_hub_is_named_by_its_place(hubs: Hubs, adapter: Callable[..., Any], repeats: int) -> None:
    hubs.splits['validation'][2]['question'] = ' '
    with pytest.raises(RecordError, match=r"searchqa: record 'validation-2' \(index 2\): field 'question': is blank"):
        adapter(repeats=repeats).load_dataset()


def test_repeats_of_a_hub_dataset_are_groups_of_one_question(hubs: Hubs, adapter: Callable[..., Any]) -> None:
    questions = adapter(repeats=2, limit=3).load_dataset()['default']
    assert [(sample.group_id, sample.metadata['key']) for sample in questions] == [
        (number, f'validation-{number}') for number in range(3) for _ in range(2)
    ]
