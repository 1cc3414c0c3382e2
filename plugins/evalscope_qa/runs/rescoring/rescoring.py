"""Scores runs again: reads them, scores what can be, and writes new run folders."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from ... import engine
from ..layout import RunFolder, find_runs
from .output import new_folder, require_absent, write_run
from .plugin_free import in_plugin_free_process, plugins_are_off
from .rankings import ranking_changes
from .results import KeptBenchmark, Rescore, RescoredBenchmark
from .scoring import ScoredAgain, score_again, summarize
from .suitability import why_not_again

Scoring = Literal['plugins', 'built-in']


def rescore(
    paths: Sequence[Path],
    datasets: Collection[str] = (),
    *,
    scoring: Scoring = 'plugins',
    records: Mapping[str, Path] | None = None,
    output: Path | None = None,
) -> Rescore:
    """Score the predictions of runs again, with no model, no dataset and no network.

    Args:
        paths: Folders of runs, or folders that hold some. They are only read.
        datasets: Only these benchmarks; empty for all. The others are kept as they are.
        scoring: ``plugins`` as discovery has them in this process, or evalscope's ``built-in`` benchmarks alone.
        records: By benchmark, the file of the dataset's records: for what a run does not say of its questions.
        output: Where to write: the new run folder, or of several runs the folder of their new folders.

    Raises:
        FileNotFoundError, FileExistsError: If a run is not there, or the output is.
        ValueError: If a folder holds no run, no run holds a benchmark that is named, or a file is malformed.
        NotRebuilt: If a question cannot be made again of what the run left; names it.
    """
    if scoring == 'built-in' and not plugins_are_off():
        return in_plugin_free_process(
            paths=list(paths), datasets=list(datasets), records=dict(records or {}), output=output
        )
    from ... import discovery

    discovery.load_plugins()
    runs = list({run.path.resolve(): run for path in paths for run in find_runs(path)}.values())
    _require_known(runs, {*datasets, *(records or {})})
    if output is not None:
        require_absent(output)
        _require_outside(output, runs)
    results: list[RescoredBenchmark] = []
    kept: list[KeptBenchmark] = []
    with _output(output) as folder:
        for run, target in zip(runs, _targets(runs, folder), strict=True):
            again, reasons = _rescore_run(run, datasets, records or {})
            results += [summarize(scored) for scored in again]
            kept += reasons
            if target is not None:
                target.mkdir(exist_ok=True)
                write_run(run, again, {item.benchmark: item.reason for item in reasons}, target)
    return Rescore(
        scoring=scoring,
        benchmarks=tuple(results),
        kept=tuple(kept),
        rankings=tuple(ranking_changes(results)),
        output=None if output is None else str(output),
    )


def _require_known(runs: Sequence[RunFolder], names: Collection[str]) -> None:
    found = {benchmark for run in runs for _, benchmark in run.scored}
    unknown = sorted(set(names) - found)
    if unknown:
        raise ValueError(f'no run holds {", ".join(unknown)}; they hold {", ".join(sorted(found))}.')


def _require_outside(output: Path, runs: Sequence[RunFolder]) -> None:
    for run in runs:
        if output.resolve().is_relative_to(run.path.resolve()):
            raise ValueError(f'{output}: is inside the run {run.path}, which is never changed; pass another --output.')


def _rescore_run(
    run: RunFolder, datasets: Collection[str], records: Mapping[str, Path]
) -> tuple[list[ScoredAgain], list[KeptBenchmark]]:
    again, kept = [], []
    for model, benchmark in run.scored:
        reason = why_not_again(benchmark, run.config)
        if datasets and benchmark not in datasets:
            reason = 'not asked for'
        if reason is None:
            try:
                again.append(score_again(run, model, benchmark, records.get(benchmark)))
            except engine.StepFailed as error:
                reason = str(error).removeprefix(f'{benchmark}: ')
        if reason is not None:
            kept.append(KeptBenchmark(model, benchmark, str(run.path), reason))
    return again, kept


@contextmanager
def _output(path: Path | None) -> Iterator[Path | None]:
    if path is None:
        yield None
        return
    with new_folder(path) as folder:
        yield folder


def _targets(runs: Sequence[RunFolder], folder: Path | None) -> list[Path | None]:
    """Return where each run is written: the folder itself for one, else a folder in it by the run's name."""
    if folder is None:
        return [None] * len(runs)
    if len(runs) == 1:
        return [folder]
    names = [run.path.resolve().name for run in runs]
    return [
        folder / (name if names.count(name) == 1 else f'{run.path.resolve().parent.name}-{name}')
        for run, name in zip(runs, names, strict=True)
    ]
