"""A metric as evalscope describes it, and its value over some replies: plain data."""

import math
from dataclasses import dataclass

_ROUNDING = 1e-9

LEAST_CREDIT = 0.5
"""Of full credit, from which on a reply that answers nothing is credited: overlap metrics give any text a little."""
LEAST_OF_BLANK = 0.01
"""The same of a blank reply, which may earn nothing at all."""

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

OF_QUESTIONS = frozenset(f'quality.{name}.ratio' for name in ('accuracy', 'exact_match', 'score'))
"""Metrics that each question has by itself, whatever its gold; an F1 or a recall may be that of one class."""


@dataclass(frozen=True)
class Metric:
    """A metric as evalscope's own semantics describe it."""

    name: str
    semantic_id: str
    is_quality: bool
    higher_is_better: bool
    best: float | None
    """The best value possible, where there is one."""
    bounds: tuple[float | None, float | None] = (None, None)
    """The least and the greatest value possible, where there are."""

    def allows(self, value: float) -> bool:
        """Whether a value is a finite number within the bounds, but for rounding.

        >>> recall = Metric('recall', 'quality.recall.ratio', True, True, 1.0, (0.0, 1.0))
        >>> recall.allows(1.0), recall.allows(2.0), recall.allows(float('nan'))
        (True, False, False)
        """
        least, greatest = self.bounds
        return (
            math.isfinite(value)
            and (least is None or value >= least - _ROUNDING)
            and (greatest is None or value <= greatest + _ROUNDING)
        )

    def better(self, value: float, than: float) -> bool:
        """Whether a value is better than another by more than rounding."""
        return (value - than if self.higher_is_better else than - value) > _ROUNDING


@dataclass
class Measured:
    """A metric's value over some replies."""

    metric: Metric
    value: float
    num: int
