"""What discovery uses of evalscope's inside, each with the releases it was seen in; nothing else here touches it.

Import it only where evalscope has been imported.
"""

import logging
import sys
import threading
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from . import GROUP

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta

_no_registry_lock = threading.RLock()


def registry() -> Any:
    """Return ``BENCHMARK_REGISTRY``: a dict (1.12.0), or one that looks up on demand (1.13.0 to 1.14.1)."""
    return sys.modules['evalscope.api.registry'].BENCHMARK_REGISTRY


class Resolvers(NamedTuple):
    """How evalscope's lazy registry finds what evalscope ships."""

    load_one: Callable[[str], bool]
    """Import the module that registers a name; whether that brought the name into the registry."""
    load_all: Callable[[], None]
    """Import every module that registers a benchmark."""
    module_of: Callable[[str], str | None]
    """The module that registers a name, without importing it; None for an unknown name."""


def resolvers() -> Resolvers | None:
    """Return what ``set_resolvers`` was given (1.13.0 to 1.14.1); None where all is registered from the start (1.12.0).

    ``set_resolvers`` has no public counterpart: ``_resolve_one``, ``_resolve_all``, ``_indexed_module``.
    """
    names = ('_resolve_one', '_resolve_all', '_indexed_module')
    one, every, index = (getattr(registry(), name, None) for name in names)
    if not hasattr(registry(), 'set_resolvers') or one is None or every is None or index is None:
        return None
    return Resolvers(one, every, index)


def registry_lock() -> AbstractContextManager[Any]:
    """Return the lock of the lazy registry, ``_lock`` (1.13.0 to 1.14.1), or one of our own (1.12.0)."""
    return getattr(registry(), '_lock', _no_registry_lock)


# By the methods of dict: those of a lazy registry would import, in the middle of the import of a plugin too.


def registered(benchmark: str) -> 'BenchmarkMeta | None':
    """Return what the registry holds under a name at this moment."""
    return dict.get(registry(), benchmark)


def put(benchmark: str, metadata: 'BenchmarkMeta | None') -> None:
    """Let the registry hold this under a name; None for nothing."""
    if metadata is None:
        dict.pop(registry(), benchmark, None)
    else:
        dict.__setitem__(registry(), benchmark, metadata)


def look_up(benchmark: str) -> 'BenchmarkMeta | None':
    """Return what evalscope knows under a name, without a scan of all its adapters where there is nothing.

    ``is_registered`` asks the index of the lazy registry (1.13.0 to 1.14.1), where ``in`` falls back to importing all.
    """
    is_registered = getattr(registry(), 'is_registered', registry().__contains__)
    return registry().get(benchmark) if is_registered(benchmark) else None


def loads_the_group() -> bool:
    """Whether evalscope itself loads plugins: no release up to 1.14.1 does, a patch proposed to it would."""
    import evalscope.benchmarks

    return getattr(evalscope.benchmarks, 'ENTRY_POINT_GROUP', None) == GROUP


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
