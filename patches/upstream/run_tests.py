"""Runs pytest in a process of its own and says which tests failed."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from .release import CommandError, Environment, child_environment, run


@dataclass
class Outcome:
    """What a run of pytest found."""

    passed: int = 0
    skipped: int = 0
    failed: list[str] = field(default_factory=list)
    """``file::test`` of each failing test, or ``file`` where the file itself could not be imported."""
    output: str = ''

    @property
    def collected(self) -> bool:
        """Whether every test file could be imported."""
        return all('::' in test for test in self.failed)

    def __str__(self) -> str:
        parts = [f'{self.passed} passed', f'{len(self.failed)} failed', f'{self.skipped} skipped']
        return ', '.join(part for part in parts if not part.startswith('0 '))


def run_pytest(
    environment: Environment,
    folder: Path,
    arguments: Sequence[object],
    variables: Mapping[str, str] | None = None,
) -> Outcome:
    """Run pytest in ``folder``.

    Raises:
        CommandError: If pytest could not run the tests, which is more than tests that fail.
    """
    with tempfile.TemporaryDirectory(prefix='evalscope-tests-') as scratch:
        report = Path(scratch) / 'report.xml'
        options = ['-p', 'no:cacheprovider', '-o', 'junit_family=xunit1', f'--junitxml={report}', '--tb=short', '-q']
        options.append('--continue-on-collection-errors')
        result = run(
            [environment.python, '-m', 'pytest', *options, *arguments],
            cwd=folder,
            env=child_environment(
                # Hypothesis then takes the same examples each time, and no time limit, as in evalscope's own CI.
                CI='true',
                EVALSCOPE_CACHE=f'{scratch}/evalscope',
                MODELSCOPE_CACHE=f'{scratch}/modelscope',
                HF_HOME=f'{scratch}/huggingface',
                **(variables or {}),
            ),
            check=False,
        )
        # 1: tests failed; 2: a file could not be imported.
        if result.returncode not in (0, 1, 2) or not report.is_file():
            raise CommandError(f'pytest ended with {result.returncode}:\n{result.stdout}\n{result.stderr}')
        return _outcome(report, result.stdout)


def _outcome(report: Path, output: str) -> Outcome:
    outcome = Outcome(output=output)
    for case in ElementTree.parse(report).getroot().iter('testcase'):
        if case.find('failure') is not None or case.find('error') is not None:
            outcome.failed.append(_test_id(case))
        elif case.find('skipped') is not None:
            outcome.skipped += 1
        else:
            outcome.passed += 1
    return outcome


def _test_id(case: ElementTree.Element) -> str:
    """Name a test as pytest does; a file that cannot be imported is a case without a class and with a dotted name."""
    name = case.get('name', '')
    if not case.get('classname'):
        return case.get('file') or f'{name.replace(".", "/")}.py'
    file = case.get('file', '')
    module = Path(file).with_suffix('').as_posix().replace('/', '.')
    within = case.get('classname', '').removeprefix(module).strip('.').replace('.', '::')
    return '::'.join(part for part in (file, within, name) if part)
