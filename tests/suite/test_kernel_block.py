"""A program of any language has no network but 127.0.0.1, and leaves nothing running, where the kernel lets it."""

import sys
from pathlib import Path
from typing import Any, Callable

import psutil
import pytest
from kernel_block import NOT_ALLOWED

BLOCK = Path(__file__).parents[1] / 'kernel_block.py'
CONNECT = 'import socket; s = socket.socket(); s.settimeout(1); s.connect(({host!r}, 9))'
LEAVES_ONE = """
import subprocess
child = subprocess.Popen(['sh', '-c', 'sleep 600 & echo $!'], stdout=subprocess.PIPE, text=True)
print(child.stdout.readline().strip(), flush=True)
child.wait()
"""


@pytest.fixture
def blocked(run_process: Callable[..., Any]) -> Callable[..., Any]:
    """Run Python code with the kernel's block alone: without the hook, which would refuse first."""

    def blocked(code: str, seconds: float = 60) -> Any:
        command = (sys.executable, BLOCK, seconds, sys.executable, '-c', code)
        done = run_process(*command, cold=True, PYTHONPATH='')
        if done.returncode == NOT_ALLOWED:
            pytest.skip('this system does not let a process leave the network')
        return done

    return blocked


@pytest.mark.parametrize(
    ('host', 'error'),
    [
        ('127.0.0.1', 'ConnectionRefusedError'),
        ('192.0.2.1', 'Network is unreachable'),
        ('example.org', 'socket.gaierror'),
    ],
)
def test_only_the_loopback_can_be_reached(blocked: Callable[..., Any], host: str, error: str) -> None:
    done = blocked(CONNECT.format(host=host))
    assert done.returncode == 1
    assert error in done.stderr


@pytest.mark.parametrize(('end', 'status'), [('', 0), ('raise SystemExit(3)', 3)])
def test_what_a_program_leaves_running_ends_with_it(blocked: Callable[..., Any], end: str, status: int) -> None:
    done = blocked(LEAVES_ONE + end)
    assert done.returncode == status, done.stderr
    assert not psutil.pid_exists(int(done.stdout))


def test_a_program_that_does_not_end_is_ended(blocked: Callable[..., Any]) -> None:
    assert 'TimeoutExpired' in blocked('import threading; threading.Event().wait()', seconds=0).stderr
