"""Corrected and new question-answering benchmarks for evalscope.

A Python start imports this module and runs :func:`start_up`, so both do next to nothing: they import ``sys`` alone and
put one object on ``sys.meta_path``, which waits for ``import evalscope``. The rest is in ``discovery``.

It is imported before pytest could rewrite its assertions, which pytest would warn about: PYTEST_DONT_REWRITE.
"""

import sys

TYPE_CHECKING = False  # importing it from `typing` would cost more than this whole module
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Sequence

__version__ = '0.1.0'

started_up = False
"""Whether a start-up file has run :func:`start_up`."""


def start_up() -> None:
    """What ``evalscope_qa.pth`` and ``evalscope_qa.start`` name; a start may run it twice, an old tool both files."""
    global started_up
    started_up = True
    install()


def install() -> None:
    """Make evalscope know the installed plugins whenever it is imported, and now if it has been; any number of times.

    For programs on a Python that reads no start-up files.
    """
    if not any(isinstance(finder, EvalscopeFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, EvalscopeFinder())
    if 'evalscope' in sys.modules:  # another start-up file, a sitecustomize or the program was first
        from .discovery import autoload

        autoload.load_plugins()


class EvalscopeFinder:
    """Finds the top-level module ``evalscope``, and nothing else.

    It stays: evalscope may fail to import and be tried again, or be taken out of ``sys.modules`` and imported anew.
    """

    def find_spec(
        self, name: str, path: 'Sequence[str] | None' = None, target: 'ModuleType | None' = None
    ) -> 'ModuleSpec | None':
        if name != 'evalscope':
            return None
        from .discovery import autoload

        return autoload.find_spec(self, path, target)
