"""`local_path` is a file of any name, or a folder with the official files of the splits."""

from pathlib import Path

import pytest
from evalscope_qa.records import find_split_files
from evalscope_qa.selqa.local_files import official_name, split_files


def find_local_file(path: Path, task: str, split: str) -> Path:
    (file,) = find_split_files(split_files(task), path, split, 'selqa')
    return file


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_a_file_is_taken_whatever_its_name_and_split(tmp_path: Path) -> None:
    file = touch(tmp_path / 'mine.txt')
    assert find_local_file(file, 'ass', 'dev') == file


@pytest.mark.parametrize(
    ('task', 'split', 'name'),
    [
        ('ass', 'test', 'selqa-ass-test.json'),
        ('ass', 'dev', 'selqa-ass-dev.json'),
        ('at', 'train', 'selqa-at-train.json'),
        ('at', 'test', 'at/selqa-at-test.json'),
        ('ass', 'train', 'ass/selqa-ass-train.json'),
        ('ass', 'test', 'selqa-ass-test.jsonl'),
        ('at', 'dev', 'selqa-at-dev.json.gz'),
    ],
)
def test_a_folder_holds_the_official_file_of_each_split(tmp_path: Path, task: str, split: str, name: str) -> None:
    for other in ('selqa-ass-other.json', 'other.json', 'readme.md'):
        touch(tmp_path / other)
    file = touch(tmp_path / name)
    assert find_local_file(tmp_path, task, split) == file


def test_the_file_in_the_folder_itself_comes_before_the_one_of_a_checkout(tmp_path: Path) -> None:
    touch(tmp_path / 'at' / 'selqa-at-dev.json')
    file = touch(tmp_path / 'selqa-at-dev.json')
    assert find_local_file(tmp_path, 'at', 'dev') == file


def test_a_folder_without_the_split_says_what_was_looked_for(tmp_path: Path) -> None:
    touch(tmp_path / 'selqa-ass-test.json')
    with pytest.raises(FileNotFoundError, match=r'looked for selqa-ass-dev\.json, selqa-ass-dev\.jsonl, ass'):
        find_local_file(tmp_path, 'ass', 'dev')


@pytest.mark.parametrize('split', ['validation', 'TEST', '', '../test'])
def test_a_split_that_selqa_does_not_have_is_refused(split: str) -> None:
    with pytest.raises(ValueError, match='choose one of train, dev, test'):
        official_name('ass', split)
