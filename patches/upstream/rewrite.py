"""Rewrites the package's modules and tests into evalscope's: the code stays, only module names change."""

import re
from typing import Mapping, Optional

_PACKAGE = 'evalscope_qa'

SHARED_MODULES = {'reasoning': 'evalscope.utils.reasoning', 'records': 'evalscope.utils.records'}
"""Where the two modules that the adapters share go."""


class RewriteError(ValueError):
    """A module refers to something that has no place in evalscope."""


def rewrite_module(
    text: str, renamed: Mapping[str, str], source: str, wording: Optional[Mapping[str, str]] = None
) -> str:
    """Rewrite the imports of a benchmark's module, and what its comments say of the package.

    Args:
        text: The module.
        renamed: Sibling modules that have another name in evalscope, ours to theirs.
        source: What to call the module in messages.
        wording: Phrases to replace, each of which the module must hold once.

    Raises:
        RewriteError: If it imports anything else from beside its folder, names the package, or lacks a phrase.
    """
    for phrase, replacement in (wording or {}).items():
        if text.count(phrase) != 1:
            raise RewriteError(f'{source}: holds {text.count(phrase)} times, expected once: {phrase!r}')
        text = text.replace(phrase, replacement)
    for name, target in SHARED_MODULES.items():
        text = re.sub(rf'^(\s*)from \.\.{name} import ', rf'\1from {target} import ', text, flags=re.MULTILINE)
    for ours, theirs in renamed.items():
        text = re.sub(rf'^(\s*)from \.{ours} import ', rf'\1from .{theirs} import ', text, flags=re.MULTILINE)
    leftover = re.search(r'^\s*(?:from \.\.|import \.).*$', text, re.MULTILINE)
    if leftover:
        raise RewriteError(f'{source}: cannot place {leftover[0].strip()!r}')
    return _without_package(text, source)


def rewrite_shared_test(text: str, source: str) -> str:
    """Rewrite the imports of a test file of the two shared modules.

    Raises:
        RewriteError: If it uses anything else of the package.
    """
    for name, target in SHARED_MODULES.items():
        text = re.sub(rf'\b{_PACKAGE}\.{name}\b', target, text)
        parent, _, leaf = target.rpartition('.')
        text = re.sub(rf'\bfrom {_PACKAGE} import {name}\b', f'from {parent} import {leaf}', text)
    return _without_package(text, source)


def rewrite_test(text: str, ours: str, theirs: str, renamed: Mapping[str, str], source: str) -> str:
    """Rewrite the imports of a benchmark's test file.

    Args:
        text: The test file.
        ours: The benchmark's folder in the package.
        theirs: Its folder in evalscope.
        renamed: Modules that have another name in evalscope, ours to theirs.
        source: What to call the file in messages.

    Raises:
        RewriteError: If it uses anything else of the package.
    """
    for our_name, their_name in renamed.items():
        text = re.sub(rf'\b{_PACKAGE}\.{ours}\.{our_name}\b', f'evalscope.benchmarks.{theirs}.{their_name}', text)
        text = re.sub(
            rf'\bfrom {_PACKAGE}\.{ours} import {our_name}\b',
            f'from evalscope.benchmarks.{theirs} import {their_name} as {our_name}',
            text,
        )
    text = re.sub(rf'\b{_PACKAGE}\.{ours}\b', f'evalscope.benchmarks.{theirs}', text)
    return rewrite_shared_test(text, source)


def _without_package(text: str, source: str) -> str:
    for number, line in enumerate(text.splitlines(), start=1):
        if re.search(rf'\b{_PACKAGE}\b|\bevalscope-qa\b', line):
            raise RewriteError(f'{source}: line {number} still names the package: {line.strip()!r}')
    return text
