"""Finds the benchmarks that installed packages bring, and makes evalscope know them; docs/discovery.md.

- ``autoload``: runs all this after ``import evalscope``
- ``claims``: which installed package claims which benchmark name
- ``selection``: which of them ``EVALSCOPE_PLUGINS`` lets in
- ``policy``: which claim is used, as a pure function
- ``process``: carries it out on evalscope's registry, once a process
- ``metric_names``: the names of metrics that evalscope's catalogue lacks
- ``catalogue``: the plugins where evalscope stores descriptions of its own benchmarks
- ``command``: the work of ``evalscope-qa list`` and ``evalscope-qa eval``
- ``evalscope_shim``: what all of this uses of evalscope's inside, and the releases it was seen in

It imports nothing until it is used: with ``EVALSCOPE_PLUGINS=off`` that is never.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .policy import Decision

GROUP = 'evalscope.benchmarks'
"""The entry point group: name = benchmark name, value = the module that registers it when imported.

Benchmarks in ``evalscope.benchmarks.NAME`` are off unless the group ``NAME`` or the benchmark is asked for. Their value
is ``module:function``, a :class:`~.policy.Maker`.
"""
STRICT = 'strict'
"""The group of this package's strict readings of evalscope's own benchmarks; docs/choice.md."""
SWITCH = 'EVALSCOPE_PLUGINS'
"""Environment variable that says which benchmarks to load; see ``selection.parse``."""


def load_plugins() -> None:
    """Make evalscope know the installed plugins, once a process; call it as often as you like.

    Imports evalscope. Each name is decided when it is first looked up, or at once where evalscope's registry is not
    lazy. Never raises because of a plugin: what became of each is in :func:`decisions` and in evalscope's log.

    Raises:
        ImportError: If evalscope cannot be imported.
    """
    from . import process

    process.load_plugins()


def decisions() -> 'list[Decision]':
    """Return what became of every claim of a plugin to a benchmark name, sorted by name, then distribution.

    Decides about every name first, which imports every plugin. A plugin whose module some other code is importing at
    this moment is left out until it has registered.

    Raises:
        ImportError: If evalscope cannot be imported.
    """
    from . import process

    return process.decisions()


def ask_for(group: str) -> None:
    """Let a group of benchmarks in, in this process and those that it starts, beside what ``EVALSCOPE_PLUGINS`` says.

    Raises:
        RuntimeError: If discovery has already read the variable and the group is not in it.
    """
    import os
    import sys

    from .selection import parse, with_group

    process = sys.modules.get(f'{__name__}.process')
    if process is not None and process.selection_in_force() is not None:
        if not parse(process.selection_in_force()).names_group(group):
            raise RuntimeError(f'evalscope was imported without the benchmarks of {group}: set {SWITCH} before that.')
        return
    os.environ[SWITCH] = with_group(os.environ.get(SWITCH, ''), group)


def problems() -> list[str]:
    """Return what is wrong with the installations of plugins, a line each; see ``claims``.

    Raises:
        ImportError: If evalscope cannot be imported.
    """
    from . import process

    return process.problems()


def unmatched() -> list[str]:
    """Return the entries of ``EVALSCOPE_PLUGINS`` that no installed plugin answers to.

    Raises:
        ImportError: If evalscope cannot be imported.
    """
    from . import process

    return process.unmatched()


def pth_in_force() -> bool:
    """Tell whether this Python's start ran a start-up file of ours: then plain ``import evalscope`` loads the plugins.

    It is ``evalscope_qa.pth``, or ``evalscope_qa.start`` from Python 3.15 on.
    """
    from .. import started_up

    return started_up
