"""The ``evalscope-qa replay`` command."""

import argparse
import io
import json
from pathlib import Path
from typing import Any

_LONG_INPUT = 1000
"""Replies from which on a replay shows a progress bar."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument('benchmark', metavar='BENCHMARK', help='any benchmark registered with evalscope')
    parser.add_argument('--records', required=True, metavar='F', help='records: JSON, JSON Lines, CSV or parquet')
    parser.add_argument('--replies', required=True, metavar='F', help='replies, in order: JSON, JSON Lines or CSV')
    parser.add_argument('--dataset-args', default='{}', metavar='JSON', help="evalscope's settings of the benchmark")
    parser.add_argument('--json', action='store_true', help='print metrics and samples as JSON instead of a table')
    parser.add_argument('--per-sample', metavar='F.csv', help='also write one row a question to this file')


def run(options: argparse.Namespace) -> int:
    """Replay the replies and print the metrics.

    Raises:
        ValueError, OSError: For input that cannot be used, or a file that cannot be written.
    """
    from ..records import read_records
    from .replies import read_replies
    from .scoring import replay

    records = read_records(options.records, options.benchmark)
    replies = read_replies(options.replies)
    dataset_args = _parse_dataset_args(options.dataset_args)
    result = replay(options.benchmark, records, replies, dataset_args, progress=len(replies) >= _LONG_INPUT)
    if options.per_sample:
        table = io.StringIO(newline='')  # made before the file is opened: no error leaves half a table
        result.write_samples_csv(table)
        with Path(options.per_sample).open('w', encoding='utf-8', errors='backslashreplace', newline='') as stream:
            stream.write(table.getvalue())
    if options.json:
        print(result.to_json())
        return 0
    from tabulate import tabulate

    print(f'{result.benchmark} {result.evaluation_version}, {result.num} questions')
    print(tabulate(result.metrics.items(), headers=['metric', 'value'], floatfmt='.4f'))
    if result.excluded:
        print(f'{result.excluded} of {result.num} questions are left out: the benchmark could not score their replies.')
    return 0


def _parse_dataset_args(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f'--dataset-args is not valid JSON: {error}') from error
    if not isinstance(value, dict):
        raise ValueError(f'--dataset-args must be a JSON object, not {text!r}')
    return value
