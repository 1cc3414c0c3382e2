"""Finds installed benchmark plugins, compares them with each other and with evalscope's own, and registers them.

A plugin is an entry point of the group ``evalscope.benchmarks``: its name is the benchmark's, its value the module that
registers the benchmark when imported. ``_autoload`` runs :func:`load_plugins` as soon as evalscope is imported. The
rules are those of docs/discovery.md; ``decisions.py`` holds them as a pure function.
"""

import importlib
import importlib.metadata
import logging
import os
import sys
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Type

from .decisions import Claim, Decision, Offer, decide

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta, DataAdapter

__all__ = ['GROUP', 'SWITCH', 'Decision', 'decisions', 'load_plugins', 'pth_in_force']

GROUP = 'evalscope.benchmarks'
"""The entry point group that plugins declare."""

SWITCH = 'EVALSCOPE_PLUGINS'
"""Environment variable: ``off`` or ``0`` loads no plugin, a comma-separated list only those benchmarks."""

# Plugin code runs at import and may fail in any way; only the user's own interrupt is let through.
_IMPORT_FAILURES = (Exception, SystemExit)


def load_plugins() -> None:
    """Find, compare and register the installed plugins, once a process; call it as often as you like.

    Imports evalscope. Never raises because of a plugin: what became of each is in :func:`decisions` and in evalscope's
    log.

    Raises:
        ImportError: If evalscope cannot be imported.
    """
    # Before the lock: another thread that is importing evalscope takes the two in this order too.
    importlib.import_module('evalscope.api.registry')
    _discovery.load()


def decisions() -> list[Decision]:
    """Return what became of every claim of a plugin to a benchmark name, sorted by name, then distribution.

    Loads the plugins first if that has not happened.
    """
    load_plugins()
    return _discovery.decisions()


def pth_in_force() -> bool:
    """Tell whether this Python's start ran ``evalscope_qa.pth``, so that plain ``import evalscope`` loads the plugins."""
    return 'evalscope_qa._autoload' in sys.modules


def selected_names() -> Optional[frozenset[str]]:
    """Read the switch: None for all plugins, else the names to load, which may be none."""
    value = os.environ.get(SWITCH, '').strip()
    if not value:
        return None
    if value.lower() in ('off', '0'):
        return frozenset()
    return frozenset(name.strip() for name in value.split(',') if name.strip())


