"""Makes small runs on disk in evalscope's layout, for tests."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml


def review(index: int, accuracy: float, *, target: str = 'yes', prompt: str = '', **score: Any) -> dict[str, Any]:
    """Return a review as evalscope 1.14.1 writes it."""
    return {
        'index': index,
        'target': [target],
        'messages': [
            {'role': 'user', 'content': prompt or f'Question {index}?'},
            {'role': 'assistant', 'content': score.get('prediction', 'yes')},
        ],
        'sample_score': {
            'score': {
                'value': {'accuracy': accuracy},
                'status': 'success',
                'extracted_prediction': 'yes',
                'prediction': 'yes',
                'metadata': {},
                'main_score_name': 'accuracy',
                **score,
            },
            'sample_id': index,
            'group_id': index,
            'sample_metadata': {'passage': str(index // 2)},
        },
    }


def write_run(
    folder: Path,
    model: str,
    reviews: Mapping[str, Sequence[dict[str, Any]]],
    *,
    benchmark: str = 'gsm8k',
    config: Mapping[str, Any] | None = None,
) -> Path:
    """Write a run's reviews by subset, and its configuration where there is one."""
    for subset, rows in reviews.items():
        file = folder / 'reviews' / model / f'{benchmark}_{subset}.jsonl'
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(''.join(json.dumps(row) + '\n' for row in rows), encoding='utf-8')
    settings = {'datasets': [benchmark], **(config or {})}
    (folder / 'configs').mkdir(exist_ok=True)
    (folder / 'configs' / 'task_config.yaml').write_text(yaml.safe_dump(settings), encoding='utf-8')
    return folder


def version_config(benchmark: str, version: str) -> dict[str, Any]:
    """Return the part of a configuration that says which version scored a benchmark."""
    return {'evaluation_identity': {'benchmarks': {benchmark: {'evaluation_version': version}}}}
