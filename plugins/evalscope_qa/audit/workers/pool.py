"""Runs audits in worker processes: one limit for whatever one is asked, and one that hangs or dies is replaced."""

import selectors
import time
from collections import deque
from collections.abc import Iterator, Sequence

from ..results import AUDITED, FAILED, NOT_AUDITED, BenchmarkResult, Example, Finding, RuleOutcome
from ..scoring.at_work import Scoring
from ..scoring.scorer import HARD_LIMIT
from .deadline import WAITED
from .process import Options, Worker

_EXIT_LIMIT = 5.0
"""Seconds an idle worker may take to end by itself."""

__all__ = ['AuditError', 'Options', 'Pool']


class AuditError(ValueError):
    """The audit cannot be made as asked; the message says what to change."""


class Pool:
    """Audits benchmarks in parallel; use as a context manager, which ends every worker."""

    def __init__(self, options: Options, workers: int) -> None:
        self._options = options
        self._count = max(1, workers)
        self._workers: list[Worker] = []
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

        Listing them all takes some seconds: evalscope has to import every one. The other workers start meanwhile.

        Raises:
            AuditError: If evalscope, or a module to import first, cannot be imported, or not within its limit; for
                settings of benchmarks or names of settings that do not exist.
        """
        worker = self._start(names)
        for _ in range(1, self._count if names is None else min(self._count, len(names))):
            self._start()
        with selectors.DefaultSelector() as selector:
            selector.register(worker.output, selectors.EVENT_READ, worker)
            while True:
                ready = selector.select(worker.deadline.seconds_to_next_look)
                problem = worker.deadline.passed()
                if problem:
                    raise AuditError(f'nothing can be audited: {problem} in {worker.step[0]}')
                messages = worker.messages() if ready else []
                if messages is None:
                    raise AuditError(f'the worker process ended at start, in {worker.step[0]} ({worker.last_words()})')
                for message in messages:
                    worker.note(message)
                    if message['event'] == 'failed':
                        worker.rest()  # it ends by itself
                        raise AuditError(f'nothing can be audited: {message["error"]}')
                    if message['event'] == 'refused':
                        worker.rest()
                        raise AuditError(message['error'])
                    if message['event'] == 'ready':
                        self.evalscope_version, self.near = message['evalscope'], message['near']
                        return message['benchmarks']

    def run(self, benchmarks: Sequence[str]) -> Iterator[BenchmarkResult]:
        """Audit benchmarks and yield each result as it is there, not in order.

        Raises:
            AuditError: If the records of a benchmark cannot be used.
        """
        waiting = deque(benchmarks)
        idle = self._workers[::-1]  # the first one is ready
        busy: set[Worker] = set()
        with selectors.DefaultSelector() as selector:
            while waiting or busy:
                while waiting and len(busy) < self._count:
                    worker = idle.pop() if idle else self._start()
                    selector.register(worker.output, selectors.EVENT_READ, worker)
                    busy.add(worker)
                    worker.assign(waiting.popleft())
                for key, _ in selector.select(min(worker.deadline.seconds_to_next_look for worker in busy)):
                    worker = key.data
                    result, alive = self._read(worker)
                    if result is None and alive:
                        continue
                    selector.unregister(worker.output)
                    busy.discard(worker)
                    if alive:
                        worker.rest()
                        idle.append(worker)
                    else:
                        self._retire(worker)
                    if result is not None:
                        yield result
                for worker in list(busy):
                    problem = worker.deadline.passed()
                    if problem:
                        selector.unregister(worker.output)
                        busy.discard(worker)
                        yield _stuck(worker, problem)
                        self._retire(worker)

    def _start(self, look_up: Sequence[str] | None = ()) -> Worker:
        worker = Worker(self._options, look_up)
        self._workers.append(worker)
        return worker

    def _retire(self, worker: Worker) -> None:
        worker.stop()
        self._workers.remove(worker)

    def _read(self, worker: Worker) -> tuple[BenchmarkResult | None, bool]:
        """Take in what a worker says; return a result if it is done, and whether to keep the worker."""
        messages = worker.messages()
        if messages is None:
            return _stuck(worker, f'the process died ({worker.last_words()})', died=True), False
        for message in messages:
            worker.note(message)
            event = message['event']
            if event == 'ready':
                self.evalscope_version = message['evalscope']
            elif event == 'failed':
                return _stuck(worker, f'its process could not start: {message["error"]}'), False
            elif event == 'error':
                worker.rest()
                raise AuditError(message['error'])
            elif event == 'done':
                result = BenchmarkResult.from_dict(message['result'])
                return result, not result.tainted
        return None, True


def _stuck(worker: Worker, problem: str, died: bool = False) -> BenchmarkResult:
    """Make a result of what a worker found before it hung or died; to do so over a reply is a finding too."""
    assert worker.benchmark is not None
    rule, reply = worker.step
    if worker.partial is not None:
        result = BenchmarkResult.from_dict(worker.partial)
    else:
        result = BenchmarkResult(worker.benchmark, NOT_AUDITED)
    place = f'{problem} in {rule}' + (f' with {reply}' if reply else '')
    if result.status == AUDITED:
        result.notes.append(f'the rules from {rule} on were not tried: {place}')
    else:
        result.reason = result.reason or place
    scoring = worker.scoring()
    if scoring is not None and (died or _hangs(worker, scoring, problem)):
        _add(result, worker, 'no-crash', scoring.reply, scoring.gold, problem)
    elif rule == 'speed' and reply:  # its replies are scored in another process
        _add(result, worker, rule, reply, '', problem)
    return result


def _hangs(worker: Worker, scoring: Scoring, problem: str) -> bool:
    """Whether it was one reply that took the time, not all of them together."""
    long = min(HARD_LIMIT, worker.options.time_limit / 2)
    return problem.startswith(WAITED) or worker.processor_seconds() - scoring.began >= long


def _add(result: BenchmarkResult, worker: Worker, rule: str, reply: str, gold: str, problem: str) -> None:
    if rule in worker.options.rules:
        finding = Finding(result.benchmark, rule, f'(not known: {problem})', '', count=1, detail=problem)
        finding.examples = [Example(reply, gold, 'seconds', None, 'a score')]
        result.findings.append(finding)
        result.rules[rule] = RuleOutcome(FAILED)
