"""A pytest plugin: the package's benchmark modules are those of the patched evalscope.

With it, this package's tests test the code in the patches: ``evalscope_qa.searchqa.scoring`` is
``evalscope.benchmarks.searchqa.scoring``, and so on. Child processes of tests are left alone: there, evalscope chooses
between its own benchmarks and the package's, which have the same version.

Usage: ``pytest -p native_modules``, with this folder on ``PYTHONPATH`` and the mapping in ``$NATIVE_MODULES``: a JSON
object, the package's module or subpackage to evalscope's.
"""

import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path
from types import ModuleType


def replace_modules(mapping: 'dict[str, str]') -> None:
    """Put the modules named by the values, with all modules below them, in the places named by the keys.

    Modules that the mapping names themselves take precedence over where their package would put them.
    """
    for ours, theirs in sorted(mapping.items()):
        module = importlib.import_module(theirs)
        _place(ours, module)
        for found in pkgutil.walk_packages(getattr(module, '__path__', ()), f'{theirs}.'):
            _place(ours + found.name.removeprefix(theirs), importlib.import_module(found.name))


def _place(name: str, module: ModuleType) -> None:
    if name in sys.modules and sys.modules[name] is not module:
        raise RuntimeError(f'{name} has been imported already')
    sys.modules[name] = module
    parent, _, leaf = name.rpartition('.')
    setattr(importlib.import_module(parent), leaf, module)


if 'NATIVE_MODULES' in os.environ:
    # This folder's modules have everyday names, which nothing after this should find.
    sys.path[:] = [folder for folder in sys.path if folder != str(Path(__file__).parent)]
    replace_modules(json.loads(os.environ.pop('NATIVE_MODULES')))
