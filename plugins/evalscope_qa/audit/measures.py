"""A metric as evalscope describes it, and its value over some replies: plain data."""

from dataclasses import dataclass

ERROR_RATE = 'quality.error_rate.ratio'
OVERLAP = frozenset(
    f'quality.{name}'
    for name in (
        'bleu.ratio',
        'rouge.ratio',
        'meteor.ratio',
        'cider.unbounded',
        'wer.ratio',
        'cer.ratio',
        'mer.ratio',
        'per.ratio',
    )
)
"""Metrics that compare whole texts word by word."""


@dataclass(frozen=True)
class Metric:
    """A metric as evalscope's own semantics describe it."""

    name: str
    semantic_id: str
    is_quality: bool
    higher_is_better: bool
    best: float | None
    """The best value possible, where there is one."""

    def better(self, value: float, than: float) -> bool:
        """Whether a value is better than another by more than rounding."""
        return (value - than if self.higher_is_better else than - value) > 1e-9


@dataclass
class Measured:
    """A metric's value over some replies."""

    metric: Metric
    value: float
    num: int
