"""Writes the test that holds a benchmark's shipped sample to the numbers of its evaluation version."""

import json
import re
from pathlib import Path
from string import Template

from .definition import Benchmark

_ROOT = Path(__file__).parents[2]
_TEMPLATE = _ROOT / 'patches' / 'templates' / 'shared' / 'test_sample.py.txt'
_ADAPTERS = _ROOT / 'plugins' / 'evalscope_qa'
_SNAPSHOTS = _ROOT / 'tests' / 'snapshots'


def sample_test(benchmark: Benchmark) -> str:
    """Return the test file, with the numbers of this repository's snapshots."""
    lines = []
    for name in benchmark.names:
        version, metrics = _current_snapshot(name)
        arguments = benchmark.sample_arguments.get(name, {})
        lines.append(f"    '{name}': (\n        '{version}',\n        {arguments!r},\n        {{\n")
        lines += [f"            '{metric}': {value!r},\n" for metric, value in metrics.items()]
        lines.append('        },\n    ),\n')
    template = Template(_TEMPLATE.read_text(encoding='utf-8'))
    return template.substitute(title=benchmark.title, folder=benchmark.folder, expected=''.join(lines))


def _current_snapshot(name: str) -> tuple[str, dict[str, float]]:
    file = _SNAPSHOTS / f'{name}.json'
    snapshots = json.loads(file.read_text(encoding='utf-8'))
    version = max(snapshots, key=lambda text: tuple(int(part) for part in re.findall(r'\d+', text)))
    return version, snapshots[version]
