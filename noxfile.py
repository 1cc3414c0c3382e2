"""Everything that must hold before a change lands, one session a step; each can be run alone: ``nox -s lint``.

``nox --list`` shows them, ``.ci/run`` runs them all. The tests on other releases need their Python on PATH, or pyenv's.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import nox

nox.needs_version = '>=2025.2.9'
nox.options.default_venv_backend = 'uv'
nox.options.sessions = ['lint', 'types', 'suite(1.14.1)']
nox.options.error_on_missing_interpreters = True

ROOT = Path(__file__).parent
WORK = ROOT / '.nox' / 'work'
LOWEST_COVERAGE = 95
"""Percent of lines that the tests must run, in every file of the package."""
RELEASES = [('3.10', '1.12.0'), ('3.12', '1.13.0'), ('3.11', '1.14.0'), ('3.13', '1.14.1')]
"""Every supported evalscope, and among them every supported Python.

The last one is that of the README's tests: from Python 3.12 on, measuring coverage takes a fraction of the time.
"""


def _prepare_environment() -> None:
    # The tests import evalscope in many processes, which takes five times as long without bytecode. It is written at
    # the first import; compiling all that is installed would take a minute an environment.
    for variable in ('PYTHONDONTWRITEBYTECODE', 'UV_COMPILE_BYTECODE'):
        os.environ.pop(variable, None)
    os.environ['PIP_NO_COMPILE'] = '1'
    # Tests on real data run where a checkout has the data beside it; elsewhere they are skipped and say so.
    data = ROOT.parent / 'shared' / 'data'
    if data.is_dir():
        os.environ.setdefault('EVALSCOPE_QA_DATA', str(data))
    # With pyenv, python3.10 and its like are shims that fail until their versions are named: put the versions
    # themselves on PATH, the chosen one first.
    folders = os.environ['PATH'].split(os.pathsep)
    shims = [folder for folder in folders if folder.endswith('/shims')]
    if shims and shutil.which('pyenv'):
        supported = {python for python, _ in RELEASES}
        versions = [
            version for version in _words('pyenv', 'versions', '--bare') if version.rpartition('.')[0] in supported
        ]
        versions = [*_words('pyenv', 'version-name'), *versions]
        place = folders.index(shims[0])
        folders[place:place] = [f'{_words("pyenv", "prefix", version)[0]}/bin' for version in versions]
        os.environ['PATH'] = os.pathsep.join(folder for folder in folders if folder not in shims)


def _words(*command: str) -> list[str]:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


_prepare_environment()
_tested: set[tuple[str, str]] = set()
"""Python and evalscope of the suite runs of this nox process."""


@nox.session
def lint(session: nox.Session) -> None:
    """Style and format."""
    session.install('ruff>=0.9')
    session.run('ruff', 'check', '.')
    session.run('ruff', 'format', '--check', '.')


@nox.session
def types(session: nox.Session) -> None:
    """Types of the package."""
    session.install('-e', '.[test]')
    session.run('mypy')


@nox.session(python=False)
def readme(session: nox.Session) -> None:
    """The README's commands, as they stand, in a fresh clone: the demo, and the tests with their coverage."""
    clone, programs = WORK / 'clone', WORK / 'programs'
    for folder in (clone, programs):
        shutil.rmtree(folder, ignore_errors=True)
    programs.mkdir(parents=True)
    latest = shutil.which(f'python{RELEASES[-1][0]}')
    if latest:
        (programs / 'python3').symlink_to(latest)
    environment = {'PATH': os.pathsep.join([str(programs), os.environ['PATH']])}
    session.run('git', 'clone', '-q', str(ROOT), str(clone), external=True)
    text = (clone / 'README.md').read_text(encoding='utf-8')
    with session.chdir(clone):
        for name in ('demo', 'tests'):
            command = re.search(rf'<!-- {name} -->\n```bash\n([^\n]+)\n```\n', text)
            if command is None:
                session.error(f'README.md has no one-line command marked <!-- {name} -->')
            session.run('bash', '-ec', command[1], external=True, env=environment)
        python = str(clone / '.venv' / 'bin' / 'python')
        code = 'import sys, evalscope; print("%d.%d" % sys.version_info[:2], evalscope.__version__)'
        _tested.add(tuple(_words(python, '-c', code)))
        session.run(python, '-m', 'coverage', 'json', '-q', '-o', 'coverage.json', external=True)
    files = json.loads((clone / 'coverage.json').read_text(encoding='utf-8'))['files']
    covered = {name: round(file['summary']['percent_covered'], 1) for name, file in files.items()}
    low = {name: percent for name, percent in covered.items() if percent < LOWEST_COVERAGE}
    session.log(f'{len(files)} files; under {LOWEST_COVERAGE} % of lines: {low or "none"}')
    if low or not files:
        session.error('coverage is too low')


@nox.session
@nox.parametrize(('python', 'evalscope'), [nox.param(*release, id=release[1]) for release in RELEASES])
def suite(session: nox.Session, evalscope: str) -> None:
    """The suite, on the wheel, with a supported release of evalscope; arguments after -- go to pytest."""
    if (session.python, evalscope) in _tested:
        session.skip(f'the README tests ran with evalscope {evalscope} on Python {session.python}')
    session.install(f'evalscope=={evalscope}', f'{_build(session)}[test]')
    session.run('pytest', '-q', *(session.posargs or ['--durations=5']))


@nox.session(python=RELEASES[-1][0])
def examples(session: nox.Session) -> None:
    """The examples of docs/scale.md, with Ray Data and datasets: too much to install for the suite."""
    session.install('-e', '.[scale,test]')
    session.run('pytest', '-q', 'tests/examples')


@nox.session(venv_backend='venv')
def wheel(session: nox.Session) -> None:
    """The wheel in a bare environment: it works, and uninstalling it leaves nothing."""
    home = Path(session.virtualenv.location)
    session.run('uv', 'pip', 'install', '-q', '-p', str(home), str(_build(session)), external=True)
    installed = _package_files(home)
    session.run('evalscope-qa', 'list')
    session.run('evalscope-qa', 'demo', '--work-dir', str(WORK / 'demo'))
    session.run('evalscope', 'benchmark-info', 'selqa_selection', silent=True)
    session.run('pip', 'uninstall', '-q', '-y', 'evalscope-qa')
    left = _package_files(home)
    if not installed or left:
        session.error(f'{len(installed)} files installed; left by uninstalling: {left}')


def _package_files(environment: Path) -> list[str]:
    return [str(path) for path in (environment / 'lib').rglob('*evalscope[_-]qa*')] + [
        str(path) for path in (environment / 'bin').glob('evalscope-qa*')
    ]


@nox.session(python=False)
def patches(session: nox.Session) -> None:
    """The pull requests to evalscope: applied to its releases and tested there."""
    session.run('python3', 'patches/verify.py', *session.posargs, external=True)


def _build(session: nox.Session) -> Path:
    """Build the source distribution, and the wheel from it; return the wheel."""
    folder = Path(session.virtualenv.location) / 'dist'
    shutil.rmtree(folder, ignore_errors=True)
    session.run('uv', 'build', '-q', '--out-dir', str(folder), str(ROOT), external=True)
    (built,) = folder.glob('*.whl')
    return built
