"""The ``evalscope-qa replay`` command."""

import argparse
import io
import sys
from pathlib import Path

from ..command_line import (
    INTERRUPTED,
    add_dataset_args,
    add_imports,
    check_outputs,
    is_unicode,
    module_files,
    parse_dataset_args,
    write_files,
)
from ..wording import counted
from .results import ReplayResult

_LONG_INPUT = 1000
"""Replies from which on a replay shows a progress bar."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument('benchmark', metavar='BENCHMARK', help='any benchmark registered with evalscope')
    parser.add_argument('--records', required=True, metavar='F', help='records: JSON, JSON Lines, CSV or parquet')
    parser.add_argument('--replies', required=True, metavar='F', help='replies, in order or by id; or predictions')
    parser.add_argument(
        '--reply-field', metavar='FIELD', help='the field that holds the reply in a row (default: reply)'
    )
    parser.add_argument('--id-field', metavar='FIELD', help='the field that holds the id, in replies and records')
    add_dataset_args(parser)
    add_imports(parser)
    parser.add_argument('--json', action='store_true', help='print metrics and samples as JSON instead of a table')
    parser.add_argument(
        '-b', dest='bare', action='store_true', help="print only the benchmark's primary metric, as a number"
    )
    parser.add_argument('--signature-only', action='store_true', help='print only the line to cite')
    parser.add_argument('--per-sample', metavar='F.csv', help='also write one row a question to this file')


def run(options: argparse.Namespace) -> int:
    """Replay the replies and print the metrics; after Ctrl-C those of the replies scored so far.

    Raises:
        ValueError, OSError: For input that cannot be used, or a file that cannot be written.
    """
    from ..importing import import_all
    from ..records import read_records
    from .replies import read_reply_file
    from .scoring import ReplayInterrupted, replay

    check_outputs(
        {'--per-sample': options.per_sample}, inputs=[options.records, options.replies, *module_files(options.modules)]
    )
    dataset_args = parse_dataset_args(options.dataset_args, [options.benchmark]).get(options.benchmark, {})
    import_all(options.modules)
    records = read_records(options.records, options.benchmark)
    replies = read_reply_file(options.replies, reply_field=options.reply_field, id_field=options.id_field)
    status = 0
    try:
        result = replay(
            options.benchmark,
            records,
            replies,
            dataset_args,
            id_field=options.id_field,
            progress=len(replies.values) >= _LONG_INPUT,
        )
    except ReplayInterrupted as interruption:
        result, status = interruption.result, INTERRUPTED
        print(f'evalscope-qa replay: {interruption}', file=sys.stderr)
    try:
        _print(result, options)
    finally:
        write_files([(options.per_sample, lambda path: _write_samples(result, path))])
    return status


def _print(result: ReplayResult, options: argparse.Namespace) -> None:
    if options.signature_only:
        print(result.signature)
        return
    if options.bare:
        print(f'{result.metrics[result.primary]:.4f}' if result.primary else 'nan')
        return
    if options.json:
        print(result.to_json(ascii_only=not is_unicode(sys.stdout)))
        return
    from tabulate import tabulate

    print(f'{result.benchmark} {result.evaluation_version}, {counted(result.num, "question")}')
    print(tabulate(result.metrics.items(), headers=['metric', 'value'], floatfmt='.4f'))
    unanswered = result.unanswered()
    if unanswered:
        reasons = ', '.join(f'{reason} {number}' for reason, number in unanswered.items())
        print(f'{sum(unanswered.values())} of {result.num} unanswered: {reasons}')
    if result.excluded:
        print(f'{result.excluded} of {result.num} questions are left out: the benchmark could not score their replies.')
    print(result.signature)


def _write_samples(result: ReplayResult, path: Path) -> None:
    table = io.StringIO(newline='')  # made before the file is opened: no error leaves half a table
    result.write_samples_csv(table)
    with path.open('w', encoding='utf-8', errors='backslashreplace', newline='') as stream:
        stream.write(table.getvalue())
