"""`pubmedqa_official`: the 500 test questions are chosen by PubMed id, before any limit, from any source."""

import json
from pathlib import Path
from typing import Any, List

import datasets
import modelscope
import pytest
from evalscope.constants import HubType
from evalscope_qa.pubmedqa.official_split import official_test_ids
from evalscope_qa.records import RecordError, read_records
from evalscope_qa.replay import replay
from pubmedqa.published import (
    OFFICIAL_IDS,
    OTHER_ID,
    flat,
    labelled,
    load,
    make_adapter,
    official,
    prompt,
    whole_dataset,
    write_jsonl,
)

NAME = 'pubmedqa_official'


def ids(samples: List[Any]) -> List[str]:
    return [sample.metadata['pubmed_id'] for sample in samples]


def in_order_of_the_source() -> List[str]:
    return [str(record['pubid']) for record in whole_dataset() if record['pubid'] < OTHER_ID]


def test_the_split_has_500_ids() -> None:
    assert len(official_test_ids()) == 500
    assert all(identifier.isdigit() for identifier in official_test_ids())


def test_the_official_questions_are_asked_and_no_others(tmp_path: Path) -> None:
    samples = load(NAME, write_jsonl(tmp_path / 'all.jsonl', whole_dataset()))
    assert ids(samples) == in_order_of_the_source()
    assert [sample.id for sample in samples] == list(range(500))


def test_they_are_chosen_from_the_official_file(tmp_path: Path) -> None:
    entries = {str(record['pubid']): official(record['pubid']) for record in whole_dataset()}
    (tmp_path / 'ori_pqal.json').write_text(json.dumps(entries), encoding='utf-8')
    assert ids(load(NAME, tmp_path / 'ori_pqal.json')) == ids(load(NAME, tmp_path)) == in_order_of_the_source()


@pytest.mark.parametrize('name', ['train.jsonl', 'test.jsonl', 'pqa_labeled.jsonl'])
def test_a_folder_may_hold_them_under_any_of_these_names(tmp_path: Path, name: str) -> None:
    write_jsonl(tmp_path / name, whole_dataset())
    assert len(load(NAME, tmp_path, limit=7)) == 7


@pytest.mark.parametrize(('limit', 'expected'), [(1, 1), (20, 20), (0.1, 50), (1000, 500)])
def test_the_limit_counts_official_questions(tmp_path: Path, limit: Any, expected: int) -> None:
    samples = load(NAME, write_jsonl(tmp_path / 'all.jsonl', whole_dataset()), limit=limit)
    assert ids(samples) == in_order_of_the_source()[:expected]


def test_repeats_apply_to_the_chosen(tmp_path: Path) -> None:
    samples = load(NAME, write_jsonl(tmp_path / 'all.jsonl', whole_dataset()), limit=2, repeats=3)
    first, second = in_order_of_the_source()[:2]
    assert ids(samples) == [first] * 3 + [second] * 3
    assert [sample.group_id for sample in samples] == [0, 0, 0, 1, 1, 1]


def test_few_shot_examples_are_from_the_other_500(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / 'all.jsonl', whole_dataset())
    (sample,) = load(NAME, path, {'few_shot_num': 3}, limit=1)
    assert [f'Does it work {OTHER_ID + number}?' in prompt(sample) for number in range(4)] == [True, True, True, False]
    assert prompt(sample).count('Abstract: ') == 4


def test_too_few_other_questions_for_the_examples_is_an_error(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / 'test.jsonl', [labelled(int(identifier)) for identifier in OFFICIAL_IDS])
    with pytest.raises(AssertionError, match='few-shot'):
        load(NAME, path, {'few_shot_num': 3}, limit=1)


# -- incomplete sources -----------------------------------------------------------------------------------------------

PARTIAL = {'extra_params': {'allow_partial': True}}


