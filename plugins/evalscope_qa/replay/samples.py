"""Finds the sample records and canned replies that the package ships for each of its benchmarks."""

import json
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from ..discovery import GROUP

PACKAGE = Path(__file__).parents[1]
DISTRIBUTION = 'evalscope-qa'


@dataclass(frozen=True)
class SampleFiles:
    """The files of one benchmark's sample."""

    benchmark: str
    records: Path
    """Synthetic records in the dataset's published form; usable as ``local_path``."""
    replies: Path
    """One canned reply a record, in the same order."""
    dataset_args: dict
    """What ``--dataset-args`` must hold besides ``local_path``: ``BENCHMARK_dataset_args.json``, where there is one."""


def shipped_benchmarks() -> list[str]:
    """Names of the benchmarks that this distribution declares, in the order of the table in the README."""
    declared = [point.name for point in distribution(DISTRIBUTION).entry_points if point.group == GROUP]
    return list(dict.fromkeys(declared))


def sample_files(benchmark: str) -> SampleFiles:
    """Return the sample of one of the package's benchmarks.

    Raises:
        ValueError: If the package ships no sample of that name.
    """
    records = sorted(PACKAGE.glob(f'*/sample/{benchmark}_records.json*'))
    if not records:
        raise ValueError(f'{benchmark}: no shipped sample; there is one for each of {", ".join(shipped_benchmarks())}.')
    replies = records[0].with_name(f'{benchmark}_replies.jsonl')
    settings = records[0].with_name(f'{benchmark}_dataset_args.json')
    dataset_args = json.loads(settings.read_text(encoding='utf-8')) if settings.is_file() else {}
    return SampleFiles(benchmark, records[0], replies, dataset_args)
