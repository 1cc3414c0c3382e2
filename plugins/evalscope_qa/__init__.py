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
    from typing import Any, Sequence

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
    """Finds the top-level module ``evalscope`` through the finders behind it, and lets discovery follow its import.

    It stays: evalscope may fail to import and be tried again, or be taken out of ``sys.modules`` and imported anew.
    """

    _searching = False

    def find_spec(
        self, name: str, path: 'Sequence[str] | None' = None, target: 'ModuleType | None' = None
    ) -> 'ModuleSpec | None':
        """Find evalscope. Nothing may be imported here.

        Python asks a finder with its one import lock held. An import waits for the lock of its module, and whoever has
        that one, another thread that imports the same module just then, waits for the one lock: for ever.
        """
        # Asked back by a finder that, like this one, asks the others.
        if name != 'evalscope' or self._searching or self not in sys.meta_path:
            return None
        self._searching = True
        try:
            # The finders before this one have been asked already and found nothing.
            for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:
                find = getattr(finder, 'find_spec', None)
                spec = find(name, path, target) if find is not None else None
                if spec is not None:
                    # Without exec_module it is a bare folder called evalscope: a namespace package.
                    if hasattr(spec.loader, 'exec_module'):
                        spec.loader = _DiscoveringLoader(spec)
                    return spec
            return None
        finally:
            self._searching = False


class _DiscoveringLoader:
    """Stands in for evalscope's own loader until the moment of execution; then runs discovery after it."""

    def __init__(self, spec: 'ModuleSpec') -> None:
        self._spec = spec
        self._loader: Any = spec.loader

    def __getattr__(self, name: str) -> 'Any':
        return getattr(object.__getattribute__(self, '_loader'), name)

    def exec_module(self, module: 'ModuleType') -> None:
        # Handed back first, so that evalscope, importlib.resources and importlib.reload see the loader they expect.
        self._spec.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        # Not reached when evalscope fails to import. Of the locks only that of evalscope is held here.
        from .discovery import autoload

        autoload.load_plugins()
