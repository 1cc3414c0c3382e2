"""Carries out what ``policy`` decides on the registry of the evalscope of this process.

``autoload`` runs :func:`load_plugins` as soon as evalscope is imported. Where evalscope imports its own benchmarks on
demand (1.13 and later), plugins are imported on demand too.
"""

import importlib
import logging
import os
import sys
import threading
from typing import TYPE_CHECKING, Callable

from . import GROUP, SWITCH, catalogue, metric_names
from . import evalscope_shim as shim
from .claims import find_claims
from .policy import DEFAULT_GROUP, Claim, Decision, Offer, decide
from .selection import parse

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta, DataAdapter

_ATTRIBUTE = '_evalscope_qa_discovery'
"""Where evalscope's registry module holds the discovery of its registry: an evalscope imported anew gets its own."""
_attribute_lock = threading.Lock()
_served: 'dict[str, Discovery]' = {}
"""For which registry a plugin's module was imported last: for another one it has to be imported anew."""


def load_plugins() -> None:
    _loaded()


def decisions() -> list[Decision]:
    return _loaded().decisions()


def selection_in_force() -> str | None:
    """Return ``EVALSCOPE_PLUGINS`` as discovery has read it; None where it has not yet."""
    discovery = getattr(sys.modules.get('evalscope.api.registry'), _ATTRIBUTE, None)
    return discovery.selected if discovery is not None else None


def problems() -> list[str]:
    return list(_loaded().problems)


def unmatched() -> list[str]:
    return list(_loaded().unmatched)


def _loaded() -> 'Discovery':
    # First and by this name, for it waits for a thread that is importing evalscope: that thread holds Python's lock on
    # the module while it runs discovery, so whoever took the locks below before that one would wait for ever.
    importlib.import_module('evalscope')
    module = importlib.import_module('evalscope.api.registry')
    with _attribute_lock:
        discovery = getattr(module, _ATTRIBUTE, None)
        if discovery is None:
            discovery = Discovery(shim.Registry(module))
            setattr(module, _ATTRIBUTE, discovery)
    discovery.load()
    return discovery


