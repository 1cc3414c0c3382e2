"""What is to be scored, and the scoring of a part of it: in this process, or in a worker that was handed the job."""

from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import engine
from ..engine import Reply, failing_step
from .kept_scores import ScoreKeeper
from .questions import Questions
from .replies import ReplySource
from .results import NOTHING_EXTRACTED, ReplayedSample

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.evaluator import TaskState
    from evalscope.api.metric import SampleScore


class Outcome(NamedTuple):
    """What is known of one question when its reply is scored."""

    packed: Any
    """What is kept of the score; see :class:`ScoreKeeper`."""
    reason: str
    """Why the reply is unanswered; empty where it is answered."""
    usable: bool
    """Whether the benchmark could score it."""
    row: ReplayedSample | None
    """The question's row, where rows are asked for."""


@dataclass
class Job:
    """Questions and replies, and the adapter that scores them. A process that is handed one makes its own adapter."""

    benchmark: str
    settings: Mapping[str, Any]
    modules: Sequence[str]
    """Modules to import first because they register benchmarks."""
    questions: Questions
    replies: ReplySource
    order: Sequence[int] | None
    """The place of each question's reply; None where they are in the order of the questions."""
    rows: bool
    """Whether rows are asked for."""
    adapter: 'DefaultDataAdapter'

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != 'adapter'}

    def __setstate__(self, state: dict[str, Any]) -> None:
        from ..importing import import_all

        vars(self).update(state)
        import_all(self.modules)
        self.adapter = configured(self.benchmark, self.settings)

    def score(self, start: int = 0, stop: int | None = None) -> Generator[Outcome, None, None]:
        """Score the questions from one number up to before another, in their order.

        Raises:
            StepFailed: If the adapter fails over a reply: names the question.
        """
        stop = len(self.questions) if stop is None else stop
        keeper = ScoreKeeper(self.adapter)
        waiting: deque[tuple[int, str, str, Reply]] = deque()

        def states() -> Iterator['TaskState']:
            pairs = zip(self.questions.iterate(start, stop), self._replies(start, stop), strict=True)
            for number, (question, reply) in enumerate(pairs, start):
                state = engine.task_state(question.sample, reply)
                waiting.append((number, question.id, state.target, reply))
                yield state

        for sample_score in engine.score_all(self.adapter, states(), start):
            yield self._outcome(keeper, *waiting.popleft(), sample_score)

    def _replies(self, start: int, stop: int) -> Iterator[Reply]:
        if self.order is None:
            return self.replies.iterate(start, stop)
        return (self.replies.reply(self.order[number]) for number in range(start, stop))

    def _outcome(
        self, keeper: ScoreKeeper, number: int, id_: str, gold: str, reply: Reply, sample_score: 'SampleScore'
    ) -> Outcome:
        answered, reading = engine.is_answered(sample_score), engine.reading_rule(sample_score)
        row = _row(number, id_, gold, reply, sample_score, answered, reading) if self.rows else None
        reason = '' if answered else reading or NOTHING_EXTRACTED
        return Outcome(keeper.packed(sample_score), reason, sample_score.score.status.is_usable, row)


def configured(benchmark: str, settings: Mapping[str, Any]) -> 'DefaultDataAdapter':
    """Return a benchmark's adapter for a replay.

    Raises:
        ValueError: If the benchmark is unknown or its score needs a judge model; and if the adapter fails in any way
            over its settings.
    """
    with failing_step(
        f'{benchmark}: setting up the adapter' + (f' with dataset_args {", ".join(settings)}' if settings else ''),
        ValueError,
    ):
        adapter = engine.configured_adapter(benchmark, settings)
        adapter.validate_judge_strategy()
    adapter.shuffle = False
    return adapter


def _row(
    number: int, id_: str, gold: str, reply: Reply, sample_score: 'SampleScore', answered: bool, reading: str
) -> ReplayedSample:
    return ReplayedSample(
        index=number,
        id=id_,
        gold=gold,
        reply=engine.reply_text(reply),
        extracted=sample_score.score.extracted_prediction or '',
        scores=dict(sample_score.score.value),
        answered=answered,
        reading=reading,
    )
