"""Which files of a folder belong to a split, and what is said where that cannot be told."""

import gzip
import json
from pathlib import Path
from typing import Any, List, Optional

import pyarrow
import pyarrow.parquet
import pytest
from evalscope_qa import records
from evalscope_qa.searchqa.local_files import SPLIT_FILES

Row = dict[str, Any]


def find_split_files(path: Path, split: str) -> List[Path]:
    return records.find_split_files(SPLIT_FILES, path, split, 'searchqa')


def read_split(path: Path, split: str, first: Optional[int] = None) -> List[Row]:
    return records.read_files(find_split_files(path, split), 'searchqa', first)


def _rows(*keys: str) -> List[Row]:
    return [{'context': '[DOC] x', 'question': f'{key}?', 'answers': [key], 'key': key} for key in keys]


def _write(file: Path, *keys: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == '.parquet':
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(_rows(*keys)), file)
    elif file.suffix == '.json':
        file.write_text(json.dumps(_rows(*keys), indent=1), encoding='utf-8')
    else:
        file.write_text(''.join(f'{json.dumps(row)}\n' for row in _rows(*keys)), encoding='utf-8')
    return file


def _keys(rows: List[Row]) -> List[str]:
    return [row['key'] for row in rows]


@pytest.mark.parametrize(
    ('names', 'expected'),
    [
        (['train.jsonl', 'validation.jsonl'], ['validation.jsonl']),
        (['train.parquet', 'validation.parquet'], ['validation.parquet']),
        (['train.json', 'validation.json'], ['validation.json']),
        (['train.jsonl', 'dev.jsonl'], ['dev.jsonl']),
        (['train.jsonl', 'val.jsonl'], ['val.jsonl']),
        (['Validation.JSONL', 'Train.JSONL'], ['Validation.JSONL']),
        (['data/validation.jsonl', 'data/train.jsonl'], ['data/validation.jsonl']),
        (['default_validation.jsonl', 'default_train.jsonl'], ['default_validation.jsonl']),
        (['searchqa-dev.json', 'searchqa-train.json'], ['searchqa-dev.json']),
        (['validation.jsonl', 'validation_old.jsonl'], ['validation.jsonl']),
        (['validation.jsonl', 'dev.jsonl'], ['validation.jsonl']),
        (['validation_1.jsonl', 'validation_2.jsonl'], ['validation_1.jsonl', 'validation_2.jsonl']),
        (['validation/0000.parquet', 'train/0000.parquet'], ['validation/0000.parquet']),
        (['default/validation/0000.parquet', 'default/train/0000.parquet'], ['default/validation/0000.parquet']),
        (
            [
                'data/train-0-of-1.parquet',
                'data/validation-00001-of-00002.parquet',
                'data/validation-00000-of-00002.parquet',
            ],
            ['data/validation-00000-of-00002.parquet', 'data/validation-00001-of-00002.parquet'],
        ),
        (['train.jsonl.gz', 'validation.jsonl.gz'], ['validation.jsonl.gz']),
        (['default-dev.JSONL.GZ', 'train.jsonl'], ['default-dev.JSONL.GZ']),
        (['.cache/validation.jsonl', 'validation.parquet'], ['validation.parquet']),
        (['validation/dataset_info.json', 'validation/state.json', 'validation/part.jsonl'], ['validation/part.jsonl']),
        (['validation.jsonl', 'validation.jsonl.lock', 'validation.md', 'validation.csv'], ['validation.jsonl']),
    ],
    ids=' '.join,
)
def test_the_files_of_the_validation_split(tmp_path: Path, names: List[str], expected: List[str]) -> None:
    for name in names:
        _write(tmp_path / name, 'x')
    assert find_split_files(tmp_path, 'validation') == [tmp_path / name for name in expected]


def test_a_file_is_taken_whatever_its_name(tmp_path: Path) -> None:
    file = _write(tmp_path / 'train.jsonl', 'x')
    assert find_split_files(file, 'validation') == [file]


