"""Carries out what ``policy`` decides on the registry of the evalscope of this process.

``autoload`` runs :func:`load_plugins` as soon as evalscope is imported. Where evalscope imports its own benchmarks on
demand (1.13 and later), plugins are imported on demand too.
"""

import functools
import importlib
import logging
import os
import sys
import threading
from typing import TYPE_CHECKING, Callable

from . import GROUP, SWITCH
from . import evalscope_shim as shim
from .claims import find_claims
from .policy import Claim, Decision, Offer, decide

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta, DataAdapter


def load_plugins() -> None:
    # First and by this name, for it waits for a thread that is importing evalscope: that thread holds Python's lock on
    # the module while it runs discovery, so whoever took the lock below before that one would wait for ever.
    importlib.import_module('evalscope')
    importlib.import_module('evalscope.api.registry')
    _discovery.load()


def decisions() -> list[Decision]:
    load_plugins()
    return _discovery.decisions()


def selected_names() -> frozenset[str] | None:
    """Read the switch: None for all plugins, else the names to load, which may be none."""
    value = os.environ.get(SWITCH, '').strip()
    if not value:
        return None
    if value.lower() in ('off', '0'):
        return frozenset()
    return frozenset(name.strip() for name in value.split(',') if name.strip())


class _Discovery:
    """The plugins of this process; there is one instance.

    Locks are taken in the order: evalscope's registry, Python's locks on modules, ours. A thread that holds ours never
    imports anything and asks evalscope nothing.
    """

    def __init__(self) -> None:
        self._load_lock = threading.RLock()  # held while claims are read; without a lazy registry, also for its lock
        self._lock = threading.RLock()  # held while what follows changes
        self._started = False
        self._native = False
        self._selected: frozenset[str] | None = None
        self._claims: list[Claim] = []
        self._wanted: dict[str, list[Claim]] = {}  # the claims that are not switched off, by benchmark
        self._tried: set[str] = set()  # modules that discovery has imported or tried to
        self._failures: dict[str, str] = {}  # by module
        self._offers: dict[tuple[str, str], BenchmarkMeta] = {}  # by benchmark and the claim's module
        self._undeclared: dict[tuple[str, str], Decision] = {}
        self._builtins: dict[str, BenchmarkMeta] = {}
        self._builtin_failures: dict[str, str] = {}
        self._decisions: dict[str, list[Decision]] = {}  # by wanted benchmark, once decided
        self._thread = threading.local()  # .importing: the entry point's module that this thread imports
        self._lazy: shim.Resolvers | None = None

    # -- loading ------------------------------------------------------------------------------------------------------

    def load(self) -> None:
        with self._load_lock:
            if self._started:
                return
            self._started = True
            self._selected = selected_names()
            self._claims = find_claims()
            if self._selected == frozenset():
                return
            self._warn_of_unknown_names()
            _declare_metric_names()
            if shim.loads_the_group():
                self._native = True
                return
            for claim in self._claims:
                if self._selected is None or claim.benchmark in self._selected:
                    self._wanted.setdefault(claim.benchmark, []).append(claim)
            self._install_router()
            resolvers = shim.resolvers()
            if resolvers is not None:
                self._install_resolvers(resolvers)
            else:
                for benchmark in self._wanted:
                    self._resolve(benchmark)

    def _warn_of_unknown_names(self) -> None:
        known = dict.fromkeys(claim.benchmark for claim in self._claims)
        unknown = sorted(name for name in self._selected or () if name not in known)
        if unknown:
            shim.logger().warning(
                f'{SWITCH} names {", ".join(unknown)}, which no installed plugin provides; '
                f'plugins: {", ".join(known) or "none"}.'
            )

    def _install_resolvers(self, evalscope: shim.Resolvers) -> None:
        """Let the lazy registry ask for plugins as it asks for its own: name by name, when one is looked up."""

        def resolve_one(name: str) -> bool:
            if name not in self._wanted:
                return evalscope.load_one(name)
            self._resolve(name)
            return shim.registered(name) is not None

        def resolve_all() -> None:
            evalscope.load_all()
            for name in self._wanted:
                self._resolve(name)

        def indexed_module(name: str) -> str | None:
            if name in self._wanted and name not in self._decisions:
                return self._wanted[name][0].module  # reserves the name until it is decided
            return evalscope.module_of(name)

        with shim.registry_lock():  # no other thread is in the middle of a look-up
            self._lazy = evalscope
            shim.registry().set_resolvers(resolve_one, resolve_all, indexed_module)
            for name in self._wanted:
                metadata = shim.registered(name)
                if metadata is not None:  # evalscope has looked it up already
                    shim.put(name, None)
                    self._take_registered(name, metadata)

    def _resolve(self, benchmark: str) -> None:
        """Import what claims a name and what evalscope has under it, and decide; once a name."""
        with shim.registry_lock():
            if benchmark in self._decisions:
                return
            self._find_builtin(benchmark)
            for claim in self._wanted[benchmark]:
                if claim.module not in self._tried:
                    self._import(claim.module)
            self._settle(benchmark)

    def _find_builtin(self, benchmark: str) -> None:
        """Import the module of evalscope that registers a name, where there is one and that has not happened."""
        if benchmark in self._builtins:
            return
        try:
            if self._lazy is None:
                metadata = shim.look_up(benchmark)
                if metadata is not None:
                    self._take_registered(benchmark, metadata)
            elif self._lazy.module_of(benchmark) is not None:
                self._lazy.load_one(benchmark)
                if benchmark not in self._builtins:  # a stale index: evalscope, too, would scan everything now
                    self._lazy.load_all()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - reported; see _import
            self._builtin_failures[benchmark] = (
                "evalscope's own benchmark of this name cannot be imported, so there is no version to compare with: "
                f'{type(error).__name__}: {error}'
            )

    def _take_registered(self, benchmark: str, metadata: 'BenchmarkMeta') -> None:
        """Sort out what evalscope registered before discovery: a built-in, or a plugin imported earlier."""
        module = self._claiming_module(benchmark, shim.module_of(metadata) or '')
        with self._lock:
            if module is None:
                self._builtins[benchmark] = metadata
            else:
                self._offers.setdefault((benchmark, module), metadata)

    def _import(self, module: str) -> None:
        self._tried.add(module)
        outer = getattr(self._thread, 'importing', None)
        self._thread.importing = module
        try:
            importlib.import_module(module)
        except KeyboardInterrupt:
            raise
        # Plugin code may fail in any way, by SystemExit, pytest's Skipped or a panic of Rust code too, and is reported.
        except BaseException as error:  # noqa: BLE001
            shim.logger().debug(f'Plugin module {module} failed to import', exc_info=True)
            with self._lock:
                self._failures[module] = f'{type(error).__name__}: {error}'
                self._offers = {key: metadata for key, metadata in self._offers.items() if key[1] != module}
        finally:
            self._thread.importing = outer

    # -- registration -------------------------------------------------------------------------------------------------

    def _install_router(self) -> None:
        """Hold back the registrations that are to be compared; leave all others to evalscope.

        It stays for good: a plugin's module that somebody imported before evalscope registers only after discovery.
        """
        from evalscope.api import registry

        original = registry.register_benchmark

        @functools.wraps(original)
        def register_benchmark(metadata: 'BenchmarkMeta') -> Callable[[type['DataAdapter']], type['DataAdapter']]:
            def register_wrapper(data_adapter: type['DataAdapter']) -> type['DataAdapter']:
                module = self._claiming_module(metadata.name, data_adapter.__module__)
                if module is not None:
                    metadata.data_adapter = data_adapter
                    self._offer(metadata, module)
                    return data_adapter
                decided = metadata.name in self._decisions
                if shim.is_own(data_adapter.__module__) and (decided or self._defers(metadata.name)):
                    metadata.data_adapter = data_adapter
                    self._builtins[metadata.name] = metadata
                    if decided:  # evalscope's index lacked it: met in a full scan, which it must not break
                        self._settle(metadata.name)
                    return data_adapter
                return original(metadata)(data_adapter)

            return register_wrapper

        registry.register_benchmark = register_benchmark

    def _defers(self, benchmark: str) -> bool:
        return self._lazy is not None and benchmark in self._wanted

    def _claiming_module(self, benchmark: str, registering_module: str) -> str | None:
        """Return the entry point's module on whose behalf a module registers; None where it is not a plugin's."""
        if any(claim.module == registering_module for claim in self._claims):
            return registering_module
        if shim.is_own(registering_module):
            return None
        # The entry point's module may import the one that registers, from its own package or from elsewhere.
        package = registering_module.partition('.')[0]
        for claim in self._claims:
            if claim.benchmark == benchmark and claim.module.partition('.')[0] == package:
                return claim.module
        return getattr(self._thread, 'importing', None)

    def _offer(self, metadata: 'BenchmarkMeta', module: str) -> None:
        claims = [claim for claim in self._claims if claim.module == module]
        if all(claim.benchmark != metadata.name for claim in claims):
            reason = f"it registers this name without an entry point '{metadata.name}' in the group {GROUP}"
            decision = claims[0].decision(
                'refused',
                reason,
                metadata.evaluation_version,
                *self._known_builtin(metadata.name),
                benchmark=metadata.name,
            )
            self._undeclared[metadata.name, module] = decision
            _log(decision)
            return
        with self._lock:
            self._offers[metadata.name, module] = metadata
            self._failures.pop(module, None)
            decided = metadata.name in self._decisions
        if decided:
            self._settle(metadata.name)

    def _known_builtin(self, benchmark: str) -> tuple[str | None, str | None]:
        """Return module and version of evalscope's own benchmark of a name, as far as known without an import."""
        registered = shim.registered(benchmark)
        builtin = self._builtins.get(benchmark, registered)
        if shim.is_own(shim.module_of(builtin) or ''):
            return shim.module_of(builtin), shim.version_of(builtin)
        if registered is None and self._lazy is not None:
            return self._lazy.module_of(benchmark), None
        return None, None

    # -- deciding -----------------------------------------------------------------------------------------------------

    def _settle(self, benchmark: str) -> None:
        """Decide about one name from all that is known now, put the winner in place, and log what is new."""
        with self._lock:
            builtin = self._builtins.get(benchmark)
            offers = [offer for offer in map(self._offer_of, self._wanted[benchmark]) if offer is not None]
            made = decide(offers, shim.module_of(builtin), shim.version_of(builtin))
            known = self._decisions.get(benchmark, [])
            self._decisions[benchmark] = made
            winner = next((decision for decision in made if decision.status == 'active'), None)
            shim.put(benchmark, builtin if winner is None else self._offers[benchmark, winner.module])
        for decision in made:
            if decision not in known:
                _log(decision)

    def _offer_of(self, claim: Claim) -> Offer | None:
        """Return what a claim has brought so far; None while other code is in the middle of importing its module."""
        metadata = self._offers.get((claim.benchmark, claim.module))
        if metadata is not None:
            return Offer(claim, metadata.evaluation_version, self._builtin_failures.get(claim.benchmark))
        failure = self._failures.get(claim.module)
        if failure is None and _is_initialising(claim.module):
            return None
        return Offer(claim, None, failure or 'the module was imported, but it registers no benchmark of this name')

    # -- reporting ----------------------------------------------------------------------------------------------------

    def decisions(self) -> list[Decision]:
        made: list[Decision] = []
        for benchmark in dict.fromkeys(claim.benchmark for claim in self._claims):
            if benchmark in self._wanted:
                self._resolve(benchmark)
                self._settle_pending(benchmark)
                made += self._decisions[benchmark]
            else:
                made += self._report(benchmark)
        made += self._undeclared.values()
        return sorted(made, key=lambda decision: (decision.benchmark, decision.distribution, decision.module))

    def _settle_pending(self, benchmark: str) -> None:
        """Decide about claims whose modules other code was importing when the name was decided."""
        decided = {decision.module for decision in self._decisions[benchmark]}
        pending = sorted({claim.module for claim in self._wanted[benchmark]} - decided)
        for module in pending:
            if not _is_initialising(module):
                self._import(module)  # finished since, or failed: then this finds out why
        if pending:
            self._settle(benchmark)

    def _report(self, benchmark: str) -> list[Decision]:
        """Say what is in use without changing it: for names switched off, or where evalscope itself loads plugins."""
        held: BenchmarkMeta | None = None
        failure = 'evalscope itself loads plugins, and it did not load this one'
        try:
            held = shim.registry().get(benchmark) if self._native else shim.look_up(benchmark)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - reported; see _import
            failure = f'{type(error).__name__}: {error}'
        held_module, held_version = shim.module_of(held), shim.version_of(held)
        made = []
        for claim in self._claims:
            if claim.benchmark != benchmark:
                continue
            offered = self._offers.get((benchmark, claim.module))
            if not self._native or (self._selected is not None and benchmark not in self._selected):
                reason = f'{SWITCH}={os.environ.get(SWITCH, "")}'
                made.append(claim.decision('off', reason, shim.version_of(offered), held_module, held_version))
            elif held is None:
                made.append(claim.decision('failed', failure))
            elif held_module == claim.module:
                made.append(claim.decision('active', 'loaded by evalscope itself', held_version))
            elif shim.is_own(held_module or ''):
                reason = 'evalscope itself loads plugins'
                made.append(claim.decision('kept built-in', reason, None, held_module, held_version))
            else:
                made.append(claim.decision('refused', f'evalscope itself loads plugins, and it took {held_module}'))
        return made


def _declare_metric_names() -> None:
    from . import metric_names

    try:
        metric_names.declare()
    except Exception as error:  # noqa: BLE001 - benchmarks that need none of the names still work
        shim.logger().warning(f'The metric names of evalscope-qa are not declared: {type(error).__name__}: {error}')


def _log(decision: Decision) -> None:
    level = logging.WARNING if decision.status in ('refused', 'failed') else logging.INFO
    shim.logger().log(level, decision.sentence(shim.release()))


def _is_initialising(module: str) -> bool:
    """Whether the module is in the middle of its import, further up this thread's stack or in another thread."""
    spec = getattr(sys.modules.get(module), '__spec__', None)
    return bool(getattr(spec, '_initializing', False))


_discovery = _Discovery()
