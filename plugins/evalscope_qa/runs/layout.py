"""Finds the runs of evalscope below a path and which file of a run belongs to which model, benchmark and subset.

The layout is the one of evalscope 1.12.0 to 1.14.1 and of the releases of 2025: ``predictions`` and ``reviews`` hold
``<model>/<benchmark>_<subset>.jsonl``, ``reports`` holds ``<model>/<benchmark>.json``, and the settings are in
``configs/task_config.yaml``. Only the reviews are required.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

PROVENANCE = 'rescored.json'
"""What a run scored again was made from, in ``configs``; evalscope's configuration takes no field of others."""
_DEPTH = 3
"""Folders below the given one in which runs are looked for, such as the time stamps below ``outputs``."""


@dataclass(frozen=True)
class ReviewFile:
    """One file of reviews."""

    path: Path
    model: str
    benchmark: str
    subset: str


@dataclass(frozen=True)
class RunFolder:
    """One run: the folder that evalscope calls its work folder."""

    path: Path
    files: tuple[ReviewFile, ...] = field(repr=False)

    @cached_property
    def config(self) -> dict[str, Any]:
        """The run's ``task_config.yaml``; empty where there is none.

        Raises:
            ValueError: If it is not YAML of the form that evalscope writes.
        """
        import yaml

        found = sorted((self.path / 'configs').glob('task_config*.yaml'))
        if not found:
            return {}
        try:
            config = yaml.safe_load(found[-1].read_text(encoding='utf-8'))
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise ValueError(f'{found[-1]}: not YAML that can be read: {" ".join(str(error).split())}') from error
        if not isinstance(config, dict):
            raise ValueError(f'{found[-1]}: holds no mapping of settings.')
        return config

    @property
    def scored(self) -> list[tuple[str, str]]:
        """Each model with each of its benchmarks."""
        return list(dict.fromkeys((file.model, file.benchmark) for file in self.files))

    def files_of(self, model: str, benchmark: str) -> list[ReviewFile]:
        """Return the files of reviews of one model on one benchmark, one a subset."""
        return [file for file in self.files if (file.model, file.benchmark) == (model, benchmark)]

    def evaluation_version(self, benchmark: str) -> str:
        """Return the evaluation version that scored a benchmark; empty where the run does not say."""
        benchmarks = (self.config.get('evaluation_identity') or {}).get('benchmarks') or {}
        return str((benchmarks.get(benchmark) or {}).get('evaluation_version') or '')

    def evalscope_version(self, benchmark: str) -> str:
        """Return the release of evalscope that scored a benchmark; empty where the run does not say."""
        return str(self.kept_from.get(benchmark) or self.config.get('evalscope_version') or '')

    @cached_property
    def kept_from(self) -> dict[str, str]:
        """The release that scored each benchmark whose scores were kept when the run was scored again."""
        provenance = self.path / 'configs' / PROVENANCE
        if not provenance.is_file():
            return {}
        made = json.loads(provenance.read_text(encoding='utf-8'))
        return {name: str(made['evalscope_of_the_run'] or '') for name in made['not_scored_again']}

    def prediction_file(self, review: ReviewFile) -> Path:
        """Return where the predictions of a file of reviews are, which need not exist."""
        return self.path / 'predictions' / review.path.relative_to(self.path / 'reviews')

    def report_file(self, model: str, benchmark: str) -> Path:
        """Return where the report of a benchmark is, which need not exist."""
        return self.path / 'reports' / model / f'{benchmark}.json'


def find_runs(path: Path) -> list[RunFolder]:
    """Return the runs at or below a path, sorted by path.

    Raises:
        FileNotFoundError: If there is no such folder.
        ValueError: If there is no run in it, or a file of reviews whose benchmark cannot be told.
    """
    if not path.is_dir():
        raise FileNotFoundError(f"{path}: no such folder; pass the folder of a run, which holds 'reviews'.")
    folders = list(_run_folders(path, _DEPTH))
    if not folders:
        raise ValueError(
            f"{path}: no run of evalscope: neither it nor a folder below it holds 'reviews/MODEL/*.jsonl'."
        )
    return [_read(folder) for folder in sorted(folders)]


def _run_folders(path: Path, depth: int) -> Iterator[Path]:
    if any((path / 'reviews').rglob('*.jsonl')):
        yield path
    elif depth:
        for child in path.iterdir():
            if child.is_dir() and not child.name.startswith('.'):
                yield from _run_folders(child, depth - 1)


def _read(folder: Path) -> RunFolder:
    run = RunFolder(folder, ())
    files = []
    for path in sorted((folder / 'reviews').rglob('*.jsonl')):
        model = path.parent.relative_to(folder / 'reviews').as_posix()
        benchmark, subset = _benchmark_and_subset(run, model, path)
        files.append(ReviewFile(path, model, benchmark, subset))
    return RunFolder(folder, tuple(files))


def _benchmark_and_subset(run: RunFolder, model: str, path: Path) -> tuple[str, str]:
    """Split a file's name; both parts may hold underscores, so the names of the run's benchmarks decide."""
    reported = [file.stem for file in (run.path / 'reports' / model).glob('*.json')]
    configured = [name for name in run.config.get('datasets') or [] if isinstance(name, str)]
    for names in (lambda: [*reported, *configured], _registered_names):
        for name in sorted(names(), key=len, reverse=True):
            if path.stem.startswith(f'{name}_'):
                return name, path.stem.removeprefix(f'{name}_')
    raise ValueError(
        f'{path}: the name begins with no benchmark that the run reports, its configuration names or evalscope knows.'
    )


def _registered_names() -> Sequence[str]:
    from .. import discovery

    discovery.load_plugins()
    from evalscope.api.registry import BENCHMARK_REGISTRY

    return list(BENCHMARK_REGISTRY.keys())


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read the rows of one of a run's JSON Lines files.

    Raises:
        ValueError: If a line is not a JSON object; names file and line.
    """
    rows = []
    # Bytes, because str.splitlines() also splits at characters that JSON leaves as they are, such as U+2028.
    for number, line in enumerate(path.read_bytes().split(b'\n'), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(
                f'{path}: line {number} is not JSON ({error}); if the run was interrupted, resume it with --use-cache.'
            ) from error
        if not isinstance(row, dict):
            raise ValueError(f'{path}: line {number} is a {type(row).__name__}; expected an object, one a reply.')
        rows.append(row)
    return rows
