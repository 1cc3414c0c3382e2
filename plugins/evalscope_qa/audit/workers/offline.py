"""Takes a worker, and every program that it starts, off the network, where the kernel lets it."""

import ctypes
import os
import sys
from pathlib import Path

_NEW_USER = 0x10000000
_NEW_NETWORK = 0x40000000
"""``CLONE_NEWUSER`` and ``CLONE_NEWNET`` of Linux's unshare(2); Python has them from 3.12 on."""


def leave_network() -> bool:
    """Move this process into a network of its own, with nothing in it; return whether the kernel allowed it.

    On Linux one needs to be root for it, or to be allowed user namespaces, which containers often are not. Elsewhere
    there is no such thing. The process must have one thread, and keeps its user, its files and its limits.
    """
    if not sys.platform.startswith('linux'):
        return False
    user, group = os.getuid(), os.getgid()
    unshare = ctypes.CDLL(None, use_errno=True).unshare
    if unshare(_NEW_NETWORK) == 0:
        return True
    if unshare(_NEW_USER | _NEW_NETWORK) != 0:
        return False
    Path('/proc/self/setgroups').write_text('deny')
    Path('/proc/self/uid_map').write_text(f'{user} {user} 1')
    Path('/proc/self/gid_map').write_text(f'{group} {group} 1')
    return True
