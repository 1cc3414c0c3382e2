"""``evalscope-qa list``: what became of every plugin benchmark; ``evalscope-qa eval``: evalscope's, with plugins."""

import argparse
import difflib
import json
import sys
import textwrap
from dataclasses import asdict
from typing import Any, Sequence

from .. import discovery
from ..command_line import terminal_width
from . import SWITCH
from .policy import Decision


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('--json', action='store_true', help='print JSON instead of a table')


def run(options: argparse.Namespace) -> int:
    """Print every decision, and what is wrong with the installations.

    Args:
        options: ``json``: print JSON instead of a table.

    Returns:
        0; 1 if a benchmark failed, an installation is broken, or there is no plugin at all; 2 if ``EVALSCOPE_PLUGINS``
        names what is not there.
    """
    made = discovery.decisions()
    in_force, problems, unmatched = discovery.pth_in_force(), discovery.problems(), discovery.unmatched()
    if options.json:
        print(json.dumps({'pth_in_force': in_force, 'benchmarks': [asdict(item) for item in made]}, indent=2))
    elif made:
        _print_table(made, in_force)
    if not made:
        problems.append('no installed package declares a benchmark; is evalscope-qa installed, and installed whole?')
    for problem in problems:
        print(f'evalscope-qa list: warning: {problem}', file=sys.stderr)
    for entry in unmatched:
        near = difflib.get_close_matches(entry, {item.benchmark for item in made}, n=1)
        hint = f' Did you mean {near[0]}?' if near else ''
        print(f'evalscope-qa list: error: {SWITCH} names {entry}, which no plugin provides.{hint}', file=sys.stderr)
    if unmatched:
        return 2
    return 1 if problems or any(item.status == 'failed' for item in made) else 0


_INDENTED: dict[str, Any] = {
    'initial_indent': '  ',
    'subsequent_indent': '    ',
    'break_long_words': False,
    'break_on_hyphens': False,
}


def _print_table(made: Sequence[Decision], in_force: bool) -> None:
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
        for item in made
    ]
    table = tabulate(rows, headers=headers, missingval='-', maxcolwidths=[None] * 6 + [60])
    width = terminal_width()
    if width is None or max(map(len, table.splitlines())) <= width:
        print(table)
    else:
        for name, *cells in rows:
            lines = [f'{header}: {cell}' for header, cell in zip(headers[1:], cells, strict=True) if cell]
            print('\n'.join([str(name), *(textwrap.fill(line, width, **_INDENTED) for line in lines)]))
    name = 'start' if sys.version_info >= (3, 15) else 'pth'
    print(
        f'The .{name} file is in force: evalscope loads the active ones by itself.'
        if in_force
        else f'The .{name} file is not in force here: evalscope does not load them by itself; '
        'see docs/discovery.md, or run through `python -m evalscope_qa eval`.'
    )


def evaluate(arguments: Sequence[str]) -> int:
    """Run ``evalscope eval`` with the plugins, wherever Python reads no start-up files.

    Args:
        arguments: Those of ``evalscope eval``, as they stand.

    Returns:
        0 for a run that came to its end. What it raises comes through, its exit status among it.
    """
    discovery.load_plugins()
    from evalscope.cli.cli import run_cmd

    before = sys.argv
    sys.argv = ['evalscope', 'eval', *arguments]
    try:
        run_cmd()
    finally:
        sys.argv = before
    return 0
