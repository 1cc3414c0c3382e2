"""Scores canned replies through any benchmark registered with evalscope: no model, no dataset download, no network.

The records are converted and the replies scored by the adapter itself, so a replayed number is the number a run would
report for the same replies. Everything is read and checked once, into a temporary file, before anything is scored; what
stays in memory is what aggregation needs.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any

from tqdm import tqdm

from .. import engine
from ..engine import Reply, failing_step
from ..records import Record
from ..signature import signature
from .job import Job, Outcome, configured
from .kept_scores import ScoreKeeper
from .pairing import as_source, pair_replies
from .questions import read_questions
from .replies import ReplySource
from .results import ReplayedSample, ReplayResult
from .workers import score_in_processes


class ReplayInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a replay; ``result`` is that of the questions scored before."""

    def __init__(self, result: ReplayResult, asked: int) -> None:
        super().__init__(f'interrupted after {result.num} of {asked} questions; the result is of these alone')
        self.result = result


def replay(
    benchmark: str,
    records: Iterable[Record],
    replies: ReplySource | Mapping[str, Reply] | Sequence[Reply],
    dataset_args: Mapping[str, Any] | None = None,
    *,
    id_field: str | None = None,
    progress: bool = False,
    workers: int = 1,
    modules: Sequence[str] = (),
    on_sample: Callable[[ReplayedSample], None] | None = None,
    keep_samples: bool = True,
    notice: Callable[[str], None] = lambda text: None,
) -> ReplayResult:
    """Score canned replies to published records.

    Args:
        benchmark: Name of any benchmark registered with evalscope, of a plugin or built in.
        records: Records in the dataset's published form; read once, one after another.
        replies: One reply a question: text, evalscope's ``ModelOutput``, or None for a request that brought nothing; in
            the order of the questions, or by their ids.
        dataset_args: What ``--dataset-args`` would hold for this benchmark. ``shuffle`` and ``shuffle_choices`` do not
            apply: the replies are in the order of the records, and to their choices as published.
        id_field: The field that identifies a record; None for the first of ``questions.ID_FIELDS`` that all have.
        progress: Show a progress bar on stderr.
        workers: Processes that score; the result does not depend on it.
        modules: Modules, or files of them, that a worker imports because they register the benchmark.
        on_sample: Called with the row of each question, in order, as soon as it is scored.
        keep_samples: Keep all rows for the result; False for a result that does not grow with the replies.
        notice: Called with what a user should know, such as a worker that was killed and replaced.

    Returns:
        The aggregated metrics and one row a question.

    Raises:
        ReplayInterrupted: After Ctrl-C, with the result of the questions scored so far, if there is any.
        ValueError: If the benchmark is unknown, its score needs a judge model, there is no question, or replies and
            questions do not fit each other in number or ids; if the records lack questions that the
            benchmark is defined by; and if the adapter fails in any way over its settings, a record or a reply: the
            message names the step, and the adapter's exception is the cause. Only a reply that the adapter fails over,
            or that ends two worker processes, is found after other replies were scored.
        RecordError: If a record is malformed.
    """
    if workers < 1:
        raise ValueError(f'{benchmark}: workers is {workers}; expected 1 or more.')
    settings = dict(dataset_args or {})
    adapter = configured(benchmark, settings)
    source = as_source(replies)
    with _bar(progress, 'Reading', None) as bar:
        counted = _counted(records, bar) if progress else records
        questions = read_questions(adapter, counted, id_field, keep_asked=source.by == 'index')
    order = pair_replies(benchmark, questions, source)
    rows = keep_samples or on_sample is not None
    job = Job(benchmark, settings, modules, questions, source, order, rows, adapter)
    tally = _Tally(job, on_sample, keep_samples)
    scored: Generator[Outcome, None, None] = score_in_processes(job, workers, notice) if workers > 1 else job.score()
    try:
        with closing(scored), _bar(progress, 'Scoring', len(questions)) as bar:
            for outcome in scored:
                tally.add(outcome)
                if progress:
                    bar.update()
    except KeyboardInterrupt as interruption:
        if not tally.num:
            raise
        raise ReplayInterrupted(tally.result(), len(questions)) from interruption
    return tally.result()


class _Bar(tqdm):
    """A progress bar without a thread of its own, beside which no process could be forked safely."""

    monitor_interval = 0


def _bar(shown: bool, what: str, total: int | None) -> tqdm:
    return _Bar(total=total, desc=what, unit='record' if total is None else 'reply', disable=not shown)


def _counted(records: Iterable[Record], bar: tqdm) -> Iterable[Record]:
    for record in records:
        yield record
        bar.update()


class _Tally:
    """Takes in the questions in their order, and makes the result of those so far."""

    def __init__(self, job: Job, on_sample: Callable[[ReplayedSample], None] | None, keep_samples: bool) -> None:
        self._job, self._on_sample, self._keep_samples = job, on_sample, keep_samples
        self._scores = ScoreKeeper(job.adapter)
        self._reasons: Counter[str] = Counter()
        self._samples: list[ReplayedSample] = []
        self._excluded = 0
        self.num = 0

    def add(self, outcome: Outcome) -> None:
        """Take in the next question."""
        if outcome.row is not None:
            if self._keep_samples:
                self._samples.append(outcome.row)
            if self._on_sample is not None:
                self._on_sample(outcome.row)
        self._scores.add(outcome.packed)
        if outcome.reason:
            self._reasons[outcome.reason] += 1
        self._excluded += not outcome.usable
        self.num += 1

    def result(self) -> ReplayResult:
        """Return the result of the questions so far."""
        adapter, questions = self._job.adapter, self._job.questions
        with failing_step(f'{adapter.name}: aggregating the scores'):
            aggregates = engine.aggregate(adapter, self._scores.scores[: self.num])
            metrics = {name: aggregate.score for name, aggregate in aggregates.items()}
        declared = getattr(adapter.benchmark_meta.primary_metric, 'name', None)
        return ReplayResult(
            benchmark=adapter.name,
            evaluation_version=adapter.benchmark_meta.evaluation_version,
            num=self.num,
            metrics=metrics,
            # The metric that the benchmark is known by; the first one where it does not say.
            primary=str(declared) if declared in metrics else next(iter(metrics), ''),
            signature=signature(
                benchmark=adapter.name,
                version=adapter.benchmark_meta.evaluation_version,
                metric='+'.join(metrics),
                questions=self.num,
                data=questions.digest,
                settings=self._job.settings,
            ),
            excluded=self._excluded,
            samples=self._samples[: self.num],
            reasons=dict(self._reasons),
        )
