"""Scores in several processes: the same outcomes in the same order, and a process that dies costs nothing but time.

Processes are forked where that is safe, which hands them everything as it is: plugins, settings, the questions as read.
Elsewhere they are started anew and import evalscope themselves.
"""

import multiprocessing
import signal
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from ..engine import BATCH, StepFailed
from .job import Job, Outcome

START_METHOD = 'fork' if sys.platform == 'linux' else 'spawn'
CHUNK = BATCH
"""Questions that a process scores at a time: as many as a batch, so that batches are those of one process."""
_AHEAD = 4
"""Chunks a process that may be under way or wait for an earlier one."""
_EXIT_SECONDS = 10.0


class WorkerTraceback(Exception):
    """What a worker process printed of an exception; the cause of the one that is raised for it."""


def score_in_processes(job: Job, workers: int, notice: Callable[[str], None]) -> Generator[Outcome, None, None]:
    """Yield what :meth:`Job.score` yields, scored by several processes.

    Args:
        job: What is to be scored.
        workers: Processes.
        notice: Called with one line where a process died; its questions are scored again by another.

    Raises:
        StepFailed: If the adapter fails over a reply, after the outcomes of all questions before it; or if the same
            questions end two processes.
    """
    chunks = [(start, min(start + CHUNK, len(job.questions))) for start in range(0, len(job.questions), CHUNK)]
    pool = _Pool(job, min(workers, max(1, len(chunks))), notice)
    try:
        for outcomes, failure in pool.run(chunks):
            yield from outcomes
            if failure is not None:
                message, trace = failure
                raise StepFailed(message) from WorkerTraceback(trace)
        pool.end()
    finally:
        pool.kill()


_Chunk = tuple[int, int]
_Answer = tuple[list[Outcome], tuple[str, str] | None]
"""The outcomes up to a failure, and its message and traceback."""


class _Worker:
    """One process, and what it is scoring."""

    def __init__(self, job: Job, others: Sequence['_Worker']) -> None:
        context: Any = multiprocessing.get_context(START_METHOD)
        # Two pipes of one direction each: one of both is a socket.
        tasks, self._tasks = context.Pipe(duplex=False)
        self.answers, answers = context.Pipe(duplex=False)
        self._current = context.RawValue('q', -1)
        # A forked process inherits the pipes of all others, and must not keep them open when this process ends.
        ends = [end for worker in (self, *others) for end in (worker._tasks, worker.answers)]
        arguments = (tasks, answers, job, self._current, ends if START_METHOD == 'fork' else [])
        self.process = context.Process(target=_serve, args=arguments, name='evalscope-qa replay', daemon=True)
        # Ctrl-C waits until the process, which inherits that, has said that it does not want it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        tasks.close()
        answers.close()
        self.chunk: _Chunk | None = None

    def assign(self, chunk: _Chunk) -> None:
        """Have the process score a chunk; one that has died is noticed when its answer is waited for."""
        self.chunk, self._current.value = chunk, -1
        with suppress(BrokenPipeError, ConnectionResetError):
            self._tasks.send(chunk)

    def end(self) -> None:
        """Tell the process that there is no more to score."""
        with suppress(BrokenPipeError):
            self._tasks.send(None)

    def close(self) -> None:
        """Close the pipes of a process that has ended."""
        self._tasks.close()
        self.answers.close()

    def answer(self) -> _Answer | None:
        """Return what the process says; None where it has died."""
        try:
            return self.answers.recv()
        except (EOFError, ConnectionResetError):
            return None

    def last_words(self) -> tuple[str, int]:
        """Return how the process ended, and the question whose reply it was at; -1 where it was at none."""
        self.process.join()
        code = self.process.exitcode
        ended = f'by signal {signal.Signals(-code).name}' if code < 0 else f'with exit status {code}'
        return ended, self._current.value


class _Pool:
    def __init__(self, job: Job, workers: int, notice: Callable[[str], None]) -> None:
        self._job, self._count, self._notice = job, workers, notice
        self._workers: list[_Worker] = []
        self._deaths: Counter[_Chunk] = Counter()

    def run(self, chunks: Sequence[_Chunk]) -> Iterator[_Answer]:
        """Yield the answer to each chunk, in order."""
        waiting = deque(chunks)
        answers: dict[_Chunk, _Answer] = {}
        done = 0
        while done < len(chunks):
            # Chunks are handed out in order, and a new one only where not too many wait for an earlier one.
            while waiting and waiting[0][0] < chunks[done][0] + _AHEAD * self._count * CHUNK:
                idle = next((worker for worker in self._workers if worker.chunk is None), None)
                if idle is None and len(self._workers) == self._count:
                    break
                (idle or self._start()).assign(waiting.popleft())
            busy = {worker.answers: worker for worker in self._workers if worker.chunk is not None}
            for connection in wait(list(busy)):
                worker = busy[connection]
                chunk, worker_answer = worker.chunk, worker.answer()
                assert chunk is not None
                worker.chunk = None
                if worker_answer is None:
                    self._bury(worker, chunk)
                    waiting.appendleft(chunk)
                else:
                    answers[chunk] = worker_answer
            while done < len(chunks) and chunks[done] in answers:
                yield answers.pop(chunks[done])
                done += 1

    def _start(self) -> _Worker:
        worker = _Worker(self._job, self._workers)
        self._workers.append(worker)
        return worker

    def _bury(self, worker: _Worker, chunk: _Chunk) -> None:
        """Take a dead process out, and say so.

        Raises:
            StepFailed: If the chunk has ended a process before.
        """
        self._workers.remove(worker)
        ended, number = worker.last_words()
        worker.close()
        questions = f'questions {chunk[0]} to {chunk[1] - 1}'
        place = f'the reply to question {number}' if number >= 0 else f'the replies to {questions}'
        self._deaths[chunk] += 1
        if self._deaths[chunk] > 1:
            raise StepFailed(
                f'{self._job.benchmark}: scoring {place}: the worker process ended {ended}, as another did before over '
                f'{questions}. Look at that reply, or score with fewer workers if memory is short.'
            )
        again = f'its {chunk[1] - chunk[0]} replies are scored again by another'
        self._notice(f'{self._job.benchmark}: a worker process ended {ended} at {place}; {again}')

    def end(self) -> None:
        """Let idle processes end by themselves, so that what they do at their exit is done."""
        for worker in self._workers:
            worker.end()
        for worker in self._workers:
            worker.process.join(_EXIT_SECONDS)

    def kill(self) -> None:
        """End all processes at once."""
        for worker in self._workers:
            worker.process.kill()
            worker.process.join()
            worker.close()
        self._workers.clear()


def _serve(tasks: Connection, answers: Connection, job: Job, current: Any, inherited: Sequence[Connection]) -> None:
    """Score chunks until there is none, or the process that asks is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the first one ends the others
    for other in inherited:
        other.close()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while (chunk := tasks.recv()) is not None:
            answers.send(_score(job, chunk, current))


def _score(job: Job, chunk: _Chunk, current: Any) -> _Answer:
    outcomes: list[Outcome] = []
    start, stop = chunk
    current.value = start
    try:
        for outcome in job.score(start, stop):
            outcomes.append(outcome)
            current.value = start + len(outcomes)
    except StepFailed as error:
        return outcomes, (str(error), traceback.format_exc())
    return outcomes, None
