"""The ``evalscope-qa`` command: ``list``, ``replay``, ``demo`` and ``audit``."""

import argparse
import io
import json
import logging
import os
import sys
import traceback
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence

from . import __version__

_LONG_INPUT = 1000
"""Replies from which on a replay shows a progress bar."""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command line.

    Returns:
        Exit status: 0 for success, 1 for what the command reports as a failure, 2 for wrong input.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    with nullcontext() if options.verbose else _quiet(bars=options.command == 'demo'):
        try:
            return options.run(options)
        except (ValueError, OSError, RuntimeError) as error:
            if options.verbose:
                traceback.print_exc()
            print(f'evalscope-qa {options.command}: error: {" ".join(str(error).splitlines())}', file=sys.stderr)
            return 2


@contextmanager
def _quiet(bars: bool) -> Iterator[None]:
    """Keep out what evalscope logs of every step and draws of every conversion: results are what was asked for.

    Args:
        bars: Leave the progress bars; a run of evalscope fails without them.
    """
    before = logging.root.manager.disable
    logging.disable(logging.INFO)
    switched_off = not bars and 'TQDM_DISABLE' not in os.environ
    if switched_off:
        os.environ['TQDM_DISABLE'] = '1'
    try:
        yield
    finally:
        logging.disable(before)
        if switched_off:
            del os.environ['TQDM_DISABLE']


def _parser() -> argparse.ArgumentParser:
    from .audit import command as audit

    parser = argparse.ArgumentParser('evalscope-qa', description='Question-answering benchmarks for evalscope.')
    parser.add_argument('--version', action='version', version=f'evalscope-qa {__version__}')
    commands = parser.add_subparsers(dest='command', required=True, metavar='COMMAND')

    listing = commands.add_parser('list', help='show every plugin benchmark and what became of it')
    listing.add_argument('--json', action='store_true', help='print JSON instead of a table')
    listing.set_defaults(run=_list)

    replaying = commands.add_parser('replay', help='score canned replies through a benchmark, offline')
    replaying.add_argument('benchmark', metavar='BENCHMARK', help='any benchmark registered with evalscope')
    replaying.add_argument('--records', required=True, metavar='F', help='records: JSON, JSON Lines, CSV or parquet')
    replaying.add_argument('--replies', required=True, metavar='F', help='replies, in order: JSON, JSON Lines or CSV')
    replaying.add_argument('--dataset-args', default='{}', metavar='JSON', help="evalscope's settings of the benchmark")
    replaying.add_argument('--json', action='store_true', help='print metrics and samples as JSON instead of a table')
    replaying.add_argument('--per-sample', metavar='F.csv', help='also write one row a question to this file')
    replaying.set_defaults(run=_replay)

    demo = commands.add_parser('demo', help='evaluate the shipped samples with canned replies, offline')
    demo.add_argument('--work-dir', default='outputs/evalscope-qa-demo', help='where evalscope writes (%(default)s)')
    demo.set_defaults(run=_demo)

    auditing = commands.add_parser('audit', help='report where a benchmark credits a reply that answers nothing')
    audit.add_arguments(auditing)
    auditing.set_defaults(run=audit.run)

    for command in (listing, replaying, demo, auditing):
        command.add_argument('--verbose', action='store_true', help="show evalscope's log and progress bars too")
    return parser


def _list(options: argparse.Namespace) -> int:
    from . import discovery

    discovery.load_plugins()
    decisions = discovery.decisions()
    in_force = discovery.pth_in_force()
    if options.json:
        print(json.dumps({'pth_in_force': in_force, 'benchmarks': [asdict(item) for item in decisions]}, indent=2))
    else:
        from tabulate import tabulate

        headers = ['benchmark', 'status', 'version', 'built-in', 'distribution', 'module', 'reason']
        rows = [
            [
                item.benchmark,
                item.status,
                item.version,
                item.builtin_version,
                f'{item.distribution} {item.distribution_version}',
                item.module,
                item.reason,
            ]
            for item in decisions
        ]
        print(tabulate(rows, headers=headers, missingval='-', maxcolwidths=[None] * 6 + [60]))
        print(
            'The .pth file is in force: evalscope loads the active ones by itself.'
            if in_force
            else 'The .pth file is not in force here: evalscope does not load them by itself; '
            'see docs/discovery.md, or run through `python -m evalscope_qa`.'
        )
    return 1 if any(item.status == 'failed' for item in decisions) else 0


def _replay(options: argparse.Namespace) -> int:
    from .records import read_records
    from .replay import read_replies, replay

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


def _demo(options: argparse.Namespace) -> int:
    from .demo import run_demo

    run_demo(Path(options.work_dir))
    return 0
