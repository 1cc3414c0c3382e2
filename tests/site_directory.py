"""Builds real site directories: bare virtual environments with distributions written by hand and start-up files."""

import json
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path
from typing import Any, Callable

import evalscope_qa

ROOT = Path(__file__).parent.parent
START_UP_FILES = [ROOT / 'plugins' / 'evalscope_qa.pth', ROOT / 'plugins' / 'evalscope_qa.start']
STAND_IN = Path(__file__).parent / 'discovery' / 'stand_in'

ADAPTER = """
from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.registry import register_benchmark
"""

REGISTRATION = """

@register_benchmark(
    BenchmarkMeta(
        name='{name}',
        evaluation_version='{version}',
        dataset_id='nobody/nothing',
        pretty_name='{name} of a plugin',
        description='A plugin under test.',
        metric_list=['accuracy'],
    )
)
class Adapter_{name}(DefaultDataAdapter):
    pass
"""


def adapter_source(**versions: str) -> str:
    """Source of a module that registers benchmarks: ``adapter_source(name='v1.0', …)``."""
    return ADAPTER + ''.join(REGISTRATION.format(name=name, version=version) for name, version in versions.items())


class Site:
    """A bare virtual environment whose site directory the test fills.

    It holds this package as installed: importable, with its start-up files, but without entry points of its own.
    """

    def __init__(self, folder: Path, run_process: Callable[..., 'subprocess.CompletedProcess[str]']) -> None:
        venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)
        self.python = folder / 'bin' / 'python'
        self.packages = next(folder.glob('lib/python*/site-packages'))
        self._run_process = run_process
        for file in START_UP_FILES:
            shutil.copy(file, self.packages)
        (self.packages / 'evalscope_qa').symlink_to(Path(evalscope_qa.__file__).parent)
        # Lets coverage follow into the processes, where it is measured at all.
        installed = Path(sysconfig.get_path('purelib'))
        for name in ('coverage', 'a1_coverage.pth'):
            if (installed / name).exists():
                (self.packages / name).symlink_to(installed / name)

    def add_stand_in(self, lazy: bool = False) -> None:
        """Install the stand-in for evalscope, with a registry like that of 1.12 or, lazy, of later releases."""
        shutil.copytree(STAND_IN / 'evalscope', self.packages / 'evalscope')
        if lazy:
            shutil.copy(STAND_IN / 'lazy' / 'registry.py', self.packages / 'evalscope' / 'api' / 'registry.py')
            shutil.copy(STAND_IN / 'lazy' / 'benchmarks.py', self.packages / 'evalscope' / 'benchmarks' / '__init__.py')

    def add_upstream_loader(self) -> None:
        """Let the lazy stand-in load plugins of new names itself, as proposed to evalscope."""
        with (self.packages / 'evalscope' / 'benchmarks' / '__init__.py').open('a', encoding='utf-8') as file:
            file.write((STAND_IN / 'upstream_loader.py').read_text(encoding='utf-8'))

    def apply_upstream_loader(self) -> None:
        """Make an evalscope of the installed one's files, but for one, which has the patch that proposes the loader."""
        installed, folder = Path(sysconfig.get_path('purelib')) / 'evalscope', self.packages / 'evalscope'
        for copy, original in ((folder, installed), (folder / 'benchmarks', installed / 'benchmarks')):
            copy.mkdir()
            for file in original.iterdir():
                if file.name not in ('benchmarks', '__pycache__'):
                    (copy / file.name).symlink_to(file)
        patched = folder / 'benchmarks' / '__init__.py'
        patched.unlink()
        shutil.copy(installed / 'benchmarks' / '__init__.py', patched)
        (patch,) = (ROOT / 'patches' / 'evalscope-1.14.1').glob('*-through-entry-points.patch')
        command = ['git', 'apply', '--include=evalscope/benchmarks/__init__.py', str(patch)]
        subprocess.run(command, cwd=self.packages, check=True)
        assert 'def plugin_modules' in patched.read_text(encoding='utf-8')

    def add_environment(self) -> None:
        """Make everything importable that this test run has: evalscope, and this package's own entry points."""
        paths = dict.fromkeys([sysconfig.get_path('purelib'), sysconfig.get_path('platlib')])
        (self.packages / 'zz_environment.pth').write_text('\n'.join(paths), encoding='utf-8')

    def add_distribution(
        self, name: str, version: str, entry_points: dict[str, str], modules: dict[str, str] | None = None
    ) -> None:
        """Install a distribution: its metadata, its entry points in our group, and its modules by dotted name."""
        lines = [f'{benchmark} = {module}' for benchmark, module in entry_points.items()]
        self.add_metadata(name, version, '\n'.join(['[evalscope.benchmarks]', *lines, '']))
        for module, source in (modules or {}).items():
            self.add_module(module, source)

    def add_metadata(self, name: str, version: str, entry_points: str) -> None:
        folder = self.packages / f'{name}-{version}.dist-info'
        folder.mkdir()
        metadata = f'Metadata-Version: 2.1\nName: {folder.name.partition("-")[0]}\nVersion: {version}\n'
        (folder / 'METADATA').write_text(metadata, encoding='utf-8')
        (folder / 'entry_points.txt').write_text(entry_points, encoding='utf-8')

    def add_module(self, module: str, source: str) -> None:
        file = self.packages / (module.replace('.', '/') + '.py')
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding='utf-8')

    def run(self, code: str, *flags: str, **environment: str) -> 'subprocess.CompletedProcess[str]':
        """Run Python code and return the finished process, whatever became of it."""
        return self.python_command(*flags, '-c', code, **environment)

    def python_command(self, *arguments: str, **environment: str) -> 'subprocess.CompletedProcess[str]':
        """Run this site's Python with arguments of any kind."""
        return self._run_process(self.python, *arguments, **environment)

    def ask_by_pep_829(self, code: str, rules: str = 'ignore import lines', times: int = 1, **environment: str) -> Any:
        """Like :meth:`ask`, in a start that reads this site's start-up files by the rules of a later Python.

        Args:
            code: What to run.
            rules: See ``pep_829.add_site``.
            times: How often the start reads them: 3.15 reads those of a virtual environment twice.
        """
        start = f'import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import pep_829\n'
        start += f'for _ in range({times}): pep_829.add_site({str(self.packages)!r}, {rules!r})\n'
        return self.ask(start + code, '-S', **environment)

    def ask(self, code: str, *flags: str, **environment: str) -> Any:
        """Run Python code that must succeed and prints JSON; return what it printed."""
        process = self.run(code, *flags, **environment)
        assert process.returncode == 0, process.stderr
        return json.loads(process.stdout)
