"""Scores canned replies through any benchmark registered with evalscope: no model, no dataset download, no network.

The records are converted and the replies scored by the adapter itself, so a replayed number is the number a run would
report for the same replies.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from .. import engine
from ..engine import Reply, failing_step
from ..records import Record
from ..signature import records_digest, signature
from .pairing import pair_replies
from .questions import Question, identified_questions
from .replies import Replies
from .results import ReplayedSample, ReplayResult

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.metric import SampleScore


class ReplayInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a replay; ``result`` is that of the questions scored before."""

    def __init__(self, result: ReplayResult, asked: int) -> None:
        super().__init__(f'interrupted after {result.num} of {asked} questions; the result is of these alone')
        self.result = result


def replay(
    benchmark: str,
    records: Iterable[Record],
    replies: Replies | Mapping[str, Reply] | Sequence[Reply],
    dataset_args: Mapping[str, Any] | None = None,
    *,
    id_field: str | None = None,
    progress: bool = False,
) -> ReplayResult:
    """Score canned replies to published records.

    Args:
        benchmark: Name of any benchmark registered with evalscope, of a plugin or built in.
        records: Records in the dataset's published form.
        replies: One reply a question: text, evalscope's ``ModelOutput``, or None for a request that brought nothing; in
            the order of the questions, or by their ids.
        dataset_args: What ``--dataset-args`` would hold for this benchmark. ``shuffle`` and ``shuffle_choices`` do not
            apply: the replies are in the order of the records, and to their choices as published.
        id_field: The field that identifies a record; None for the first of ``questions.ID_FIELDS`` that all have.
        progress: Show a progress bar on stderr.

    Returns:
        The aggregated metrics and one row a question.

    Raises:
        ReplayInterrupted: After Ctrl-C, with the result of the questions scored so far, if there is any.
        ValueError: If the benchmark is unknown, its score needs a judge model, there is no question, or replies and
            questions do not fit each other in number or ids; if the records lack questions that the
            benchmark is defined by; and if the adapter fails in any way over its settings, a record or a reply: the
            message names the step, and the adapter's exception is the cause.
        RecordError: If a record is malformed.
    """
    settings = dict(dataset_args or {})
    with failing_step(
        f'{benchmark}: setting up the adapter' + (f' with dataset_args {", ".join(settings)}' if settings else ''),
        ValueError,
    ):
        adapter = engine.configured_adapter(benchmark, settings)
        adapter.validate_judge_strategy()
    adapter.shuffle = False
    records = list(records)
    questions = identified_questions(adapter, records, id_field)
    samples = [question.sample for question in questions]
    # The adapters of this package may be of a set of questions, all of which must be there, as in a run.
    check_questions = getattr(adapter, 'check_questions', None)
    if check_questions is not None:
        check_questions(samples, 'the records')
    paired = pair_replies(benchmark, questions, replies, len(records))
    finish = partial(_result, adapter, records=records, settings=settings)
    scores: list[SampleScore] = []
    rows: list[ReplayedSample] = []
    states = (engine.task_state(sample, reply) for sample, reply in zip(samples, paired, strict=True))
    scored = engine.score_all(adapter, states)
    pairs = zip(questions, paired, scored, strict=True)
    try:
        with tqdm(pairs, total=len(samples), desc='Scoring', unit='reply', disable=not progress) as bar:
            for index, (question, reply, sample_score) in enumerate(bar):
                row = _row(index, question, reply, sample_score)
                scores.append(sample_score)
                rows.append(row)
    except KeyboardInterrupt as interruption:
        if not rows:
            raise
        raise ReplayInterrupted(finish(scores[: len(rows)], rows), len(samples)) from interruption
    return finish(scores, rows)


def _result(
    adapter: 'DefaultDataAdapter',
    scores: list['SampleScore'],
    rows: list[ReplayedSample],
    records: Sequence[Record],
    settings: Mapping[str, Any],
) -> ReplayResult:
    with failing_step(f'{adapter.name}: aggregating the scores'):
        metrics = {name: aggregate.score for name, aggregate in engine.aggregate(adapter, scores).items()}
    return ReplayResult(
        benchmark=adapter.name,
        evaluation_version=adapter.benchmark_meta.evaluation_version,
        num=len(rows),
        metrics=metrics,
        primary=_primary(adapter, metrics),
        signature=signature(
            benchmark=adapter.name,
            version=adapter.benchmark_meta.evaluation_version,
            metric='+'.join(metrics),
            questions=len(rows),
            data=records_digest(records),
            settings=settings,
        ),
        excluded=sum(not sample_score.score.status.is_usable for sample_score in scores),
        samples=rows,
    )


def _primary(adapter: 'DefaultDataAdapter', metrics: Mapping[str, float]) -> str:
    """Return the metric that the benchmark is known by; the first one where it does not say."""
    declared = getattr(adapter.benchmark_meta.primary_metric, 'name', None)
    return str(declared) if declared in metrics else next(iter(metrics), '')


def _row(index: int, question: Question, reply: Reply, sample_score: 'SampleScore') -> ReplayedSample:
    from evalscope.api.evaluator import Target

    return ReplayedSample(
        index=index,
        id=question.id,
        gold=Target(question.sample.target).text,
        reply=engine.reply_text(reply),
        extracted=sample_score.score.extracted_prediction or '',
        scores=dict(sample_score.score.value),
        answered=engine.is_answered(sample_score),
        reading=engine.reading_rule(sample_score),
    )
