"""What discovery uses of evalscope's inside, each with the releases it was seen in; nothing else here touches it.

Import it only where evalscope has been imported.
"""

import functools
import logging
import sys
import threading
from types import ModuleType
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta, DataAdapter

ResolveOne = Callable[[str], bool]
"""Import the module that registers a name; whether that brought the name into the registry."""
ResolveAll = Callable[[], None]
"""Import every module that registers a benchmark."""
IndexedModule = Callable[[str], str | None]
"""The module that registers a name, without importing it; None for an unknown name."""


class Registry:
    """``BENCHMARK_REGISTRY``: a dict (1.12.0), or one that looks names up on demand (1.13.0 to 1.14.1)."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._names: Any = module.BENCHMARK_REGISTRY
        self.lock: Any = getattr(self._names, '_lock', None) or threading.RLock()
        """Held while a name is looked up: ``_lock`` (1.13.0 to 1.14.1), or one of our own."""
        # set_resolvers() has no public counterpart (1.13.0 to 1.14.1).
        functions: list[Any] = [
            getattr(self._names, name, None) for name in ('_resolve_one', '_resolve_all', '_indexed_module')
        ]
        self.is_lazy = hasattr(self._names, 'set_resolvers') and None not in functions
        """Whether names are looked up on demand; if so, this is what does it:"""
        self.resolve_one: ResolveOne = functions[0]
        self.resolve_all: ResolveAll = functions[1]
        self.indexed_module: IndexedModule = functions[2]

    def set_resolvers(self, resolve_one: ResolveOne, resolve_all: ResolveAll, indexed_module: IndexedModule) -> None:
        """Look names up by these functions from now on."""
        # One by one: set_resolvers() may take more than these where evalscope loads plugins itself.
        self._names._resolve_one = resolve_one
        self._names._resolve_all = resolve_all
        self._names._indexed_module = indexed_module

    # By the methods of dict: those of a lazy registry would import, in the middle of the import of a plugin too.

    def held(self, benchmark: str) -> 'BenchmarkMeta | None':
        """Return what is registered under a name at this moment."""
        return dict.get(self._names, benchmark)

    def put(self, benchmark: str, metadata: 'BenchmarkMeta | None') -> None:
        """Let this be registered under a name; None for nothing."""
        if metadata is None:
            dict.pop(self._names, benchmark, None)
        else:
            dict.__setitem__(self._names, benchmark, metadata)

    def look_up(self, benchmark: str) -> 'BenchmarkMeta | None':
        """Return what evalscope by itself knows under a name, without a scan of all adapters where it ships nothing."""
        if self.is_lazy and self.held(benchmark) is None:
            with self.lock:
                if not self.resolve_one(benchmark) and self.ships(benchmark):
                    self.resolve_all()  # a stale index: evalscope does so too
        return self.held(benchmark)

    def ships(self, benchmark: str) -> bool:
        """Whether evalscope has a benchmark of its own under a name; imports nothing."""
        module = self.indexed_module(benchmark) if self.is_lazy else module_of(self.held(benchmark))
        return is_own(module or '')

    def wrap_register_benchmark(self, keep: 'Callable[[BenchmarkMeta, type[DataAdapter]], bool]') -> None:
        """Let ``@register_benchmark`` register only what ``keep``, offered it first, does not keep."""
        original = self._module.register_benchmark

        @functools.wraps(original)
        def register_benchmark(metadata: 'BenchmarkMeta') -> 'Callable[[type[DataAdapter]], type[DataAdapter]]':
            def register_wrapper(data_adapter: 'type[DataAdapter]') -> 'type[DataAdapter]':
                if not keep(metadata, data_adapter):
                    return original(metadata)(data_adapter)
                metadata.data_adapter = data_adapter  # which evalscope does too
                return data_adapter

            return register_wrapper

        self._module.register_benchmark = register_benchmark  # type: ignore[attr-defined]


def loads_new_names() -> bool:
    """Whether evalscope itself loads the plugins of new names: no release up to 1.14.1 does; proposed to it."""
    return hasattr(sys.modules.get('evalscope.benchmarks'), 'plugin_modules')


def logger() -> logging.Logger:
    from evalscope.utils import get_logger

    return get_logger()


def release() -> str:
    from evalscope.version import __version__

    return __version__


def module_of(metadata: 'BenchmarkMeta | None') -> str | None:
    """Return the module of a benchmark's adapter."""
    adapter = metadata.data_adapter if metadata is not None else None
    return adapter.__module__ if adapter is not None else None


def version_of(metadata: 'BenchmarkMeta | None') -> str | None:
    return metadata.evaluation_version if metadata is not None else None


def is_own(module: str) -> bool:
    """Whether a module is evalscope's."""
    return module.partition('.')[0] == 'evalscope'
