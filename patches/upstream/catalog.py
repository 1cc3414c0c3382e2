"""Declares metric names in evalscope's catalogue, from the package's own table."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Sequence

from .edit import Edit

_CATALOG = 'evalscope/metrics/semantics/catalog.py'
_ANCHOR = 'for _registered, _reported in {\n'
_SOURCE = Path(__file__).parents[2] / 'plugins' / 'evalscope_qa' / 'discovery' / 'metric_names.py'


def metric_names() -> ModuleType:
    """Return ``evalscope_qa.discovery.metric_names`` of this source tree; it imports evalscope only when called."""
    spec = importlib.util.spec_from_file_location('_metric_names', _SOURCE)
    if spec is None or spec.loader is None:
        raise ImportError(f'{_SOURCE} cannot be loaded')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def declare(names: Sequence[str], comment: str) -> Edit:
    """Return the edit that adds ``names`` to the catalogue under a comment.

    Raises:
        KeyError: If the package does not declare one of the names.
    """
    ours = metric_names()
    lines = []
    for name in names:
        if name in ours._SHARES:
            arguments = f"baseline='diagnostic.parse_status.ratio', display_name='{name}'"
        else:
            baseline, label = ours._SCORES[name]
            arguments = f"baseline='{baseline}', metric_name='{label}'"
        lines.append(f"        '{name}': MetricEntry({arguments}),\n")
    block = f'METRIC_DEFINITIONS.update(\n    {{\n        # {comment}\n{"".join(lines)}    }}\n)\n'
    return Edit(_CATALOG, _ANCHOR, block + _ANCHOR)
