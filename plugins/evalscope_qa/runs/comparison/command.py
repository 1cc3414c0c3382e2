"""The ``evalscope-qa compare`` command."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...command_line import check_outputs, write_files

if TYPE_CHECKING:
    from .results import Comparison


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument('runs', nargs='*', metavar='RUN', help="folders of evalscope's runs, or folders that hold some")
    parser.add_argument(
        '--scores',
        action='append',
        default=[],
        metavar='F.csv',
        help='scores from anywhere: columns item_id, model_id, score, and if need be epoch, cluster; may be repeated',
    )
    parser.add_argument('--datasets', nargs='+', default=[], metavar='BENCHMARK', help='only these benchmarks')
    parser.add_argument(
        '--metric',
        dest='metrics',
        action='append',
        default=[],
        metavar='M',
        help="a metric's name, or all (default: each benchmark's primary metric); may be repeated",
    )
    parser.add_argument(
        '--cluster',
        metavar='FIELD',
        help="questions with the same value here are not independent: subset, or a field of the sample's metadata",
    )
    parser.add_argument('--seed', type=int, default=0, help='of resamples and permutations (default: %(default)s)')
    parser.add_argument(
        '--resamples',
        type=_positive,
        default=1_000,
        metavar='N',
        help='draws and exchanges for metrics that are no mean of per-question scores (default: %(default)s)',
    )
    parser.add_argument('--json', metavar='F', help='also write everything as JSON')
    parser.add_argument('--html', metavar='F', help='also write one HTML file with plots')
    parser.add_argument('--markdown', metavar='F', help='also write Markdown')
    parser.add_argument('-b', dest='bare', action='store_true', help='print only the values, one model a line')
    parser.add_argument('--signature-only', action='store_true', help='print only the lines to cite')


def run(options: argparse.Namespace) -> int:
    """Compare what is asked for and print it.

    Returns:
        0.

    Raises:
        ValueError, OSError: For wrong input, before anything is written.
    """
    from ..reviews import read_runs
    from ..score_csv import read_scores_csv
    from .comparing import compare
    from .html import to_html
    from .results import Options
    from .text import to_json, to_markdown, to_text

    check_outputs(
        {'--json': options.json, '--html': options.html, '--markdown': options.markdown}, inputs=options.scores
    )
    if not options.runs and not options.scores:
        raise ValueError('nothing to compare; pass folders of runs, or --scores F.csv.')
    sets = read_runs([Path(path) for path in options.runs], options.datasets, options.cluster) if options.runs else []
    for path in options.scores:
        sets += read_scores_csv(Path(path))
    comparison = compare(sets, Options(tuple(options.metrics), options.seed, options.resamples))
    versions = [version for result in comparison.benchmarks for version in result.versions]
    try:
        if options.signature_only:
            print('\n'.join(version.signature for version in versions))
        elif options.bare:
            print('\n'.join(f'{model.interval.value:.4f}' for version in versions for model in version.models))
        else:
            print(to_text(comparison), end='')
    finally:
        write_files(
            (path, partial(_write, comparison, render))
            for path, render in ((options.json, to_json), (options.html, to_html), (options.markdown, to_markdown))
        )
    return 0


def _write(comparison: 'Comparison', render: 'Callable[[Comparison], str]', path: Path) -> None:
    # Names come from file names, which may hold a lone surrogate; UTF-8 may not.
    path.write_text(render(comparison), encoding='utf-8', errors='backslashreplace')


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError('must be at least 1')
    return value
