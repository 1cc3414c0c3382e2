# Appended to the lazy stand-in's evalscope/benchmarks/__init__.py: what is proposed to evalscope (the last patch in
# patches/evalscope-1.14.1). It loads entry points of new names that one distribution declares, and no others.
from importlib.metadata import entry_points as _entry_points

from evalscope.utils import get_logger as _get_logger


def plugin_modules() -> dict:
    modules: dict = {}
    for entry_point in sorted(_entry_points(group='evalscope.benchmarks')):
        if entry_point.name in INDEX:  # noqa: F821
            _get_logger().warning(f'upstream: {entry_point.name} is shipped, {entry_point.value} is not used')
        else:
            modules.setdefault(entry_point.name, []).append(entry_point.module)
    return {name: declared[0] for name, declared in modules.items() if len(declared) == 1}


def _load_plugin(name: str) -> bool:
    if name not in plugin_modules():
        return load_benchmark(name)  # noqa: F821
    try:
        importlib.import_module(plugin_modules()[name])  # noqa: F821
    except Exception as error:  # noqa: BLE001
        _get_logger().warning(f'upstream: {name} cannot be loaded: {error}')
    return BENCHMARK_REGISTRY.is_materialized(name)  # noqa: F821


def _load_everything() -> None:
    load_all()  # noqa: F821
    for name in plugin_modules():
        _load_plugin(name)


BENCHMARK_REGISTRY.set_resolvers(_load_plugin, _load_everything, INDEX.get)  # noqa: F821