class Discovery:
    """The plugins of one registry of evalscope.

    Locks are taken in the order: ours on loading, evalscope's registry, Python's locks on modules, ours on the state. A
    thread that holds the last one never imports anything and asks evalscope nothing.
    """

    def __init__(self, registry: shim.Registry) -> None:
        self.problems: list[str] = []
        """Installations that are not as they should be, a line each."""
        self.unmatched: list[str] = []
        """Entries of the selection that no installed plugin answers to."""
        self._registry = registry
        self._load_lock = threading.RLock()  # held while claims are read
        self._lock = threading.RLock()  # held while what follows changes
        self._loaded = False
        self._selection = parse('')
        self._native = False  # evalscope loads the plugins of new names itself
        self._claims: list[Claim] = []
        self._wanted: dict[str, list[Claim]] = {}  # the claims that are ours to decide about, by benchmark
        self._left: set[str] = set()  # benchmarks that are left to an evalscope that loads plugins itself
        self._tried: set[str] = set()  # modules that discovery has imported or tried to
        self._failures: dict[str, str] = {}  # by module
        self._offers: dict[tuple[str, str], BenchmarkMeta] = {}  # by benchmark and the claim's module
        self._left_out: dict[tuple[str, str], str] = {}  # why a maker made none
        self._unmade: dict[tuple[str, str], str] = {}  # how a maker failed
        self._undeclared: dict[tuple[str, str], Decision] = {}
        self._builtins: dict[str, BenchmarkMeta] = {}
        self._builtin_failures: dict[str, str] = {}
        self._decisions: dict[str, list[Decision]] = {}  # by wanted benchmark, once decided
        self._thread = threading.local()  # .importing: the entry point's module that this thread imports

    # -- loading ------------------------------------------------------------------------------------------------------

    @property
    def selected(self) -> str | None:
        """The selection as it was read; None before that."""
        return self._selection.text if self._loaded else None

    def load(self) -> None:
        """Take the place in front of the registry, once."""
        with self._load_lock:
            if self._loaded:
                return
            self._loaded = True
            self._selection = parse(os.environ.get(SWITCH, ''))
            self._claims = find_claims(self._warn)
            self._native = shim.loads_new_names()
            if not self._selection.entries and not self._native:
                return
            self.unmatched = self._selection.unmatched(self._claims)
            if self.unmatched:
                known = ', '.join(dict.fromkeys(map(_short, self._claims))) or 'none'
                names = ', '.join(self.unmatched)
                shim.logger().warning(f'{SWITCH} names {names}, which no installed plugin provides; plugins: {known}.')
            _attempt('The metric names of evalscope-qa are not declared', metric_names.declare)
            for claim in filter(self._selection.covers, self._claims):
                self._wanted.setdefault(claim.benchmark, []).append(claim)
            claimed = sorted({claim.benchmark for claim in self._claims if self._may_be_in_use(claim)})
            _attempt('Plugins are not in the catalogue', lambda: catalogue.extend(claimed, self.in_use))
            if self._native and not self._selection.text.strip():
                # There is nothing to decide about a new name of one plugin, which evalscope itself loads.
                single = [benchmark for benchmark, claims in self._wanted.items() if len(claims) == 1]
                self._left = {benchmark for benchmark in single if not self._registry.ships(benchmark)}
                self._wanted = {name: claims for name, claims in self._wanted.items() if name not in self._left}
            # It stays: a plugin's module that was half imported before evalscope registers only after discovery.
            self._registry.wrap_register_benchmark(self._keep)
            self._install()

    def _warn(self, problem: str) -> None:
        self.problems.append(problem)
        shim.logger().warning(problem)

    def _install(self) -> None:
        """Let a lazy registry ask for plugins as it asks for its own: when a name is looked up; else ask now."""
        if not self._registry.is_lazy:
            for benchmark in self._wanted:
                self._resolve(benchmark)
            return
        with self._registry.lock:  # no other thread is in the middle of a look-up
            self._registry.set_resolvers(self._resolve_one, self._resolve_all, self._indexed_module)
            for benchmark in self._wanted:
                metadata = self._registry.held(benchmark)
                if metadata is not None:  # evalscope has looked it up already
                    self._registry.put(benchmark, None)
                    self._take_registered(benchmark, metadata)

    def _resolve_one(self, benchmark: str) -> bool:
        if benchmark not in self._wanted:
            return self._registry.resolve_one(benchmark)
        self._resolve(benchmark)
        return self._registry.held(benchmark) is not None

    def _resolve_all(self) -> None:
        self._registry.resolve_all()
        for benchmark in self._wanted:
            self._resolve(benchmark)

    def _indexed_module(self, benchmark: str) -> str | None:
        if benchmark in self._wanted and benchmark not in self._decisions:
            return self._wanted[benchmark][0].module  # reserves the name until it is decided
        return self._registry.indexed_module(benchmark)

    def _resolve(self, benchmark: str) -> None:
        """Import what claims a name and what evalscope has under it, and decide; once a name."""
        with self._registry.lock:
            if benchmark in self._decisions:
                return
            self._find_builtin(benchmark)
            for claim in self._wanted[benchmark]:
                if claim.module not in self._tried:
                    self._import(claim.module)
                if claim.maker and claim.module not in self._failures:
                    self._make(claim)
            self._settle(benchmark)

    def _find_builtin(self, benchmark: str) -> None:
        """Import the module of evalscope that registers a name, where there is one and that has not happened."""
        if benchmark in self._builtins:
            return
        try:
            if not self._registry.is_lazy:
                metadata = self._registry.held(benchmark)
                if metadata is not None:
                    self._take_registered(benchmark, metadata)
            elif self._registry.ships(benchmark):
                self._registry.resolve_one(benchmark)
                if benchmark not in self._builtins:  # a stale index: evalscope, too, would scan everything now
                    self._registry.resolve_all()
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
                _served[module] = self

    def _import(self, module: str) -> None:
        self._tried.add(module)
        if _served.setdefault(module, self) is not self:
            _served[module] = self
            _forget(module)
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

    def _make(self, claim: Claim) -> None:
        """Let a plugin make the benchmark of a name from evalscope's own."""
        key = claim.benchmark, claim.module
        try:
            made = getattr(sys.modules[claim.module], claim.maker)(claim.benchmark, self._builtins.get(claim.benchmark))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - reported; see _import
            shim.logger().debug(f'{claim.module}:{claim.maker} failed over {claim.benchmark}', exc_info=True)
            self._unmade[key] = f'{type(error).__name__}: {error}'
            return
        with self._lock:
            if isinstance(made, str):
                self._left_out[key] = made
            else:
                self._offers[key] = made

    # -- registration -------------------------------------------------------------------------------------------------

    def _keep(self, metadata: 'BenchmarkMeta', adapter: 'type[DataAdapter]') -> bool:
        """Hold back the registrations that are to be compared; leave all others to evalscope."""
        if metadata.name in self._left:
            return False
        module = self._claiming_module(metadata.name, adapter.__module__)
        if module is not None:
            metadata.data_adapter = adapter
            self._offer(metadata, module)
            return True
        decided = metadata.name in self._decisions
        if not shim.is_own(adapter.__module__) or not (
            decided or (metadata.name in self._wanted and self._registry.is_lazy)
        ):
            return False
        metadata.data_adapter = adapter
        self._builtins[metadata.name] = metadata
        if decided:  # evalscope's index lacked it: met in a full scan, which it must not break
            self._settle(metadata.name)
        return True

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
        benchmark = metadata.name
        claims = [claim for claim in self._claims if claim.module == module]
        if all(claim.benchmark != benchmark for claim in claims):
            reason = f"it registers this name without an entry point '{benchmark}' in the group {GROUP}"
            version, builtin = metadata.evaluation_version, self._known_builtin(benchmark)
            decision = claims[0].decision('refused', reason, version, *builtin, benchmark=benchmark)
            self._undeclared[benchmark, module] = decision
            _log(decision)
            return
        with self._lock:
            self._offers[benchmark, module] = metadata
            self._failures.pop(module, None)
            _served[module] = self
            decided = benchmark in self._decisions
        if decided:
            self._settle(benchmark)

    def _known_builtin(self, benchmark: str) -> tuple[str | None, str | None]:
        """Return module and version of evalscope's own benchmark of a name, as far as known without an import."""
        builtin = self._builtins.get(benchmark, self._registry.held(benchmark))
        if builtin is not None:
            module = shim.module_of(builtin)
            return (module, shim.version_of(builtin)) if shim.is_own(module or '') else (None, None)
        return (self._registry.indexed_module(benchmark) if self._registry.is_lazy else None), None

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
            self._registry.put(benchmark, builtin if winner is None else self._offers[benchmark, winner.module])
        for decision in made:
            if decision not in known:
                _log(decision)

    def _offer_of(self, claim: Claim) -> Offer | None:
        """Return what a claim has brought so far; None while other code is in the middle of importing its module."""
        metadata = self._offers.get((claim.benchmark, claim.module))
        if metadata is not None:
            return Offer(claim, metadata.evaluation_version, self._builtin_failures.get(claim.benchmark))
        left_out = self._left_out.get((claim.benchmark, claim.module))
        if left_out is not None:
            return Offer(claim, None, self._builtin_failures.get(claim.benchmark), left_out)
        failure = self._failures.get(claim.module) or self._unmade.get((claim.benchmark, claim.module))
        if failure is None and _is_initialising(claim.module):
            return None
        return Offer(claim, None, failure or 'the module was imported, but it registers no benchmark of this name')

    # -- reporting ----------------------------------------------------------------------------------------------------

    def decisions(self, benchmark: str | None = None) -> list[Decision]:
        """Return the decisions about one name, or about all, in order."""
        made: list[Decision] = []
        for name in dict.fromkeys(claim.benchmark for claim in self._claims):
            if benchmark in (None, name):
                if name in self._wanted:
                    self._resolve(name)
                    self._settle_pending(name)
                    made += self._decisions[name]
                made += self._observed(name)
        made += [decision for (name, _), decision in self._undeclared.items() if benchmark in (None, name)]
        return sorted(made, key=lambda decision: (decision.benchmark, decision.distribution, decision.module))

    def in_use(self, benchmark: str | None = None) -> 'dict[str, BenchmarkMeta]':
        """Return the benchmarks of plugins that evalscope uses, by name: one if there is one of the name, or all."""
        claimed = dict.fromkeys(claim.benchmark for claim in self._claims if self._may_be_in_use(claim))
        names = [name for name in claimed if benchmark in (None, name)]
        made = [decision for name in names for decision in self.decisions(name) if decision.status == 'active']
        held = {decision.benchmark: self._registry.held(decision.benchmark) for decision in made}
        return {name: metadata for name, metadata in held.items() if metadata is not None}

    def _may_be_in_use(self, claim: Claim) -> bool:
        """Whether a claim is let in, or is one that an evalscope that loads plugins itself may load all the same."""
        return claim.group == DEFAULT_GROUP or self._selection.covers(claim)

    def _settle_pending(self, benchmark: str) -> None:
        """Decide about claims whose modules other code was importing when the name was decided."""
        decided = {decision.module for decision in self._decisions[benchmark]}
        pending = sorted({claim.module for claim in self._wanted[benchmark]} - decided)
        for module in pending:
            if not _is_initialising(module):
                self._import(module)  # finished since, or failed: then this finds out why
        if pending:
            self._settle(benchmark)

    def _observed(self, benchmark: str) -> list[Decision]:
        """Say what is in use beside claims that are not ours to decide about: switched off, or evalscope's to load."""
        claims = [claim for claim in self._claims if claim.benchmark == benchmark]
        claims = [claim for claim in claims if claim not in self._wanted.get(benchmark, ())]
        # Of what is off unless asked for nothing is looked up: it would import a module of evalscope's for each.
        unasked = [claim for claim in claims if claim.group != DEFAULT_GROUP]
        claims = [claim for claim in claims if claim.group == DEFAULT_GROUP]
        off = [self._off(claim, *self._known_builtin(benchmark)) for claim in unasked]
        if not claims:
            return off
        held: BenchmarkMeta | None = None
        failure = 'evalscope itself loads plugins, and it did not load this one'
        try:
            wanted = benchmark in self._wanted  # then it has been looked up
            held = self._registry.held(benchmark) if wanted else self._registry.look_up(benchmark)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - reported; see _import
            failure = f'{type(error).__name__}: {error}'
        module, version = shim.module_of(held), shim.version_of(held)
        claiming = self._claiming_module(benchmark, module or '')
        made = []
        for claim in claims:
            if self._native and claiming == claim.module:
                made.append(claim.decision('active', 'loaded by evalscope itself', version))
            elif not self._selection.covers(claim):
                made.append(self._off(claim, *((module, version) if claiming is None else (None, None))))
            elif held is None:
                made.append(claim.decision('failed', failure))
            else:
                made.append(claim.decision('refused', f'evalscope itself loads plugins, and it took {module}'))
        return [*made, *off]

    def _off(self, claim: Claim, module: str | None, version: str | None) -> Decision:
        offered = shim.version_of(self._offers.get((claim.benchmark, claim.module)))
        reason = f'{SWITCH}={self._selection.text}'
        if claim.group != DEFAULT_GROUP:
            reason = f'off unless asked for: {SWITCH}={claim.group}'
        return claim.decision('off', reason, offered, module, version)


def _short(claim: Claim) -> str:
    return claim.benchmark if claim.group == DEFAULT_GROUP else f'those of {claim.group}'


def _attempt(failure: str, extend: Callable[[], None]) -> None:
    """Do what benchmarks are better with, but work without."""
    try:
        extend()
    except Exception as error:  # noqa: BLE001 - reported
        shim.logger().warning(f'{failure}: {type(error).__name__}: {error}')


def _log(decision: Decision) -> None:
    level = logging.WARNING if decision.status in ('refused', 'failed') else logging.INFO
    shim.logger().log(level, decision.sentence(shim.release()))


def _is_initialising(module: str) -> bool:
    """Whether the module is in the middle of its import, further up this thread's stack or in another thread."""
    spec = getattr(sys.modules.get(module), '__spec__', None)
    return bool(getattr(spec, '_initializing', False))


def _forget(module: str) -> None:
    """Take a plugin's package out of ``sys.modules``: its classes are built on an evalscope that is gone."""
    package = module.partition('.')[0]
    kept = __package__.partition('.')[0], __package__
    for name in list(sys.modules):
        if name.partition('.')[0] == package and name not in kept and not name.startswith(f'{__package__}.'):
            del sys.modules[name]
