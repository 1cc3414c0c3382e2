"""Corrected and new question-answering benchmarks for evalscope.

Importing this package imports nothing else: a Python start does so (see ``discovery.autoload``), before pytest could
rewrite its assertions, which pytest would warn about: PYTEST_DONT_REWRITE.
"""

__version__ = '0.1.0'
