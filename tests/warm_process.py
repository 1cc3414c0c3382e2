"""Runs Python commands without the seconds that `import evalscope` takes: one process imports it, then forks.

A :class:`WarmPython` has a folder of programs: ``python``, and one for each console script of evalscope and of this
package. They are small clients (``warm_client.py``): each hands its arguments, folder, environment and standard streams
to the one warm process, which forks; the fork runs the command as Python would, and the client ends as the fork does.
So a warm program stands wherever a real one does: in ``subprocess``, on ``PATH``, as ``sys.executable``.

What a Python start depends on is not warm: with flags of the interpreter, or a ``PYTHONPATH`` that leads elsewhere, the
real program runs instead. What `import evalscope` depends on, ``EVALSCOPE_PLUGINS``, is left to a second warm process,
once it is asked for: it has imported the libraries that evalscope needs, nine tenths of the time, but not evalscope,
which each fork of it imports anew. For ``EVALSCOPE_PLUGINS=off`` there may be a third one, which has imported evalscope
so. evalscope's caches are those of the warm process.
"""

import contextlib
import gc
import importlib
import importlib.metadata
import json
import os
import runpy
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import sysconfig
import types
from pathlib import Path
from typing import Any, Mapping

import network_block

TESTS = Path(__file__).parent
GUARD = TESTS / 'network_guard'
SCRIPTS = ('evalscope', 'evalscope-qa')
IMPORTED = ('evalscope', 'evalscope.cli.cli', 'evalscope.run', 'evalscope_qa.cli')
"""What a warm process imports: evalscope first, so that the .pth file loads the plugins as at any start."""
LIBRARIES = (
    'datasets',
    'openai.resources.chat',
    'openai.types.responses',
    'plotly.express',
    'jinja2',
    'markdown',
    'pygments',
    'nltk',
    'rouge_score.rouge_scorer',
    'scipy.stats',
    'sklearn.metrics',
    'latex2sympy2_extended',
)
"""Imported too, because evalscope, an evaluation or a list of all benchmarks takes longer to import them than for all
the rest."""
WITHOUT_PLUGINS = 'warm-off'
FRESH = 'warm-fresh'
"""The warm process that has not imported evalscope."""
ADAPTABLE = ('PYTHONPATH', 'PYTHONIOENCODING')
"""Variables of Python itself in which a fork may differ from the warm process; all of them are UTF-8."""

Request = dict[str, Any]


class WarmPython:
    """A warm process, or two, and the programs that run in forks of it.

    Attributes:
        folder: The folder of programs, to be put on ``PATH``.
        python: The warm counterpart of ``sys.executable``.
        fresh: The same, where every command imports evalscope itself; warm once that process was asked for.
    """

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.python, self.fresh = folder / 'python', folder / 'fresh-python'
        for program, real, script, process in [
            (self.python, sys.executable, '', ''),
            (self.fresh, sys.executable, '', FRESH),
            *((folder / script, Path(sysconfig.get_path('scripts'), script), script, '') for script in SCRIPTS),
        ]:
            python = self.fresh if process == FRESH else self.python
            client = [sys.executable, '-IS', TESTS / 'warm_client.py', folder, python, real, script, process]
            program.write_text(f'#!/bin/sh\nexec {shlex.join(map(str, client))} "$@"\n', encoding='utf-8')
            program.chmod(0o755)
        self._environment = {**environment, 'PYTHONPATH': ''}
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start('warm', self._environment)

    def start_without_plugins(self) -> None:
        """Start another warm process, which forks for what is run with ``EVALSCOPE_PLUGINS=off``."""
        self._start(WITHOUT_PLUGINS, {**self._environment, 'EVALSCOPE_PLUGINS': 'off'})

    def start_fresh(self) -> None:
        """Start another warm process, which forks for what is run with any ``EVALSCOPE_PLUGINS``."""
        self._start(FRESH, self._environment)

    def _start(self, name: str, environment: dict[str, str]) -> None:
        log = self.folder / f'{name}.log'
        with log.open('wb') as stream:
            process = subprocess.Popen(
                [sys.executable, __file__, name],
                cwd=self.folder,  # the path of a socket is short: it is named by its last part alone
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                env=environment,
            )
        self._processes.append(process)
        assert process.stdout is not None
        with process.stdout as said:
            if said.readline() != b'ready\n':
                self.stop()
                raise RuntimeError(f'a warm process did not start: {log.read_text()[-2000:]}')

    def stop(self) -> None:
        """End the warm processes and every fork that is left."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=60)


class Server:
    """The warm process: forks for its clients until its standard input ends."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._selector = selectors.DefaultSelector()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(name)
        self._listener.listen(16)
        self._forks: dict[int, tuple[socket.socket, int]] = {}
        """Client, and the pipe that ends when the fork does, by the fork's process id."""
        self._selector.register(0, selectors.EVENT_READ, self._end)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)

    def serve(self) -> 'Request | None':
        """Serve; return None at the end, and in a fork the request that it is to carry out."""
        while self._selector.get_map():
            for key, _ in self._selector.select():
                request = key.data()
                if request is not None:
                    return request
        return None

    def _accept(self) -> 'Request | None':
        client, _ = self._listener.accept()
        request, streams = _receive(client)
        if request is None:
            client.close()
        elif not _is_warm(request['environment'], self._name):
            _tell(client, 'cold')
            client.close()
        else:
            ended, alive = os.pipe()
            fork = os.fork()
            if fork == 0:
                self._become_a_command(client, streams)
                return request
            os.close(alive)
            os.setpgid(fork, fork)
            self._forks[fork] = client, ended
            self._selector.register(client, selectors.EVENT_READ, lambda: self._client_ended(fork))
            self._selector.register(ended, selectors.EVENT_READ, lambda: self._fork_ended(fork))
            _tell(client, fork)
        for stream in streams:
            os.close(stream)
        return None

    def _become_a_command(self, client: socket.socket, streams: list[int]) -> None:
        """Let go, in a fork, of what is the warm process's; take the client's standard streams."""
        os.setpgid(0, 0)
        self._selector.close()
        self._listener.close()
        for other, ended in [(client, -1), *self._forks.values()]:
            other.close()
            if ended >= 0:
                os.close(ended)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)

    def _client_ended(self, fork: int) -> None:
        """Kill a fork, its children too, with its client."""
        if fork in self._forks:
            self._selector.unregister(self._forks[fork][0])
            os.killpg(fork, signal.SIGKILL)

    def _fork_ended(self, fork: int) -> None:
        client, ended = self._forks.pop(fork)
        self._selector.unregister(ended)
        os.close(ended)
        status = os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1])
        if client in self._selector.get_map():
            self._selector.unregister(client)
            _tell(client, status)
        client.close()

    def _end(self) -> None:
        for fork in list(self._forks):
            os.killpg(fork, signal.SIGKILL)
            self._fork_ended(fork)
        self._selector.close()


