"""Adapters and replies for the tests of SearchQA."""

import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import pytest
from evalscope.api.registry import get_benchmark
from evalscope.config import TaskConfig
from evalscope_qa.discovery import load_plugins

Row = Dict[str, Any]


@pytest.fixture
def adapter(tmp_path: Path) -> Callable[..., Any]:
    """Return a function that makes the adapter of a run, with what ``--dataset-args`` would hold and other settings."""

    def make(dataset_args: Optional[Row] = None, **settings: Any) -> Any:
        load_plugins()
        config = TaskConfig(
            model='canned', eval_type='mock_llm', datasets=['searchqa'], dataset_dir=str(tmp_path / 'cache'),
            dataset_args={'searchqa': dataset_args or {}}, **settings,
        )  # fmt: skip
        return get_benchmark('searchqa', config)

    return make


@pytest.fixture
def row() -> Callable[..., Row]:
    """Return a function that makes the numbered record of a split."""

    def make(number: int, split: str = 'validation', **changes: Any) -> Row:
        return {
            'context': f'[DOC] {split} passage {number}',
            'question': f'{split} clue {number}',
            'answers': [f'{split} answer {number}', 'other'],
            'key': f'{split}-{number}',
            'labels': [{'start': [0], 'end': [1]}],
            **changes,
        }

    return make


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes ``<split>.jsonl`` files into a folder."""

    def write(**splits: List[Row]) -> str:
        path = tmp_path / 'searchqa'
        path.mkdir()
        for split, rows in splits.items():
            (path / f'{split}.jsonl').write_text('\n'.join(map(json.dumps, rows)), encoding='utf-8')
        return str(path)

    return write
