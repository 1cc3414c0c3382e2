"""Adapters, records and folders for the tests of RJUA-QA."""

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
            model='canned', eval_type='mock_llm', datasets=['rjua_qa'], dataset_dir=str(tmp_path / 'cache'),
            dataset_args={'rjua_qa': dataset_args or {}}, **settings,
        )  # fmt: skip
        return get_benchmark('rjua_qa', config)

    return make


@pytest.fixture
def row() -> Callable[..., Row]:
    """Return a function that makes the numbered record of a split."""

    def make(number: int, split: str = 'test', **changes: Any) -> Row:
        return {
            'id': f'{split}-{number}',
            'question': f'{split} 问题 {number}？',
            'context': [f'Context：{split} 资料 {number}', 'Context：其他资料'],
            'answer': f'{split} 回答 {number}。',
            'disease': f'{split}病{number}、肾积水',
            'advice': '多饮水，复查',
            **changes,
        }

    return make


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes ``RJUA_<split>.json`` files, JSON Lines as published, into a folder."""

    def write(**splits: List[Row]) -> str:
        path = tmp_path / 'rjua'
        path.mkdir()
        for split, rows in splits.items():
            lines = '\n'.join(json.dumps(row, ensure_ascii=False) for row in rows)
            (path / f'RJUA_{split}.json').write_text(lines, encoding='utf-8')
        return str(path)

    return write
