"""Finds SelQA files on disk: a file as it is, or the official file of a split in a folder."""

from pathlib import Path

SPLITS = ('train', 'dev', 'test')


def official_name(task: str, split: str) -> str:
    """Return the published name of a file.

    Args:
        task: ``ass`` (answer sentence selection) or ``at`` (answer triggering): SelQA's folder names.
        split: One of :data:`SPLITS`.

    Raises:
        ValueError: If SelQA has no such split.
    """
    if split not in SPLITS:
        raise ValueError(f'SelQA has no split {split!r}; choose one of {", ".join(SPLITS)}.')
    return f'selqa-{task}-{split}.json'


def find_local_file(path: Path, task: str, split: str) -> Path:
    """Return the file of a split.

    Args:
        path: A file, which is taken whatever its name; or a folder that holds the official file, directly or in a
            folder ``ass`` or ``at`` as in a checkout of the official repository. ``.jsonl`` is accepted for ``.json``.
        task: ``ass`` or ``at``.
        split: One of :data:`SPLITS`.

    Raises:
        FileNotFoundError: If there is no such file; says which names were looked for.
    """
    if path.is_file():
        return path
    name = official_name(task, split)
    looked_for = [folder / each for folder in (path, path / task) for each in (name, f'{name}l')]
    for file in looked_for:
        if file.is_file():
            return file
    raise FileNotFoundError(
        f'{path}: no SelQA {split} file; looked for {", ".join(str(file.relative_to(path)) for file in looked_for)}. '
        'Put the file there, or pass the path of a file as local_path.'
    )
