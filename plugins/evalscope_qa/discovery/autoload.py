"""Runs discovery after evalscope's own import; reached from the finder that a Python start puts on ``sys.meta_path``.

Whatever goes wrong is one line on stderr: ``import evalscope`` may not break because of it. See docs/discovery.md.
"""

import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Sequence

_searching = False


def find_spec(ours: Any, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
    """Find evalscope through the finders that follow ours, and let discovery follow its import."""
    global _searching
    # Asked back by a finder that, like ours, asks the others: Python holds its import lock meanwhile.
    if _searching or ours not in sys.meta_path:
        return None
    _searching = True
    try:
        # The finders before ours have been asked already and found nothing.
        for finder in sys.meta_path[sys.meta_path.index(ours) + 1 :]:
            find = getattr(finder, 'find_spec', None)
            spec = find('evalscope', path, target) if find is not None else None
            if spec is not None:
                # Without exec_module it is a bare folder called evalscope: a namespace package.
                if hasattr(spec.loader, 'exec_module'):
                    spec.loader = _DiscoveringLoader(spec)
                return spec
        return None
    finally:
        _searching = False


class _DiscoveringLoader:
    """Stands in for evalscope's own loader until the moment of execution; then runs discovery after it."""

    def __init__(self, spec: ModuleSpec) -> None:
        self._spec = spec
        self._loader: Any = spec.loader

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, '_loader'), name)

    def exec_module(self, module: ModuleType) -> None:
        # Handed back first, so that evalscope, importlib.resources and importlib.reload see the loader they expect.
        self._spec.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        load_plugins()  # not reached when evalscope fails to import


def load_plugins() -> None:
    """Run discovery, unless it is switched off."""
    # `selection` reads the whole variable; this much is tested here so that "off" imports nothing at all, but where
    # evalscope loads plugins itself and has to be kept from it: see evalscope_shim.loads_new_names.
    off = os.environ.get('EVALSCOPE_PLUGINS', '').strip().lower() in ('off', '0')
    if off and not hasattr(sys.modules.get('evalscope.benchmarks'), 'plugin_modules'):
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
