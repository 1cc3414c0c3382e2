"""Refuses sockets to other hosts, and name resolution, by an audit hook: it covers C code too and cannot be undone."""

import sys

LOOPBACK = '127.0.0.1'


class NetworkBlockedError(RuntimeError):
    """A test process reached for the network."""


def install(allow_loopback: bool) -> None:
    """Block every connection, sent datagram and name look-up of this process except, if asked, those of 127.0.0.1."""

    def audit(event: str, arguments: tuple) -> None:
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

    sys.addaudithook(audit)
