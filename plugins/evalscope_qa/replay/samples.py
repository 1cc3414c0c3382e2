"""Finds the sample records and canned replies that the package ships for each of its benchmarks."""

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
    """What ``--dataset-args`` must hold besides ``local_path``."""


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
    # The official split has 500 questions; the sample holds a few of them.
    dataset_args = {'extra_params': {'allow_partial': True}} if benchmark == 'pubmedqa_official' else {}
    return SampleFiles(benchmark, records[0], records[0].with_name(f'{benchmark}_replies.jsonl'), dataset_args)
