"""What a worker starts has no network either, where the kernel lets a process leave it."""

import subprocess
import sys
from typing import Any, Callable

import pytest
from evalscope_qa.audit.workers import offline

CODE = """
import os, pathlib, subprocess, sys
from evalscope_qa.audit.workers.offline import leave_network
before = os.getuid(), os.getgid(), pathlib.Path.home()
left = leave_network()
assert (os.getuid(), os.getgid(), pathlib.Path.home()) == before
print(left)
sys.stdout.flush()
subprocess.run(['cat', '/proc/net/dev'])
"""


def interfaces(text: str) -> set[str]:
    return {line.partition(':')[0].strip() for line in text.splitlines() if ':' in line}


@pytest.mark.skipif(not sys.platform.startswith('linux'), reason='there is no /proc/net/dev outside Linux')
def test_a_program_sees_no_network_interface_but_the_unconnected_loopback(run_process: Callable[..., Any]) -> None:
    answer, _, devices = run_process(sys.executable, '-c', CODE, cold=True, PYTHONPATH='').stdout.partition('\n')
    if answer == 'False':
        here = subprocess.run(['cat', '/proc/net/dev'], capture_output=True, text=True, check=True).stdout
        assert interfaces(devices) == interfaces(here)
        pytest.skip('this kernel, or this container, does not let a process leave the network')
    assert interfaces(devices) == {'lo'}


class Kernel:
    """Stands for the C library: which calls are allowed."""

    def __init__(self, *allowed: int) -> None:
        self._allowed = allowed
        self.asked: list[int] = []

    def unshare(self, flags: int) -> int:
        self.asked.append(flags)
        return 0 if flags in self._allowed else -1


NETWORK, BOTH = 0x40000000, 0x50000000


@pytest.mark.parametrize(
    ('allowed', 'asked', 'left', 'written'),
    [
        ((NETWORK, BOTH), [NETWORK], True, []),
        ((BOTH,), [NETWORK, BOTH], True, ['setgroups', 'uid_map', 'gid_map']),
        ((), [NETWORK, BOTH], False, []),
    ],
    ids=['root', 'user namespaces', 'neither'],
)
def test_a_namespace_of_users_is_only_made_where_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, allowed: tuple[int, ...], asked: list[int], left: bool, written: list[str]
) -> None:
    kernel = Kernel(*allowed)
    files: list[str] = []
    monkeypatch.setattr(offline.sys, 'platform', 'linux')
    monkeypatch.setattr(offline.ctypes, 'CDLL', lambda *arguments, **options: kernel)
    monkeypatch.setattr(offline.Path, 'write_text', lambda path, text: files.append(path.name))
    assert offline.leave_network() is left
    assert kernel.asked == asked and files == written


def test_elsewhere_nothing_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline.sys, 'platform', 'darwin')
    monkeypatch.setattr(offline.ctypes, 'CDLL', None)
    assert not offline.leave_network()
