"""Reads what the installed distributions claim: the entry points of the group ``evalscope.benchmarks``."""

import importlib.metadata
from typing import Any

from . import GROUP
from .policy import Claim


def find_claims() -> list[Claim]:
    """Return every claim of an installed distribution, sorted, so that nothing depends on the order of installation."""
    return sorted({_claim(entry_point) for entry_point in importlib.metadata.entry_points(group=GROUP)})


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


def _name_and_version(distribution: importlib.metadata.Distribution | None) -> tuple[str, str]:
    try:
        metadata: Any = distribution.metadata if distribution is not None else {}
        return metadata['Name'] or 'unnamed distribution', metadata['Version'] or '(no version)'
    except (KeyError, TypeError, ValueError, OSError):  # no METADATA file, or not a readable one
        return 'unnamed distribution', '(no version)'
