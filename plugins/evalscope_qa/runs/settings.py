"""The settings that a run was made under, as far as they say how replies are read, scored or aggregated."""

from collections.abc import Mapping
from typing import Any

_SCORING = ('aggregation', 'extra_params', 'filters', 'prompt_template')
"""What the user may set of scoring. The metrics are the scoring's own: its version says which ones there are."""
_SCORING_2025 = ('aggregation', 'filters')
"""The same where the configuration does not tell the user's settings from that release's defaults: a default of then
must not take the place of one of now."""
_PATHS = ('local_path', 'dataset_id')
"""Where the user's records were: says nothing of how they were scored."""


def scoring_settings(config: Mapping[str, Any], benchmark: str) -> dict[str, Any]:
    """Return what ``--dataset-args`` would hold for a benchmark to score as the run did.

    Args:
        config: The run's configuration; may be empty.
        benchmark: Its name.
    """
    given = _given(config, benchmark)
    names = _SCORING if tells_defaults(config, benchmark) else _SCORING_2025
    return {name: given[name] for name in names if given.get(name) not in (None, {}, [])}


def task_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the task's configuration that scoring reads."""
    return {'repeats': int(config.get('repeats') or 1)}


def changed_settings(config: Mapping[str, Any], benchmark: str) -> dict[str, Any]:
    """Return the settings of a benchmark that the user gave; none for runs whose configuration does not tell."""
    if not tells_defaults(config, benchmark):
        return {}
    return {name: value for name, value in sorted(_given(config, benchmark).items()) if name not in _PATHS}


def tells_defaults(config: Mapping[str, Any], benchmark: str) -> bool:
    """Tell whether a configuration keeps apart what the user gave and what is the default.

    It does from 1.12.0 on. Before, it holds a benchmark's whole metadata, its display name included.
    """
    return 'pretty_name' not in _given(config, benchmark)


def _given(config: Mapping[str, Any], benchmark: str) -> dict[str, Any]:
    return (config.get('dataset_args') or {}).get(benchmark) or {}
