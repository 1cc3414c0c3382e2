from typing import Callable

BENCHMARK_REGISTRY: dict = {}


def register_benchmark(metadata) -> Callable[[type], type]:
    def register_wrapper(data_adapter: type) -> type:
        if metadata.name in BENCHMARK_REGISTRY:
            raise ValueError(f'Benchmark {metadata.name} already registered')
        metadata.data_adapter = data_adapter
        BENCHMARK_REGISTRY[metadata.name] = metadata
        return data_adapter

    return register_wrapper
