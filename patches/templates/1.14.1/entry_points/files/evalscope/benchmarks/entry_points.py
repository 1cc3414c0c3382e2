"""Benchmarks of other distributions, declared in the entry-point group ``evalscope.benchmarks``.

A distribution maps each benchmark name to the module that registers it when imported, exactly as ``_index.json`` does
for the shipped ones::

    [project.entry-points."evalscope.benchmarks"]
    my_benchmark = "my_package.my_benchmark_adapter"

Declarations are read without importing anything. A module is imported only when one of its names is looked up, or in a
full scan. Every registration of a declared name, evalscope's own included, is held here until that name is looked up,
so the outcome never depends on what was imported first:

- the highest ``evaluation_version`` wins, and a shipped benchmark wins a tie against a distribution;
- a tie between two distributions is refused: both are named in a warning and neither is used;
- a module that cannot be imported, that does not register a name it is declared for, or registers another, is a
  warning.

``EVALSCOPE_PLUGINS=off`` (or ``0``) ignores all declarations; with a comma-separated list of names, only those are used.
"""

import os
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Dict, List, Optional, Set, Tuple

from evalscope.api.registry import LazyRegistry
from evalscope.utils.logger import get_logger

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta

logger = get_logger()

ENTRY_POINT_GROUP = 'evalscope.benchmarks'
PLUGINS_SWITCH = 'EVALSCOPE_PLUGINS'

_SHIPPED_PACKAGE = 'evalscope.benchmarks.'


@dataclass(frozen=True)
class Declaration:
    """One entry point: the module that registers the benchmark ``name`` of a distribution."""

    name: str
    module: str
    owner: str
    entry_point: EntryPoint
    enabled: bool

    def covers(self, module: str) -> bool:
        """Whether ``module`` is the declared module or, where that is a package, part of it."""
        return module == self.module or module.startswith(f'{self.module}.')

    def __str__(self) -> str:
        return f"entry point '{self.name} = {self.entry_point.value}' of {self.owner}"


