"""Which file of a local path is read for a split."""

from pathlib import Path
from typing import List, Optional

import pytest
from evalscope_qa.pubmedqa.local_files import SPLIT_FILES
from evalscope_qa.records import matching_files, names_split, read_files
from pubmedqa.published import flat, official, write_jsonl


def find_record_file(path: Path, *splits: Optional[str]) -> Optional[Path]:
    files = matching_files(SPLIT_FILES, path, *splits)
    return files[0] if len(files) == 1 else None


def folder(path: Path, *names: str) -> Path:
    for name in names:
        write_jsonl(path / name, [flat(1)])
    return path


@pytest.mark.parametrize('name', ['records.jsonl', 'train.json', 'x', 'ori_pqal.json'])
def test_a_file_is_taken_whatever_its_name(tmp_path: Path, name: str) -> None:
    file = folder(tmp_path, name) / name
    assert find_record_file(file, 'test') == file


@pytest.mark.parametrize(
    ('names', 'expected'),
    [
        (['test.jsonl', 'train.jsonl'], 'test.jsonl'),
        (['test.json'], 'test.json'), (['test.csv'], 'test.csv'), (['test.tsv'], 'test.tsv'),
        (['test.parquet'], 'test.parquet'), (['default_test.jsonl', 'default_train.jsonl'], 'default_test.jsonl'),
        (['test-00000-of-00001.parquet'], 'test-00000-of-00001.parquet'), (['TEST.JSONL'], 'TEST.JSONL'),
        (['ori_pqal.json', 'test.jsonl'], 'ori_pqal.json'), (['data/ori_pqal.json'], 'data/ori_pqal.json'),
        (['ori_pqal.json', 'test_ground_truth.json'], 'ori_pqal.json'),
        (['records.jsonl'], 'records.jsonl'), (['default.jsonl', 'dataset_infos.json'], 'default.jsonl'),
        (['records.jsonl', 'README.md'], 'records.jsonl'),
        # Left to the datasets library, or a choice that nobody made.
        (['test-00000-of-00002.parquet', 'test-00001-of-00002.parquet'], None), (['data/test.jsonl'], None),
        (['test.jsonl', 'test.csv'], None), (['train.jsonl'], None), (['a.jsonl', 'b.jsonl'], None), ([], None),
        (['latest.jsonl', 'newest.jsonl'], None), (['test_ground_truth.json'], None), (['README.md'], None),
    ],
)  # fmt: skip
def test_the_file_of_a_split_in_a_folder(tmp_path: Path, names: List[str], expected: Optional[str]) -> None:
    found = find_record_file(folder(tmp_path, *names), 'test')
    assert found == (None if expected is None else tmp_path / expected)


def test_the_preferred_name_of_a_split_comes_first(tmp_path: Path) -> None:
    folder(tmp_path, 'train.jsonl', 'test.jsonl')
    assert find_record_file(tmp_path, 'test', 'train') == tmp_path / 'test.jsonl'
    assert find_record_file(tmp_path, 'dev', 'train') == tmp_path / 'train.jsonl'
    assert find_record_file(tmp_path, None, 'dev') is None


def test_a_path_that_is_not_there_has_no_file(tmp_path: Path) -> None:
    assert find_record_file(tmp_path / 'qiaojin' / 'PubMedQA', 'train') is None


@pytest.mark.parametrize(
    ('name', 'names'), [('test.jsonl', True), ('a-test_b.csv', True), ('latest.jsonl', False), ('tests.jsonl', False)]
)
def test_a_split_is_a_word_of_the_files_name(name: str, names: bool) -> None:
    assert names_split(Path(name), 'test') is names


def test_a_file_without_records_is_an_error(tmp_path: Path) -> None:
    (tmp_path / 'empty.jsonl').write_text('\n', encoding='utf-8')
    with pytest.raises(ValueError, match='holds no record'):
        read_files([tmp_path / 'empty.jsonl'], 'pubmedqa')


def test_the_official_file_gives_its_keys_as_ids(tmp_path: Path) -> None:
    import json

    file = tmp_path / 'ori_pqal.json'
    file.write_text(json.dumps({'11': official(1), '12': official(2, 'no')}), encoding='utf-8')
    assert [(record['id'], record['final_decision']) for record in read_files([file], 'pubmedqa')] == [
        ('11', 'yes'),
        ('12', 'no'),
    ]
