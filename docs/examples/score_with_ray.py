"""Scores the files of pairs.py with Ray Data, on this machine or on a cluster, and prints the metrics of a replay.

    python score_with_ray.py BENCHMARK FOLDER [WORKERS]

A cluster needs the folder on storage that all its machines see, and this package on each of them; RAY_ADDRESS says
where it is. Without it Ray starts on this machine alone, and listens on 127.0.0.1.
"""

import json
import os
import time
from typing import Any

if not os.environ.get('RAY_ADDRESS'):
    # Whatever address it is given, Ray takes the one of the network for that of this machine, and listens on all of
    # them. This switch, which is off on Windows and macOS, is the only one that makes it stay on 127.0.0.1.
    os.environ.setdefault('RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER', '0')
    # Ray gives up after 30 seconds, which is too soon on a busy machine: it starts six Python processes.
    os.environ.setdefault('RAY_raylet_start_wait_time_s', '200')

import ray
from evalscope_qa.replay import BatchScorer
from pairs import scoring_arguments

BATCH = 1024


class Scorer:
    """What each of Ray's actors makes once: evalscope is imported with it, not with every batch."""

    def __init__(self, benchmark: str) -> None:
        self._scorer = BatchScorer(benchmark)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        # Every column of the scores could be kept and written, as by write_parquet; the metrics need these two alone.
        return {'index': batch['index'], 'kept': self._scorer(batch)['kept']}


def start(workers: int) -> None:
    """Connect to the cluster of RAY_ADDRESS, or start Ray on this machine, also where another Ray runs."""
    if os.environ.get('RAY_ADDRESS'):
        ray.init()
    else:
        ray.init('local', num_cpus=workers + 1, include_dashboard=False)


def score(benchmark: str, files: list[str], workers: int = 1) -> dict[str, Any]:
    """Return the metrics, and the replies scored a second."""
    start = time.monotonic()
    # Files of a few megabytes would be read as one block, which one worker scores alone.
    pairs = ray.data.read_parquet(files).repartition(target_num_rows_per_block=BATCH)
    scored = pairs.map_batches(
        Scorer,
        fn_constructor_args=(benchmark,),
        batch_size=BATCH,
        compute=ray.data.ActorPoolStrategy(size=workers),
    )
    kept = sorted((row['index'], row['kept']) for row in scored.iter_rows())
    metrics = BatchScorer(benchmark).metrics(packed for _, packed in kept)
    return {'metrics': metrics, 'num': len(kept), 'replies_a_second': len(kept) / (time.monotonic() - start)}


if __name__ == '__main__':
    benchmark, files, workers = scoring_arguments(__doc__)
    start(workers)
    print(json.dumps(score(benchmark, files, workers)))
