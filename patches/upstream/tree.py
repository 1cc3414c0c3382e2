"""A git repository around a released source tree; what it writes does not depend on the user's git settings."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from .release import CommandError, run

AUTHOR = 'The evalscope-qa developers <evalscope-qa@example.invalid>'
"""Author of the patches until somebody submits them; see patches/README.md."""

DATE = '2026-11-29T00:00:00+0000'
"""Fixed, so that a patch does not say when it was written."""

_FORMAT = [
    '--zero-commit',
    '--no-signature',
    '--no-numbered',
    '--no-stat',
    '--no-renames',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--full-index',
    '--patch',
    '--unified=3',
    '--inter-hunk-context=0',
    '--diff-algorithm=myers',
    '--no-indent-heuristic',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    '--subject-prefix=PATCH',
]


class PatchError(RuntimeError):
    """A patch does not apply."""


class Tree:
    """A source tree under version control.

    Args:
        folder: A working tree of a repository; see `of_release`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def of_release(cls, folder: Path) -> 'Tree':
        """Put a released source tree under version control, its files as released in the first commit."""
        tree = cls(folder)
        tree._git('init', '--quiet', '--initial-branch=release', '--template=')
        (folder / '.git' / 'info').mkdir(exist_ok=True)
        (folder / '.git' / 'info' / 'exclude').write_text('__pycache__/\n')
        # What an ignore file of the release names is part of the release too.
        tree._git('add', '--all', '--force')
        tree.commit('Release')
        return tree

    def commit(self, message: str) -> str:
        """Commit every changed, new and deleted file and return the commit's id."""
        self._git('add', '--all')
        self._git('commit', '--quiet', '--no-verify', '--cleanup=verbatim', '--file=-', stdin=message)
        return self.head()

    def head(self) -> str:
        """Return the id of the last commit."""
        return self._git('rev-parse', 'HEAD').strip()

    def worktree(self, folder: Path, commit: str) -> 'Tree':
        """Check a commit out into a new folder beside this one."""
        self._git('worktree', 'add', '--quiet', '--detach', str(folder), commit)
        return Tree(folder)

    def changed_files(self, commit: str = 'HEAD') -> list[str]:
        """Return the paths that a commit changes or adds."""
        listed = self._git('diff-tree', '-r', '--name-only', '--no-commit-id', '--diff-filter=AM', '-z', commit)
        return [path for path in listed.split('\0') if path]

    def apply(self, patch: Path, three_way: bool = False) -> str:
        """Apply a patch with ``git am`` and return the commit's id.

        Args:
            patch: The file.
            three_way: Merge where another patch has changed the lines around, as a pull request would be.

        Raises:
            PatchError: If it does not apply.
        """
        try:
            self._git('am', '--quiet', '--3way' if three_way else '--no-3way', '--keep-cr', str(patch))
        except CommandError as error:
            raise PatchError(f'{patch.name} does not apply:\n{error}') from error
        return self.head()

    def format_patch(self) -> tuple[str, str]:
        """Return the last commit's subject as part of a file name, and the commit as a patch."""
        text = self._git('format-patch', '--stdout', *_FORMAT, '-1', 'HEAD')
        subject = self._git('show', '--no-patch', '--format=%s', 'HEAD').strip()
        return re.sub(r'[^a-z0-9]+', '-', subject.lower()).strip('-'), text

    def _git(self, *words: str, stdin: str = '') -> str:
        return run(['git', *_SETTINGS, *words], cwd=self.folder, env=_git_environment(self.folder), stdin=stdin).stdout


_SETTINGS = [
    word
    for setting in (
        'core.autocrlf=false',
        'core.fileMode=true',
        'core.excludesFile=',
        'core.attributesFile=',
        'core.quotePath=true',
        'commit.gpgSign=false',
        'i18n.commitEncoding=UTF-8',
        'i18n.logOutputEncoding=UTF-8',
        'format.useAutoBase=false',
        'format.encodeEmailHeaders=true',
        'gc.auto=0',
        'maintenance.auto=false',
    )
    for word in ('-c', setting)
]


def _git_environment(folder: Path) -> Mapping[str, str]:
    name, _, email = AUTHOR.removesuffix('>').partition(' <')
    inherited = {key: value for key, value in os.environ.items() if not key.startswith('GIT_')}
    return {
        **inherited,
        'GIT_CONFIG_NOSYSTEM': '1',
        'GIT_CONFIG_GLOBAL': os.devnull,
        'GIT_CEILING_DIRECTORIES': str(folder.parent),
        'GIT_AUTHOR_NAME': name,
        'GIT_AUTHOR_EMAIL': email,
        'GIT_AUTHOR_DATE': DATE,
        'GIT_COMMITTER_NAME': name,
        'GIT_COMMITTER_EMAIL': email,
        'GIT_COMMITTER_DATE': DATE,
        'LC_ALL': 'C.UTF-8',
        'TZ': 'UTC',
    }
