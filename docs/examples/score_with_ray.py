"""Scores the files of pairs.py with Ray Data, on this machine or on a cluster, and prints the metrics of a replay.

    python score_with_ray.py BENCHMARK FOLDER [WORKERS]

A cluster needs the folder on storage that all its machines see, and this package on each of them; RAY_ADDRESS says
where it is. Without it Ray starts on this machine alone, and listens on 127.0.0.1.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import ray
from evalscope_qa.replay import BatchScorer


class Scorer:
    """What each of Ray's actors makes once: evalscope is imported with it, not with every batch."""

    def __init__(self, benchmark: str) -> None:
        self._scorer = BatchScorer(benchmark)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        # Every column of the scores could be kept and written, as by write_parquet; the metrics need these two alone.
        return {'index': batch['index'], 'kept': self._scorer(batch)['kept']}


def score(benchmark: str, folder: str, workers: int = 1) -> dict[str, Any]:
    """Return the metrics, and the replies scored a second."""
    start = time.monotonic()
    pairs = ray.data.read_parquet([str(path) for path in sorted(Path(folder).glob('*.parquet'))])
    scored = pairs.map_batches(Scorer, fn_constructor_args=(benchmark,), batch_size=1024, concurrency=workers)
    kept = sorted((row['index'], row['kept']) for row in scored.iter_rows())
    metrics = BatchScorer(benchmark).metrics(packed for _, packed in kept)
    return {'metrics': metrics, 'num': len(kept), 'replies_a_second': len(kept) / (time.monotonic() - start)}


if __name__ == '__main__':
    workers = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if 'RAY_ADDRESS' in os.environ:
        ray.init()
    else:
        ray.init(num_cpus=workers + 1, include_dashboard=False, _node_ip_address='127.0.0.1')
    print(json.dumps(score(sys.argv[1], sys.argv[2], workers)))
