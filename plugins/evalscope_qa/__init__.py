"""Corrected and new question-answering benchmarks for evalscope.

Importing this package imports nothing else: the interpreter does so at every start (see ``_autoload``).
"""

__version__ = '0.1.0'
