"""Rules of the code base that hold for every file, checked on the syntax tree."""

import ast
from importlib.metadata import distribution
from pathlib import Path
from typing import Iterator

import pytest

PACKAGE = Path(__file__).parents[2] / 'plugins' / 'evalscope_qa'
MODULES = sorted(PACKAGE.rglob('*.py'))
ADAPTERS = sorted(PACKAGE.glob('*/*_adapter.py'))
BASES = sorted(PACKAGE.glob('benchmark_*.py'))
BENCHMARK_FOLDERS = tuple(adapter.parent.name for adapter in ADAPTERS)
SCORING = [module for module in MODULES if module.parent.name in BENCHMARK_FOLDERS]
NETWORK = {'socket', 'urllib', 'http', 'requests', 'httpx', 'aiohttp', 'ftplib', 'ssl'}
NONDETERMINISTIC = {'random', 'time', 'datetime', 'secrets', 'uuid'}
SHARED_WITH_ADAPTERS = {'benchmark_base', 'reading', 'records'}


def _name(module: Path) -> str:
    return str(module.relative_to(PACKAGE))


def _tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding='utf-8'))


def _imports(module: Path) -> Iterator[tuple[int, str]]:
    """Level (0 for absolute) and dotted name of everything a module imports."""
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ''


def test_the_rules_below_have_something_to_check() -> None:
    points = distribution('evalscope-qa').entry_points.select(group='evalscope.benchmarks')
    declared = {point.value for point in points}
    assert {f'evalscope_qa.{adapter.parent.name}.{adapter.stem}' for adapter in ADAPTERS} == declared
    assert len(set(BENCHMARK_FOLDERS)) == len(ADAPTERS)


@pytest.mark.parametrize('module', ADAPTERS, ids=_name)
def test_an_adapter_imports_only_the_public_api_its_siblings_and_the_shared_modules(module: Path) -> None:
    for level, name in _imports(module):
        if level == 0 and name.split('.')[0] == 'evalscope':
            assert name.startswith('evalscope.api.'), name
        if level == 1:
            assert (module.parent / f'{name}.py').exists(), name
        if level >= 2:
            assert (level, name) in {(2, shared) for shared in SHARED_WITH_ADAPTERS}, name


def _own_names(module: Path, stored: bool) -> set[str]:
    """Names with an underscore that a module's classes give themselves, or that it takes of ``self``."""
    names = set()
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == 'self':
            if stored == isinstance(node.ctx, ast.Store):
                names.add(node.attr)
        elif stored and isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif stored and isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return {name for name in names if name.startswith('_') and not name.startswith('__')}


@pytest.mark.parametrize('module', ADAPTERS, ids=_name)
def test_an_adapter_uses_no_private_name_of_evalscope(module: Path) -> None:
    given = _own_names(module, stored=True).union(*(_own_names(base, stored=True) for base in BASES))
    assert _own_names(module, stored=False) <= given


def test_one_place_decides_what_an_unanswered_reply_earns() -> None:
    overrides = [
        _name(module)
        for module in MODULES
        if module != PACKAGE / 'audit' / 'scorers' / 'adapter.py'  # of callables, whatever they do
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.FunctionDef) and node.name in ('calculate_metrics', 'match_score', 'aggregate_scores')
    ]
    # What subclasses an installed adapter cannot have that base.
    assert set(overrides) == {'benchmark_base.py', 'choice/adapter.py'}


@pytest.mark.parametrize('module', SCORING, ids=_name)
def test_scoring_knows_no_network_no_clock_and_no_chance(module: Path) -> None:
    roots = {name.split('.')[0] for level, name in _imports(module) if level == 0}
    assert not roots & NETWORK
    assert not roots & NONDETERMINISTIC


@pytest.mark.parametrize('module', SCORING, ids=_name)
def test_benchmarks_share_nothing_sideways(module: Path) -> None:
    for level, name in _imports(module):
        assert not (level >= 2 and name.split('.')[0] in BENCHMARK_FOLDERS), name
        assert not (level == 0 and name.startswith('evalscope_qa')), name


@pytest.mark.parametrize('module', MODULES, ids=_name)
def test_no_exception_is_swallowed(module: Path) -> None:
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f'bare except in line {node.lineno}'
            assert not all(isinstance(statement, ast.Pass) for statement in node.body), f'line {node.lineno}'


@pytest.mark.parametrize('module', MODULES, ids=_name)
def test_every_module_says_what_it_holds(module: Path) -> None:
    assert not module.read_text(encoding='utf-8').strip() or ast.get_docstring(_tree(module))
