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
        [sys.executable, '-m', __name__],
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


def _main() -> None:
    from .rescoring import rescore

    # What evalscope and its libraries print is not the answer.
    answer = os.fdopen(os.dup(sys.stdout.fileno()), 'wb')
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    disabled, arguments = pickle.loads(sys.stdin.buffer.read())
    logging.disable(disabled)
    error: Exception | None = None
    result = None
    try:
        result = rescore(**arguments, scoring='built-in')
    except Exception as caught:  # noqa: BLE001 - raised again by whoever asked
        error = _plain(caught)
    with answer:
        pickle.dump((result, error), answer)


def _plain(error: Exception) -> Exception:
    """Return an exception that another process can make of its text: the caller tells wrong input by its class."""
    for kind in (FileNotFoundError, FileExistsError, OSError, ValueError):
        if isinstance(error, kind):
            return kind(str(error))
    return RuntimeError(f'{type(error).__name__}: {error}')


if __name__ == '__main__':
    _main()
