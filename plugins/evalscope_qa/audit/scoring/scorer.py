"""Scores replies through an adapter one at a time, guarded and timed, and aggregates them as evalscope does."""

import logging
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Optional

from ... import engine
from ..measures import Measured, Metric
from .at_work import AtWork
from .fetching import who_asked
from .guard import Guard, NetworkAttempt
from .timing import ScoringStopped, processor_seconds, time_limit
from .tracing import Call, Cause, Tracer, cause_of_function, in_process

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Sample
    from evalscope.api.evaluator import TaskState
    from evalscope.api.metric import SampleScore
    from evalscope.metrics.semantics.resolver import SemanticsResolver

HARD_LIMIT = 20.0
"""Seconds of processor time after which scoring one reply is stopped; the first reply may have to import a lot."""
_LATER_LIMIT = 6.0
_AFTER_A_STOP = 2.0
_MAX_STOPS = 6
"""Replies stopped after which no more are scored: each takes its time, and one is enough for a finding."""


RAISED = (Exception, SystemExit, KeyboardInterrupt)
"""What scoring may raise of its own; nothing here is told to exit, and Ctrl-C reaches the parent process alone."""


class AggregationEnded(Exception):
    """Aggregation wanted to end the process."""


@dataclass
class Outcome:
    """What scoring one reply gave."""

    score: Optional['SampleScore'] = None
    metrics: dict[str, Measured] = field(default_factory=dict)
    """Each metric aggregated over this reply alone."""
    error: str = ''
    """What was raised, or why scoring was stopped."""
    left_out: str = ''
    """Why evalscope leaves the question out of the average; empty where it counts."""
    cause: Cause | None = None
    """Where the error, the network attempt or the long computation was."""
    network: str = ''
    condition: str = ''
    """On what the network attempt depends; empty if on nothing."""
    program: str = ''
    ran_reply: bool = False
    stopped: bool = False
    seconds: float = 0.0
    """Processor time of this process and of the children it waited for."""
    drew_random: bool = False

    @property
    def failed(self) -> bool:
        return self.score is None or bool(self.error) or bool(self.left_out)

    @property
    def extracted(self) -> str:
        return (self.score.score.extracted_prediction or '') if self.score is not None else ''


