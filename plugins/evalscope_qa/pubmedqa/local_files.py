"""Finds the file that holds a split's records below a local path."""

import re
from pathlib import Path
from typing import List, Optional

from ..records import Record, read_records

OFFICIAL_FILE = 'ori_pqal.json'
"""All 1,000 labelled questions, https://github.com/pubmedqa/pubmedqa/tree/master/data."""

_SPLITS = ('train', 'validation', 'valid', 'dev', 'test')
_SUFFIXES = ('.jsonl', '.json', '.csv', '.tsv', '.parquet')
_NOT_RECORDS = frozenset(
    ('dataset_info.json', 'dataset_infos.json', 'dataset_dict.json', 'state.json', 'test_ground_truth.json')
)
"""What the ``datasets`` library and the official repository keep beside the records."""


def find_record_file(path: Path, *splits: Optional[str]) -> Optional[Path]:
    """Return the one file that holds a split's records.

    Args:
        path: A file, which is taken whatever its name; or a folder with the official file (directly or in ``data``, as
            in a checkout of the official repository), with one file that has the split's name as a word of its own,
            or with one file only, which names no split.
        splits: Names of the split, the preferred one first.

    Returns:
        The file; None where ``path`` does not exist or its layout is for the ``datasets`` library to read, such as
        several shards.
    """
    if path.is_file():
        return path
    if not path.is_dir():
        return None
    for official in (path / OFFICIAL_FILE, path / 'data' / OFFICIAL_FILE):
        if official.is_file():
            return official
    files = [
        file
        for file in sorted(path.iterdir())
        if file.suffix.lower() in _SUFFIXES and file.name not in _NOT_RECORDS and file.is_file()
    ]
    for split in filter(None, splits):
        of_split = [file for file in files if names_split(file, split)]
        if of_split:
            return of_split[0] if len(of_split) == 1 else None
    names_none = not any(names_split(file, split) for file in files for split in _SPLITS)
    return files[0] if len(files) == 1 and names_none else None


def names_split(file: Path, split: str) -> bool:
    """Whether ``split`` is a word of the file's name, as in ``test.jsonl`` and ``default_test.parquet``."""
    return split.lower() in re.split('[^a-z0-9]+', file.stem.lower())


def read_file(file: Path, benchmark: str = 'pubmedqa') -> List[Record]:
    """Read a file's records.

    Args:
        file: The file.
        benchmark: Name of the benchmark, for messages.

    Raises:
        ValueError: If the file cannot be parsed or holds no record.
    """
    records = read_records(file, benchmark)
    if not records:
        raise ValueError(f'{benchmark}: {file}: holds no record.')
    return records