class _Discovery:
    """The plugins of this process. One instance; the class keeps its state together."""

    def __init__(self) -> None:
        self._load_lock = threading.RLock()  # held while plugins are imported
        self._lock = threading.RLock()  # held while state changes; never while anything is imported
        self._started = False
        self._native = False
        self._selected: Optional[frozenset[str]] = None
        self._claims: list[Claim] = []
        self._offers: dict[tuple[str, str], 'BenchmarkMeta'] = {}  # by benchmark and claimed module
        self._failures: dict[str, str] = {}  # by module
        self._builtins: dict[str, 'BenchmarkMeta'] = {}
        self._builtin_failures: dict[str, str] = {}
        self._decisions: dict[str, list[Decision]] = {}  # by benchmark
        self._importing = threading.local()

    # -- loading ------------------------------------------------------------------------------------------------------

    def load(self) -> None:
        with self._load_lock:
            if self._started:
                return
            self._started = True
            self._selected = selected_names()
            self._claims = sorted(find_claims())
            if self._selected == frozenset():
                return
            self._warn_of_unknown_names()
            from . import metric_names

            metric_names.declare()
            if self._evalscope_loads_the_group():
                self._native = True
                return
            self._install_router()
            wanted = [claim for claim in self._claims if self._is_selected(claim.benchmark)]
            for module in dict.fromkeys(claim.module for claim in wanted):
                self._import(module)
            for benchmark in dict.fromkeys(claim.benchmark for claim in wanted):
                self._settle(benchmark)

    def _is_selected(self, benchmark: str) -> bool:
        return self._selected is None or benchmark in self._selected

    def _warn_of_unknown_names(self) -> None:
        unknown = (self._selected or frozenset()) - {claim.benchmark for claim in self._claims}
        if unknown:
            known = ', '.join(dict.fromkeys(claim.benchmark for claim in self._claims)) or 'none'
            _logger().warning(
                f'{SWITCH} names {", ".join(sorted(unknown))}, which no installed plugin provides; plugins: {known}.'
            )

    @staticmethod
    def _evalscope_loads_the_group() -> bool:
        import evalscope.benchmarks

        return getattr(evalscope.benchmarks, 'ENTRY_POINT_GROUP', None) == GROUP

    def _import(self, module: str) -> None:
        previous = getattr(self._importing, 'module', None)
        self._importing.module = module
        try:
            importlib.import_module(module)
        except _IMPORT_FAILURES as error:
            _logger().debug(f'Plugin module {module} failed to import', exc_info=True)
            with self._lock:
                self._failures[module] = f'{type(error).__name__}: {error}'
                for key in [key for key in self._offers if key[1] == module]:
                    del self._offers[key]
        finally:
            self._importing.module = previous

    # -- registration -------------------------------------------------------------------------------------------------

    def _install_router(self) -> None:
        """Send the registrations of plugins through :meth:`_settle`, and leave all others to evalscope.

        It stays for good: a plugin's module that somebody imported before evalscope registers only after discovery.
        """
        from evalscope.api import registry

        original = registry.register_benchmark

        def register_benchmark(metadata: 'BenchmarkMeta') -> Callable[[Type['DataAdapter']], Type['DataAdapter']]:
            """Register a benchmark with its metadata; a plugin's only if it is to be used."""

            def register_wrapper(data_adapter: Type['DataAdapter']) -> Type['DataAdapter']:
                module = self._claimed_module(metadata.name, data_adapter.__module__)
                if module is not None:
                    metadata.data_adapter = data_adapter
                    self._offer(metadata, module)
                elif self._is_late_builtin(metadata.name, data_adapter.__module__):
                    metadata.data_adapter = data_adapter
                    self._builtins[metadata.name] = metadata
                    self._settle(metadata.name)
                else:
                    original(metadata)(data_adapter)
                return data_adapter

            return register_wrapper

        registry.register_benchmark = register_benchmark

    def _claimed_module(self, benchmark: str, registering_module: str) -> Optional[str]:
        """Return the entry point module on whose behalf ``registering_module`` registers; None if it is no plugin's."""
        modules = [claim.module for claim in self._claims]
        if registering_module in modules:
            return registering_module
        if registering_module.partition('.')[0] == 'evalscope':
            return None
        # The entry point's module may import the one that registers: directly under discovery, or later, by the user.
        importing = getattr(self._importing, 'module', None)
        if importing is not None:
            return importing
        for claim in self._claims:
            same_package = claim.module.partition('.')[0] == registering_module.partition('.')[0]
            if claim.benchmark == benchmark and same_package:
                return claim.module
        return None

    def _is_late_builtin(self, benchmark: str, registering_module: str) -> bool:
        """A built-in that evalscope's index lacks registers in the full scan, when a plugin may hold its name."""
        if registering_module.partition('.')[0] != 'evalscope':
            return False
        held = dict.get(_registry(), benchmark)
        return held is not None and any(held is offer for offer in self._offers.values())

    def _offer(self, metadata: 'BenchmarkMeta', module: str) -> None:
        with self._lock:
            self._offers[metadata.name, module] = metadata
            self._failures.pop(module, None)
            declared = any(claim.benchmark == metadata.name and claim.module == module for claim in self._claims)
            late = metadata.name in self._decisions
        if not declared:
            self._refuse_undeclared(metadata, module)
        elif late:
            self._settle(metadata.name)

    def _refuse_undeclared(self, metadata: 'BenchmarkMeta', module: str) -> None:
        owner = next(claim for claim in self._claims if claim.module == module)
        decision = Decision(
            benchmark=metadata.name,
            distribution=owner.distribution,
            distribution_version=owner.distribution_version,
            module=module,
            version=metadata.evaluation_version,
            status='refused',
            reason=f"the module registers it, but the distribution has no entry point '{metadata.name}' in {GROUP}",
        )
        with self._lock:
            others = [other for other in self._decisions.get(metadata.name, []) if other != decision]
            self._decisions[metadata.name] = [*others, decision]
        _log(decision)

    # -- deciding -----------------------------------------------------------------------------------------------------

    def _settle(self, benchmark: str) -> None:
        """Decide about one name from all that is known now, put the winner in place, and log what changed."""
        builtin = self._builtin(benchmark)  # imports: so outside the lock
        registry = _registry()
        with self._lock:
            offers = [self._offer_of(claim) for claim in self._claims if claim.benchmark == benchmark]
            made = decide([offer for offer in offers if offer is not None], _module(builtin), _version(builtin))
            known = self._decisions.get(benchmark, [])
            undeclared = [old for old in known if not any(_same_claim(old, new) for new in made)]
            self._decisions[benchmark] = [*undeclared, *made]
            winner = next((decision for decision in made if decision.status == 'active'), None)
            if winner is not None:
                dict.__setitem__(registry, benchmark, self._offers[benchmark, winner.module])
            elif builtin is not None:
                dict.__setitem__(registry, benchmark, builtin)
            else:
                dict.pop(registry, benchmark, None)
        for decision in made:
            if decision not in known:
                _log(decision)

    def _offer_of(self, claim: Claim) -> Optional[Offer]:
        """What a claim has brought so far; None while its module is still being imported by somebody else."""
        metadata = self._offers.get((claim.benchmark, claim.module))
        if metadata is not None:
            failure = self._builtin_failures.get(claim.benchmark)
            return Offer(claim, metadata.evaluation_version, failure)
        failure = self._failures.get(claim.module)
        if failure is None:
            if _is_initialising(claim.module):
                return None
            failure = 'the module was imported, but it registers no benchmark of this name'
        return Offer(claim, None, failure)

    def _builtin(self, benchmark: str) -> Optional['BenchmarkMeta']:
        """Return what evalscope itself has under a name, importing that one module where evalscope has not yet."""
        if benchmark in self._builtins:
            return self._builtins[benchmark]
        registry = _registry()
        # From 1.13 the registry is lazy: is_registered() looks at its index, while `in` would import and may import all.
        is_registered = getattr(registry, 'is_registered', registry.__contains__)
        if not is_registered(benchmark):
            return None
        try:
            metadata = registry.get(benchmark)
        except _IMPORT_FAILURES as error:
            self._builtin_failures[benchmark] = (
                f"evalscope's own benchmark of this name cannot be imported, so there is no version to compare with: "
                f'{type(error).__name__}: {error}'
            )
            return None
        if metadata is None:
            return None
        for claim in self._claims:
            # Imported before discovery ran, so it registered with evalscope directly.
            if claim.benchmark == benchmark and _module(metadata) == claim.module:
                self._offers.setdefault((benchmark, claim.module), metadata)
                return None
        self._builtins[benchmark] = metadata
        return metadata

    # -- reporting ----------------------------------------------------------------------------------------------------

    def decisions(self) -> list[Decision]:
        for benchmark in dict.fromkeys(claim.benchmark for claim in self._claims):
            if not self._is_selected(benchmark) or self._native:
                self._report(benchmark)
            elif len(self._decisions.get(benchmark, [])) < sum(c.benchmark == benchmark for c in self._claims):
                self._settle(benchmark)  # a module somebody else was importing when discovery ran
        with self._lock:
            every = [decision for made in self._decisions.values() for decision in made]
        return sorted(every, key=lambda decision: (decision.benchmark, decision.distribution, decision.module))

    def _report(self, benchmark: str) -> None:
        """Say what is in use without changing it: switched off, or loaded by evalscope itself."""
        try:
            registry = _registry()
            is_registered = getattr(registry, 'is_registered', registry.__contains__)
            held = registry.get(benchmark) if is_registered(benchmark) or self._native else None
            problem = None
        except _IMPORT_FAILURES as error:
            held = None
            problem = f'{type(error).__name__}: {error}'
        made = []
        for claim in self._claims:
            if claim.benchmark != benchmark:
                continue
            if not self._is_selected(benchmark):
                builtin = self._builtins.get(benchmark) or held
                made.append(
                    claim.decision(
                        'off', f'{SWITCH}={os.environ.get(SWITCH, "")}', None, _module(builtin), _version(builtin)
                    )
                )
            elif held is not None and _module(held) == claim.module:
                made.append(claim.decision('active', 'loaded by evalscope itself', _version(held)))
            elif held is not None:
                made.append(
                    claim.decision(
                        'kept built-in', 'evalscope itself loads plugins', None, _module(held), _version(held)
                    )
                )
            else:
                made.append(claim.decision('failed', problem or 'evalscope itself loads plugins, but not this one'))
        self._decisions[benchmark] = made


