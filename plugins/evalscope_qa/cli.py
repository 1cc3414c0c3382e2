"""The ``evalscope-qa`` command: reads the arguments of its subcommands and runs one."""

import argparse
import sys
import traceback
from collections.abc import Sequence
from contextlib import nullcontext

from . import __version__
from .command_line import INTERRUPTED, READER_GONE, any_text, drop_output, quiet


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Returns:
        Exit status: 0 for success, 1 for what the command reports as a failure, 2 for wrong input, 130 after Ctrl-C,
        141 where the reader of the output is gone.
    """
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if arguments[:1] == ['eval']:  # the rest is evalscope's to read, and its log and progress bars are wanted
        from .discovery.command import evaluate

        return evaluate(arguments[1:])
    with any_text():
        command = 'evalscope-qa'
        try:
            options = _parser().parse_args(arguments)
            command = f'evalscope-qa {options.command}'
            with nullcontext() if options.verbose else quiet(bars=options.command == 'demo'):
                try:
                    return options.run(options)
                except (ValueError, OSError, RuntimeError) as error:
                    if isinstance(error, BrokenPipeError):
                        raise
                    if options.verbose:
                        traceback.print_exc()
                    print(f'{command}: error: {" ".join(str(error).splitlines())}', file=sys.stderr)
                    return 2
                finally:
                    sys.stdout.flush()
        except KeyboardInterrupt:
            print(f'{command}: interrupted', file=sys.stderr)
            return INTERRUPTED
        except BrokenPipeError:
            drop_output()
            return READER_GONE


def _parser() -> argparse.ArgumentParser:
    from .audit import command as audit
    from .discovery import command as discovery
    from .replay import command as replay
    from .replay import demo
    from .replay import questions_command as questions
    from .runs.comparison import command as compare
    from .runs.rescoring import command as rescore

    parser = argparse.ArgumentParser('evalscope-qa', description='Question-answering benchmarks for evalscope.')
    parser.add_argument('--version', action='version', version=f'evalscope-qa {__version__}')
    commands = parser.add_subparsers(dest='command', required=True, metavar='COMMAND')

    listing = commands.add_parser('list', help='show every plugin benchmark and what became of it')
    discovery.add_arguments(listing)
    listing.set_defaults(run=discovery.run)

    commands.add_parser(
        'eval', add_help=False, help='`evalscope eval` with the plugins, where no start-up file is read'
    )

    replaying = commands.add_parser('replay', help='score canned replies through a benchmark, offline')
    replay.add_arguments(replaying)
    replaying.set_defaults(run=replay.run)

    asking = commands.add_parser('questions', help='write what a system has to answer, with ids and full prompts')
    questions.add_arguments(asking)
    asking.set_defaults(run=questions.run)

    showing = commands.add_parser('demo', help='evaluate the shipped samples with canned replies, offline')
    demo.add_arguments(showing)
    showing.set_defaults(run=demo.run)

    auditing = commands.add_parser('audit', help='report where a benchmark credits a reply that answers nothing')
    audit.add_arguments(auditing)
    auditing.set_defaults(run=audit.run)

    comparing = commands.add_parser('compare', help='compare the models of runs: intervals, tests, ranks with ties')
    compare.add_arguments(comparing)
    comparing.set_defaults(run=compare.run)

    rescoring = commands.add_parser('rescore', help="score a run's predictions again by another version of the scoring")
    rescore.add_arguments(rescoring)
    rescoring.set_defaults(run=rescore.run)

    for command in (listing, replaying, asking, showing, auditing, comparing, rescoring):
        command.add_argument('--verbose', action='store_true', help="show evalscope's log and progress bars too")
    return parser
