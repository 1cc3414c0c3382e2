"""A registry that looks benchmarks up on demand, with the interface of evalscope 1.13 and later."""

from threading import RLock
from typing import Any, Callable, Iterator, Optional


class LazyRegistry(dict):
    def __init__(self) -> None:
        self._lock = RLock()
        self._resolve_one: Any = None
        self._resolve_all: Any = None
        self._indexed_module: Any = None

    def set_resolvers(self, resolve_one: Callable, resolve_all: Callable, indexed_module: Callable) -> None:
        self._resolve_one, self._resolve_all, self._indexed_module = resolve_one, resolve_all, indexed_module

    def is_registered(self, name: str, registering_module: Optional[str] = None) -> bool:
        return dict.__contains__(self, name) or self._indexed_module(name) not in (None, registering_module)

    def is_materialized(self, name: str) -> bool:
        return dict.__contains__(self, name)

    def _find(self, name: str) -> None:
        with self._lock:
            if not dict.__contains__(self, name) and not self._resolve_one(name):
                self._resolve_all()

    def __contains__(self, name: object) -> bool:
        self._find(str(name))
        return dict.__contains__(self, name)

    def __getitem__(self, name: str) -> Any:
        self._find(name)
        return dict.__getitem__(self, name)

    def get(self, name: str, default: Any = None) -> Any:
        self._find(name)
        return dict.get(self, name, default)

    def _everything(self) -> 'LazyRegistry':
        with self._lock:
            self._resolve_all()
        return self

    def __iter__(self) -> Iterator[str]:
        return dict.__iter__(self._everything())

    def items(self) -> Any:
        return dict.items(self._everything())


BENCHMARK_REGISTRY = LazyRegistry()


def register_benchmark(metadata: Any) -> Callable[[type], type]:
    def register_wrapper(data_adapter: type) -> type:
        if BENCHMARK_REGISTRY.is_registered(metadata.name, data_adapter.__module__):
            raise ValueError(f'Benchmark {metadata.name} already registered')
        metadata.data_adapter = data_adapter
        BENCHMARK_REGISTRY[metadata.name] = metadata
        return data_adapter

    return register_wrapper
