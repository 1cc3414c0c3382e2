# Appended to evalscope/benchmarks/__init__.py, the stand-in's or the real one: what is proposed to evalscope. It loads
# entry points of new names, and refuses those of names that it ships.
import importlib as _importlib
from importlib.metadata import entry_points as _entry_points

from evalscope.utils import get_logger as _get_logger

ENTRY_POINT_GROUP = 'evalscope.benchmarks'
_SHIPPED = globals().get('_INDEX') or globals()['INDEX']
_PLUGINS: dict = {}
for _entry_point in _entry_points(group=ENTRY_POINT_GROUP):
    if _entry_point.name in _SHIPPED:
        _get_logger().warning(f'upstream: {_entry_point.name} is shipped, {_entry_point.value} is not used')
    elif _entry_point.name in _PLUGINS:
        _get_logger().warning(f'upstream: {_entry_point.name} is declared more than once')
    else:
        _PLUGINS[_entry_point.name] = _entry_point.module


def _load_plugin(name: str) -> bool:
    if name not in _PLUGINS:
        return load_benchmark(name)  # noqa: F821
    try:
        _importlib.import_module(_PLUGINS[name])
    except Exception as error:  # noqa: BLE001
        _get_logger().warning(f'upstream: {name} cannot be imported: {error}')
    return BENCHMARK_REGISTRY.is_materialized(name)  # noqa: F821


def _load_everything() -> None:
    load_all()  # noqa: F821
    for name in _PLUGINS:
        _load_plugin(name)


def _module_of(name: str):
    return _SHIPPED.get(name) or _PLUGINS.get(name)


BENCHMARK_REGISTRY.set_resolvers(_load_plugin, _load_everything, _module_of)  # noqa: F821
