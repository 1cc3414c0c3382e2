"""Finds the benchmarks that installed packages bring, and makes evalscope know them; docs/discovery.md.

- ``autoload``: waits for ``import evalscope``; what a Python start runs
- ``claims``: which installed package claims which benchmark name
- ``policy``: which claim is used, as a pure function
- ``process``: carries it out on evalscope's registry, once a process
- ``metric_names``: the names of metrics that evalscope's catalogue lacks
- ``evalscope_shim``: what all of this uses of evalscope's inside, and the releases it was seen in

A Python start imports this module, so it imports nothing until it is used.
"""

TYPE_CHECKING = False  # importing it from `typing` would cost more than this whole module
if TYPE_CHECKING:
    from .policy import Decision

GROUP = 'evalscope.benchmarks'
"""The entry point group: name = benchmark name, value = the module that registers it when imported."""
SWITCH = 'EVALSCOPE_PLUGINS'
"""Environment variable: ``off`` or ``0`` loads no plugin, a comma-separated list only those benchmarks."""


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


def pth_in_force() -> bool:
    """Tell whether this Python's start ran ``evalscope_qa.pth``: then plain ``import evalscope`` loads the plugins."""
    import sys

    return f'{__name__}.autoload' in sys.modules