def test_a_source_that_lacks_some_is_an_error_that_says_how_many(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / 'some.jsonl', [labelled(int(identifier)) for identifier in OFFICIAL_IDS[3:]])
    with pytest.raises(ValueError, match=r'lacks 3 of the 500 questions of .*allow_partial') as error:
        load(NAME, path)
    assert str(path) in str(error.value)
    for settings in ({}, {'extra_params': {}}):
        with pytest.raises(ValueError, match='lacks 3 of the 500'):
            load(NAME, path, settings, limit=5)


def test_those_there_are_can_be_asked_all_the_same(tmp_path: Path) -> None:
    records = [labelled(int(identifier)) for identifier in OFFICIAL_IDS[:3]] + [labelled(OTHER_ID)]
    assert ids(load(NAME, write_jsonl(tmp_path / 'some.jsonl', records), PARTIAL)) == OFFICIAL_IDS[:3]


def test_a_source_without_any_is_an_error_in_any_case(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / 'none.jsonl', [labelled(OTHER_ID)])
    with pytest.raises(ValueError, match='lacks 500 of the 500'):
        load(NAME, path, PARTIAL)


def test_a_record_without_an_id_cannot_be_chosen(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"^pubmedqa_official: record 0: field 'id': is missing"):
        load(NAME, write_jsonl(tmp_path / 'flat.jsonl', [flat(1)]), PARTIAL)


def test_a_malformed_record_stops_the_load_even_if_it_would_not_be_asked(tmp_path: Path) -> None:
    records = [labelled(int(OFFICIAL_IDS[0])), labelled(OTHER_ID, 'perhaps')]
    with pytest.raises(RecordError, match=f"^pubmedqa_official: record {OTHER_ID} .*field 'final_decision'"):
        load(NAME, write_jsonl(tmp_path / 'some.jsonl', records), PARTIAL, limit=1)


# -- hubs -------------------------------------------------------------------------------------------------------------


class Hubs:
    """Stands in for both hubs: serves the whole dataset and notes what was asked for."""

    def __init__(self) -> None:
        self.asked: List[tuple] = []
        self.records = whole_dataset()
        self.examples = [flat(number) for number in range(5)]

    def hugging_face(self, path: str, name: Any = None, split: str = '', **_: Any) -> datasets.Dataset:
        self.asked.append((HubType.HUGGINGFACE, path, name, split))
        return datasets.Dataset.from_list(self.records)

    def model_scope(self, dataset_name: str, subset_name: Any = None, split: str = '', **_: Any) -> datasets.Dataset:
        self.asked.append((HubType.MODELSCOPE, dataset_name, subset_name, split))
        return datasets.Dataset.from_list(self.examples if split == 'examples' else self.records)


@pytest.fixture
def hubs(monkeypatch: pytest.MonkeyPatch) -> Hubs:
    fake = Hubs()
    monkeypatch.setattr(datasets, 'load_dataset', fake.hugging_face)
    monkeypatch.setattr(modelscope.MsDataset, 'load', fake.model_scope)
    return fake


def from_hub(tmp_path: Path, dataset_args: Any = None, **settings: Any) -> List[Any]:
    adapter = make_adapter(NAME, dataset_args, dataset_dir=str(tmp_path / 'cache'), **settings)
    (dataset,) = adapter.load_dataset().values()
    return list(dataset)


def test_hugging_face_is_the_default(hubs: Hubs, tmp_path: Path) -> None:
    assert ids(from_hub(tmp_path)) == in_order_of_the_source()
    assert hubs.asked == [(HubType.HUGGINGFACE, 'qiaojin/PubMedQA', 'pqa_labeled', 'train')]


def test_the_users_hub_is_used(hubs: Hubs, tmp_path: Path) -> None:
    assert len(from_hub(tmp_path, dataset_hub=HubType.MODELSCOPE)) == 500
    assert hubs.asked == [(HubType.MODELSCOPE, 'qiaojin/PubMedQA', 'pqa_labeled', 'train')]