class EntryPointBenchmarks:
    """Finds, imports and compares the benchmarks that other distributions declare.

    Args:
        registry: The registry that the chosen benchmarks are put into. Its lock is held in all calls, because they
            come from its resolvers and from ``register_benchmark``.
    """

    def __init__(self, registry: 'LazyRegistry[BenchmarkMeta]') -> None:
        self._registry = registry
        self._declarations: Optional[Dict[str, List[Declaration]]] = None
        self._shipped: Dict[str, 'BenchmarkMeta'] = {}
        self._candidates: Dict[str, Dict[str, 'BenchmarkMeta']] = {}
        self._loading: List[str] = []
        self._tried: Set[str] = set()
        self._settled: Set[str] = set()

    def declarations(self) -> Dict[str, List[Declaration]]:
        """Every declaration by benchmark name, read once from the metadata of the installed distributions."""
        if self._declarations is None:
            self._declarations = _read_declarations()
        return self._declarations

    def reserved_module(self, name: str) -> Optional[str]:
        """The module that a declared name is reserved for, without importing it; None for an undeclared name."""
        return next((declaration.module for declaration in self._enabled(name)), None)

    def stage(self, name: str, meta: 'BenchmarkMeta', module: str) -> bool:
        """Hold a registration of a declared name until the name is looked up.

        Args:
            name: Name of the benchmark.
            meta: Its metadata.
            module: The module that registers it.

        Returns:
            False where no declaration is concerned; the registry's own rules then apply.

        Raises:
            ValueError: If the same module has registered the name before.
        """
        if module.startswith(_SHIPPED_PACKAGE):
            if name not in self.declarations():
                return False
            if name in self._shipped:
                raise ValueError(f'Benchmark {name} already registered')
            self._shipped[name] = meta
            return True
        declaration = self._registering(self.declarations().get(name, []), module)
        if declaration is None:
            other = self._registering([item for items in self.declarations().values() for item in items], module)
            if other is None:
                return False
            # Nobody could know of it without importing this module, so it would come and go with the import order.
            logger.warning(
                "Ignoring benchmark '%s' registered by %s: %s has no entry point of that name",
                name,
                module,
                other.owner,
            )
            return True
        candidates = self._candidates.setdefault(name, {})
        if declaration.module in candidates:
            raise ValueError(f'Benchmark {name} already registered')
        candidates[declaration.module] = meta
        return True

    def resolve(self, name: str) -> None:
        """Import the modules that declare ``name`` and put the chosen benchmark into the registry."""
        if name not in self.declarations() or name in self._settled:
            return
        declared = self._enabled(name)
        for declaration in declared:
            self._load(declaration)
        self._settle(name, declared)

    def resolve_all(self) -> None:
        """Resolve every declared name."""
        for name in self.declarations():
            self.resolve(name)

    def shipped(self, name: str) -> Optional['BenchmarkMeta']:
        """What evalscope ships under a declared name, once its module is imported; None otherwise."""
        return self._shipped.get(name)

    def _enabled(self, name: str) -> List[Declaration]:
        return [declaration for declaration in self.declarations().get(name, []) if declaration.enabled]

    def _registering(self, declared: List[Declaration], module: str) -> Optional[Declaration]:
        for declaration in declared:
            if declaration.covers(module):
                return declaration
        # A declared module may leave the registering to a helper module of its distribution.
        for declaration in declared:
            if self._loading and self._loading[-1] == declaration.module:
                return declaration
        return None

    def _load(self, declaration: Declaration) -> None:
        if declaration.module not in self._tried:
            self._tried.add(declaration.module)
            self._loading.append(declaration.module)
            try:
                declaration.entry_point.load()
            except (Exception, SystemExit) as error:
                for candidates in self._candidates.values():
                    candidates.pop(declaration.module, None)
                logger.warning('Cannot load the %s: %s: %s', declaration, type(error).__name__, error)
                return
            finally:
                self._loading.pop()
            for name in self.declarations():
                for other in self._enabled(name):
                    if other.module == declaration.module and other.module not in self._candidates.get(name, {}):
                        logger.warning('The %s registers no benchmark of that name', other)

    def _settle(self, name: str, declared: List[Declaration]) -> None:
        if not any(declaration.module in self._loading for declaration in declared):
            # Otherwise a module asked for its own name while being imported; the outer call settles it.
            self._settled.add(name)
        shipped = self._shipped.get(name)
        candidates = self._candidates.get(name, {})
        contenders = [
            (_version(candidates[declaration.module]), declaration, candidates[declaration.module])
            for declaration in declared
            if declaration.module in candidates
        ]
        chosen = shipped
        if contenders:
            highest = max(version for version, _, _ in contenders)
            leading = [(declaration, meta) for version, declaration, meta in contenders if version == highest]
            if shipped is not None and highest <= _version(shipped):
                logger.info(
                    "Benchmark '%s': keeping the shipped %s; %s offers %s",
                    name,
                    shipped.evaluation_version,
                    ' and '.join(declaration.owner for declaration, _ in leading),
                    leading[0][1].evaluation_version,
                )
            elif len(leading) > 1:
                logger.warning(
                    "Benchmark '%s' is refused: %s declare the same evaluation version %s; uninstall all but one",
                    name,
                    ' and '.join(f'{declaration.owner} ({declaration.module})' for declaration, _ in leading),
                    leading[0][1].evaluation_version,
                )
            else:
                declaration, chosen = leading[0]
                replaced = f', replacing the shipped {shipped.evaluation_version}' if shipped is not None else ''
                logger.info(
                    "Benchmark '%s': using %s of %s%s", name, chosen.evaluation_version, declaration.owner, replaced
                )
        if chosen is not None:
            self._registry[name] = chosen


def _version(meta: 'BenchmarkMeta') -> Tuple[int, int]:
    """``v1.10`` as (1, 10); ``BenchmarkMeta`` has checked the form."""
    major, minor = meta.evaluation_version[1:].split('.')
    return int(major), int(minor)


def _read_declarations() -> Dict[str, List[Declaration]]:
    switch = os.environ.get(PLUGINS_SWITCH, '').strip()
    if switch.lower() in ('off', '0'):
        return {}
    allowed = {name.strip() for name in switch.split(',') if name.strip()}
    try:
        found = entry_points(group=ENTRY_POINT_GROUP)
    except Exception as error:
        logger.warning(
            "Cannot read the entry points of group '%s': %s: %s", ENTRY_POINT_GROUP, type(error).__name__, error
        )
        return {}
    declarations: Dict[str, List[Declaration]] = {}
    for entry_point in sorted(found, key=lambda item: (item.name, item.value)):
        owner = f'{entry_point.dist.name} {entry_point.dist.version}' if entry_point.dist else 'an unknown distribution'
        try:
            module = entry_point.module
        except (AttributeError, ValueError):
            logger.warning(
                "Ignoring the entry point '%s = %s' of %s: not a module", entry_point.name, entry_point.value, owner
            )
            continue
        declared = declarations.setdefault(entry_point.name, [])
        if all(declaration.module != module for declaration in declared):
            enabled = not allowed or entry_point.name in allowed
            declared.append(Declaration(entry_point.name, module, owner, entry_point, enabled))
    for name in sorted(allowed - set(declarations)):
        logger.warning("%s names '%s', which no installed distribution declares", PLUGINS_SWITCH, name)
    return declarations
