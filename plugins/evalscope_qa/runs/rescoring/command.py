"""The ``evalscope-qa rescore`` command."""

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING

from ... import discovery
from ...command_line import check_outputs, write_files
from .text import to_json, to_text, write_flips

if TYPE_CHECKING:
    from .results import Rescore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument('runs', nargs='+', metavar='RUN', help="folders of evalscope's runs, or folders that hold some")
    parser.add_argument('--datasets', nargs='+', default=[], metavar='BENCHMARK', help='only these benchmarks')
    parser.add_argument(
        '--with',
        dest='scoring',
        choices=['plugins', 'built-in'],
        default='plugins',
        help="score with the plugins installed, or with evalscope's own benchmarks alone (default: %(default)s)",
    )
    parser.add_argument(
        '--strict', action='store_true', help="with the strict readings of evalscope's own choice benchmarks too"
    )
    parser.add_argument(
        '--records',
        action='append',
        default=[],
        metavar='BENCHMARK=F',
        help="the dataset's records, for what a run does not say of its questions; may be repeated",
    )
    parser.add_argument('--output', metavar='DIR', help='write new run folders here; it must not be there yet')
    parser.add_argument('--flips', metavar='F.csv', help='write one row a reply whose score changed')
    parser.add_argument('--json', metavar='F', help='also write everything as JSON')
    parser.add_argument('-b', dest='bare', action='store_true', help='print only the new values, one a line')
    parser.add_argument('--signature-only', action='store_true', help='print only the lines to cite')


def run(options: argparse.Namespace) -> int:
    """Score again what is asked for and print what changed.

    Returns:
        0.

    Raises:
        ValueError, OSError: For wrong input; nothing is left half written.
        RuntimeError: If evalscope has been imported without the strict readings.
    """
    if options.strict:
        if options.scoring == 'built-in':
            raise ValueError("--strict: the strict readings are plugins, and --with built-in is evalscope's own alone.")
        discovery.ask_for(discovery.STRICT)
    from .rescoring import rescore

    records = _records(options.records)

    check_outputs({'--flips': options.flips, '--json': options.json}, inputs=records.values())
    result = rescore(
        [Path(path) for path in options.runs],
        options.datasets,
        scoring=options.scoring,
        records=records,
        output=Path(options.output) if options.output else None,
    )
    try:
        if options.signature_only:
            print('\n'.join(dict.fromkeys(found.signature for found in result.benchmarks)))
        elif options.bare:
            values = [change.after for found in result.benchmarks for change in found.metrics]
            print('\n'.join('nan' if value is None else f'{value:.4f}' for value in values))
        else:
            print(to_text(result), end='')
    finally:
        write_files(
            [
                (options.flips, lambda path: _write_flips(result, path)),
                (options.json, lambda path: _write_text(to_json(result), path)),
            ]
        )
    return 0


def _write_flips(result: 'Rescore', path: Path) -> None:
    table = io.StringIO(newline='')  # made before the file is opened: no error leaves half a table
    write_flips((flip for found in result.benchmarks for flip in found.flips), table)
    _write_text(table.getvalue(), path)


def _write_text(text: str, path: Path) -> None:
    with path.open('w', encoding='utf-8', errors='backslashreplace', newline='') as stream:
        stream.write(text)


def _records(arguments: list[str]) -> dict[str, Path]:
    found = {}
    for argument in arguments:
        benchmark, separator, path = argument.partition('=')
        if not separator or not benchmark or not path:
            raise ValueError(f'--records {argument}: expected BENCHMARK=F.')
        found[benchmark] = Path(path)
    return found
