"""How SelQA's files are called."""

from ..records import SplitFiles

SPLITS = ('train', 'dev', 'test')


def split_files(task: str) -> SplitFiles:
    """Return what the files of a task are called, directly in a folder or as in a checkout of the official repository.

    Args:
        task: ``ass`` (answer sentence selection) or ``at`` (answer triggering): SelQA's folder names.
    """
    names = (f'selqa-{task}-{{split}}.json', f'selqa-{task}-{{split}}.jsonl')
    return SplitFiles(
        dataset='SelQA',
        published=(*names, *(f'{task}/{name}' for name in names)),
        splits=SPLITS,
    )


def official_name(task: str, split: str) -> str:
    """Return the published name of a file.

    Raises:
        ValueError: If SelQA has no such split.
    """
    return split_files(task).published_names(split)[0]
