"""Runs audits in worker processes: a time limit each, and a worker that hangs or dies is replaced."""

import json
import os
import select
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ..results import AUDITED, FAILED, NOT_AUDITED, BenchmarkResult, Example, Finding, RuleOutcome

START_LIMIT = 180.0
"""Seconds a worker may take to import evalscope."""
_EXIT_LIMIT = 5.0
"""Seconds an idle worker may take to end by itself."""


class AuditError(ValueError):
    """The audit cannot be made as asked; the message says what to change."""


@dataclass(frozen=True)
class Options:
    """What every worker must know."""

    rules: Sequence[str]
    dataset_args: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    records: Mapping[str, Path] = field(default_factory=dict)
    modules: Sequence[str] = ()
    """Modules to import first because they register benchmarks."""
    time_limit: float = 60.0
    """Seconds a benchmark may take."""
    verbose: bool = False


class _Worker:
    """One worker process, and what it is doing."""

    def __init__(self, options: Options, look_up: Sequence[str] | None = ()) -> None:
        self._options = options
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in stop()
        self._process = subprocess.Popen(
            [sys.executable, '-m', f'{__package__}.worker'],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if options.verbose else self._log,
            # Of its own session, so that Ctrl-C reaches only the parent, and its children can be ended with it.
            start_new_session=True,
            env={**os.environ, 'TQDM_DISABLE': '1', 'PYTHONIOENCODING': 'utf-8'},
        )
        self._buffer = b''
        self.benchmark: str | None = None
        self.step = ('start', '')
        self.partial: dict | None = None
        self.idle = False
        self.started = False
        self.deadline = time.monotonic() + START_LIMIT
        self._send(
            {
                # The worker runs elsewhere: modules of the current folder are found all the same, after all others.
                'path': [*(folder for folder in sys.path if folder), str(Path.cwd())],
                'modules': [
                    str(Path(module).resolve()) if module.endswith('.py') else module for module in options.modules
                ],
                'look_up': None if look_up is None else list(look_up),
                'dataset_args': {name: list(settings) for name, settings in options.dataset_args.items()},
                'verbose': options.verbose,
            }
        )

    @property
    def output(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def assign(self, benchmark: str) -> None:
        """Have the worker audit a benchmark."""
        self.benchmark, self.step, self.partial, self.idle = benchmark, ('set-up', ''), None, False
        if self.started:  # else the time limit begins when it has imported evalscope
            self.deadline = time.monotonic() + self._options.time_limit
        records = self._options.records.get(benchmark)
        self._send(
            {
                'benchmark': benchmark,
                'dataset_args': dict(self._options.dataset_args.get(benchmark, {})),
                'records': str(records.resolve()) if records else '',
                'rules': list(self._options.rules),
            }
        )

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it died; reading its output says so
            self._process.stdin.write(json.dumps(message).encode() + b'\n')
            self._process.stdin.flush()

    def messages(self) -> list[dict[str, Any]] | None:
        """Return the messages that are there, None at the end of the output; called when there is something to read."""
        chunk = os.read(self.output.fileno(), 1 << 20)
        if not chunk:
            return None
        *lines, self._buffer = (self._buffer + chunk).split(b'\n')
        return [json.loads(line) for line in lines if line.strip()]

    def end_input(self) -> None:
        """Tell the process that there is no more to do."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()

    def wait(self, seconds: float) -> None:
        """Wait for the process to end by itself, so that what it does at its exit is done; not for longer."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=max(0.0, seconds))

    def stop(self) -> None:
        """End the process, its children too, at once."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()

    def last_words(self) -> str:
        """Return how the process ended, and the last line of its log."""
        code = self._process.wait()
        self._log.seek(0)
        lines = [line for line in self._log.read().decode('utf-8', 'replace').split('\n') if line.strip()]
        ended = f'signal {signal.Signals(-code).name}' if code < 0 else f'exit status {code}'
        return f'{ended}: {lines[-1].strip()[:200]}' if lines else ended


class Pool:
    """Audits benchmarks in parallel; use as a context manager, which ends every worker."""

    def __init__(self, options: Options, workers: int) -> None:
        self._options = options
        self._count = max(1, workers)
        self._workers: list[_Worker] = []
        self.evalscope_version = ''
        self.near: dict[str, str] = {}
        """For a name that is not registered, the registered one most like it, where there is one."""

    def __enter__(self) -> 'Pool':
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End every worker: the idle ones by themselves, the others at once."""
        idle = [worker for worker in self._workers if worker.idle]
        for worker in idle:
            worker.end_input()
        limit = time.monotonic() + _EXIT_LIMIT
        for worker in idle:
            worker.wait(limit - time.monotonic())
        for worker in self._workers:
            worker.stop()
        self._workers.clear()

    def registered(self, names: Sequence[str] | None = None) -> list[str]:
        """Return which of some names are registered benchmarks; all that are, for None.

        Listing them all takes some seconds: evalscope has to import every one.

        Raises:
            AuditError: If evalscope, or a module to import first, cannot be imported, or not within
                :data:`START_LIMIT`; for settings of benchmarks or names of settings that do not exist.
        """
        worker = self._start(names)
        while True:
            if not select.select([worker.output], [], [], max(0.0, worker.deadline - time.monotonic()))[0]:
                modules = ''.join(f' {module}' for module in self._options.modules)
                raise AuditError(
                    f'nothing can be audited: a worker process did not start in {START_LIMIT:g} s; it was importing '
                    f'evalscope{" and" + modules if modules else ""}'
                )
            messages = worker.messages()
            if messages is None:
                raise AuditError(f'the worker process ended at start ({worker.last_words()})')
            for message in messages:
                if message['event'] == 'failed':
                    worker.idle = True  # it ends by itself
                    raise AuditError(f'nothing can be audited: {message["error"]}')
                if message['event'] == 'refused':
                    worker.idle = True
                    raise AuditError(message['error'])
                if message['event'] == 'ready':
                    self.evalscope_version, self.near = message['evalscope'], message['near']
                    worker.deadline, worker.idle, worker.started = float('inf'), True, True
                    return message['benchmarks']

    def run(self, benchmarks: Sequence[str]) -> Iterator[BenchmarkResult]:
        """Audit benchmarks and yield each result as it is there, not in order.

        Raises:
            AuditError: If the records of a benchmark cannot be used.
        """
        waiting = deque(benchmarks)
        selector = selectors.DefaultSelector()
        idle = list(self._workers)
        busy: set[_Worker] = set()
        try:
            while waiting or busy:
                while waiting and len(busy) < self._count:
                    worker = idle.pop() if idle else self._start()
                    selector.register(worker.output, selectors.EVENT_READ, worker)
                    busy.add(worker)
                    worker.assign(waiting.popleft())
                timeout = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
                for key, _ in selector.select(min(timeout, 1.0)):
                    worker = key.data
                    result, alive = self._read(worker)
                    if result is None and alive:
                        continue
                    selector.unregister(worker.output)
                    busy.discard(worker)
                    if alive:
                        worker.idle = True
                        idle.append(worker)
                    else:
                        self._retire(worker)
                    if result is not None:
                        yield result
                for worker in [worker for worker in busy if worker.deadline <= time.monotonic()]:
                    selector.unregister(worker.output)
                    busy.discard(worker)
                    limit = self._options.time_limit if worker.started else START_LIMIT
                    yield _stuck(worker, f'not finished after {limit:g} s', limit)
                    self._retire(worker)
        finally:
            selector.close()

    def _start(self, look_up: Sequence[str] | None = ()) -> _Worker:
        worker = _Worker(self._options, look_up)
        self._workers.append(worker)
        return worker

    def _retire(self, worker: _Worker) -> None:
        worker.stop()
        self._workers.remove(worker)

    def _read(self, worker: _Worker) -> tuple[BenchmarkResult | None, bool]:
        """Take in what a worker says; return a result if it is done, and whether to keep the worker."""
        messages = worker.messages()
        if messages is None:
            return _stuck(worker, f'the process died ({worker.last_words()})', 0.0), False
        for message in messages:
            event = message['event']
            if event == 'ready':
                self.evalscope_version = message['evalscope']
                worker.deadline, worker.started = time.monotonic() + self._options.time_limit, True
            elif event == 'step':
                worker.step = (message['rule'], message['reply'])
            elif event == 'partial':
                worker.partial = message['result']
            elif event == 'failed':
                return _stuck(worker, f'its process could not start: {message["error"]}', 0.0), False
            elif event == 'error':
                worker.idle = True
                raise AuditError(message['error'])
            elif event == 'done':
                result = BenchmarkResult.from_dict(message['result'])
                return result, not result.tainted
        return None, True


def _stuck(worker: _Worker, problem: str, seconds: float) -> BenchmarkResult:
    """Make a result of what a worker found before it hung or died; hanging on a reply is a finding too."""
    assert worker.benchmark is not None
    rule, reply = worker.step
    if worker.partial is not None:
        result = BenchmarkResult.from_dict(worker.partial)
    else:
        result = BenchmarkResult(worker.benchmark, NOT_AUDITED)
    result.seconds = seconds
    place = f'{problem} in {rule}' + (f' with {reply}' if reply else '')
    if result.status == AUDITED:
        result.notes.append(f'the rules from {rule} on were not tried: {place}')
    else:
        result.reason = result.reason or place
    if rule in ('no-crash', 'speed') and reply and rule in worker._options.rules:
        finding = Finding(worker.benchmark, rule, f'(not known: {problem})', '', count=1, detail=problem)
        finding.examples = [Example(reply, '', 'seconds', None, 'a score')]
        result.findings.append(finding)
        result.rules[rule] = RuleOutcome(FAILED)
    return result