def find_claims() -> Iterable[Claim]:
    """Return every entry point of the group among the installed distributions."""
    claims = set()
    for entry_point in _entry_points():
        distribution = entry_point.dist
        claims.add(
            Claim(
                benchmark=entry_point.name,
                distribution=(distribution and distribution.name) or 'unknown distribution',
                distribution_version=(distribution and distribution.version) or '?',
                module=entry_point.value.partition(':')[0].strip(),
            )
        )
    return claims


def _entry_points() -> Iterable[importlib.metadata.EntryPoint]:
    try:
        return importlib.metadata.entry_points(group=GROUP)
    except Exception as error:  # noqa: BLE001 - one unreadable distribution must not hide the others
        _logger().warning(f'The entry points of some distribution cannot be read ({error}); reading one by one.')
    found: list[importlib.metadata.EntryPoint] = []
    for distribution in importlib.metadata.distributions():
        try:
            found.extend(distribution.entry_points.select(group=GROUP))
        except Exception as error:  # noqa: BLE001 - reported, and the others are still wanted
            _logger().warning(f'Plugins of {distribution.name} cannot be found: {type(error).__name__}: {error}')
    return found


def _registry() -> Any:
    return sys.modules['evalscope.api.registry'].BENCHMARK_REGISTRY


def _logger() -> logging.Logger:
    from evalscope.utils import get_logger

    return get_logger()


def _log(decision: Decision) -> None:
    level = logging.WARNING if decision.status in ('refused', 'failed') else logging.INFO
    import evalscope.version

    _logger().log(level, decision.sentence(evalscope.version.__version__))


def _module(metadata: Optional['BenchmarkMeta']) -> Optional[str]:
    adapter = metadata.data_adapter if metadata is not None else None
    return adapter.__module__ if adapter is not None else None


def _version(metadata: Optional['BenchmarkMeta']) -> Optional[str]:
    return metadata.evaluation_version if metadata is not None else None


def _same_claim(one: Decision, other: Decision) -> bool:
    return (one.benchmark, one.distribution, one.module) == (other.benchmark, other.distribution, other.module)


def _is_initialising(module: str) -> bool:
    """Whether the module is in the middle of its import, further up this thread's stack or in another thread."""
    spec = getattr(sys.modules.get(module), '__spec__', None)
    return bool(getattr(spec, '_initializing', False))


_discovery = _Discovery()
