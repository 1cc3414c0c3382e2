"""The process without plugins that ``plugin_free`` starts: reads what to score again, and answers."""

import os
import pickle
import sys
from contextlib import nullcontext

from ...command_line import quiet
from .rescoring import rescore


def _main() -> None:
    # What evalscope and its libraries print is not the answer.
    answer = os.fdopen(os.dup(sys.stdout.fileno()), 'wb')
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    disabled, arguments = pickle.loads(sys.stdin.buffer.read())
    error: Exception | None = None
    result = None
    try:
        with quiet(bars=False) if disabled else nullcontext():
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
