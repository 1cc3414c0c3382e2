"""Reads what the installed distributions claim: entry points of ``evalscope.benchmarks`` and the groups below it."""

import importlib.metadata
import re
from importlib.metadata import Distribution, EntryPoint
from typing import Any, Callable, Iterator

from . import GROUP
from .policy import DEFAULT_GROUP, Claim


def find_claims(warn: Callable[[str], None]) -> list[Claim]:
    """Return every claim of an installed distribution, sorted, so that nothing depends on the order of installation.

    As everywhere in Python, the first distribution of a name on the path hides its namesakes; but one without METADATA,
    which an interrupted installation leaves behind, hides nothing.

    Args:
        warn: Called with one line about each distribution that is installed and not whole.
    """
    named: set[Claim] = set()
    unnamed: set[Claim] = set()
    seen: set[str | None] = set()
    for declaring in filter(_declares, importlib.metadata.distributions()):
        name, version = _name(declaring), _version(declaring)
        if name is None:
            unnamed.update(_claims(declaring, 'unnamed distribution', version))
        elif name not in seen:
            first = _first_of(name, warn)
            named.update(_claims(first, name, _version(first)))
        seen.add(name)
    modules = {(claim.benchmark, claim.module) for claim in named}
    return sorted(named | {claim for claim in unnamed if (claim.benchmark, claim.module) not in modules})


def _declares(distribution: Distribution) -> bool:
    return GROUP in (distribution.read_text('entry_points.txt') or '')


def _first_of(name: str, warn: Callable[[str], None]) -> Distribution:
    namesakes = list(importlib.metadata.distributions(name=name))
    whole = [item for item in namesakes if _name(item) is not None]
    place = str(whole[0].locate_file(''))
    # In one place their order is the file system's: the highest version is the one that was installed over others.
    first = max((item for item in whole if str(item.locate_file('')) == place), key=_version_numbers)
    left = [item for item in namesakes if _name(item) is None or str(item.locate_file('')) == place]
    left.remove(first)
    if left:
        folders = ', '.join(str(getattr(item, '_path', item.locate_file(''))) for item in left)
        warn(
            f'{name} {_version(first)} is used, but an interrupted installation has left behind {folders}, which hides '
            'it from Python or mixes its versions: remove that, and install it again.'
        )
    return first


def _claims(distribution: Distribution, name: str, version: str) -> Iterator[Claim]:
    for entry_point in distribution.entry_points:
        if entry_point.group == GROUP:
            yield Claim(entry_point.name, name, version, _module(entry_point))
        elif entry_point.group.startswith(f'{GROUP}.'):
            group, function = entry_point.group[len(GROUP) + 1 :].lower(), _function(entry_point)
            if group != DEFAULT_GROUP:
                yield Claim(entry_point.name, name, version, _module(entry_point), group, function)


def _module(entry_point: EntryPoint) -> str:
    """Return the module of ``module``, ``module:attribute`` or ``module [extra]``; other text as it stands."""
    try:
        return entry_point.module
    # Not of that form, as one or another release of Python says it; importing it will say so.
    except (AssertionError, AttributeError, ValueError):
        return entry_point.value.partition(':')[0].strip()


def _function(entry_point: EntryPoint) -> str:
    """Return the function of ``module:function`` or ``module:function [extra]``."""
    return entry_point.value.partition(':')[2].partition('[')[0].strip()


def _field(distribution: Distribution, field: str) -> str | None:
    try:
        metadata: Any = distribution.metadata
        return metadata[field] or None
    except (KeyError, TypeError, ValueError, OSError):  # no METADATA file, or not a readable one
        return None


def _name(distribution: Distribution) -> str | None:
    return _field(distribution, 'Name')


def _version(distribution: Distribution) -> str:
    return _field(distribution, 'Version') or '(no version)'


def _version_numbers(distribution: Distribution) -> list[int]:
    return [int(number) for number in re.findall(r'\d+', _version(distribution))]
