"""Edits of the patch that makes evalscope find benchmarks through entry points; its new files are templates."""

from .edit import Edit

_BENCHMARKS = 'evalscope/benchmarks/__init__.py'
_REGISTRY = 'evalscope/api/registry.py'
_INFO = 'evalscope/cli/benchmark_info.py'

EDITS = (
    Edit(
        _BENCHMARKS,
        'adapter module, so a stale or absent index can only cost time, never correctness.\n"""\n',
        'adapter module, so a stale or absent index can only cost time, never correctness.\n'
        '\n'
        'Other distributions add benchmarks through the entry-point group ``evalscope.benchmarks``;\n'
        'see :mod:`evalscope.benchmarks.entry_points`. They are never written to ``_index.json``.\n'
        '"""\n',
    ),
    Edit(
        _BENCHMARKS,
        'from evalscope.api.registry import BENCHMARK_REGISTRY\n',
        'from evalscope.api.registry import BENCHMARK_REGISTRY\n'
        'from evalscope.benchmarks.entry_points import ENTRY_POINT_GROUP, EntryPointBenchmarks\n',
    ),
    Edit(
        _BENCHMARKS,
        '_INDEX: Dict[str, str] = _read_index()\n',
        '_INDEX: Dict[str, str] = _read_index()\n'
        '_PLUGINS = EntryPointBenchmarks(BENCHMARK_REGISTRY)\n'
        '\n'
        '\n'
        'def _reserved_module(name: str) -> Optional[str]:\n'
        '    """The module expected to register ``name``: a shipped one, else the one an entry point declares."""\n'
        '    return _INDEX.get(name) or _PLUGINS.reserved_module(name)\n',
    ),
    Edit(_BENCHMARKS, 'from typing import Dict, List\n', 'from typing import Dict, List, Optional\n'),
    Edit(
        _BENCHMARKS,
        '"""Import only the module that registers ``name``.\n',
        '"""Import only the module that registers ``name``, and those that entry points declare for it.\n',
    ),
    Edit(
        _BENCHMARKS,
        '    if module is None:\n        return False\n',
        '    if module is None:\n'
        '        _PLUGINS.resolve(name)\n'
        '        return BENCHMARK_REGISTRY.is_materialized(name)\n',
    ),
    Edit(
        _BENCHMARKS,
        '        return False\n    return BENCHMARK_REGISTRY.is_materialized(name)\n',
        '        return False\n    _PLUGINS.resolve(name)\n    return BENCHMARK_REGISTRY.is_materialized(name)\n',
    ),
    Edit(
        _BENCHMARKS,
        '"""Import every adapter module, matching the historical eager behaviour."""\n',
        '"""Import every adapter module, matching the historical eager behaviour, and every declared one."""\n',
    ),
    Edit(
        _BENCHMARKS,
        '            _loading_all = False\n',
        '            _loading_all = False\n'
        '    # Outside the context above: shipped names stay reserved from modules that do not declare them.\n'
        '    _PLUGINS.resolve_all()\n',
    ),
    Edit(
        _BENCHMARKS,
        '    load_all()\n'
        '    return {\n'
        '        name: meta.data_adapter.__module__\n'
        '        for name, meta in sorted(BENCHMARK_REGISTRY.items())\n'
        '        if meta.data_adapter is not None\n'
        '    }\n',
        '    load_all()\n'
        '    shipped_modules = set(adapter_modules())\n'
        '    index = {}\n'
        '    for name, meta in sorted(BENCHMARK_REGISTRY.items()):\n'
        '        meta = _PLUGINS.shipped(name) or meta\n'
        '        if meta.data_adapter is not None and meta.data_adapter.__module__ in shipped_modules:\n'
        '            index[name] = meta.data_adapter.__module__\n'
        '    return index\n',
    ),
    Edit(
        _BENCHMARKS,
        'BENCHMARK_REGISTRY.set_resolvers(load_benchmark, load_all, _INDEX.get)\n',
        'BENCHMARK_REGISTRY.set_resolvers(load_benchmark, load_all, _reserved_module, _PLUGINS.stage)\n',
    ),
    Edit(
        _REGISTRY,
        '        self._indexed_module: Optional[Callable[[str], Optional[str]]] = None\n',
        '        self._indexed_module: Optional[Callable[[str], Optional[str]]] = None\n'
        '        self._stage: Optional[Callable[[str, Any, str], bool]] = None\n',
    ),
    Edit(
        _REGISTRY,
        '        indexed_module: Callable[[str], Optional[str]],\n    ) -> None:\n',
        '        indexed_module: Callable[[str], Optional[str]],\n'
        '        stage: Optional[Callable[[str, Any, str], bool]] = None,\n'
        '    ) -> None:\n',
    ),
    Edit(
        _REGISTRY,
        '                importing it. This reserves shipped names from custom overrides.\n',
        '                importing it. This reserves shipped names from custom overrides.\n'
        '            stage: Offered every registration before it is made; returns True to keep the\n'
        '                value back and decide later, in ``resolve_one`` or ``resolve_all``.\n',
    ),
    Edit(
        _REGISTRY,
        '            self._indexed_module = indexed_module\n',
        '            self._indexed_module = indexed_module\n            self._stage = stage\n',
    ),
    Edit(
        _REGISTRY,
        '    @contextmanager\n    def allow_indexed_registrations(self)',
        '    def stage(self, name: str, value: T, registering_module: str) -> bool:\n'
        '        """Whether the owning package keeps ``value`` back until ``name`` is resolved."""\n'
        '        with self._lock:\n'
        '            return self._stage is not None and self._stage(name, value, registering_module)\n'
        '\n'
        '    @contextmanager\n'
        '    def allow_indexed_registrations(self)',
    ),
    Edit(
        _REGISTRY,
        '        if BENCHMARK_REGISTRY.is_registered(metadata.name, data_adapter.__module__):\n',
        '        metadata.data_adapter = data_adapter\n'
        '        if BENCHMARK_REGISTRY.stage(metadata.name, metadata, data_adapter.__module__):\n'
        '            return data_adapter\n'
        '        if BENCHMARK_REGISTRY.is_registered(metadata.name, data_adapter.__module__):\n',
    ),
    Edit(
        _REGISTRY,
        "already registered')\n        metadata.data_adapter = data_adapter\n",
        "already registered')\n",
    ),
    Edit(
        _INFO,
        '            if entry:\n                print(json.dumps(entry',
        '            # The persisted data describes what evalscope ships, not a replacement by another distribution.\n'
        "            if entry and type(adapter).__module__.startswith('evalscope.'):\n"
        '                print(json.dumps(entry',
    ),
    Edit(
        _INFO,
        "            if entry and entry.get('readme', {}).get('en'):\n",
        "            if entry.get('readme', {}).get('en') and type(adapter).__module__.startswith('evalscope.'):\n",
    ),
)
