"""Reads a site directory as ``site`` does from Python 3.15 on, by PEP 829 and the documentation of ``site``."""

import pkgutil
import sys
from pathlib import Path


def add_site(folder: str, rules: str) -> None:
    """Extend the path by a site directory and run its start-up files.

    Args:
        folder: The site directory.
        rules: ``start disables pth`` (3.15 to 3.17): import lines of a .pth file run unless a .start file has its
            name. ``ignore import lines`` (3.18 and 3.19): they never run. ``both``: no rule of Python, but what a tool
            would do that knows of .start files and not of that rule.
    """
    sys.path.append(folder)
    imports: list[tuple[Path, str]] = []
    for file in sorted(Path(folder).glob('[!.]*.pth')):
        for line in _lines(file):
            if line.startswith(('import ', 'import\t')):
                imports.append((file, line))
            elif (file.parent / line).exists():
                sys.path.append(str(file.parent / line))
    for file, line in imports:
        if rules == 'both' or (rules == 'start disables pth' and not file.with_suffix('.start').exists()):
            exec(line)
    for file in sorted(Path(folder).glob('[!.]*.start')):
        for line in _lines(file):
            _, colon, function = line.partition(':')
            if not colon or not function.isidentifier():
                raise ValueError(f'{file}: {line!r} is not of the form pkg.mod:callable')
            pkgutil.resolve_name(line)()


def _lines(file: Path) -> list[str]:
    lines = map(str.strip, file.read_text(encoding='utf-8-sig').splitlines())
    return [line for line in lines if line and not line.startswith('#')]
