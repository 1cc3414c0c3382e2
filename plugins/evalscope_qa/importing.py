"""Imports what registers benchmarks and is not installed: a module by its name, or a file, also one of a package."""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType


def import_benchmarks(module: str) -> ModuleType:
    """Import a module and return it.

    Args:
        module: Its dotted name, or the path of a ``.py`` file. A file in a package, which is a folder with an
            ``__init__.py``, is imported as a part of it, so that its relative imports work.

    Raises:
        ImportError: If it cannot be found, or another file has its name already.
        Exception: Whatever the module raises.
    """
    path = Path(module)
    if path.suffix != '.py':
        return importlib.import_module(module)
    if not path.is_file():
        raise ImportError(f'{module}: no such file')
    package = _packages(path.resolve())
    if package:
        name = '.'.join([*(folder.name for folder in package), path.stem]).removesuffix('.__init__')
        sys.path.insert(0, str(package[0].parent))
        imported = importlib.import_module(name)
        found = imported.__file__
        if found is None or not path.samefile(found):
            raise ImportError(
                f'{module}: {name} is already another file, {found}; uninstall that, or import it by name'
            )
        return imported
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None  # its name ends in .py
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def import_all(modules: Sequence[str]) -> None:
    """Import what ``--import`` names, after the plugins.

    Raises:
        ValueError: Names the module that cannot be imported, and what it raised.
    """
    from . import discovery

    if modules:
        discovery.load_plugins()
    for module in modules:
        try:
            import_benchmarks(module)
        except Exception as error:
            raise ValueError(f'--import {module}: {type(error).__name__}: {error}') from error


def _packages(path: Path) -> list[Path]:
    """The folders of the packages that a file is in, the outermost first; none where it is in no package."""
    packages: list[Path] = []
    for folder in path.parents:
        if not (folder / '__init__.py').is_file():
            break
        packages.insert(0, folder)
    return packages
