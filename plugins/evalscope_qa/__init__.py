"""Corrected and new question-answering benchmarks for evalscope.

Importing this package imports nothing else: a Python start does so (see ``discovery.autoload``), before pytest could
rewrite its assertions, which pytest would warn about: PYTEST_DONT_REWRITE.
"""

__version__ = '0.1.0'


def install() -> None:
    """Make evalscope know the installed plugins as soon as it is imported, or now if it has been; any number of times.

    For programs on a Python that reads no start-up files: call it before the first look-up of a benchmark.
    """
    from .discovery import autoload

    autoload.follow_evalscope()
