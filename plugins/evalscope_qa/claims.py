"""Reads what the installed distributions claim: the entry points of the group ``evalscope.benchmarks``."""

import importlib.metadata
from typing import Any, Callable, Iterable, Optional

from .decisions import Claim

GROUP = 'evalscope.benchmarks'
"""The entry point group: name = benchmark name, value = the module that registers it when imported."""


def find_claims(warn: Callable[[str], None]) -> list[Claim]:
    """Return every claim of an installed distribution, sorted, so that nothing depends on the order of installation.

    Args:
        warn: Called with one line about each distribution whose entry points cannot be read; the others still count.
    """
    return sorted({_claim(entry_point) for entry_point in _entry_points(warn)})


def _entry_points(warn: Callable[[str], None]) -> Iterable[importlib.metadata.EntryPoint]:
    try:
        return importlib.metadata.entry_points(group=GROUP)
    except Exception:  # noqa: BLE001 - one malformed file fails the whole call: read one distribution at a time below
        found: dict[str, list[importlib.metadata.EntryPoint]] = {}
    for distribution in importlib.metadata.distributions():
        name, version = _name_and_version(distribution)
        if name in found:
            continue  # as entry_points() does: the first on the path hides its namesakes
        try:
            found[name] = list(distribution.entry_points.select(group=GROUP))
        except Exception as error:  # noqa: BLE001 - reported
            found[name] = []
            warn(f'The entry points of {name} {version} cannot be read: {type(error).__name__}: {error}')
    return [entry_point for entry_points in found.values() for entry_point in entry_points]


def _claim(entry_point: importlib.metadata.EntryPoint) -> Claim:
    name, version = _name_and_version(entry_point.dist)
    return Claim(entry_point.name, name, version, _module(entry_point))


def _module(entry_point: importlib.metadata.EntryPoint) -> str:
    """Return the module of ``module``, ``module:attribute`` or ``module [extra]``; other text as it stands."""
    try:
        return entry_point.module
    # Not of that form, as one or another release of Python says it; importing it will say so.
    except (AssertionError, AttributeError, ValueError):
        return entry_point.value.partition(':')[0].strip()


def _name_and_version(distribution: Optional[importlib.metadata.Distribution]) -> tuple[str, str]:
    try:
        metadata: Any = distribution.metadata if distribution is not None else {}
        return metadata['Name'] or 'unnamed distribution', metadata['Version'] or '(no version)'
    except (KeyError, TypeError, ValueError, OSError):  # no METADATA file, or not a readable one
        return 'unnamed distribution', '(no version)'
