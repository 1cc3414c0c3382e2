"""Runs discovery after evalscope's own import; reached from the loader that the finder of a Python start puts there.

Whatever goes wrong is one line on stderr: ``import evalscope`` may not break because of it. See docs/discovery.md.
"""

import os
import sys


def load_plugins() -> None:
    """Run discovery, unless it is switched off."""
    # `selection` reads the whole variable; this much is tested here so that "off" imports nothing at all, but where
    # evalscope loads plugins itself and has to be kept from it: see evalscope_shim.loads_new_names.
    off = os.environ.get('EVALSCOPE_PLUGINS', '').strip().lower() in ('off', '0')
    if off and not hasattr(sys.modules.get('evalscope.benchmarks'), 'plugin_modules'):
        return
    try:
        from . import load_plugins

        load_plugins()
    except Exception as error:  # noqa: BLE001 - a plugin system must not break `import evalscope`
        _complain(error)


def _complain(error: Exception) -> None:
    message = ' '.join(f'{type(error).__name__}: {error}'.split())
    if sys.stderr is None:  # print() would take that for stdout
        return
    try:
        print(f'evalscope_qa: the plugins of evalscope were not loaded: {message}', file=sys.stderr)
    except (OSError, ValueError):
        return  # stderr is closed: there is nobody to tell
