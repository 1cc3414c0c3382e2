"""Makes the strict benchmark of one name from the one that evalscope has, when that name is looked up."""

import copy
import inspect
from typing import TYPE_CHECKING, Any

from evalscope.api.benchmark import DefaultDataAdapter

from ..discovery.policy import version_key
from ..suitability import why_more_than_text
from .adapter import StrictReading
from .table import BENCHMARKS

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta

READING = 'evalscope-qa v1.0'
"""The version of these readings, in the configuration of a run. Raise it with what changes a score."""

_HOOKS = {
    'filter_prediction': ('prediction', 'task_state'),
    'extract_answer': ('prediction', 'task_state'),
    'match_score': ('original_prediction', 'filtered_prediction', 'reference', 'task_state'),
    'calculate_metrics': ('task_state',),
    'aggregate_scores': ('sample_scores',),
}
"""What is overridden, and its parameters (1.12.0 to 1.14.1)."""


def make(benchmark: str, builtin: 'BenchmarkMeta | None') -> 'BenchmarkMeta | str':
    """Return a strict benchmark with the next minor version of evalscope's, or why there is none.

    Args:
        benchmark: A name of the table.
        builtin: evalscope's benchmark of that name; None where it has none.
    """
    problem = why_not(benchmark, builtin)
    if problem or builtin is None:
        return problem
    installed: Any = builtin.data_adapter
    meta = copy.deepcopy(builtin)
    meta.data_adapter = type(
        f'Strict{installed.__name__}',
        (StrictReading, installed),
        {'__module__': __name__, '__doc__': installed.__doc__, 'row': BENCHMARKS[benchmark]},
    )
    major, minor = version_key(builtin.evaluation_version)
    meta.evaluation_version = f'v{major}.{minor + 1}'
    meta.description = f'{(meta.description or "").rstrip()}\n\n{_DESCRIPTION}\n'
    meta.extra_params = {
        **(meta.extra_params or {}),
        'reading': {'type': 'str', 'description': _PARAMETER, 'value': READING, 'choices': [READING]},
    }
    return meta


def why_not(benchmark: str, builtin: 'BenchmarkMeta | None') -> str:
    """Return in one line why a benchmark cannot be read strictly with this evalscope; empty where it can."""
    if builtin is None:
        return 'this evalscope has no benchmark of this name'
    adapter = builtin.data_adapter
    if not (inspect.isclass(adapter) and issubclass(adapter, DefaultDataAdapter)):
        return 'its adapter is not of the kind that is known here'
    for hook, parameters in _HOOKS.items():
        function = getattr(adapter, hook, None)
        if not callable(function):
            return f'its adapter has no {hook}'
        taken = tuple(inspect.signature(function).parameters)[1:]
        if taken[: len(parameters)] != parameters:
            return f'{hook} of its adapter takes other arguments: {", ".join(taken) or "none"}'
    return why_more_than_text(builtin) or ''


_PARAMETER = 'How replies are read: strictly, by evalscope-qa, in the place of evalscope.'
_DESCRIPTION = """## Strict reading

- Replies are read by evalscope-qa: an answer counts where it is stated, and a reply that states none, or several, is
  unanswered. It earns nothing and stays in every denominator; `unanswered_ratio` is reported.
- Data, prompts and metrics are those of evalscope's own benchmark, whose version is one minor version lower."""
