"""What the audit hook of a worker refuses. A hook cannot be removed: its function is called, or a process has it."""

import sys
from typing import Any, Callable

import pytest
from evalscope_qa.audit.scoring.guard import CANARY, Guard, NetworkAttempt, ProgramStart


@pytest.mark.parametrize(
    ('event', 'arguments'),
    [
        ('socket.connect', (None, ('127.0.0.1', 80))),
        ('socket.connect', (None, ('::1', 80, 0, 0))),
        ('socket.sendto', (None, ('192.0.2.1', 53))),
        ('socket.bind', (None, ('', 0))),
        ('socket.getaddrinfo', ('example.org', 443, 0, 0, 0)),
        ('socket.gethostbyname', ('example.org',)),
    ],
)
def test_connections_and_name_resolution_are_refused_and_remembered(event: str, arguments: tuple) -> None:
    guard = Guard()
    with pytest.raises(NetworkAttempt, match='works offline'):
        guard._audit(event, arguments)
    assert guard.network and guard.frame is not None


def test_a_refusal_is_not_caught_as_an_exception() -> None:
    assert not issubclass(NetworkAttempt, Exception)


def test_unix_sockets_are_left_alone() -> None:
    guard = Guard()
    guard._audit('socket.connect', (None, '/tmp/socket'))
    assert guard.network == []


@pytest.mark.parametrize('address', [('127.0.0.1', 0), ('::1', 0)])
def test_an_own_address_may_be_bound(address: tuple) -> None:
    guard = Guard()
    guard._audit('socket.bind', (None, address))
    assert guard.network == []


def test_programs_are_refused_while_scoring_only() -> None:
    guard = Guard()
    guard._audit('subprocess.Popen', ('lscpu', ['lscpu'], None, None))
    with guard.watch(), pytest.raises(ProgramStart, match='java'):
        guard._audit('subprocess.Popen', ('/usr/bin/java', ['java', '-jar'], None, None))
    assert guard.programs == ['java']


def test_a_reply_that_runs_is_noticed_by_the_file_it_opens() -> None:
    guard = Guard()
    guard._audit('open', (f'{CANARY}', 'r', 0))
    assert guard.ran_reply
    with guard.watch():
        assert not guard.ran_reply
        guard._audit('open', ('/etc/hosts', 'r', 0))
        assert not guard.ran_reply


def test_an_installed_guard_blocks_what_c_code_does_too(run_process: Callable[..., Any]) -> None:
    code = (
        'from evalscope_qa.audit.scoring.guard import Guard, NetworkAttempt\n'
        'import _socket\n'
        'guard = Guard(); guard.install()\n'
        'try:\n'
        '    _socket.getaddrinfo("example.org", 80)\n'
        'except NetworkAttempt:\n'
        '    print("refused")\n'
    )
    assert run_process(sys.executable, '-c', code, PYTHONPATH='').stdout == 'refused\n'
