"""Finds the file of a PubMedQA split below a local path."""

from pathlib import Path
from typing import Any, Dict, List, Optional

from ..records import read_records

_SUFFIXES = ('.jsonl', '.json', '.csv', '.parquet')
_OFFICIAL_FILE = 'ori_pqal.json'


def read_local_split(path: Path, split: str) -> Optional[List[Dict[str, Any]]]:
    """Read the records of one split.

    Args:
        path: A file, which is read whatever its name, or a folder with ``<split>.jsonl`` (also ``.json``, ``.csv``,
            ``.parquet``) or the official ``ori_pqal.json``.
        split: Name of the split.

    Returns:
        The records in file order; None for a folder with none of these files.

    Raises:
        ValueError: If a file cannot be parsed or holds no record.
    """
    names = [f'{split}{suffix}' for suffix in _SUFFIXES] + [_OFFICIAL_FILE]
    candidates = [path] if path.is_file() else [path / name for name in names]
    file = next((candidate for candidate in candidates if candidate.is_file()), None)
    if file is None:
        return None
    records = read_records(file)
    if not records:
        raise ValueError(f'{file}: holds no record.')
    return records
