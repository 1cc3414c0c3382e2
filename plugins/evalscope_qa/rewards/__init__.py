"""The benchmarks' scorers as reward functions for reinforcement learning: ``docs/rewards.md``.

Importing this costs nothing; evalscope is imported when the first reply is scored, or a :class:`Reward` is made.
"""

from .functions import (
    Reward,
    compute_score,
    pubmedqa_reward,
    rjua_qa_reward,
    searchqa_reward,
    selqa_selection_reward,
)
from .rows import training_rows

__all__ = [
    'Reward',
    'compute_score',
    'pubmedqa_reward',
    'rjua_qa_reward',
    'searchqa_reward',
    'selqa_selection_reward',
    'training_rows',
]