class Scorer:
    """Scores replies through one adapter.

    Args:
        adapter: The adapter, configured.
        guard: The installed guard.
        packages: Top-level packages of the project, for tracing.
        at_work: Is told what is being scored.
    """

    def __init__(
        self, adapter: 'DefaultDataAdapter', guard: Guard, packages: Sequence[str], at_work: AtWork | None = None
    ) -> None:
        self._adapter = adapter
        self._guard = guard
        self._at_work = at_work or AtWork()
        self.tracer = Tracer(packages)
        self._metrics: dict[str, Metric] = {}
        self._cache: dict[tuple[int, str | None, int], Outcome] = {}
        self._scored: dict[int, Sample] = {}
        """Questions by their id in the cache; kept, because Python gives the id of what is gone to something else."""
        self.replies = 0
        self.stopped_here = False
        """Whether a computation was interrupted in this process, which may have left half-made state behind."""
        self.attempts: list[tuple[str, str | None, Outcome]] = []
        """Gold, reply and outcome of each reply whose scoring reached for the network."""
        self.programs: list[tuple[str, str | None, Outcome]] = []
        """The same of each that wanted to start a program."""
        self.stops: list[tuple[str, str | None, Outcome]] = []
        """The same of each that was stopped because scoring took too long."""

    def score(self, sample: 'Sample', reply: str | None, seed: int = 0) -> Outcome:
        """Score one reply; see :class:`Outcome`. Never raises what scoring raises.

        evalscope scores mathematics in a child process that it forks for every reply; here it does so in this process,
        as it does itself inside a daemonic process, which is some twenty times faster.

        Args:
            sample: The question. Scoring sees a copy.
            reply: Its text; None for a response without a choice.
            seed: For the global random generators, before scoring.
        """
        key = (id(sample), reply, seed)
        self._scored[id(sample)] = sample
        if key not in self._cache:
            with in_process():
                self._cache[key] = self._score(sample, reply, seed, self._limit())
        return self._cache[key]

    def _limit(self) -> float:
        return _AFTER_A_STOP if self.stops else _LATER_LIMIT if self.replies else HARD_LIMIT

    def any_counts(self, sample: 'Sample') -> bool:
        """Whether some reply to a question that was scored so far is in the average."""
        return any(not outcome.failed for (key, _, _), outcome in self._cache.items() if key == id(sample))

    def score_as_run(self, sample: 'Sample', reply: str | None, limit: float = HARD_LIMIT) -> Outcome:
        """Score one reply anew and exactly as a run does, child processes included."""
        return self._score(sample, reply, 0, limit)

    def prepared(self, sample: 'Sample', reply: str) -> Callable[[], None]:
        """Return what scores a reply in this process and does nothing else: to be timed.

        It raises what is no error of scoring, such as :class:`ScoringStopped`.
        """
        state = task_state(sample, reply)
        _seed(0)

        def run() -> None:
            with suppress(*RAISED, NetworkAttempt), in_process(), self._guard.watch():
                self.calculate(state)

        return run

    def trace(self, sample: 'Sample', reply: str | None, seed: int = 0) -> tuple[list[Call], Cause | None]:
        """Score one reply again and return the project's calls, and its function that drew a random number.

        Where scoring raises, they are the calls up to there.
        """
        state = task_state(sample, reply)
        _seed(seed)
        calls: list[Call] = []
        drew = None
        # What it raises was reported by the untraced run.
        with suppress(*RAISED, NetworkAttempt, ScoringStopped), self._guard.watch(), time_limit(HARD_LIMIT):
            _, _, drew = self.tracer.run(lambda: self.calculate(state), calls)
        return calls, drew

    def aggregate(self, scores: Sequence['SampleScore']) -> dict[str, Measured]:
        """Aggregate scores as a run would.

        Raises:
            Exception: Whatever the adapter's aggregation raises.
        """
        copies = [score.model_copy(deep=True) for score in scores]
        with self._guard.watch(), time_limit(HARD_LIMIT):
            try:
                aggregates = engine.aggregate(self._adapter, copies)
            except (SystemExit, KeyboardInterrupt) as error:
                raise AggregationEnded(f'{type(error).__name__}: {error}') from error
        return {
            key: Measured(self._metric(key, aggregate.identity), float(aggregate.score), aggregate.num)
            for key, aggregate in aggregates.items()
        }

    def trace_aggregate(self, scores: Sequence['SampleScore']) -> list[Call]:
        """Aggregate scores and return the project's calls."""
        copies = [score.model_copy(deep=True) for score in scores]
        return self.tracer.run(lambda: self._adapter.aggregate_scores(sample_scores=copies))[1]

    def numbered(self, score: 'SampleScore', number: int) -> 'SampleScore':
        """Return a score as that of question ``number`` of a run; what it holds is copied when it is aggregated."""
        return score.model_copy(update={'sample_id': number, 'group_id': number, 'generation_index': 0})

    def aggregation_owner(self) -> Cause:
        """Name what aggregates this benchmark: the adapter's own method, else evalscope's aggregation."""
        from evalscope.api.registry import get_aggregation

        for cls in type(self._adapter).__mro__:
            if 'aggregate_scores' in vars(cls):
                if cls.__module__.startswith('evalscope.api.'):  # the framework's, which calls the aggregation
                    break
                return cause_of_function(vars(cls)['aggregate_scores'])
        return cause_of_function(get_aggregation(self._adapter.aggregation).__call__)

    def scoring_owner(self) -> Cause:
        """Name the method that scores this benchmark's replies."""
        cause: Cause | None = getattr(self._adapter, 'scoring_cause', None)
        return cause or cause_of_function(type(self._adapter).match_score)

    def loss_cause(self, sample: 'Sample', reply: str | None, reason: str) -> Cause:
        """Name what lost a question: where the exception was that scoring swallowed, else the method that scores.

        Args:
            sample: The question.
            reply: The reply that lost it.
            reason: Why it is in no average; see :class:`Outcome`.
        """
        state = task_state(sample, reply)
        _seed(0)
        found = None
        with suppress(*RAISED, NetworkAttempt, ScoringStopped), self._guard.watch(), time_limit(HARD_LIMIT):
            found = self.tracer.swallowed(lambda: self.calculate(state), reason)
        return found or self.scoring_owner()

    def _metric(self, key: str, identity: Any) -> Metric:
        if key not in self._metrics:
            from evalscope.metrics.semantics import get_semantics_resolver

            resolver: SemanticsResolver = get_semantics_resolver()
            semantics = resolver.resolve(self._adapter.name, identity).semantics
            higher = semantics.direction.value == 'higher_is_better'
            bounds = semantics.value_range
            best = None if bounds is None else (bounds.max if higher else bounds.min)
            self._metrics[key] = Metric(
                name=key,
                semantic_id=semantics.semantic_id,
                is_quality=semantics.kind.value == 'quality' and semantics.direction.value != 'none',
                higher_is_better=higher,
                best=best,
                bounds=(None, None) if bounds is None else (bounds.min, bounds.max),
            )
        return self._metrics[key]

    def calculate(self, state: Any) -> 'SampleScore':
        return engine.score(self._adapter, state)

    def _score(self, sample: 'Sample', reply: str | None, seed: int, limit: float) -> Outcome:
        outcome = Outcome()
        if len(self.stops) >= _MAX_STOPS:
            outcome.error, outcome.stopped = 'not scored: too many replies took too long', True
            return outcome
        self.replies += 1
        state = task_state(sample, reply)
        _seed(seed)
        started = processor_seconds()
        log = _ErrorLog()
        with self._guard.watch(), log.attached(), self._at_work.reply(reply, state.target):
            try:
                with time_limit(limit):
                    outcome.score = self.calculate(state)
                outcome.left_out = _left_out(outcome.score, log)
            except ScoringStopped as stopped:
                outcome.stopped = self.stopped_here = True
                outcome.error = str(stopped)
                outcome.cause = self.tracer.raised_in(stopped.__traceback__)
            except NetworkAttempt as attempt:
                outcome.error = str(attempt)
            except RAISED as error:  # whatever scoring raises is the finding
                outcome.error = f'{type(error).__name__}: {error}'
                outcome.cause = self.tracer.raised_in(error.__traceback__)
        outcome.seconds = processor_seconds() - started
        outcome.drew_random = _next_numbers() != _numbers_after(seed)
        self._note_attempts(outcome)
        for seen, happened in ((self.attempts, outcome.network), (self.programs, outcome.program)):
            if happened:
                seen.append((state.target, reply, outcome))
        if outcome.stopped:
            self.stops.append((state.target, reply, outcome))
        if outcome.score is not None and not outcome.failed:
            try:
                outcome.metrics = self.aggregate([self.numbered(outcome.score, 0)])
            except Exception as error:  # noqa: BLE001 - a finding too
                outcome.error = f'aggregate_scores raised {type(error).__name__}: {error}'
                outcome.cause = self.tracer.raised_in(error.__traceback__)
        return outcome

    def _note_attempts(self, outcome: Outcome) -> None:
        guard = self._guard
        outcome.network = guard.network[0] if guard.network else ''
        outcome.program = guard.programs[0] if guard.programs else ''
        outcome.ran_reply = guard.ran_reply
        if guard.frame is not None:
            outcome.cause, outcome.condition = who_asked(guard.frame, self.tracer)
            guard.frame = None


