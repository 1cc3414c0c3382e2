"""What runs tell: their scores compared, with what is known of the differences, and scored again by another version."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .comparison.comparing import compare
    from .comparison.results import BenchmarkResult, Comparison, ModelResult, Options, PairResult, VersionResult
    from .rescoring.rescoring import rescore
    from .rescoring.results import Rescore
    from .reviews import read_runs
    from .score_csv import read_scores_csv
    from .scores import Attempt, Metric, ScoreSet

__all__ = [
    'Attempt',
    'BenchmarkResult',
    'Comparison',
    'Metric',
    'ModelResult',
    'Options',
    'PairResult',
    'Rescore',
    'ScoreSet',
    'VersionResult',
    'compare',
    'read_runs',
    'read_scores_csv',
    'rescore',
]

_MODULES = {
    'compare': 'comparison.comparing',
    'Rescore': 'rescoring.results',
    'rescore': 'rescoring.rescoring',
    'read_runs': 'reviews',
    'read_scores_csv': 'score_csv',
    **dict.fromkeys(('Attempt', 'Metric', 'ScoreSet'), 'scores'),
    **dict.fromkeys(
        ('BenchmarkResult', 'Comparison', 'ModelResult', 'Options', 'PairResult', 'VersionResult'), 'comparison.results'
    ),
}
"""Where each name is. Imported when asked for, because every command of the package passes here and scipy is slow."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(import_module(f'.{_MODULES[name]}', __name__), name)
