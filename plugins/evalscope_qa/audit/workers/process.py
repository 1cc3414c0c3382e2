"""One worker process: starts it, tells it what to do, reads what it says, ends it."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ..scorers.options import ScorerOptions
from ..scoring.at_work import Scoring, read_at_work
from .deadline import Deadline, processor_seconds_of

START_LIMIT = 60.0
"""Seconds of processor time, or of waiting, that the import of evalscope, or of all its benchmarks, may take."""
_DYING_LIMIT = 5.0
"""Seconds for a process to end that has closed its output."""


@dataclass(frozen=True)
class Options:
    """What every worker must know."""

    rules: Sequence[str]
    dataset_args: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    records: Mapping[str, Path] = field(default_factory=dict)
    modules: Sequence[str] = ()
    """Modules to import first because they register benchmarks."""
    time_limit: float = 60.0
    """Seconds of processor time, or of waiting, that a benchmark may take, and the import of each module too."""
    verbose: bool = False
    scorers: ScorerOptions | None = None
    """Callables to register as benchmarks."""


class Worker:
    """One worker process, and what it is doing."""

    def __init__(self, options: Options, look_up: Sequence[str] | None = ()) -> None:
        self.options = options
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in stop()
        at_work, self._at_work_path = tempfile.mkstemp(prefix='evalscope-qa-')
        self._at_work = os.fdopen(at_work, 'rb')
        self._process = subprocess.Popen(
            [sys.executable, '-m', f'{__package__}.worker'],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if options.verbose else self._log,
            # Of its own session, so that Ctrl-C reaches only the parent, and its children can be ended with it.
            start_new_session=True,
            env={**os.environ, 'TQDM_DISABLE': '1', 'PYTHONIOENCODING': 'utf-8'},
        )
        self._pid = self._process.pid
        self._buffer = b''
        self.benchmark: str | None = None
        self.step = ('start', '')
        self.partial: dict | None = None
        self.idle = False
        self.started = False
        self.deadline = Deadline(self.processor_seconds)
        self.deadline.begin(START_LIMIT)
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
                'at_work': self._at_work_path,
                'scorers': None if options.scorers is None else options.scorers.to_dict(),
            }
        )

    @property
    def output(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def assign(self, benchmark: str) -> None:
        """Have the worker audit a benchmark."""
        self.benchmark, self.partial, self.idle = benchmark, None, False
        if self.started:  # else its time begins when the process is ready
            self._begin_benchmark()
        records = self.options.records.get(benchmark)
        self._send(
            {
                'benchmark': benchmark,
                'dataset_args': dict(self.options.dataset_args.get(benchmark, {})),
                'records': str(records.resolve()) if records else '',
                'rules': list(self.options.rules),
            }
        )

    def _begin_benchmark(self) -> None:
        self.step = ('set-up', '')
        self.deadline.begin(self.options.time_limit)

    def note(self, message: Mapping[str, Any]) -> None:
        """Take in what the worker says of its own doings: each thing that it is asked has its limit from here on."""
        event = message['event']
        if event == 'starting':
            self._pid = message['pid']
            self.step = (f'the {message["what"]}', '')
            self.deadline.begin(self.options.time_limit if message['asked'] else START_LIMIT)
        elif event == 'ready':
            self.started = True
            if self.benchmark is None:
                self.rest()
            else:
                self._begin_benchmark()
        elif event == 'step':
            self.step = (message['rule'], message['reply'])
        elif event == 'partial':
            self.partial = message['result']

    def rest(self) -> None:
        """The worker has nothing to do."""
        self.idle = True
        self.deadline.lift()

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
        self._kill()
        for stream in (self._process.stdin, self._process.stdout, self._log, self._at_work):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        Path(self._at_work_path).unlink(missing_ok=True)  # where the process ended before it opened it

    def scoring(self) -> Scoring | None:
        """Return the reply that the worker is scoring, or was scoring when it died; None for anything else."""
        return read_at_work(self._at_work.fileno())

    def processor_seconds(self) -> float:
        """Return the processor time that the worker has used so far."""
        return processor_seconds_of(self._pid)

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def last_words(self) -> str:
        """Return how the process ended, and the last line of its log."""
        self.wait(_DYING_LIMIT)
        self._kill()
        code = self._process.returncode
        self._log.seek(0)
        lines = [line for line in self._log.read().decode('utf-8', 'replace').split('\n') if line.strip()]
        ended = f'signal {signal.Signals(-code).name}' if code < 0 else f'exit status {code}'
        return f'{ended}: {lines[-1].strip()[:200]}' if lines else ended
