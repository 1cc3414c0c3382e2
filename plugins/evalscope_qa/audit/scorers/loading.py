"""Imports the callable that is named, makes one of a class or a factory, and says what to call it as a cause."""

import inspect
import sys
from dataclasses import dataclass
from typing import Any

from ...importing import import_benchmarks
from ..scoring.tracing import Cause, cause_of_function
from .forms import FilterChain
from .options import ScorerError


@dataclass(frozen=True)
class LoadedScorer:
    """A callable, and how it is shown."""

    scorer: Any
    cause: Cause
    packages: tuple[str, ...]
    """Top-level packages whose functions are the callable's."""


def load_scorer(spec: str) -> LoadedScorer:
    """Import a callable.

    A class is called without arguments first, and so is what inspect_ai's ``@scorer`` makes: they give the callable.

    Args:
        spec: ``module:name`` or ``file.py:name``; the name may be dotted.

    Raises:
        ScorerError: If it cannot be imported, or is not callable.
    """
    module_name, _, name = spec.rpartition(':')
    try:
        module = import_benchmarks(module_name)
    except Exception as error:
        raise ScorerError(f'--scorer {spec}: {module_name} cannot be imported: {_one_line(error)}') from error
    found: Any = module
    for part in name.split('.'):
        if not hasattr(found, part):
            public = [other for other in vars(found) if not other.startswith('_')] if hasattr(found, '__dict__') else []
            raise ScorerError(f'--scorer {spec}: {module_name} has no {name}; it has {", ".join(public[:20])}')
        found = getattr(found, part)
    scorer = _made(spec, found)
    owner = _function(scorer)
    packages = {module.__name__.partition('.')[0], (getattr(owner, '__module__', '') or '').partition('.')[0]}
    return LoadedScorer(scorer, _cause(spec, owner), tuple(sorted(packages - {''})))


def _made(spec: str, found: Any) -> Any:
    if inspect.isclass(found) or _is_inspect_factory(found):
        try:
            found = found()
        except TypeError as error:
            raise ScorerError(
                f'--scorer {spec}: it is called without arguments to make the callable, and that fails: '
                f'{_one_line(error)}. Name a function that makes one and calls it, or an instance'
            ) from error
    filters = found if isinstance(found, (list, tuple)) else [found]
    if filters and all(callable(getattr(one, 'apply', None)) for one in filters):
        return FilterChain(filters)
    if not callable(found):
        raise ScorerError(f'--scorer {spec}: it is of type {type(found).__name__}, which cannot be called')
    return found


def _is_inspect_factory(found: Any) -> bool:
    """Whether this is what inspect_ai's ``@scorer`` makes of a function, and not yet a scorer."""
    if 'inspect_ai' not in sys.modules or not inspect.isfunction(found):
        return False
    from inspect_ai.util import registry_info

    try:
        info = registry_info(found)
    except ValueError:
        return False
    return info.type == 'scorer' and list(inspect.signature(found).parameters) != ['state', 'target']


def _function(scorer: Any) -> Any:
    """Return the function that does the scoring."""
    if isinstance(scorer, FilterChain):
        return type(scorer.filters[0]).apply
    scorer = getattr(scorer, 'func', scorer)  # of functools.partial
    return scorer if inspect.isroutine(scorer) else type(scorer).__call__


def _cause(spec: str, function: Any) -> Cause:
    function = inspect.unwrap(getattr(function, '__func__', function))
    return cause_of_function(function) if hasattr(function, '__code__') else Cause(spec)


def _one_line(error: BaseException) -> str:
    return ' '.join(f'{type(error).__name__}: {error}'.split())
