"""``evalscope-qa list``: what became of every plugin benchmark; ``evalscope-qa eval``: evalscope's, with plugins."""

import argparse
import difflib
import json
import os
import sys
import textwrap
from collections import Counter
from dataclasses import asdict, replace
from typing import Any, Sequence

from .. import discovery
from ..command_line import terminal_width
from . import STRICT, SWITCH
from .policy import DEFAULT_GROUP, Claim, Decision
from .selection import parse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('--json', action='store_true', help='print JSON instead of a table')
    parser.add_argument(
        '--strict', action='store_true', help="show the strict readings of evalscope's own benchmarks, a line each"
    )


def run(options: argparse.Namespace) -> int:
    """Print every decision, and what is wrong with the installations.

    Args:
        options: ``json``: print JSON instead of a table. ``strict``: show each benchmark of that group, which imports
            one of evalscope's for it.

    Returns:
        0; 1 if a benchmark failed, an installation is broken, or there is no plugin at all; 2 if ``EVALSCOPE_PLUGINS``
        names what is not there.
    """
    asked = parse(os.environ.get(SWITCH, ''))
    if options.strict:
        discovery.ask_for(STRICT)
    made = [decision if asked.covers(_claim(decision)) else _off(decision) for decision in discovery.decisions()]
    in_force, problems, unmatched = discovery.pth_in_force(), discovery.problems(), discovery.unmatched()
    if options.json:
        print(json.dumps({'pth_in_force': in_force, 'benchmarks': [asdict(item) for item in made]}, indent=2))
    elif made:
        folded = [item for item in made if item.group != DEFAULT_GROUP and item.status == 'off' and not options.strict]
        _print_table([item for item in made if item not in folded])
        _print_folded(folded)
        _print_force(in_force)
    if not made:
        problems.append('no installed package declares a benchmark; is evalscope-qa installed, and installed whole?')
    for problem in problems:
        print(f'evalscope-qa list: warning: {problem}', file=sys.stderr)
    for entry in unmatched:
        known = {name for item in made for name in (item.benchmark, item.group)}
        near = difflib.get_close_matches(entry, known, n=1)
        hint = f' Did you mean {near[0]}?' if near else ''
        print(f'evalscope-qa list: error: {SWITCH} names {entry}, which no plugin provides.{hint}', file=sys.stderr)
    if unmatched:
        return 2
    return 1 if problems or any(item.status == 'failed' for item in made) else 0


def _claim(decision: Decision) -> Claim:
    return Claim(
        decision.benchmark,
        decision.distribution,
        decision.distribution_version,
        decision.module,
        decision.group,
    )


def _off(decision: Decision) -> Decision:
    """Say of what was looked at because of ``--strict`` that it is off unless it is asked for."""
    if decision.group == DEFAULT_GROUP or decision.status != 'active':
        return decision
    return replace(decision, status='off')


_INDENTED: dict[str, Any] = {
    'initial_indent': '  ',
    'subsequent_indent': '    ',
    'break_long_words': False,
    'break_on_hyphens': False,
}


def _print_table(made: Sequence[Decision]) -> None:
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


def _print_folded(off: Sequence[Decision]) -> None:
    """Say in one line a group how many benchmarks are there and off."""
    width = terminal_width() or 0
    for (distribution, group), count in Counter((item.distribution, item.group) for item in off).items():
        shown = '; `evalscope-qa list --strict` shows them' if group == STRICT else ''
        line = f'{group}: {count} more of {distribution} are available and off: {SWITCH}=default,{group}{shown}.'
        print(textwrap.fill(line, width, **_INDENTED).strip() if 0 < width < len(line) else line)


def _print_force(in_force: bool) -> None:
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
        arguments: Those of ``evalscope eval``, as they stand, and ``--strict``.

    Returns:
        0 for a run that came to its end. What it raises comes through, its exit status among it.

    Raises:
        RuntimeError: If ``--strict`` comes too late: evalscope has been imported by then.
    """
    if f'--{STRICT}' in arguments:
        discovery.ask_for(STRICT)
        arguments = [argument for argument in arguments if argument != f'--{STRICT}']
    discovery.load_plugins()
    from evalscope.cli.cli import run_cmd

    before = sys.argv
    sys.argv = ['evalscope', 'eval', *arguments]
    try:
        run_cmd()
    finally:
        sys.argv = before
    return 0