def test_limit_repeats_and_few_shot_examples_work_as_from_a_file(hubs: Hubs, tmp_path: Path) -> None:
    samples = from_hub(tmp_path, {'few_shot_num': 2}, limit=2, repeats=2)
    first, second = in_order_of_the_source()[:2]
    assert ids(samples) == [first, first, second, second]
    assert [f'Does it work {OTHER_ID + number}?' in prompt(samples[0]) for number in range(3)] == [True, True, False]


def test_the_other_benchmarks_of_a_run_keep_their_hub(hubs: Hubs, tmp_path: Path) -> None:
    adapter = make_adapter(NAME, dataset_dir=str(tmp_path / 'cache'))
    adapter.load_dataset()
    assert adapter._task_config.dataset_hub == HubType.MODELSCOPE
    assert adapter.reformat_subset is False


def test_a_repeated_id_from_the_hub_is_an_error(hubs: Hubs, tmp_path: Path) -> None:
    hubs.records.append(hubs.records[0])
    with pytest.raises(RecordError, match=r"field 'pubid': the id was already used by record 0"):
        from_hub(tmp_path, repeats=2)


def test_the_hub_of_pubmedqa_is_evalscopes_default(hubs: Hubs, tmp_path: Path) -> None:
    hubs.records = [flat(number) for number in range(4)]
    adapter = make_adapter('pubmedqa', dataset_dir=str(tmp_path / 'cache'), limit=2, repeats=2)
    samples = list(adapter.load_dataset()['default'])
    assert hubs.asked == [(HubType.MODELSCOPE, 'extraordinarylab/pubmed-qa', None, 'test')]
    assert [sample.group_id for sample in samples] == [0, 0, 1, 1]


def test_few_shot_examples_of_pubmedqa_come_from_the_split_the_user_names(hubs: Hubs, tmp_path: Path) -> None:
    args = {'few_shot_num': 1, 'train_split': 'examples'}
    adapter = make_adapter('pubmedqa', args, dataset_dir=str(tmp_path / 'cache'), limit=2)
    (first, _) = adapter.load_dataset()['default']
    assert [split for *_, split in hubs.asked] == ['test', 'examples']
    assert prompt(first).count('Abstract: ') == 2


def test_repeated_records_of_the_hub_are_no_repeated_ids(hubs: Hubs, tmp_path: Path) -> None:
    """evalscope up to 1.13 hands each record over `repeats` times."""
    adapter = make_adapter('pubmedqa', dataset_dir=str(tmp_path / 'cache'), limit=3, repeats=2)
    samples = list(adapter.load_dataset()['default'])
    assert [sample.group_id for sample in samples] == [0, 0, 1, 1, 2, 2]
    assert ids(samples[::2]) == [str(record['pubid']) for record in hubs.records[:3]]


@pytest.mark.parametrize(('asked', 'settings'), [(120, {}), (0, {}), (0, PARTIAL)])
def test_a_replay_of_a_part_is_an_error_as_a_run_is(asked: int, settings: Any) -> None:
    records = [labelled(int(identifier)) for identifier in OFFICIAL_IDS[:asked]] + [labelled(OTHER_ID)]
    with pytest.raises(ValueError, match=rf'the records: lacks {500 - asked} of the 500 .*"allow_partial": true'):
        replay(NAME, records, ['YES'] * asked, settings)


def test_a_replay_of_a_part_is_scored_where_the_user_wants_it() -> None:
    records = [labelled(int(identifier)) for identifier in OFFICIAL_IDS[:120]]
    assert replay(NAME, records, ['YES'] * 120, PARTIAL).num == 120


def test_a_replay_of_the_whole_source_asks_the_official_questions(data_dir: Path) -> None:
    records = read_records(data_dir / 'pubmedqa' / 'ori_pqal.json')
    result = replay('pubmedqa_official', records, ['YES'] * 500)
    assert (result.num, result.metrics['accuracy']) == (500, 0.552)
