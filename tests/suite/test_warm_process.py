"""A command in a fork of the warm process is the command: the real one, started for it, is the oracle."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from warm_process import WarmPython

WHERE_IT_IS = """
import json, os, sys
import evalscope
from evalscope_qa import discovery
print(json.dumps([
    __name__, sys.argv, sys.path, sys.stdin.read(), os.getcwd(), os.environ['EVALSCOPE_CACHE'], sys.stdout.encoding,
    sys.stdout.line_buffering, discovery.pth_in_force(), [str(decision) for decision in discovery.decisions()],
]))
"""
COMMANDS: dict[str, list[str]] = {
    'its place': [sys.executable, '-c', WHERE_IT_IS, 'one', '--two'],
    'a module': [sys.executable, '-m', 'module', 'one'],
    'console script': ['evalscope-qa', '--version'],
    'usage error': ['evalscope-qa', 'replay'],
    'exit status': [sys.executable, '-c', 'import sys; print("out"); print("err", file=sys.stderr); sys.exit(7)'],
    'exit with words': [sys.executable, '-c', 'import sys; sys.exit("no way")'],
    'at exit': [sys.executable, '-c', 'import atexit; atexit.register(print, "late"); print("early")'],
    'killed': [sys.executable, '-c', 'import os; print("lost"); os.kill(os.getpid(), 9)'],
    'interrupted': [sys.executable, '-c', 'import os; os.kill(os.getpid(), 15)'],
    'optimised': [sys.executable, '-O', '-c', 'assert False; print(__debug__)'],
}


@pytest.mark.parametrize('command', COMMANDS.values(), ids=COMMANDS.keys())
def test_a_fork_does_what_a_process_of_its_own_does(
    run_process: Callable[..., Any], tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / 'module.py').write_text('import sys; print(__name__, __file__, sys.argv, sys.path[0])')
    warm, cold = (run_process(*command, cold=cold) for cold in (False, True))
    assert (warm.returncode, warm.stdout) == (cold.returncode, cold.stdout)
    assert _without_log(warm.stderr) == _without_log(cold.stderr)


def test_a_fork_that_imports_evalscope_does_what_a_process_of_its_own_does(run_process: Callable[..., Any]) -> None:
    command = (sys.executable, '-c', WHERE_IT_IS)
    fresh = run_process(*command, fresh=True, EVALSCOPE_PLUGINS='searchqa,mmlu')
    cold = run_process(*command, cold=True, EVALSCOPE_PLUGINS='searchqa,mmlu')
    assert (fresh.returncode, fresh.stdout) == (cold.returncode, cold.stdout)
    assert "benchmark='mmlu'" in fresh.stdout
    assert _without_time(fresh.stderr) == _without_time(cold.stderr)


def _without_time(log: str) -> list[str]:
    return [line.partition(' - ')[2] for line in log.splitlines()]


def _without_log(text: str) -> str:
    """What evalscope logs bears the time; what it logs when imported, the warm process has said."""
    return re.sub(r'^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d - evalscope - .*\n', '', text, flags=re.MULTILINE)


def test_an_error_ends_it_with_its_traceback(run_process: Callable[..., Any]) -> None:
    done = run_process(sys.executable, '-c', 'def f():\n    1 / 0\nf()')
    assert done.returncode == 1
    assert done.stderr.splitlines()[-3:] == [
        '  File "<string>", line 3, in <module>',
        '  File "<string>", line 2, in f',
        'ZeroDivisionError: division by zero',
    ]


IS_A_FORK = 'import sys; print("evalscope" in sys.modules)'


@pytest.mark.parametrize(
    ('environment', 'fork'),
    [
        ({}, True),
        ({'EVALSCOPE_CACHE': '/elsewhere'}, True),
        ({'PYTHONPATH': ''}, True),
        ({'PYTHONPATH': '/elsewhere'}, False),
        ({'EVALSCOPE_PLUGINS': 'off'}, True),
        ({'EVALSCOPE_PLUGINS': 'searchqa'}, False),
        ({'PYTHONHASHSEED': '0'}, False),
    ],
    ids=str,
)
def test_what_is_settled_when_python_starts_is_not_left_to_a_fork(
    run_process: Callable[..., Any], warm_python_without_plugins: WarmPython, environment: dict[str, str], fork: bool
) -> None:
    assert run_process(sys.executable, '-c', IS_A_FORK, **environment).stdout == f'{fork}\n'


def test_a_fresh_fork_has_the_libraries_and_not_evalscope(run_process: Callable[..., Any]) -> None:
    code = 'import sys; print("evalscope" in sys.modules, "datasets" in sys.modules, "scipy.stats" in sys.modules)'
    assert run_process(sys.executable, '-c', code, fresh=True).stdout == 'False True True\n'


def test_without_plugins_there_are_none_in_a_fork(
    run_process: Callable[..., Any], warm_python_without_plugins: WarmPython
) -> None:
    code = (
        'from evalscope.api.registry import BENCHMARK_REGISTRY\n'
        'print(BENCHMARK_REGISTRY["pubmedqa"].data_adapter.__module__, "searchqa" in BENCHMARK_REGISTRY)'
    )
    for switch, shown in (
        ('off', 'evalscope.benchmarks.pumed_qa.pubmed_qa_adapter False'),
        ('', 'evalscope_qa.pubmedqa.pubmedqa_adapter True'),
    ):
        environment = {'EVALSCOPE_PLUGINS': switch} if switch else {}
        assert run_process(sys.executable, '-c', code, **environment).stdout == f'{shown}\n'


WAITS = 'import threading; print("waits", flush=True); threading.Event().wait()'


@pytest.mark.parametrize('number', [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_program_ends_the_fork(warm_python: WarmPython, number: signal.Signals) -> None:
    with subprocess.Popen(
        [warm_python.python, '-c', WAITS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == 'waits\n'
        program.send_signal(number)
        assert program.stdout.read() == ''  # ends when no process is left that could write
        assert program.wait() in (-number, 1 if number == signal.SIGINT else -number)


@pytest.mark.loopback
@pytest.mark.parametrize('sent', [b'', (90).to_bytes(8, 'big'), (90).to_bytes(8, 'big') + b'{"environment": {'])
def test_a_client_that_is_killed_before_it_has_asked_costs_no_other_its_fork(
    sent: bytes, warm_python: WarmPython, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(warm_python.folder)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as client:
        client.connect('warm')
        client.sendall(sent)
    done = subprocess.run([warm_python.python, '-c', 'print(1)'], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, '1\n'), done.stderr


def test_programs_run_beside_each_other(warm_python: WarmPython) -> None:
    with subprocess.Popen([warm_python.python, '-c', WAITS], stdout=subprocess.PIPE) as waiting:
        done = subprocess.run([warm_python.python, '-c', 'print(1)'], capture_output=True, text=True, check=True)
        assert done.stdout == '1\n'
        assert waiting.poll() is None
        waiting.kill()
