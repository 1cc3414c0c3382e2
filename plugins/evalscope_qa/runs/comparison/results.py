"""What a comparison gives, as plain data."""

from dataclasses import dataclass, field

from .aggregated import RESAMPLES
from .intervals import Interval
from .ranking import RankRange
from .significance import PERMUTATIONS, PairTest

ALPHA = 0.05
"""A difference whose corrected p value is below this separates two models."""


@dataclass(frozen=True)
class Options:
    """How to compare."""

    metrics: tuple[str, ...] = ()
    """Names of metrics; none for each benchmark's primary one, ``all`` for every one."""
    seed: int = 0
    resamples: int = RESAMPLES
    """Draws of questions, and exchanges, for metrics that are no mean of per-question scores."""
    permutations: int = PERMUTATIONS
    """Exchanges for metrics that are such a mean."""


@dataclass(frozen=True)
class ModelResult:
    """What is known of one model."""

    model: str
    source: str
    questions: int
    repeats: int
    """Replies a question; the most where they differ."""
    interval: Interval
    unanswered: int
    """Questions that no reply answers."""
    unanswered_by_reason: dict[str, int]
    ranks: RankRange
    note: str = ''
    """Why there is no interval, or what else a reader has to know."""


@dataclass(frozen=True)
class PairResult:
    """What is known of two models; every difference is the first minus the second."""

    first: str
    second: str
    questions: int
    left_out: int
    """Questions that only one of them has a score for."""
    interval: Interval
    unpaired: Interval | None
    """What the interval would be without the pairing; None for metrics that are no mean."""
    test: PairTest
    corrected_p: float
    """Holm's, over all pairs of the same benchmark, metric and version."""
    first_alone: int
    """Questions on which the first scored more: for yes/no scores, that it alone has right."""
    second_alone: int
    first_unanswered_alone: dict[str, int]
    """Questions that only the first left unanswered, by reason."""
    second_unanswered_alone: dict[str, int]

    @property
    def separated(self) -> bool:
        """Whether a test separates the two after correction."""
        return self.corrected_p < ALPHA


@dataclass(frozen=True)
class VersionResult:
    """One benchmark and metric by one version of the scoring."""

    version: str
    """Empty where the run does not say."""
    models: tuple[ModelResult, ...]
    """Best first."""
    pairs: tuple[PairResult, ...]
    signature: str


@dataclass(frozen=True)
class BenchmarkResult:
    """One benchmark and metric."""

    benchmark: str
    metric: str
    higher_is_better: bool | None
    scale: float
    versions: tuple[VersionResult, ...]
    reversals: tuple[tuple[str, str], ...] = ()
    """Pairs that the first version has in another order than the last; the one first that was ahead."""


@dataclass(frozen=True)
class Comparison:
    """The whole comparison."""

    benchmarks: tuple[BenchmarkResult, ...]
    options: Options = field(default_factory=Options)
