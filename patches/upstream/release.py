"""Fetches evalscope's released source and makes Python environments, both kept in a cache folder.

The cache folder is ``--cache DIR``, else ``$EVALSCOPE_QA_PATCH_CACHE``, else ``evalscope-qa/patches`` in the user's
cache folder. It can be deleted at any time.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

CACHE_VARIABLE = 'EVALSCOPE_QA_PATCH_CACHE'

SHA256 = {
    '1.12.0': '0ef8b008fbdd44fe4c051228612f85b770615e81fcb31912e6fb9ea9cbc19640',
    '1.14.1': '843cf1e29bad09d4fa751c6b9001c69ddf90c7dc55cd9a4d86dc738db127583b',
}
"""Digests of the source distributions that the patches are made for."""


class CommandError(RuntimeError):
    """A command failed; the message holds its output."""


def default_cache() -> Path:
    """Return the cache folder; see the module's docstring."""
    configured = os.environ.get(CACHE_VARIABLE)
    if configured:
        return Path(configured).expanduser().resolve()
    base = Path(os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache')
    return base / 'evalscope-qa' / 'patches'


def run(
    command: Sequence[object],
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    check: bool = True,
    stdin: str | None = None,
) -> 'subprocess.CompletedProcess[str]':
    """Run a command and capture its output as text, with line ends as they are.

    Raises:
        CommandError: If ``check`` and the command fails.
    """
    words = [str(word) for word in command]
    data = None if stdin is None else stdin.encode('utf-8')
    finished = subprocess.run(words, cwd=cwd, env=env, input=data, capture_output=True, check=False)
    output, errors = (part.decode('utf-8', errors='replace') for part in (finished.stdout, finished.stderr))
    result = subprocess.CompletedProcess(words, finished.returncode, output, errors)
    if check and result.returncode != 0:
        raise CommandError(f'{" ".join(words)} failed ({result.returncode}):\n{result.stdout}\n{result.stderr}')
    return result


def child_environment(**variables: str) -> dict[str, str]:
    """Return the environment of a child Python: neither this one's paths nor switches, and with bytecode kept.

    Every child imports evalscope, which takes five times as long without bytecode.
    """
    dropped = ('PYTHONPATH', 'PYTHONDONTWRITEBYTECODE', 'EVALSCOPE_PLUGINS')
    return {**{key: value for key, value in os.environ.items() if key not in dropped}, **variables}


def fetch_release(version: str, cache: Path) -> Path:
    """Return evalscope's source distribution, downloaded by pip unless the cache holds it.

    Raises:
        CommandError: If pip cannot download it.
        ValueError: If the archive is not the one the patches are made for.
    """
    archive = cache / 'sdist' / f'evalscope-{version}.tar.gz'
    if not archive.is_file():
        archive.parent.mkdir(parents=True, exist_ok=True)
        options = ['--no-deps', '--no-binary', 'evalscope', '--dest', archive.parent]
        run([*_pip(cache), 'download', *options, f'evalscope=={version}'])
    expected = SHA256.get(version)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if expected is None:
        raise ValueError(f'evalscope {version}: no digest is recorded (found {found}); there are {", ".join(SHA256)}.')
    if found != expected:
        raise ValueError(f'{archive}: SHA-256 {found}, expected {expected}; delete the file and try again.')
    return archive


def _pip(cache: Path) -> list[object]:
    """Return the command line of a pip; environments made by uv have none of their own."""
    if importlib.util.find_spec('pip') is not None:
        return [sys.executable, '-m', 'pip']
    folder = cache / 'pip'
    python = _python_of(folder)
    if not python.exists():
        run([sys.executable, '-m', 'venv', folder])
    return [python, '-m', 'pip']


def unpack_release(archive: Path, folder: Path) -> Path:
    """Unpack a source distribution into ``folder``, which is created, and return the source tree."""
    folder.mkdir(parents=True)
    with tarfile.open(archive) as file:
        # The filter came with Python 3.12 and the last patch releases of 3.10 and 3.11.
        if hasattr(tarfile, 'data_filter'):
            file.extractall(folder, filter='data')
        else:
            file.extractall(folder)
    (tree,) = folder.iterdir()
    return tree


def requirements_of(tree: Path) -> list[str]:
    """Return the runtime requirements of evalscope's source tree."""
    lines = (tree / 'requirements' / 'framework.txt').read_text(encoding='utf-8').splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith('#')]


class Environment:
    """A virtual environment of the running Python version."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = _python_of(folder)

    @classmethod
    def cached(cls, name: str, requirements: Sequence[str], cache: Path) -> 'Environment':
        """Return the cached environment ``name`` with ``requirements`` installed, made anew where these differ."""
        version = '.'.join(str(part) for part in sys.version_info[:2])
        environment = cls(cache / 'environments' / f'{name}-py{version}')
        marker = environment.folder / 'requirements.txt'
        wanted = '\n'.join([*requirements, ''])
        if not marker.is_file() or marker.read_text(encoding='utf-8') != wanted:
            shutil.rmtree(environment.folder, ignore_errors=True)
            environment._create()
            environment.install(requirements)
            marker.write_text(wanted, encoding='utf-8')
        return environment

    def _create(self) -> None:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        uv = shutil.which('uv')
        if uv:
            run([uv, 'venv', '--quiet', '--no-project', '--python', sys.executable, self.folder])
        else:
            run([sys.executable, '-m', 'venv', self.folder])

    def install(self, requirements: Sequence[object], *options: str) -> None:
        """Install requirements or project folders, by uv where there is one and by pip otherwise; options are pip's."""
        uv = shutil.which('uv')
        if uv:
            options = tuple('--reinstall' if option == '--force-reinstall' else option for option in options)
            run([uv, 'pip', 'install', '--quiet', '--python', self.python, *options, *requirements])
        else:
            run([self.python, '-m', 'pip', 'install', '--quiet', *options, *requirements])


def _python_of(folder: Path) -> Path:
    return folder / ('Scripts/python.exe' if os.name == 'nt' else 'bin/python')
