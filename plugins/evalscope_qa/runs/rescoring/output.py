"""Writes a run scored again as a run folder of evalscope, which is whole or not there."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...signature import installed_evalscope
from ..layout import PROVENANCE, RunFolder
from .new_config import new_config
from .scoring import ScoredAgain

if TYPE_CHECKING:
    from evalscope.api.metric import AggScore

_KEPT = ('predictions', 'reviews', 'reports', 'configs')


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give a folder to write to that gets its name when all is written.

    Until then it stands beside it under a name that begins with a dot, which is removed if anything fails.

    Raises:
        FileExistsError: If there is something of that name.
    """
    require_absent(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f'.{path.name}.partial-', dir=path.parent))
    try:
        partial.chmod(0o777 & ~_umask())  # mkdtemp makes it the user's alone
        yield partial
        partial.rename(path)  # refuses a folder that is not empty, should one have come up meanwhile
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def require_absent(path: Path) -> None:
    """Refuse to write over anything.

    Raises:
        FileExistsError: If there is something of that name.
    """
    if path.exists() or path.is_symlink():
        raise FileExistsError(f'{path}: is there already; pass --output a folder that is not.')


def write_run(run: RunFolder, again: Sequence[ScoredAgain], kept: Mapping[str, str], folder: Path) -> None:
    """Write a run with its new scores.

    Predictions are copied, not linked: evalscope appends to them where a run is resumed.

    Args:
        run: What was scored again; it is only read.
        again: The new scores.
        kept: Why a benchmark was not scored again: its scores are copied.
        folder: Where to write; exists and is empty.
    """
    for name in _KEPT:
        if (run.path / name).is_dir():
            shutil.copytree(run.path / name, folder / name, ignore=shutil.ignore_patterns('*.html', '.*', '*.rerun-*'))
    (folder / 'configs').mkdir(exist_ok=True)
    for scored in again:
        _write_scores(run, scored, folder)
    _write_config(run, again, kept, folder)


def _write_scores(run: RunFolder, scored: ScoredAgain, folder: Path) -> None:
    from evalscope.api.evaluator import CacheManager
    from evalscope.utils.io_utils import OutputsStructure

    adapter = scored.adapter
    cache = CacheManager(OutputsStructure(str(folder)), scored.model, adapter.name)
    for subset, pairs in scored.subsets.items():
        Path(cache.get_review_cache_path(subset)).unlink()
        for state, score in pairs:
            cache.save_review_cache(subset, state, score)
    cache.close()
    aggregates: dict[str, list[AggScore]] = {name: found for name, found in scored.aggregates.items() if found}
    file = Path(cache.get_report_file())
    if not aggregates:
        file.unlink(missing_ok=True)
        return
    report = adapter.generate_report(scores=aggregates, model_name=scored.model, output_dir=str(file.parent))
    _keep_what_is_no_score(run.report_file(scored.model, adapter.name), report)
    report.to_json(str(file))


def _keep_what_is_no_score(old_file: Path, report: Any) -> None:
    from evalscope.report import Report

    if old_file.is_file():
        old = Report.from_json(str(old_file))
        report.perf_metrics = old.perf_metrics
        report.execution_summary = getattr(old, 'execution_summary', None)


def _write_config(run: RunFolder, again: Sequence[ScoredAgain], kept: Mapping[str, str], folder: Path) -> None:
    """Write the configuration with the new identity, and beside it what the run was made from."""
    import yaml

    config, notes = new_config(run.config, {scored.adapter.name: scored.adapter for scored in again})
    for old in (folder / 'configs').glob('task_config*.yaml'):
        old.unlink()
    (folder / 'configs' / 'task_config.yaml').write_text(
        yaml.safe_dump(config, allow_unicode=True, default_flow_style=False), encoding='utf-8'
    )
    provenance = {
        'from': str(run.path.resolve()),
        'evalscope': installed_evalscope(),
        'evalscope_of_the_run': run.config.get('evalscope_version'),
        'evalscope-qa': __version__,
        'benchmarks': {
            scored.adapter.name: {
                'version_before': scored.before.version or None,
                'version_after': scored.adapter.benchmark_meta.evaluation_version,
                'adapter': f'{type(scored.adapter).__module__}.{type(scored.adapter).__qualname__}',
            }
            for scored in again
        },
        'not_scored_again': dict(kept),
        'notes': notes,
    }
    text = json.dumps(provenance, ensure_ascii=False, indent=2) + '\n'
    (folder / 'configs' / PROVENANCE).write_text(text, encoding='utf-8', errors='backslashreplace')


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
