"""Imports run downwards: neither the modules of the package nor its rooms import each other in a circle."""

import ast
from collections import deque
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Iterable, Iterator

PACKAGE = Path(__file__).parents[2] / 'plugins' / 'evalscope_qa'
NAME = PACKAGE.name
MODULES = {
    '.'.join((NAME, *path.relative_to(PACKAGE).with_suffix('').parts)).removesuffix('.__init__'): path
    for path in sorted(PACKAGE.rglob('*.py'))
}


def imports(name: str, path: Path) -> Iterator[str]:
    """Name the modules of the package that a module imports, at its top or inside a function.

    What is imported for type checkers alone does not count.
    """
    package = name if path.name == '__init__.py' else name.rpartition('.')[0]
    for node in _executed(ast.parse(path.read_text(encoding='utf-8'))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ''
            if node.level:
                parents = package.split('.')[: len(package.split('.')) - node.level + 1]
                base = '.'.join([*parents, *([node.module] if node.module else [])])
            for alias in node.names:
                yield f'{base}.{alias.name}' if f'{base}.{alias.name}' in MODULES else base


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    nodes = deque(ast.iter_child_nodes(tree))
    while nodes:
        node = nodes.popleft()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == 'TYPE_CHECKING':
            continue
        yield node
        if isinstance(node, ast.stmt | ast.excepthandler):
            nodes.extend(ast.iter_child_nodes(node))


def circle(edges: Iterable[tuple[str, str]]) -> list[str]:
    """Return one circle of a graph; empty where there is none."""
    graph: dict[str, set[str]] = {}
    for source, target in edges:
        if source != target:
            graph.setdefault(source, set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


@cache
def _edges() -> list[tuple[str, str]]:
    """Every import between two modules, but those of a package's contents by the package itself."""
    return [
        (name, imported)
        for name, path in MODULES.items()
        for imported in imports(name, path)
        if imported in MODULES and imported != NAME
        if not (path.name == '__init__.py' and imported.startswith(f'{name}.'))
    ]


def _room(name: str) -> str:
    """The folder that a module stands in; a module that stands in none is its own."""
    path = MODULES[name]
    return name if path.name == '__init__.py' or path.parent in _UNDIVIDED else name.rpartition('.')[0]


_UNDIVIDED = (PACKAGE, PACKAGE / 'audit')
"""Folders that only hold rooms together with what stands above them."""


def test_no_module_imports_itself_through_others() -> None:
    assert len(_edges()) > 100
    assert circle(_edges()) == []


def test_no_room_imports_itself_through_others() -> None:
    assert circle((_room(source), _room(target)) for source, target in _edges()) == []


def test_a_circle_is_found(tmp_path: Path) -> None:
    assert circle([('a', 'b'), ('b', 'c'), ('c', 'a')]) != []
    assert circle([('a', 'b'), ('a', 'c'), ('b', 'c'), ('c', 'c')]) == []
    module = tmp_path / 'module.py'
    module.write_text(
        'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from evalscope_qa import cli\n'
        'def run():\n    from ..records import files\n    from .. import engine\n'
    )
    assert list(imports('evalscope_qa.replay.module', module)) == [
        'typing',
        'evalscope_qa.records.files',
        'evalscope_qa.engine',
    ]
