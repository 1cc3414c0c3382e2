"""Waits for ``import evalscope``, then runs discovery. ``evalscope_qa.pth`` and ``.start`` run it at a Python start.

So it costs next to nothing until then (it imports ``sys`` and nothing else), and whatever goes wrong is one line on
stderr: neither a Python start nor ``import evalscope`` may break because of it. See docs/discovery.md.
"""

import sys

TYPE_CHECKING = False  # importing it from `typing` would cost more than this whole module
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any, Sequence

at_start = False
"""Whether a start-up file has run :func:`install`."""


def install() -> None:
    """What the start-up files name; Python 3.15 may run it twice in one start, and an older tool both files."""
    global at_start
    at_start = True
    follow_evalscope()


def follow_evalscope() -> None:
    """Run discovery after every import of evalscope from now on, and at once if it has been imported."""
    if not any(isinstance(finder, _EvalscopeFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _EvalscopeFinder())
    if 'evalscope' in sys.modules:  # another start-up file, a sitecustomize or the program was first
        _load_plugins()


class _EvalscopeFinder:
    """Finds the top-level module ``evalscope`` through the finders that follow it, and nothing else.

    It stays: evalscope may fail to import and be tried again, or be taken out of ``sys.modules`` and imported anew.
    """

    _searching = False

    def find_spec(
        self, name: str, path: 'Sequence[str] | None' = None, target: 'ModuleType | None' = None
    ) -> 'ModuleSpec | None':
        # Asked back by a finder that, like this one, asks the others: Python holds its import lock meanwhile.
        if name != 'evalscope' or self._searching or self not in sys.meta_path:
            return None
        self._searching = True
        try:
            # The finders before this one have been asked already and found nothing.
            for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:
                find_spec = getattr(finder, 'find_spec', None)
                spec = find_spec(name, path, target) if find_spec is not None else None
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
        _load_plugins()  # not reached when evalscope fails to import


def _load_plugins() -> None:
    import os

    # `selection` reads the whole variable; this much is tested here so that "off" imports nothing at all.
    if os.environ.get('EVALSCOPE_PLUGINS', '').strip().lower() in ('off', '0'):
        return
    try:
        from . import load_plugins

        load_plugins()
    except Exception as error:  # noqa: BLE001 - a plugin system must not break `import evalscope`
        _complain(error)


def _complain(error: Exception) -> None:
    message = ' '.join(f'{type(error).__name__}: {error}'.split())
    if sys.stderr is None:  # print() would take that for stdout
        return
    try:
        print(f'evalscope_qa: the plugins of evalscope were not loaded: {message}', file=sys.stderr)
    except (OSError, ValueError):
        return  # stderr is closed: there is nobody to tell
