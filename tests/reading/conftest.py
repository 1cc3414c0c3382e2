"""The replies with right readings that lie beside the real data."""

import json
import os
from pathlib import Path
from typing import Any, Callable

import pytest

Rows = Callable[[str], list[dict[str, Any]]]


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding='utf-8').splitlines()]


@pytest.fixture(scope='session')
def cases() -> Rows:
    """Return what reads a file of cases, from ``EVALSCOPE_QA_CASES`` or the folder ``cases`` beside the real data."""
    named, data = os.environ.get('EVALSCOPE_QA_CASES'), os.environ.get('EVALSCOPE_QA_DATA')
    folder = Path(named) if named else Path(data).parent / 'cases' if data else None
    if folder is None or not folder.is_dir():
        pytest.skip('neither EVALSCOPE_QA_CASES nor a folder cases beside EVALSCOPE_QA_DATA: no cases to read')
    return lambda name: read_rows(folder / f'{name}.jsonl')
