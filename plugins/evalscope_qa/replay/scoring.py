"""Scores canned replies through any benchmark registered with evalscope: no model, no dataset download, no network.

The records are converted and the replies scored by the adapter itself, so a replayed number is the number a run would
report for the same replies.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from .. import engine
from ..engine import Reply, failing_step
from ..records import Record
from ..wording import counted
from .results import ReplayedSample, ReplayResult

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Sample
    from evalscope.api.metric import SampleScore


class ReplayInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a replay; ``result`` is that of the questions scored before."""

    def __init__(self, result: ReplayResult, asked: int) -> None:
        super().__init__(f'interrupted after {result.num} of {asked} questions; the result is of these alone')
        self.result = result


def replay(
    benchmark: str,
    records: Iterable[Record],
    replies: Sequence[Reply],
    dataset_args: Mapping[str, Any] | None = None,
    *,
    progress: bool = False,
) -> ReplayResult:
    """Score canned replies to published records.

    Args:
        benchmark: Name of any benchmark registered with evalscope, of a plugin or built in.
        records: Records in the dataset's published form, in the order of the replies.
        replies: One reply a question: text, evalscope's ``ModelOutput``, or None for a request that brought nothing.
        dataset_args: What ``--dataset-args`` would hold for this benchmark. ``shuffle`` and ``shuffle_choices`` do not
            apply: the replies are in the order of the records, and to their choices as published.
        progress: Show a progress bar on stderr.

    Returns:
        The aggregated metrics and one row a question.

    Raises:
        ReplayInterrupted: After Ctrl-C, with the result of the questions scored so far, if there is any.
        ValueError: If the benchmark is unknown, its score needs a judge model, there is no question, or replies and
            questions differ in number, where the message gives both counts; if the records lack questions that the
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
    samples = list(engine.questions(adapter, records))
    # The adapters of this package may be of a set of questions, all of which must be there, as in a run.
    check_questions = getattr(adapter, 'check_questions', None)
    if check_questions is not None:
        check_questions(samples, 'the records')
    _require_pairs(benchmark, len(records), len(samples), len(replies))
    scores: list[SampleScore] = []
    rows: list[ReplayedSample] = []
    states = (engine.task_state(sample, reply) for sample, reply in zip(samples, replies, strict=True))
    scored = engine.score_all(adapter, states)
    pairs = zip(samples, replies, scored, strict=True)
    try:
        with tqdm(pairs, total=len(samples), desc='Scoring', unit='reply', disable=not progress) as bar:
            for index, (sample, reply, sample_score) in enumerate(bar):
                row = _row(index, sample, reply, sample_score)
                scores.append(sample_score)
                rows.append(row)
    except KeyboardInterrupt as interruption:
        if not rows:
            raise
        raise ReplayInterrupted(_result(adapter, scores[: len(rows)], rows), len(samples)) from interruption
    return _result(adapter, scores, rows)


def _result(adapter: 'DefaultDataAdapter', scores: list['SampleScore'], rows: list[ReplayedSample]) -> ReplayResult:
    with failing_step(f'{adapter.name}: aggregating the scores'):
        metrics = {name: aggregate.score for name, aggregate in engine.aggregate(adapter, scores).items()}
    return ReplayResult(
        benchmark=adapter.name,
        evaluation_version=adapter.benchmark_meta.evaluation_version,
        num=len(rows),
        metrics=metrics,
        excluded=sum(not sample_score.score.status.is_usable for sample_score in scores),
        samples=rows,
    )


def _require_pairs(benchmark: str, records: int, samples: int, replies: int) -> None:
    if samples != replies:
        raise ValueError(
            f'{benchmark}: {counted(samples, "question")} (from {counted(records, "record")}) but '
            f'{counted(replies, "reply", "replies")}. Pass one reply a question in the same order, null where there '
            'was none.'
        )
    if not samples:
        raise ValueError(f'{benchmark}: there is nothing to score: no question (from {records} records), no reply.')


def _row(index: int, sample: 'Sample', reply: Reply, sample_score: 'SampleScore') -> ReplayedSample:
    from evalscope.api.evaluator import Target

    return ReplayedSample(
        index=index,
        gold=Target(sample.target).text,
        reply=engine.reply_text(reply),
        extracted=sample_score.score.extracted_prediction or '',
        scores=dict(sample_score.score.value),
        answered=engine.is_answered(sample_score),
    )
