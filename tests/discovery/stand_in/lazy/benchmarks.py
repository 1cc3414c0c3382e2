"""Finds the stand-in's benchmarks on demand: by an index, else by importing every adapter in this folder."""

import importlib
from pathlib import Path

from evalscope.api.registry import BENCHMARK_REGISTRY

INDEX = {'shipped': 'evalscope.benchmarks.shipped_adapter'}


def load_benchmark(name: str) -> bool:
    if name not in INDEX:
        return False
    importlib.import_module(INDEX[name])
    return BENCHMARK_REGISTRY.is_materialized(name)


def load_all() -> None:
    for file in sorted(Path(__file__).parent.glob('*_adapter.py')):
        importlib.import_module(f'evalscope.benchmarks.{file.stem}')


BENCHMARK_REGISTRY.set_resolvers(load_benchmark, load_all, INDEX.get)
