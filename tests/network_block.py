"""Refuses sockets to other hosts, and name resolution, by an audit hook: it covers C code too, and no code can undo it.

Only who installed it can.
"""

import sys
from typing import Callable

LOOPBACK = '127.0.0.1'


class NetworkBlockedError(RuntimeError):
    """A test process reached for the network."""


def install(allow_loopback: bool) -> Callable[[], None]:
    """Block every connection, sent datagram and name look-up of this process except, if asked, those of 127.0.0.1.

    Returns:
        A function that lifts the block again.
    """
    in_force = True

    def audit(event: str, arguments: tuple) -> None:
        if not in_force:
            return
        if event in ('socket.connect', 'socket.sendto', 'socket.bind'):
            address = arguments[1]
            host = address[0] if isinstance(address, tuple) else None
            # No host: a Unix socket, with which event loops wake themselves.
            allowed = host is None or (allow_loopback and host == LOOPBACK)
        elif event in ('socket.getaddrinfo', 'socket.gethostbyname', 'socket.gethostbyaddr'):
            host = arguments[0]
            allowed = allow_loopback and host in (LOOPBACK, LOOPBACK.encode())
        else:
            return
        if not allowed:
            raise NetworkBlockedError(f'{event} {host!r} is blocked in tests')

    def lift() -> None:
        nonlocal in_force
        in_force = False

    sys.addaudithook(audit)
    return lift
