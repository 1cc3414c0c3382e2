"""Runs evalscope's own ``benchmark-info`` command with a fixed clock, so that what it writes can be built again.

Usage: ``python benchmark_info.py ISO_TIME [ARGUMENTS OF benchmark-info]``, with the source tree on ``PYTHONPATH``.
"""

import datetime
import sys


def main() -> None:
    sys.path.pop(0)  # this script's folder, whose modules have everyday names
    from evalscope.cli.cli import run_cmd
    from evalscope.utils.doc_utils import generate_dataset_md

    now = datetime.datetime.fromisoformat(sys.argv.pop(1))
    generate_dataset_md.current_time = lambda: now
    sys.argv[:1] = ['evalscope', 'benchmark-info']
    run_cmd()


if __name__ == '__main__':
    main()
