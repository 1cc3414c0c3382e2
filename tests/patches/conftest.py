"""Makes the modules that check the patches importable, and reads the patches in git."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PATCHES = Path(__file__).parents[2] / 'patches'
sys.path.insert(0, str(PATCHES))


@dataclass(frozen=True)
class FilePatch:
    """What a patch does to one file."""

    path: str
    new: bool
    added: str
    """The lines it adds; all of a new file."""
    changed: int
    """How many lines it adds and removes."""


@dataclass(frozen=True)
class PatchFile:
    """A patch in git."""

    name: str
    subject: str
    message: str
    files: dict[str, FilePatch]
    text: str


def parse(path: Path) -> PatchFile:
    """Read what ``git format-patch`` writes; subject and message without the mail headers."""
    text = path.read_text(encoding='utf-8')
    head, *parts = text.split('\ndiff --git ')
    header, _, message = head.partition('\n\n')
    subject = header.split('\nSubject: [PATCH] ', 1)[1].split('\nMIME-Version: ')[0].replace('\n ', ' ')
    files = {file.path: file for file in map(_file_patch, parts)}
    return PatchFile(path.name, subject, message, files, text)


def _file_patch(part: str) -> FilePatch:
    lines = part.split('\n')
    first_hunk = next((index for index, line in enumerate(lines) if line.startswith('@@ ')), len(lines))
    added = [line[1:] for line in lines[first_hunk:] if line.startswith('+')]
    path = lines[0].split(' b/', 1)[1]
    new = any(line.startswith('new file mode') for line in lines[:first_hunk])
    removed = sum(line.startswith('-') for line in lines[first_hunk:])
    return FilePatch(path, new, '\n'.join([*added, '']), len(added) + removed)


@pytest.fixture(scope='session')
def series() -> dict[str, list[PatchFile]]:
    """Release to its patches in git, in order."""
    return {
        folder.name.removeprefix('evalscope-'): [parse(path) for path in sorted(folder.glob('*.patch'))]
        for folder in sorted(PATCHES.glob('evalscope-*'))
    }


@pytest.fixture(scope='session')
def patches(series: dict[str, list[PatchFile]]) -> list[PatchFile]:
    return [patch for listed in series.values() for patch in listed]


@pytest.fixture
def git_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user's git settings that would change what git writes."""
    settings = tmp_path / 'home' / '.gitconfig'
    settings.parent.mkdir()
    settings.write_text(
        '[user]\nname = Somebody\nemail = somebody@example.invalid\n'
        '[diff]\nnoprefix = true\ncontext = 9\nalgorithm = patience\nrenames = copies\n'
        '[format]\nsignature = mine\nnumbered = true\nsubjectPrefix = MINE\nsignOff = true\n'
        '[core]\nautocrlf = true\nabbrev = 6\n[commit]\ngpgSign = true\n',
        encoding='utf-8',
    )
    monkeypatch.setenv('HOME', str(settings.parent))
    monkeypatch.setenv('GIT_CONFIG_GLOBAL', str(settings))
    monkeypatch.setenv('GIT_AUTHOR_NAME', 'Somebody Else')
    yield settings
