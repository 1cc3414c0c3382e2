"""Scores again in a process without plugins: where they are loaded, evalscope's own benchmarks cannot be had."""

import logging
import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from ... import discovery

if TYPE_CHECKING:
    from .results import Rescore


def plugins_are_off() -> bool:
    """Tell whether this process loads no plugin."""
    return os.environ.get(discovery.SWITCH, '').strip().lower() in ('off', '0')


def in_plugin_free_process(**arguments: Any) -> 'Rescore':
    """Call :func:`rescore` with ``scoring='built-in'`` in a new process without plugins.

    Raises:
        Exception: What the call raises there.
        RuntimeError: If the process ends in any other way.
    """
    done = subprocess.run(
        [sys.executable, '-m', f'{__name__}_process'],
        input=pickle.dumps((logging.root.manager.disable, arguments)),
        stdout=subprocess.PIPE,
        env={**os.environ, discovery.SWITCH: 'off'},
        check=False,
    )
    if done.returncode or not done.stdout:
        raise RuntimeError(f'the process without plugins ended with status {done.returncode}.')
    result, error = pickle.loads(done.stdout)
    if error is not None:
        raise error
    return result