def task_state(sample: 'Sample', reply: str | None) -> 'TaskState':
    """Return the finished task of a copy of a question, because scoring may change it."""
    as_output = getattr(sample, 'output_of', engine.model_output)
    return engine.task_state(sample.model_copy(deep=True), as_output(reply))


def _left_out(score: 'SampleScore', log: '_ErrorLog') -> str:
    """Return why a score has no value that counts, so that the question is in no average; empty if it has one."""
    status = score.score.status
    if score.score.value and status.is_usable:
        return ''
    detail = score.score.explanation or '; '.join(
        str(value) for value in (score.score.metadata or {}).values() if 'error' in str(value).lower()
    )
    return f'score status {status.value}: {detail or log.last or "no value"}'


class _ErrorLog(logging.Handler):
    """Keeps the last error that evalscope logged, which is where it leaves an exception it swallowed."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.last = ''

    def emit(self, record: logging.LogRecord) -> None:
        self.last = record.getMessage()

    @contextmanager
    def attached(self) -> Iterator[None]:
        logger = logging.getLogger('evalscope')
        logger.addHandler(self)
        try:
            yield
        finally:
            logger.removeHandler(self)


def _seed(seed: int) -> None:
    import numpy

    random.seed(seed)
    numpy.random.seed(seed)


def _next_numbers() -> tuple[float, float]:
    """Draw a number from each of the global random generators: a hundred times as fast as to compare their states."""
    import numpy

    return random.random(), numpy.random.random_sample()


@cache
def _numbers_after(seed: int) -> tuple[float, float]:
    """Return the first numbers of the random generators after a seed: the next ones, if nothing was drawn."""
    _seed(seed)
    return _next_numbers()