def _tell(client: socket.socket, word: object) -> None:
    # It was killed: reading from it ends, and so does its fork.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        client.sendall(f'{word}\n'.encode())


def _receive(client: socket.socket) -> tuple[Request | None, list[int]]:
    """Return what a client asks, None where it was killed before it had asked, and its standard streams."""
    streams: list[int] = []
    try:
        head, streams, _, _ = socket.recv_fds(client, 8, 3)
        with client.makefile('rb') as rest:
            size = int.from_bytes(head, 'big')
            body = rest.read(size)
    except ConnectionResetError:
        return None, streams
    return (json.loads(body) if size and len(body) == size else None), streams


def _python_path(environment: Mapping[str, str]) -> list[str]:
    return [entry for entry in environment.get('PYTHONPATH', '').split(os.pathsep) if entry]


def _is_warm(environment: Mapping[str, str], process: str) -> bool:
    """Whether a process with this environment would have started, and imported evalscope, as this warm one did."""
    same = _settled(environment, process) == _settled(os.environ, process)
    return same and set(_python_path(environment)) <= {str(TESTS), str(GUARD)}


def _settled(environment: Mapping[str, str], process: str) -> dict[str, str]:
    """The variables that are read once, before a fork begins."""
    return {
        name: value
        for name, value in environment.items()
        if (name == 'EVALSCOPE_PLUGINS' and process != FRESH) or (name.startswith('PYTHON') and name not in ADAPTABLE)
    }


def carry_out(request: Request) -> None:
    """Run the command of a request in this process, a fork of the warm one, as a Python started for it would."""
    environment, words = request['environment'], request['words']
    sys.path.remove(str(TESTS))
    os.chdir(request['folder'])
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = _python_path(environment)
    sys.executable = request['python']
    importlib.invalidate_caches()
    if str(GUARD) in sys.path:
        network_block.install(allow_loopback=environment.get('EVALSCOPE_QA_TEST_LOOPBACK') == '1')
    if request['script']:
        (script,) = importlib.metadata.entry_points(group='console_scripts', name=request['script'])
        sys.argv = [request['script'], *words]
        sys.exit(script.load()())
    option, what, *arguments = words
    if option == '-m':
        sys.path.insert(0, str(Path.cwd()))
        sys.argv = [what, *arguments]
        runpy.run_module(what, run_name='__main__', alter_sys=True)
    else:
        sys.path.insert(0, '')
        sys.argv = ['-c', *arguments]
        main = sys.modules['__main__'] = types.ModuleType('__main__')
        exec(compile(what, '<string>', 'exec'), main.__dict__)


def main() -> None:
    """Import evalscope, or its libraries alone, say so, and serve."""
    process = sys.argv[1]
    open_network = network_block.install(allow_loopback=False)
    for name in (*(() if process == FRESH else IMPORTED), *LIBRARIES):
        importlib.import_module(name)
    charts = importlib.import_module('plotly.express')  # imports the rest of itself when it draws
    charts.bar(x=['a'], y=[1.0], color=['a'], text=[1.0])
    charts.sunburst(names=['a'], parents=[''])
    open_network()  # a fork decides for itself, and installs its own
    gc.freeze()  # what is there stays: a fork need not look through it
    server = Server(process)
    os.write(1, b'ready\n')
    request = server.serve()
    if request is not None:
        carry_out(request)


if __name__ == '__main__':
    main()
