"""What a worker is scoring, written where its parent process can read it when the worker has died or hangs."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .timing import processor_seconds

_LONGEST = 200
"""Characters of a reply and of a gold that are kept."""
_MOST_BYTES = 1 << 13


class Scoring(NamedTuple):
    """A reply that is being scored."""

    reply: str
    """As Python shows it, cut where it is long."""
    gold: str
    began: float
    """Processor time that the worker had used by then, in seconds."""


class AtWork:
    """A file that holds what is being scored: a worker writes it at every reply, which takes some microseconds.

    Args:
        path: The file, which loses its name; None to note nothing.
    """

    def __init__(self, path: str | None = None) -> None:
        self._descriptor = None if path is None else os.open(path, os.O_WRONLY)
        if path is not None:
            Path(path).unlink()
        self._owner = os.getpid()

    @contextmanager
    def reply(self, reply: str | None, gold: str) -> Iterator[None]:
        """Say inside the block that a reply is being scored. What a child process does is not the worker's."""
        if self._descriptor is None or os.getpid() != self._owner:
            yield
            return
        shown = repr(reply if reply is None else reply[:_LONGEST])[:_LONGEST]
        now = Scoring(shown, gold[:_LONGEST], processor_seconds())
        os.pwrite(self._descriptor, json.dumps(now).encode() + b'\n', 0)
        try:
            yield
        finally:
            os.pwrite(self._descriptor, b'\n', 0)


def read_at_work(descriptor: int) -> Scoring | None:
    """Return what the file's writer was scoring when it wrote last; None if it was doing anything else."""
    line = os.pread(descriptor, _MOST_BYTES, 0).partition(b'\n')[0]
    return Scoring(*json.loads(line)) if line else None
