"""Blocks sockets and name resolution in the whole suite and gives tests the package's data and processes."""

import os
import signal
import socket
import subprocess
import sys
import sysconfig
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
import pytest_socket
from hypothesis import settings
from network_block import LOOPBACK, NetworkBlockedError
from warm_process import SCRIPTS, WarmPython

ROOT = Path(__file__).parent.parent
Run = Callable[..., 'subprocess.CompletedProcess[str]']
PYTHON = sys.executable  # the real one: tests of worker processes put a warm one in its place
# A deadline would make slow machines fail: how fast things are is the business of tests/benchmarks.
settings.register_profile('untimed', deadline=None)
settings.load_profile('untimed')

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell starts what runs in the background so, and the programs under test would inherit it: no Ctrl-C would end
    # them.
    signal.signal(signal.SIGINT, signal.default_int_handler)

_RESOLVERS = ('getaddrinfo', 'gethostbyname', 'gethostbyname_ex', 'gethostbyaddr', 'getnameinfo')


@contextmanager
def _blocked_network(loopback: bool) -> Iterator[None]:
    """Refuse name resolution, which pytest-socket does not; open 127.0.0.1 if asked."""
    if loopback:
        pytest_socket.enable_socket()
        pytest_socket.socket_allow_hosts([LOOPBACK], allow_unix_socket=True)

    def guard(resolver: Callable[..., Any]) -> Callable[..., Any]:
        def resolve(host: Any, *args: Any, **kwargs: Any) -> Any:
            name = host[0] if isinstance(host, tuple) else host
            if loopback and name in (LOOPBACK, LOOPBACK.encode()):
                return resolver(host, *args, **kwargs)
            raise NetworkBlockedError(f'name resolution of {name!r} is blocked in tests')

        return resolve

    with pytest.MonkeyPatch.context() as patched:
        for name in _RESOLVERS:
            patched.setattr(socket, name, guard(getattr(socket, name)))
        yield
    if loopback:
        pytest_socket.disable_socket()


@pytest.fixture(autouse=True)
def block_network(request: pytest.FixtureRequest) -> Iterator[None]:
    """Block the network in every test but for 127.0.0.1 in those marked ``loopback``."""
    with _blocked_network(loopback=request.node.get_closest_marker('loopback') is not None):
        yield


@pytest.fixture(scope='session')
def open_loopback() -> Callable[[], AbstractContextManager[None]]:
    """Return what opens 127.0.0.1, and nothing else, inside a ``with`` block of a fixture that outlives its test."""
    return partial(_blocked_network, loopback=True)


@pytest.fixture(scope='session')
def data_dir() -> Path:
    """The folder of real data; tests that need it are skipped, saying so, where there is none."""
    folder = os.environ.get('EVALSCOPE_QA_DATA')
    if not folder:
        pytest.skip('EVALSCOPE_QA_DATA is not set: no real data to test on')
    return Path(folder)


@pytest.fixture(scope='session')
def warm_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmPython]:
    """Programs that run in forks of one process, which has imported evalscope."""
    warm = WarmPython(tmp_path_factory.mktemp('warm'), process_environment(tmp_path_factory.mktemp('caches')))
    yield warm
    warm.stop()


@pytest.fixture(scope='session')
def warm_python_without_plugins(warm_python: WarmPython) -> WarmPython:
    """The same programs, which run in forks where plugins are off too."""
    warm_python.start_without_plugins()
    return warm_python


@pytest.fixture(scope='session')
def fresh_python(warm_python: WarmPython) -> WarmPython:
    """The same programs, which run in forks where evalscope is not yet imported too."""
    warm_python.start_fresh()
    return warm_python


@pytest.fixture
def warm_children(warm_python_without_plugins: WarmPython, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the processes that the code under test starts by ``sys.executable`` forks of the warm ones."""
    monkeypatch.setattr(sys, 'executable', str(warm_python_without_plugins.python))


@pytest.fixture(scope='session')
def run_in(request: pytest.FixtureRequest) -> Callable[[Path], Run]:
    """Return a function that gives, for a folder, one that runs a command in it with the network blocked.

    ``evalscope``, ``evalscope-qa`` and this Python run in forks of the warm process. Where ``fresh`` is asked for, this
    Python imports evalscope anew there, with any ``EVALSCOPE_PLUGINS``; where ``cold`` is, it starts: that is for tests
    of the start of Python, and of what is imported when.
    """

    def run_in(folder: Path) -> Run:
        def run(
            *command: object, loopback: bool = False, cold: bool = False, fresh: bool = False, **environment: str
        ) -> 'subprocess.CompletedProcess[str]':
            words = [str(word) for word in command]
            if not cold and environment.get('EVALSCOPE_PLUGINS', 'off') != 'off':
                request.getfixturevalue('fresh_python')
            if words[0] in (sys.executable, PYTHON) and fresh:
                words[0] = str(request.getfixturevalue('fresh_python').fresh)
            elif words[0] in (sys.executable, PYTHON):
                words[0] = PYTHON if cold else str(request.getfixturevalue('warm_python').python)
            elif words[0] in SCRIPTS and not cold:
                words[0] = str(request.getfixturevalue('warm_python').folder / words[0])
            variables = process_environment(folder, loopback, **environment)
            return subprocess.run(
                words, capture_output=True, text=True, cwd=folder, env=variables, timeout=300, check=False
            )

        return run

    return run_in


@pytest.fixture
def run_process(run_in: Callable[[Path], Run], tmp_path: Path) -> Run:
    """Return a function that runs a command in ``tmp_path`` as ``run_in`` does."""
    return run_in(tmp_path)


def process_environment(cache: Path, loopback: bool = False, **extra: str) -> dict[str, str]:
    """The environment of a test's child process: no network, no inherited plugin switch, caches in ``cache``."""
    environment = {key: value for key, value in os.environ.items() if key != 'EVALSCOPE_PLUGINS'}
    environment.update(
        PATH=os.pathsep.join([sysconfig.get_path('scripts'), os.environ.get('PATH', '')]),
        PYTHONPATH=os.pathsep.join([str(ROOT / 'tests' / 'network_guard'), str(ROOT / 'tests')]),
        EVALSCOPE_QA_TEST_LOOPBACK='1' if loopback else '0',
        EVALSCOPE_CACHE=str(cache / 'evalscope-cache'),
        MODELSCOPE_CACHE=str(cache / 'modelscope-cache'),
        HF_HOME=str(cache / 'hf-home'),
        HF_HUB_OFFLINE='1',
        PYTHONIOENCODING='utf-8',
    )
    environment.update(extra)
    return environment
