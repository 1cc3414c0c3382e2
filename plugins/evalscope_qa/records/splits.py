"""Finds the files of a split below a local path; each benchmark says as data how its files are called."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable, Iterator, Mapping

from .files import format_suffix

_SHARD = re.compile(r'-(\d+)-of-(\d+)$')


@dataclass(frozen=True)
class SplitFiles:
    """How the files of a benchmark are called.

    A split is told by the published names, then, where ``suffixes`` are given, by a word of the file's name, then by
    the name of its folder.
    """

    dataset: str
    """What the dataset is called."""
    published: tuple[str, ...] = ()
    """Names, from the folder on, that are looked for first and in this order; ``{split}`` stands for the split."""
    splits: tuple[str, ...] = ()
    """The splits that there are; empty where any name may be one."""
    other_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What else a split is called in the names of files and folders, the preferred name first."""
    suffixes: tuple[str, ...] = ()
    """Endings, but for ``.gz``, of files told by a word of their name; empty where published names alone count."""
    in_subfolders: bool = False
    """Whether such files are looked for below subfolders too."""
    one_without_split: bool = False
    """Whether the only such file holds every split, where its name has none."""
    not_records: frozenset[str] = frozenset()
    """Names of files that stand beside the records and hold none."""
    hint: str = 'Put the file there, or pass the path of a file as local_path.'
    """What to do where a split has no file."""

    def published_names(self, split: str) -> list[str]:
        """The published names of the files of a split.

        Raises:
            ValueError: If there is no such split.
        """
        if self.splits and split not in self.splits:
            raise ValueError(f'{self.dataset} has no split {split!r}; choose one of {", ".join(self.splits)}.')
        return [name.format(split=split) for name in self.published]

    def example_name(self, split: str) -> str:
        """A name that a file of the split may have."""
        return next((name.format(split=split) for name in self.published if '{split}' in name), f'{split}.jsonl')

    def names(self, split: str) -> tuple[str, ...]:
        """What the split is called, the preferred name first."""
        return self.other_names.get(split, (split,))


def find_split_files(layout: SplitFiles, path: Path, split: str, benchmark: str) -> list[Path]:
    """Return the files of a split in the order in which they are read.

    Args:
        layout: How the benchmark's files are called.
        path: A file, which is the split whatever it is called; or a folder.
        split: Name of the split.
        benchmark: Name of the benchmark, for messages.

    Raises:
        FileNotFoundError: If the folder has no file of the split, or not every shard of it.
        ValueError: If there is no such split, or several sets of files could be it.
    """
    files = matching_files(layout, path, split)
    if not files:
        raise FileNotFoundError(f"{benchmark}: {path} has no file of the split '{split}'{_seen(layout, path, split)}")
    return _one_complete_set(files, path, split, benchmark)


def find_file_beside(layout: SplitFiles, path: Path, split: str, benchmark: str) -> list[Path]:
    """Return the files of another split than the one that the file ``path`` holds.

    It is looked for in the file's folder by its published name, and ``path`` itself where the benchmark has none, for
    a word of a name would be a guess there. Raises as :func:`find_split_files`.
    """
    if not any('{split}' in name for name in layout.published):
        return [path]
    return find_split_files(layout, path.parent, split, benchmark)


def matching_files(layout: SplitFiles, path: Path, *splits: str | None) -> list[Path]:
    """Return every file that the first rule that fits tells to be of a split; none where no rule fits.

    Args:
        layout: How the benchmark's files are called.
        path: A file, which is taken whatever its name; or a folder.
        splits: Names of the split, the preferred one first.
    """
    if path.is_file():
        return [path]
    wanted = [split for split in splits if split]
    for split in wanted:
        for name in layout.published_names(split):
            for file in (path / name, path / f'{name}.gz'):
                if file.is_file():
                    return [file]
    files = sorted(_candidates(layout, path))
    for split in wanted:
        for name in layout.names(split):
            for rule in (_is_called, names_split, _stands_in):
                found = [file for file in files if rule(file, name)]
                if found:
                    return found
    if layout.one_without_split and len(files) == 1 and not _names_any_split(files[0]):
        return files
    return []


def _candidates(layout: SplitFiles, path: Path) -> Iterator[Path]:
    if not layout.suffixes or not path.is_dir():
        return
    for file in path.rglob('*') if layout.in_subfolders else path.iterdir():
        hidden = any(part.startswith('.') for part in file.relative_to(path).parts)
        of_records = format_suffix(file) in layout.suffixes and file.name not in layout.not_records
        if of_records and not hidden and file.is_file():
            yield file


def _stem(file: Path) -> str:
    """The file's name in lower case without its ending, and without ``.gz`` before that."""
    return file.name.lower().removesuffix('.gz').removesuffix(format_suffix(file))


def _is_called(file: Path, name: str) -> bool:
    return _stem(file) == name.lower()


def names_split(file: Path, split: str) -> bool:
    """Whether ``split`` is a word of the file's name, as in ``test.jsonl`` and ``default_test.parquet``."""
    return split.lower() in re.split('[^a-z0-9]+', _stem(file))


def _stands_in(file: Path, name: str) -> bool:
    return file.parent.name.lower() == name.lower() and not _names_any_split(file)


def _names_any_split(file: Path) -> bool:
    return any(names_split(file, split) for split in ('train', 'validation', 'valid', 'dev', 'test'))


def _one_complete_set(files: list[Path], path: Path, split: str, benchmark: str) -> list[Path]:
    """Return ``files`` unless they are the split twice over, or only a part of it."""
    if len({(file.parent, file.suffix.lower(), format_suffix(file)) for file in files}) > 1:
        raise ValueError(
            f"{benchmark}: several files or folders below {path} could be the split '{split}': "
            f'{_shown(files, path)}. Keep one form in one folder, or pass the path of the file.'
        )
    shards = [shard for shard in map(_SHARD.search, map(_stem, files)) if shard]
    expected = max((int(shard[2]) for shard in shards), default=0)
    missing = sorted(set(range(expected)) - {int(shard[1]) for shard in shards})
    if missing:
        raise FileNotFoundError(
            f"{benchmark}: {path} lacks {len(missing)} of the {expected} files of the split '{split}', the "
            f'first of them number {missing[0]:05d}. Download it again.'
        )
    return files


def _seen(layout: SplitFiles, path: Path, split: str) -> str:
    """Say what was looked for, or what is there."""
    if not layout.suffixes:
        return f'; looked for {", ".join(layout.published_names(split))}. {layout.hint}'
    found = _shown(sorted(_candidates(layout, path)), path) or 'none'
    return f'. {layout.hint.format(split=split)} Files of these kinds found: {found}.'


def _shown(files: Iterable[Path], path: Path) -> str:
    return ', '.join([str(file.relative_to(path)) for file in files][:10])
