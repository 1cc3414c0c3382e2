"""Runs evalscope's own ``benchmark-info`` command with a fixed clock, so that what it writes can be built again.

Usage: ``python benchmark_info.py ISO_TIME COMMAND ...``, with the source tree on ``PYTHONPATH``; a COMMAND is the
arguments of one ``benchmark-info`` in one word. They run in one process, because importing evalscope takes seconds.
"""

import datetime
import sys


def main() -> None:
    sys.path.pop(0)  # this script's folder, whose modules have everyday names
    from evalscope.cli.cli import run_cmd
    from evalscope.utils.doc_utils import generate_dataset_md

    now = datetime.datetime.fromisoformat(sys.argv[1])
    generate_dataset_md.current_time = lambda: now
    for command in sys.argv[2:]:
        sys.argv = ['evalscope', 'benchmark-info', *command.split()]
        run_cmd()


if __name__ == '__main__':
    main()
