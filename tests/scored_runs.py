"""Makes runs on disk as evalscope would leave them, with canned replies scored by a benchmark's own adapter."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from evalscope_qa import engine
from evalscope_qa.records import Record


def write_scored_run(
    folder: Path,
    benchmark: str,
    records: Sequence[Record],
    replies: Sequence[engine.Reply],
    model: str = 'model',
    dataset_args: dict[str, Any] | None = None,
) -> Path:
    """Score replies with the installed adapter and write predictions, reviews, report and configuration.

    The files are written by evalscope's own classes: ``ModelResult``, ``ReviewResult`` and ``Report``.
    """
    from evalscope.api.evaluator import CacheManager
    from evalscope.utils.io_utils import OutputsStructure

    settings = {name: value for name, value in (dataset_args or {}).items() if name != 'local_path'}
    adapter = engine.configured_adapter(benchmark, settings)
    samples = list(engine.questions(adapter, records))
    states = [engine.task_state(sample, reply) for sample, reply in zip(samples, replies, strict=True)]
    cache = CacheManager(OutputsStructure(str(folder)), model, benchmark)
    subset, scores = adapter.default_subset, list(engine.score_all(adapter, states))
    for state, score in zip(states, scores, strict=True):
        cache.save_prediction_cache(subset, state)
        cache.save_review_cache(subset, state, score)
    cache.close()
    report = adapter.generate_report({subset: adapter.aggregate_scores(sample_scores=scores)}, model, str(folder))
    report.to_json(cache.get_report_file())
    config = {
        'datasets': [benchmark],
        'dataset_args': {benchmark: dataset_args or {}},
        'evaluation_identity': {
            'benchmarks': {benchmark: {'evaluation_version': adapter.benchmark_meta.evaluation_version}}
        },
    }
    (folder / 'configs').mkdir(exist_ok=True)
    (folder / 'configs' / 'task_config.yaml').write_text(yaml.safe_dump(config), encoding='utf-8')
    return folder


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding='utf-8').splitlines()]
