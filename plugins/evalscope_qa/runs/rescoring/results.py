"""What scoring again gives, as plain data."""

from collections.abc import Hashable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Flip:
    """One reply whose score changed."""

    model: str
    benchmark: str
    subset: str
    index: Hashable
    metrics: tuple[str, ...]
    """The metrics that are scored a reply and changed."""
    target: str
    reply: str
    read_before: str
    """What the first scoring took for the answer."""
    read_after: str
    scores_before: tuple[float | None, ...]
    """By metric; None where that scoring left the reply out."""
    scores_after: tuple[float | None, ...]
    reason: str
    """By what rule the second scoring read the reply, or why it counts as unanswered; empty where it does not say."""


@dataclass(frozen=True)
class MetricChange:
    """One reported number before and after."""

    name: str
    before: float | None
    """None where that version has no such metric."""
    after: float | None
    higher_is_better: bool | None = True
    scale: float = 1.0


@dataclass(frozen=True)
class RescoredBenchmark:
    """One model on one benchmark."""

    model: str
    benchmark: str
    source: str
    version_before: str
    """Empty where the run does not say."""
    version_after: str
    questions: int
    """Replies that were scored again."""
    metrics: tuple[MetricChange, ...]
    changed: int
    """Replies with another score in any metric."""
    credited_unanswered: int
    """Replies that answer nothing by the second scoring, and earned something in the first one's main metric."""
    unanswered_by_reason: dict[str, int]
    signature: str
    flips: tuple[Flip, ...] = field(default=(), repr=False)
    note: str = ''


@dataclass(frozen=True)
class KeptBenchmark:
    """One model on one benchmark that was not scored again."""

    model: str
    benchmark: str
    source: str
    reason: str


@dataclass(frozen=True)
class RankingChange:
    """The models' order in one metric, by either version."""

    benchmark: str
    metric: str
    before: dict[str, int]
    """Each model's rank; equal values share one."""
    after: dict[str, int]
    reversals: tuple[tuple[str, str], ...]
    """Pairs whose order the versions disagree about; the one first that was ahead."""


@dataclass(frozen=True)
class Rescore:
    """Everything that was scored again."""

    scoring: str
    """``plugins`` or ``built-in``."""
    benchmarks: tuple[RescoredBenchmark, ...]
    kept: tuple[KeptBenchmark, ...]
    rankings: tuple[RankingChange, ...] = ()
    output: str | None = None
