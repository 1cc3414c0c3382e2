"""Scores the files of pairs.py with Hugging Face datasets and prints the metrics of a replay.

python score_with_datasets.py BENCHMARK FOLDER [WORKERS]
"""

import json
import time
from pathlib import Path
from typing import Any

from datasets import Dataset
from evalscope_qa.replay import BatchScorer
from pairs import scoring_arguments


def score(benchmark: str, files: list[str], workers: int = 1) -> dict[str, Any]:
    """Return the metrics, and the replies scored a second."""
    scorer = BatchScorer(benchmark)
    start = time.monotonic()
    pairs = Dataset.from_parquet(files, cache_dir=str(Path(files[0]).parent / 'cache'))
    # The scores come beside the replies: .filter(lambda row: row['answered']) would keep the answered ones.
    scored = pairs.map(
        scorer,
        batched=True,
        batch_size=1024,
        remove_columns=['record'],
        num_proc=workers if workers > 1 else None,
        load_from_cache_file=False,
    )
    metrics = scorer.metrics(packed for batch in scored.select_columns(['kept']).iter(1024) for packed in batch['kept'])
    return {'metrics': metrics, 'num': len(scored), 'replies_a_second': len(scored) / (time.monotonic() - start)}


if __name__ == '__main__':
    print(json.dumps(score(*scoring_arguments(__doc__))))
