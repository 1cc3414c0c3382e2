"""Distributions of the package as built, and a bare environment to install them into."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Callable, Iterator

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope='session')
def run_or_fail() -> Callable[..., str]:
    """Return a function that runs a command, which must succeed, and returns what it printed."""

    def run(*command: object, cwd: Path = ROOT) -> str:
        words = [str(word) for word in command]
        process = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=300)
        assert process.returncode == 0, process.stdout + process.stderr
        return process.stdout

    return run


@pytest.fixture(scope='session')
def dist(tmp_path_factory: pytest.TempPathFactory, run_or_fail: Callable[..., str]) -> Path:
    """An sdist, and the wheel built from that sdist rather than from the tree."""
    folder = tmp_path_factory.mktemp('dist')
    run_or_fail(sys.executable, '-m', 'build', '--no-isolation', '--outdir', folder, ROOT)
    return folder


@pytest.fixture(scope='session')
def wheel(dist: Path) -> Path:
    return next(dist.glob('*.whl'))


@pytest.fixture(scope='session')
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare virtual environment with pip, which comes with Python; a test leaves it as it was."""
    folder = tmp_path_factory.mktemp('bare') / 'venv'
    venv.EnvBuilder(symlinks=True, with_pip=True).create(folder)
    return folder


@pytest.fixture
def borrowed_packages(environment: Path) -> Iterator[Path]:
    """Let the bare environment import what this run's has, after everything installed in it."""
    file = next(environment.glob('lib/python*/site-packages')) / 'zz_environment.pth'
    file.write_text(sysconfig.get_path('purelib') + '\n', encoding='utf-8')
    yield file
    file.unlink(missing_ok=True)
