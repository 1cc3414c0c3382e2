"""What stays of each score until all are aggregated: its values and small metadata, not the texts it was made of."""

import pickle
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.metric import SampleScore

_MOST_SHARED = 100_000
"""Different scores that are looked for again: most benchmarks have a few hundred."""


class KeptScore:
    """The fields of a score that its benchmark aggregates, in the place of evalscope's ``SampleScore``."""

    __slots__ = ('_bytes',)

    def __init__(self, packed: bytes) -> None:
        self._bytes = packed

    @property
    def score(self) -> 'KeptScore':
        """Itself: evalscope holds a score inside that of a sample."""
        return self

    def __getattr__(self, name: str) -> Any:
        fields = pickle.loads(self._bytes)
        if name not in fields:
            raise AttributeError(f'{name!r} is not kept of a score; name it in score_fields_aggregated.')
        return fields[name]


class SharedScore(KeptScore):
    """One that many questions have: its fields are attributes, read once."""

    def __init__(self, packed: bytes) -> None:
        super().__init__(packed)
        vars(self).update(pickle.loads(packed))


class ScoreKeeper:
    """Keeps the scores of a benchmark in the order of the questions.

    A benchmark of this package names in ``score_fields_aggregated`` what its aggregation reads. Any other may read
    anything, as the texts of replies, and so may an aggregation of the user's choice: their scores are kept whole.
    """

    def __init__(self, adapter: 'DefaultDataAdapter') -> None:
        fields = getattr(adapter, 'score_fields_aggregated', None)
        self._fields: tuple[str, ...] | None = fields if adapter.aggregation == 'mean' else None
        self._shared: dict[bytes, KeptScore] = {}
        self.scores: list[Any] = []

    @property
    def packs(self) -> bool:
        """Whether scores are kept as bytes."""
        return self._fields is not None

    def packed(self, sample_score: 'SampleScore') -> Any:
        """Return what is kept of a score, as it is handed from one process to another."""
        if self._fields is None:
            return sample_score
        score = vars(sample_score.score)
        return pickle.dumps({name: score[name] for name in self._fields}, pickle.HIGHEST_PROTOCOL)

    def add(self, packed: Any) -> None:
        """Keep the next score."""
        if not isinstance(packed, bytes):
            self.scores.append(packed)
            return
        kept = self._shared.get(packed)
        if kept is None:
            if len(self._shared) < _MOST_SHARED:
                kept = self._shared[packed] = SharedScore(packed)
            else:
                kept = KeptScore(packed)
        self.scores.append(kept)
