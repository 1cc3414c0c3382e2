"""Compares files that a patch takes over from the package: the same bytes, import statements of tests aside."""

import ast
from pathlib import Path

from .series import ROOT


def differences(tree: Path, taken_over: dict[str, str]) -> list[str]:
    """Return the files that are not those of the package.

    Args:
        tree: A tree with the patch.
        taken_over: Path in the tree to path in this repository. In a test, import statements name another package and
            stand in another order; everything else must be equal.
    """
    return [
        f'{theirs} is not {ours}'
        for theirs, ours in taken_over.items()
        if _compared(tree / theirs, theirs) != _compared(ROOT / ours, theirs)
    ]


def _compared(file: Path, path: str) -> str:
    text = file.read_text(encoding='utf-8')
    return without_imports(text) if path.startswith('tests/') else text


def without_imports(text: str) -> str:
    """Return a module's text without the import statements at its top level, and without blank lines around them."""
    imports = [node for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    dropped = {number for node in imports for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    lines = text.split('\n')
    kept = [line for number, line in enumerate(lines, start=1) if number not in dropped]
    last = max(dropped, default=0)
    head = [line for number, line in enumerate(lines[:last], start=1) if number not in dropped and line.strip()]
    return '\n'.join([*head, *kept[last - len(dropped) :]])
