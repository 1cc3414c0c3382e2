"""A scorer of batches for other frameworks: picklable, and without a state that one batch leaves for the next."""

import json
import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .. import engine
from ..importing import import_all
from .job import configured
from .kept_scores import ScoreKeeper

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter


@dataclass(frozen=True)
class BatchScorer:
    """Scores batches of records and replies in any process, as a replay does.

    What only a whole set of records shows is not looked at: ids that come twice, questions that are missing.
    """

    benchmark: str
    """Any benchmark registered with evalscope whose score needs no judge model."""
    dataset_args: Mapping[str, Any] = field(default_factory=dict)
    """What ``--dataset-args`` would hold for it."""
    modules: Sequence[str] = ()
    """Modules to import first because they register it."""

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Score a batch, given and returned as columns.

        Args:
            batch: ``record``, each a published record that makes one question, as JSON text or a mapping; ``reply``,
                texts or None.

        Returns:
            A column for each metric of a question (``score_NAME``), ``answered``, ``extracted``, ``reading``, and
            ``kept``, bytes that :meth:`metrics` aggregates.

        Raises:
            ValueError: As :func:`~.scoring.replay`; questions count from the beginning of the batch.
        """
        adapter = self._adapter()
        keeper = ScoreKeeper(adapter)
        records = [json.loads(record) if isinstance(record, str) else dict(record) for record in batch['record']]
        replies = [None if reply is None else str(reply) for reply in batch['reply']]
        samples = list(engine.questions(adapter, records))
        if len(samples) != len(replies):
            raise ValueError(
                f'{self.benchmark}: {len(samples)} questions of {len(records)} records, but {len(replies)} replies; a '
                'batch takes records that make one question each.'
            )
        columns: dict[str, list[Any]] = {name: [] for name in ('answered', 'extracted', 'reading', 'kept')}
        pairs = zip(samples, replies, strict=True)
        scores = list(engine.score_all(adapter, (engine.task_state(sample, reply) for sample, reply in pairs)))
        for score in scores:
            columns['answered'].append(engine.is_answered(score))
            columns['extracted'].append(score.score.extracted_prediction or '')
            columns['reading'].append(engine.reading_rule(score))
            packed = keeper.packed(score)
            columns['kept'].append(packed if isinstance(packed, bytes) else pickle.dumps(packed))
        for name in dict.fromkeys(name for score in scores for name in score.score.value):
            columns[f'score_{name}'] = [score.score.value.get(name) for score in scores]
        return columns

    def metrics(self, kept: Iterable[bytes]) -> dict[str, float]:
        """Aggregate what was kept of all scores, in the order of the questions; the metrics are those of a replay."""
        adapter = self._adapter()
        keeper = ScoreKeeper(adapter)
        for packed in kept:
            keeper.add(packed if keeper.packs else pickle.loads(packed))
        return {name: aggregate.score for name, aggregate in engine.aggregate(adapter, keeper.scores).items()}

    def _adapter(self) -> 'DefaultDataAdapter':
        import_all(self.modules)
        return configured(self.benchmark, self.dataset_args)
