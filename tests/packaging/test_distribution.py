"""What the built distributions hold, that they work installed and editable, and that uninstalling leaves nothing."""

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Callable

import pytest
from site_directory import START_UP_FILES

ROOT = Path(__file__).parents[2]
SAMPLES = {path.relative_to(ROOT / 'plugins').as_posix() for path in (ROOT / 'plugins').glob('evalscope_qa/*/sample/*')}
BENCHMARKS = ['pubmedqa', 'pubmedqa_official', 'rjua_qa', 'searchqa', 'selqa_selection', 'selqa_triggering']


@pytest.fixture(scope='module')
def editable_wheel(tmp_path_factory: pytest.TempPathFactory, run_or_fail: Callable[..., str]) -> Path:
    """What an installer asks the build backend for in `pip install -e`."""
    folder = tmp_path_factory.mktemp('editable')
    code = 'import sys, hatchling.build; hatchling.build.build_editable(sys.argv[1])'
    run_or_fail(sys.executable, '-c', code, folder)
    return next(folder.glob('*.whl'))


def test_the_wheel_holds_the_start_up_files_the_samples_and_the_type_marker(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for file in START_UP_FILES:
            assert archive.read(file.name) == file.read_bytes()
        record = archive.read(next(name for name in names if name.endswith('.dist-info/RECORD'))).decode()
        entry_points = archive.read(next(name for name in names if name.endswith('/entry_points.txt'))).decode()
    assert SAMPLES and names >= SAMPLES
    assert 'evalscope_qa/py.typed' in names
    modules = {path.relative_to(ROOT / 'plugins').as_posix() for path in (ROOT / 'plugins').rglob('*.py')}
    assert modules <= names
    # Nothing but the package, its start-up files and its metadata: tests and docs stay out of site-packages.
    assert {name.partition('/')[0] for name in names} == {
        'evalscope_qa',
        *(file.name for file in START_UP_FILES),
        next(name for name in names if '.dist-info/' in name).partition('/')[0],
    }
    # What RECORD lists is what uninstalling removes.
    assert {line.rpartition(',')[0].rpartition(',')[0] for line in record.splitlines()} == names
    group = entry_points.partition('[evalscope.benchmarks]\n')[2].partition('[')[0]
    assert re.findall(r'^(\w+) =', group, re.MULTILINE) == BENCHMARKS


def test_the_sdist_holds_what_builds_and_tests_the_package(dist: Path) -> None:
    with tarfile.open(next(dist.glob('*.tar.gz'))) as archive:
        names = {name.partition('/')[2] for name in archive.getnames()}
    assert {'pyproject.toml', 'README.md', 'LICENSE', 'CHANGELOG.md', 'plugins/evalscope_qa.pth'} <= names
    assert any(name.startswith('tests/') for name in names) and any(name.startswith('docs/') for name in names)


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob('*') if '__pycache__' not in path.parts}


@pytest.mark.parametrize('form', ['wheel', 'editable_wheel'])
def test_installed_either_way_it_works_and_uninstalling_leaves_nothing(
    form: str,
    environment: Path,
    request: pytest.FixtureRequest,
    run_or_fail: Callable[..., str],
    run_process: Callable[..., 'subprocess.CompletedProcess[str]'],
) -> None:
    python = environment / 'bin' / 'python'
    packages = next(environment.glob('lib/python*/site-packages'))
    before = _files(environment)

    run_or_fail(python, '-m', 'pip', 'install', '-q', '--no-deps', '--no-index', request.getfixturevalue(form))
    installed = _files(environment) - before
    assert installed >= {packages / file.name for file in START_UP_FILES}
    assert environment / 'bin' / 'evalscope-qa' in installed

    # evalscope and its own dependencies come from this run's environment, after everything installed here.
    borrowed = request.getfixturevalue('borrowed_packages')
    code = (
        'import json, evalscope, evalscope_qa; from evalscope_qa import discovery; print(json.dumps(['
        'evalscope_qa.__file__, discovery.pth_in_force(), '
        '[[decision.benchmark, decision.status] for decision in discovery.decisions()]]))'
    )
    process = run_process(python, '-c', code)
    borrowed.unlink()
    assert process.returncode == 0, process.stderr
    file, pth_in_force, decisions = json.loads(process.stdout)
    home = packages if form == 'wheel' else ROOT / 'plugins'
    assert Path(file) == home / 'evalscope_qa' / '__init__.py'
    assert pth_in_force is True
    assert [decision for decision in decisions if decision[1] != 'off'] == [[name, 'active'] for name in BENCHMARKS]
    assert ['mmlu', 'off'] in decisions

    run_or_fail(python, '-m', 'pip', 'uninstall', '-q', '-y', 'evalscope-qa')
    assert _files(environment) == before
    assert not list(environment.rglob('*evalscope_qa*'))
    process = run_process(python, '-c', 'import sys; print([type(finder) for finder in sys.meta_path])')
    assert process.stderr == '' and 'EvalscopeFinder' not in process.stdout
