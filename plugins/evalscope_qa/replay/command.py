"""The ``evalscope-qa replay`` command."""

import argparse
import sys
from typing import TYPE_CHECKING

from ..command_line import (
    INTERRUPTED,
    add_dataset_args,
    add_imports,
    check_outputs,
    is_unicode,
    module_files,
    parse_dataset_args,
)
from ..wording import counted
from .results import ReplayedSample, ReplayResult

if TYPE_CHECKING:
    from .tables import JsonSamples

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
    parser.add_argument(
        '--workers', type=int, default=1, metavar='N', help='processes that score (%(default)s); the result is the same'
    )


def run(options: argparse.Namespace) -> int:
    """Replay the replies and print the metrics; after Ctrl-C those of the replies scored so far.

    Raises:
        ValueError, OSError: For input that cannot be used, or a file that cannot be written.
    """
    from ..importing import import_all
    from ..records import iterate_records
    from .replies import SpooledReplies
    from .scoring import ReplayInterrupted, replay
    from .tables import JsonSamples, SampleFile

    check_outputs(
        {'--per-sample': options.per_sample}, inputs=[options.records, options.replies, *module_files(options.modules)]
    )
    dataset_args = parse_dataset_args(options.dataset_args, [options.benchmark]).get(options.benchmark, {})
    import_all(options.modules)
    replies = SpooledReplies(options.replies, reply_field=options.reply_field, id_field=options.id_field)
    table = SampleFile(options.per_sample) if options.per_sample is not None else None
    samples = JsonSamples(ascii_only=not is_unicode(sys.stdout)) if options.json and not _one_line(options) else None
    sinks = [sink.write for sink in (table, samples) if sink is not None]

    def hand_on(sample: ReplayedSample) -> None:
        for sink in sinks:
            sink(sample)

    status = 0
    try:
        result = replay(
            options.benchmark,
            iterate_records(options.records, options.benchmark),
            replies,
            dataset_args,
            id_field=options.id_field,
            progress=len(replies) >= _LONG_INPUT,
            workers=options.workers,
            modules=options.modules,
            on_sample=hand_on if sinks else None,
            keep_samples=False,
            notice=_notice,
        )
    except ReplayInterrupted as interruption:
        result, status = interruption.result, INTERRUPTED
        _notice(str(interruption))
    except Exception:
        if table is not None and table.rows:
            table.close()
            _notice(f'{options.per_sample} holds the rows of the {counted(table.rows, "question")} before')
        raise
    try:
        _print(result, options, samples)
    finally:
        if table is not None:
            table.close()
    return status


def _notice(text: str) -> None:
    print(f'evalscope-qa replay: {text}', file=sys.stderr, flush=True)


def _one_line(options: argparse.Namespace) -> bool:
    return options.signature_only or options.bare


def _print(result: ReplayResult, options: argparse.Namespace, samples: 'JsonSamples | None') -> None:
    if options.signature_only:
        print(result.signature)
        return
    if options.bare:
        print(f'{result.metrics[result.primary]:.4f}' if result.primary else 'nan')
        return
    if samples is not None:
        samples.write_document(result, sys.stdout)
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
