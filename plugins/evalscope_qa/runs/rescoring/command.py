"""The ``evalscope-qa rescore`` command."""

import argparse
import io
from pathlib import Path


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
        '--records',
        action='append',
        default=[],
        metavar='BENCHMARK=F',
        help="the dataset's records, for what a run does not say of its questions; may be repeated",
    )
    parser.add_argument('--output', metavar='DIR', help='write new run folders here; it must not be there yet')
    parser.add_argument('--flips', metavar='F.csv', help='write one row a reply whose score changed')
    parser.add_argument('--json', metavar='F', help='also write everything as JSON')
    parser.add_argument('--signature-only', action='store_true', help='print only the lines to cite')


def run(options: argparse.Namespace) -> int:
    """Score again what is asked for and print what changed.

    Returns:
        0.

    Raises:
        ValueError, OSError: For wrong input; nothing is left half written.
    """
    from .rescoring import rescore
    from .text import to_json, to_text, write_flips

    result = rescore(
        [Path(path) for path in options.runs],
        options.datasets,
        scoring=options.scoring,
        records=_records(options.records),
        output=Path(options.output) if options.output else None,
    )
    if options.flips:
        table = io.StringIO(newline='')  # made before the file is opened: no error leaves half a table
        write_flips((flip for found in result.benchmarks for flip in found.flips), table)
        with Path(options.flips).open('w', encoding='utf-8', errors='backslashreplace', newline='') as stream:
            stream.write(table.getvalue())
    if options.json:
        Path(options.json).write_text(to_json(result), encoding='utf-8')
    if options.signature_only:
        print('\n'.join(dict.fromkeys(found.signature for found in result.benchmarks)))
    else:
        print(to_text(result), end='')
    return 0


def _records(arguments: list[str]) -> dict[str, Path]:
    found = {}
    for argument in arguments:
        benchmark, separator, path = argument.partition('=')
        if not separator or not benchmark or not path:
            raise ValueError(f'--records {argument}: expected BENCHMARK=F.')
        found[benchmark] = Path(path)
    return found
