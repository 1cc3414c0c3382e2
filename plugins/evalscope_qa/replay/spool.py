"""Objects in a temporary file, by number: what is too much for memory and is read again in parts."""

import os
import pickle
import tempfile
from array import array
from collections.abc import Iterator
from typing import Any

BLOCK = 256
"""Objects that are written and read at a time where they are read in order."""


class Spool:
    """Objects that can be pickled in a file, any others in memory; the file has no name and ends with its process.

    Memory: eight bytes a block. Several processes may read: a position is passed with each call, none is kept.

    Args:
        block: Objects that are read at a time; 1 where they are read in any order.
    """

    def __init__(self, block: int = BLOCK) -> None:
        # Without a buffer, which Python would try to write once more, and complain about, when the object is gone.
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - it lives as long as this object
        self._block = block
        self._ends = array('Q', [0])
        self._waiting: list[Any] = []
        self._unpicklable: dict[int, list[Any]] = {}
        self._count = 0

    def append(self, value: Any) -> None:
        """Write an object behind the others."""
        self._waiting.append(value)
        self._count += 1
        if len(self._waiting) == self._block:
            self._write()

    def flush(self) -> None:
        """Make what was written readable; called once, behind the last object.

        Raises:
            OSError: If the file cannot be written, here or when an object is appended; names its folder.
        """
        if self._waiting:
            self._write()

    def _write(self) -> None:
        try:
            data = pickle.dumps(self._waiting, pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, TypeError, AttributeError):
            self._unpicklable[len(self._ends) - 1] = self._waiting
            data = b''
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise _unwritable(error) from error
        self._ends.append(self._ends[-1] + len(data))
        self._waiting = []

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Any:
        return self._load(number // self._block)[number % self._block]

    def iterate(self, start: int = 0, stop: int | None = None) -> Iterator[Any]:
        """Yield the objects from one number up to before another, in order."""
        stop = len(self) if stop is None else stop
        for block in range(start // self._block, -(-stop // self._block)):
            first = block * self._block
            yield from self._load(block)[max(start - first, 0) : stop - first]

    def _load(self, block: int) -> list[Any]:
        if block in self._unpicklable:
            return self._unpicklable[block]
        offset, end = self._ends[block], self._ends[block + 1]
        data = os.pread(self._file.fileno(), end - offset, offset)
        while len(data) < end - offset:  # a read may be cut short, above all one of more than two gigabytes
            data += os.pread(self._file.fileno(), end - offset - len(data), offset + len(data))
        return pickle.loads(data)

    def __getstate__(self) -> dict[str, Any]:
        """Hand the open file to a process that is being started; nothing else can have it."""
        from multiprocessing.reduction import DupFd

        return {**vars(self), '_file': DupFd(self._file.fileno())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._file = os.fdopen(state['_file'].detach(), 'rb+', buffering=0)


def _unwritable(error: OSError) -> OSError:
    folder = tempfile.gettempdir()
    return OSError(
        f'a temporary file in {folder}, the folder that TMPDIR names, cannot be written: {error.strerror or error}'
    )
