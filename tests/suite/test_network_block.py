"""The suite cannot reach the network: neither its own process nor the ones it starts."""

import socket
import sys
from typing import Any, Callable

import pytest
import pytest_socket
from network_block import NetworkBlockedError
from openai_server import serve

RESOLVE: list[tuple[str, tuple[Any, ...]]] = [
    ('getaddrinfo', ('example.org', 80)),
    ('getaddrinfo', ('127.0.0.1', 80)),
    ('gethostbyname', ('localhost',)),
    ('gethostbyname_ex', ('example.org',)),
    ('gethostbyaddr', ('8.8.8.8',)),
    ('getnameinfo', (('8.8.8.8', 80), 0)),
]


def test_a_socket_cannot_be_opened() -> None:
    with pytest.raises(pytest_socket.SocketBlockedError):
        socket.socket()


@pytest.mark.parametrize(('resolver', 'arguments'), RESOLVE)
def test_a_name_cannot_be_resolved(resolver: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(NetworkBlockedError, match='name resolution'):
        getattr(socket, resolver)(*arguments)


@pytest.mark.loopback
def test_a_loopback_test_reaches_127_0_0_1_and_nothing_else() -> None:
    with serve(lambda messages: 'text') as server:
        port = int(server.url.split(':')[2].split('/')[0])
        socket.create_connection(('127.0.0.1', port)).close()
    with pytest.raises(pytest_socket.SocketConnectBlockedError):
        socket.socket().connect(('192.0.2.1', 80))
    with pytest.raises(NetworkBlockedError):
        socket.getaddrinfo('localhost', 80)


CONNECT = 'import socket; s = socket.socket(); s.settimeout(1); s.connect(({host!r}, 9))'


@pytest.mark.parametrize(
    ('code', 'loopback', 'error'),
    [
        (CONNECT.format(host='127.0.0.1'), False, 'NetworkBlockedError'),
        (CONNECT.format(host='127.0.0.1'), True, 'ConnectionRefusedError'),
        (CONNECT.format(host='192.0.2.1'), True, 'NetworkBlockedError'),
        ("import socket; socket.getaddrinfo('example.org', 80)", True, 'NetworkBlockedError'),
        ("import socket; socket.gethostbyname('localhost')", False, 'NetworkBlockedError'),
    ],
)
@pytest.mark.parametrize('cold', [True, False], ids=['cold', 'warm'])
def test_a_child_process_cannot_reach_the_network(
    run_process: Callable[..., Any], code: str, loopback: bool, error: str, cold: bool
) -> None:
    result = run_process(sys.executable, '-c', code, loopback=loopback, cold=cold)
    assert result.returncode == 1
    assert error in result.stderr
