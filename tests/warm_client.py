"""A program of ``warm_process.WarmPython``: has the warm process run its command, or runs the real program itself.

Called with the folder of the warm processes' sockets, the warm ``python``, the real program, the name of the console
script that it is or nothing, the warm process or nothing, and the command's arguments. Imports little: it runs once a
command.
"""

import json
import os
import signal
import socket
import sys


def main() -> None:
    home, python, real, script, process, *words = sys.argv[1:]
    if script or words[:1] in (['-c'], ['-m']):
        processes = [process] if process else warm_processes(os.environ.get('EVALSCOPE_PLUGINS'))
        status = run_warm(home, processes, {'script': script, 'python': python, 'words': words})
        if status is not None:
            end(status)
    os.execv(real, [real, *words])


def warm_processes(plugins: 'str | None') -> 'list[str]':
    """Name the warm processes that will do for a value of ``EVALSCOPE_PLUGINS``, the best one first."""
    if plugins is None:
        return ['warm']
    return ['warm-off', 'warm-fresh'] if plugins == 'off' else ['warm-fresh']


def run_warm(home: str, processes: 'list[str]', request: 'dict[str, object]') -> 'int | None':
    """Have a fork run the command; return its exit code, negative for a signal, or None if it must run cold."""
    folder = os.getcwd()  # noqa: PTH109 - pathlib takes longer to import than all of this
    request.update(folder=folder, environment=dict(os.environ))
    body = json.dumps(request).encode()
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(home)
        try:
            there = [name for name in processes if os.path.exists(name)]  # noqa: PTH110 - as above
            if not there:  # nobody has asked for that one
                return None
            server.connect(there[0])
        finally:
            os.chdir(folder)
        socket.send_fds(server, [len(body).to_bytes(8, 'big')], [0, 1, 2])
        server.sendall(body)
        with server.makefile('r') as answers:
            answer = answers.readline().strip()
            if answer == 'cold':
                return None
            fork = int(answer)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda number, frame: os.kill(fork, number))
            return int(answers.readline() or -signal.SIGKILL)


def end(status: int) -> None:
    """End as the fork did."""
    if status < 0:
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


main()
