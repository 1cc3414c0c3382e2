"""Objects in a temporary file, by number: what is too much for memory and is read again in parts."""

import os
import pickle
import tempfile
from array import array
from collections.abc import Iterator
from typing import Any

_BLOCK = 256
"""Objects that are read at a time."""


class Spool:
    """Objects that can be pickled in a file, any others in memory; the file has no name and ends with its process.

    Memory: eight bytes an object. Several processes may read: a position is passed with each call, none is kept.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this object
        self._ends = array('Q', [0])
        self._unpicklable: dict[int, Any] = {}

    def append(self, value: Any) -> None:
        """Write an object behind the others."""
        try:
            data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, TypeError, AttributeError):
            self._unpicklable[len(self)] = value
            data = b''
        try:
            self._file.write(data)
        except OSError as error:
            raise OSError(f'{_folder()}: {error.strerror or error}') from error
        self._ends.append(self._ends[-1] + len(data))

    def flush(self) -> None:
        """Make what was written readable; called once, behind the last object."""
        try:
            self._file.flush()
        except OSError as error:
            raise OSError(f'{_folder()}: {error.strerror or error}') from error

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> Any:
        return next(self.iterate(number, number + 1))

    def iterate(self, start: int = 0, stop: int | None = None) -> Iterator[Any]:
        """Yield the objects from one number up to before another, in order."""
        stop = len(self) if stop is None else stop
        for first in range(start, stop, _BLOCK):
            behind = min(first + _BLOCK, stop)
            offset = self._ends[first]
            data = memoryview(self._read(self._ends[behind] - offset, offset))
            for number in range(first, behind):
                if number in self._unpicklable:
                    yield self._unpicklable[number]
                else:
                    yield pickle.loads(data[self._ends[number] - offset : self._ends[number + 1] - offset])

    def __getstate__(self) -> dict[str, Any]:
        """Hand the open file to a process that is being started; nothing else can have it."""
        from multiprocessing.reduction import DupFd

        return {**vars(self), '_file': DupFd(self._file.fileno())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._file = os.fdopen(state['_file'].detach(), 'rb+')

    def _read(self, length: int, offset: int) -> bytes:
        data = os.pread(self._file.fileno(), length, offset)
        while len(data) < length:  # a read may be cut short, above all one of more than two gigabytes
            data += os.pread(self._file.fileno(), length - len(data), offset + len(data))
        return data


def _folder() -> str:
    return f'a temporary file in {tempfile.gettempdir()}, the folder that TMPDIR names, cannot be written'
