"""Runs a program where the kernel has no network but 127.0.0.1: for what is not Python, which no audit hook reaches.

    python kernel_block.py SECONDS COMMAND [ARGUMENT ...]

Ends as the command does, after so many seconds at the latest, and ends all that it left running. Where the kernel lets
no process leave the network the command does not run: NOT_ALLOWED is returned.
"""

import ctypes
import fcntl
import socket
import struct
import subprocess
import sys

import psutil
from evalscope_qa.audit.workers.offline import leave_network

NOT_ALLOWED = 77
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1
"""``SIOCGIFFLAGS``, ``SIOCSIFFLAGS`` and ``IFF_UP`` of Linux's netdevice(7)."""
_ADOPT_ORPHANS = 36
"""``PR_SET_CHILD_SUBREAPER`` of Linux's prctl(2)."""


def open_loopback() -> None:
    """Switch on the one interface of a new network, which is off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        name = b'lo'.ljust(16, b'\0')
        (flags,) = struct.unpack_from('h', fcntl.ioctl(any_socket, _GET_FLAGS, name + bytes(24)), 16)
        fcntl.ioctl(any_socket, _SET_FLAGS, name + struct.pack('h', flags | _UP) + bytes(22))


def run(seconds: float, command: list[str]) -> int:
    """Run a command and return its status, without its descendants outliving it."""
    ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    try:
        return subprocess.run(command, timeout=seconds, check=False).returncode
    finally:
        left = psutil.Process().children(recursive=True)
        for process in left:
            process.kill()
        psutil.wait_procs(left, timeout=30)


if __name__ == '__main__':
    if not leave_network():
        sys.exit(NOT_ALLOWED)
    open_loopback()
    sys.exit(run(float(sys.argv[1]), sys.argv[2:]))
