"""A stand-in for evalscope with what discovery touches: it is imported in milliseconds."""

import os

if os.path.exists(os.environ.get('STAND_IN_FAILS_WHILE_EXISTS', '')):  # noqa: PTH110 - imports as little as it can
    raise RuntimeError('evalscope cannot start')

from evalscope import benchmarks  # noqa: F401
from evalscope.version import __version__  # noqa: F401
