"""Keeps a worker process offline, and stops scoring from starting programs, by an audit hook.

An audit hook covers C code too and cannot be undone, so it is installed in worker processes alone. Setting a benchmark
up may start a program (libraries ask for the processor that way), which the hook does not reach: see
``workers.offline``. Scoring may not.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

CANARY = '/evalscope-contract-canary'
"""A path that nothing opens unless a reply is run as code; see ``rules.robustness``."""

_CONNECTING = ('socket.connect', 'socket.sendto', 'socket.sendmsg', 'socket.bind')
_OWN_ADDRESSES = ('127.0.0.1', '::1')
_RESOLVING = ('socket.getaddrinfo', 'socket.gethostbyname', 'socket.gethostbyaddr', 'socket.getnameinfo')
_STARTING = ('subprocess.Popen', 'os.system', 'os.exec', 'os.posix_spawn', 'os.spawn', 'pty.spawn')


class NetworkAttempt(BaseException):
    """Something reached for the network. Not an ``Exception``: a library would catch it, wait, and try again."""


class ProgramStart(PermissionError):
    """Scoring tried to start another program."""


class Guard:
    """What the hook saw since the last :meth:`watch`."""

    def __init__(self) -> None:
        self.scoring = False
        self.network: list[str] = []
        self.programs: list[str] = []
        self.ran_reply = False
        self.frame: FrameType | None = None
        """The frame of the first attempt, for tracing its cause."""

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Forget what was seen and forbid starting programs inside the block."""
        self.network, self.programs, self.ran_reply, self.frame = [], [], False, None
        self.scoring = True
        try:
            yield
        finally:
            self.scoring = False

    def install(self) -> None:
        """Install the hook for the rest of the process's life."""
        sys.addaudithook(self._audit)

    def _audit(self, event: str, arguments: tuple) -> None:
        if event in _CONNECTING:
            address = arguments[1]
            if isinstance(address, (str, bytes)):  # a Unix socket: event loops and process pools wake themselves so
                return
            if event == 'socket.bind' and address[0] in _OWN_ADDRESSES:  # urllib3 looks so for IPv6 at its import
                return
            self._refuse_network(f'{event} {address!r}')
        elif event in _RESOLVING:
            self._refuse_network(f'{event} {arguments[0]!r}')
        elif event in _STARTING and self.scoring:
            self.programs.append(_program(arguments))
            self._remember_frame()
            raise ProgramStart(f'scoring may not start {self.programs[-1]}')
        elif event == 'open' and isinstance(arguments[0], str) and arguments[0].startswith(CANARY):
            self.ran_reply = True
            self._remember_frame()

    def _refuse_network(self, what: str) -> None:
        self.network.append(what)
        self._remember_frame()
        raise NetworkAttempt(f'{what} refused: the audit works offline')

    def _remember_frame(self) -> None:
        if self.frame is None:
            self.frame = sys._getframe(2)


def _program(arguments: tuple) -> str:
    first: Any = arguments[0]
    if isinstance(first, (list, tuple)) and first:
        first = first[0]
    return Path(os.fsdecode(first)).name if isinstance(first, (str, bytes)) else repr(first)