@pytest.mark.parametrize(
    ('names', 'error', 'problem'),
    [
        ([], FileNotFoundError, 'found: none'),
        (['validation.jsonl', 'validation.jsonl.gz'], ValueError, 'could be the split'),
        (['data/train.jsonl.gz', 'notes.gz'], FileNotFoundError, 'found: data/train.jsonl.gz'),
        (['validation-00001-of-00003.jsonl.gz'], FileNotFoundError, 'lacks 2 of the 3 files'),
        (['train.jsonl', 'replies.jsonl'], FileNotFoundError, 'found: replies.jsonl, train.jsonl'),
        (['invalidation.jsonl'], FileNotFoundError, 'Name it validation.jsonl'),
        (['validation.jsonl', 'validation.parquet'], ValueError, 'could be the split'),
        (['searchqa/validation.jsonl', 'squad/validation.jsonl'], ValueError, 'searchqa/validation.jsonl, squad/'),
        (['data/validation-00001-of-00003.parquet'], FileNotFoundError, 'lacks 2 of the 3 files'),
    ],
    ids=lambda value: ' '.join(value) if isinstance(value, list) else None,
)
def test_a_folder_that_leaves_the_split_open_is_refused(
    tmp_path: Path, names: List[str], error: type, problem: str
) -> None:
    for name in names:
        _write(tmp_path / name, 'x')
    with pytest.raises(error, match='searchqa: ') as raised:
        find_split_files(tmp_path, 'validation')
    assert problem in str(raised.value)
    assert str(tmp_path) in str(raised.value)
    assert "'validation'" in str(raised.value)


@pytest.mark.parametrize('name', ['validation.jsonl', 'validation.json', 'validation.parquet'])
class TestReading:
    def test_every_record_in_the_order_of_the_file(self, tmp_path: Path, name: str) -> None:
        assert read_split(_write(tmp_path / name, 'b', 'a', 'c'), 'validation') == _rows('b', 'a', 'c')
        assert read_split(tmp_path, 'validation') == _rows('b', 'a', 'c')

    @pytest.mark.parametrize('count', [1, 2, 3, 9])
    def test_the_first_records_alone(self, tmp_path: Path, name: str, count: int) -> None:
        _write(tmp_path / name, 'b', 'a', 'c')
        assert _keys(read_split(tmp_path, 'validation', first=count)) == ['b', 'a', 'c'][:count]


def test_shards_are_read_in_order_and_no_further_than_asked(tmp_path: Path) -> None:
    _write(tmp_path / 'train-00001-of-00002.parquet', 'c', 'd')
    _write(tmp_path / 'train-00000-of-00002.parquet', 'a', 'b')
    assert _keys(read_split(tmp_path, 'train')) == ['a', 'b', 'c', 'd']
    assert _keys(read_split(tmp_path, 'train', first=3)) == ['a', 'b', 'c']
    (tmp_path / 'train-00001-of-00002.parquet').write_text('never opened', encoding='utf-8')
    assert _keys(read_split(tmp_path, 'train', first=2)) == ['a', 'b']


def test_the_first_records_of_a_file_are_read_without_the_rest(tmp_path: Path) -> None:
    file = _write(tmp_path / 'train.jsonl', 'a', 'b')
    file.write_text(f'\n{file.read_text(encoding="utf-8")}not JSON', encoding='utf-8')
    assert _keys(read_split(tmp_path, 'train', first=2)) == ['a', 'b']
    with pytest.raises(ValueError, match='line 4'):
        read_split(tmp_path, 'train', first=3)


@pytest.mark.parametrize('first', [None, 1, 2])
def test_compressed_records_are_read_as_they_are(tmp_path: Path, first: Optional[int]) -> None:
    content = _write(tmp_path / 'x.txt', 'a', 'b').read_bytes()
    (tmp_path / 'train.jsonl.gz').write_bytes(gzip.compress(content))
    assert _keys(read_split(tmp_path, 'train', first)) == ['a', 'b'][:first]


@pytest.mark.parametrize('first', [None, 1])
def test_a_compressed_file_that_was_cut_short_is_named(tmp_path: Path, first: Optional[int]) -> None:
    (tmp_path / 'train.jsonl.gz').write_bytes(gzip.compress(b'{"key": "a"}\n')[:-10])
    with pytest.raises(ValueError, match=r'train\.jsonl\.gz: a gzip file that cannot be read to its end'):
        read_split(tmp_path, 'train', first)


def test_a_split_without_records_is_refused(tmp_path: Path) -> None:
    (tmp_path / 'validation.jsonl').write_text('\n', encoding='utf-8')
    with pytest.raises(ValueError, match=r'searchqa: .*validation\.jsonl: holds no record'):
        read_split(tmp_path, 'validation')


@pytest.mark.parametrize(
    ('content', 'problem'),
    [
        (b'{"key": "a", "key": "b"}\n', 'twice'),
        (b'{"key": "\xff"}\n', 'not UTF-8'),
        (b'[1]\n', 'expected a JSON object'),
    ],
)
def test_a_broken_file_is_named_however_few_records_are_wanted(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / 'train.jsonl').write_bytes(content)
    for first in (None, 1):
        with pytest.raises(ValueError, match=problem) as error:
            read_split(tmp_path, 'train', first)
        assert str(tmp_path / 'train.jsonl') in str(error.value)
