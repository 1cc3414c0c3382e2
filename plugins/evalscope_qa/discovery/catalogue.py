"""Lets evalscope's stored descriptions of benchmarks tell of the plugins in use, without writing into its folder.

``evalscope benchmark-info --format json`` (and ``markdown``), the catalogue of ``evalscope service`` and HTML reports
do not ask a benchmark what it is, but read ``evalscope/benchmarks/_meta/NAME.json``, always through
``load_benchmark_data`` and ``BENCHMARK_META_DIR`` of ``evalscope.utils.resource_utils`` (1.12.0 to 1.14.1).
"""

import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta

    InUse = Callable[[str | None], dict[str, BenchmarkMeta]]


def extend(names: list[str], in_use: 'InUse') -> None:
    """Put the benchmarks of plugins where evalscope looks for the descriptions of its own.

    Args:
        names: The names that plugins claim.
        in_use: Given a name, or None for all, returns those that are a plugin's.
    """
    from evalscope.utils import resource_utils

    stored, folder = resource_utils.load_benchmark_data, resource_utils.BENCHMARK_META_DIR

    class MetaFolder(type(folder)):  # type: ignore[misc]
        """The folder, which lists the plugins' benchmarks too."""

        def glob(self, pattern: str, **options: Any) -> Iterator[Path]:
            yield from folder.glob(pattern, **options)
            files = [folder / f'{name}.json' for name in in_use(None)]
            yield from (file for file in files if file.match(pattern) and not file.exists())

    @functools.wraps(stored)
    def load_benchmark_data(benchmark_name: str | None = None) -> dict[str, Any]:
        listed = [benchmark_name] if benchmark_name else [file.stem for file in folder.glob('*.json')]
        data = {name: entry for listed_name in listed for name, entry in stored(listed_name).items()}
        if benchmark_name is None or benchmark_name in names:
            data.update((name, description(name, metadata)) for name, metadata in in_use(benchmark_name).items())
        return data

    replacements = {
        'load_benchmark_data': (stored, load_benchmark_data),
        'BENCHMARK_META_DIR': (folder, MetaFolder(folder)),
    }
    for module in [module for name, module in sys.modules.items() if name.startswith('evalscope.')]:
        for attribute, (before, after) in replacements.items():
            if vars(module).get(attribute) is before:
                setattr(module, attribute, after)


def description(benchmark: str, metadata: 'BenchmarkMeta') -> dict[str, Any]:
    """Describe a benchmark in the form of a file of ``_meta``, as ``benchmark-info --update`` would store it."""
    from evalscope.utils.doc_utils.generate_dataset_md import extract_benchmark_meta
    from evalscope.utils.doc_utils.readme_generator import generate_readme_from_dict

    meta = extract_benchmark_meta(metadata, metadata.data_adapter)
    return {
        'meta': meta,
        'statistics': {},  # they need the dataset
        'sample_example': {},
        'readme': {
            'en': generate_readme_from_dict(benchmark, meta),
            'zh': '',
            'content_hash': '',
            'needs_translation': False,
        },
        'updated_at': '',
    }
