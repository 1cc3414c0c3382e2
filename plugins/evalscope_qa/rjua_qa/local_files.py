"""Finds and reads the files of RJUA-QA, which no hub holds."""

import os
from pathlib import Path
from typing import List, Union

from ..records import Record, read_records

DATASET_PAGE = 'http://data.openkg.cn/dataset/rjua-qadatasets'

HOW_TO_GET_IT = (
    f'Download RJUA_train.json, RJUA_valid.json and RJUA_test.json from OpenKG ({DATASET_PAGE}) into one folder, and '
    'pass the folder, or one of the files, as local_path: '
    """--dataset-args '{"rjua_qa": {"local_path": "/path/to/folder"}}'."""
)


def find_split(path: Union[str, 'os.PathLike[str]'], split: str) -> Path:
    """Return the file of a split.

    Args:
        path: A folder with the published files (``RJUA_test.json``, ``test.jsonl`` or the like), or one file, which is
            the split whatever it is called.
        split: ``train``, ``valid`` or ``test``.

    Raises:
        FileNotFoundError: If there is no such file or folder, or the folder lacks the split; says what to download,
            from where, and how to pass it.
    """
    folder = Path(path).expanduser()
    if folder.is_file():
        return folder
    if str(path) == DATASET_PAGE:
        raise FileNotFoundError(f'rjua_qa: no hub holds this dataset, so local_path is required. {HOW_TO_GET_IT}')
    if not folder.exists():
        raise FileNotFoundError(f'rjua_qa: local_path {path}: no such file or folder. {HOW_TO_GET_IT}')
    names = [f'{prefix}{split}{suffix}' for prefix in ('RJUA_', '') for suffix in ('.json', '.jsonl')]
    files = [folder / name for name in names if (folder / name).is_file()]
    if not files:
        raise FileNotFoundError(
            f"rjua_qa: {path} has no file of the split '{split}'; looked for {', '.join(names)}. {HOW_TO_GET_IT}"
        )
    return files[0]


def find_few_shot_split(path: Union[str, 'os.PathLike[str]'], split: str) -> Path:
    """Return the file of the split that few-shot examples come from; beside ``path`` where that is a file.

    Raises:
        FileNotFoundError: If there is none; see :func:`find_split`.
    """
    path_or_parent = Path(path).expanduser()
    return find_split(path_or_parent.parent if path_or_parent.is_file() else path, split)


def read_split(file: Path) -> List[Record]:
    """Read the records of a file in any of the forms of :func:`read_records`.

    Raises:
        ValueError: If it cannot be parsed or holds no record.
    """
    records = read_records(file, 'rjua_qa')
    if not records:
        raise ValueError(f'rjua_qa: {file} holds no record.')
    return records
