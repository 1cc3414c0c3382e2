"""Runs the command line as ``python -m evalscope_qa``."""

import sys

from .cli import main

if __name__ == '__main__':
    sys.exit(main())
