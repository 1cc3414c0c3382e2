"""Finds and reads the files of a split below a local path."""

import os
import re
from itertools import islice
from pathlib import Path
from typing import List, Optional, Union

from ..records import Record, parse_json_items, read_records

_SUFFIXES = ('.jsonl', '.json', '.parquet')
_SPLIT_NAMES = {'validation': ('validation', 'valid', 'val', 'dev'), 'train': ('train', 'training')}
"""What files of a split are called; https://huggingface.co/docs/hub/datasets-file-names-and-splits."""
_NOT_RECORDS = frozenset(('dataset_dict.json', 'dataset_info.json', 'dataset_infos.json', 'state.json'))
"""Files that the ``datasets`` library writes beside the records."""
_SHARD = re.compile(r'-(\d+)-of-(\d+)$')


def read_split(path: Union[str, 'os.PathLike[str]'], split: str, first: Optional[int] = None) -> List[Record]:
    """Read the records of one split.

    Args:
        path: A folder with the files of the split, or one file, which holds the evaluated split whatever it is called.
        split: Name of the split.
        first: Read no more than this many records, from the start; None for all.

    Returns:
        The records in the order of the files' names and of their places in the file.

    Raises:
        FileNotFoundError: If the folder has no file of the split, or not every shard of it.
        ValueError: If several sets of files could be the split, there is no record, or a file cannot be parsed.
    """
    records: List[Record] = []
    for file in find_split_files(Path(path), split):
        if first is None:
            records += read_records(file, 'searchqa')
        elif len(records) < first:
            records += _read_first_records(file, first - len(records))
    if not records:
        raise ValueError(f"searchqa: {path} holds no record of the split '{split}'.")
    return records


def find_split_files(path: Path, split: str) -> List[Path]:
    """Return the files of a split in the order in which they are read; see :func:`read_split`.

    In a folder, a file belongs to a split if it has the split's name (``validation.jsonl``), has it as a word in its
    name (``validation-00000-of-00002.parquet``, ``default_dev.json``), or stands in a folder of that name. The first of
    these that fits is taken.
    """
    if path.is_file():
        return [path]
    files = sorted(
        file
        for file in path.rglob('*')
        if file.suffix.lower() in _SUFFIXES
        and file.name not in _NOT_RECORDS
        and not any(part.startswith('.') for part in file.relative_to(path).parts)
        and file.is_file()
    )
    for name in _SPLIT_NAMES.get(split, (split,)):
        for belongs in (_is_called, _mentions, _stands_in):
            found = [file for file in files if belongs(file, name)]
            if found:
                return _one_complete_set(found, path, split)
    shown = ', '.join(str(file.relative_to(path)) for file in files[:10]) or 'none'
    raise FileNotFoundError(
        f"searchqa: {path} has no file of the split '{split}'. Name it {split}.jsonl or {split}.parquet, or pass the "
        f'path of the file itself. JSON and parquet files found: {shown}.'
    )


def _is_called(file: Path, name: str) -> bool:
    return file.stem.lower() == name


def _mentions(file: Path, name: str) -> bool:
    return name in re.split('[^a-z0-9]+', file.stem.lower())


def _stands_in(file: Path, name: str) -> bool:
    return file.parent.name.lower() == name


def _one_complete_set(files: List[Path], path: Path, split: str) -> List[Path]:
    """Return ``files`` unless they are the split twice over, or only a part of it."""
    if len({(file.parent, file.suffix.lower()) for file in files}) > 1:
        shown = ', '.join(str(file.relative_to(path)) for file in files[:10])
        raise ValueError(
            f"searchqa: several files or folders below {path} could be the split '{split}': {shown}. Keep one form in "
            'one folder, or pass the path of the file.'
        )
    shards = [shard for shard in map(_SHARD.search, (file.stem for file in files)) if shard]
    expected = max((int(shard[2]) for shard in shards), default=0)
    missing = sorted(set(range(expected)) - {int(shard[1]) for shard in shards})
    if missing:
        raise FileNotFoundError(
            f"searchqa: {path} lacks {len(missing)} of the {expected} files of the split '{split}', the first of them "
            f'number {missing[0]:05d}. Download it again.'
        )
    return files


def _read_first_records(file: Path, count: int) -> List[Record]:
    """Read ``count`` records without loading the file: the training split has several hundred megabytes."""
    if file.suffix.lower() == '.parquet':
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(file) as table:
            rows = (row for batch in table.iter_batches(batch_size=count) for row in batch.to_pylist())
            return list(islice(rows, count))
    try:
        with file.open(encoding='utf-8-sig') as stream:
            lines = list(islice((line for line in stream if line.strip()), count))
        records = [item for _, item in parse_json_items(''.join(lines), source=str(file))]
    except ValueError:
        records = []  # an array over many lines, or a fault that the reader of whole files names
    if records and all(isinstance(record, dict) for record in records):
        return records
    return read_records(file, 'searchqa')[:count]
