"""Applies the patches to released evalscope and runs everything that has to hold.

    python patches/verify.py [VERSION ...]     default: every release there are patches for

For each release: its source distribution is fetched by pip; the series is applied with ``git am``; the patched tree is
installed in an environment of its own; each patch's tests are run before it, where exactly the expected ones must fail,
and after it, where all must pass; evalscope's own shipped tests are run on the release and on the patched tree; and,
where the series finds entry points, this package's suite is run on the patched tree without the package's ``.pth``.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Callable, Optional, Sequence

from build import PATCHES, ROOT, RUFF, series_folder
from upstream.contents import SERIES
from upstream.definition import Benchmark, Patch, Series
from upstream.release import (
    CommandError,
    Environment,
    child_environment,
    default_cache,
    fetch_release,
    requirements_of,
    run,
    unpack_release,
)
from upstream.rewrite import SHARED_MODULES
from upstream.run_tests import Outcome, run_pytest
from upstream.tree import PatchError, ReleaseTree

TEST_REQUIREMENTS = ['pytest>=8', 'hypothesis>=6.100', RUFF]
"""What evalscope's own development requirements name and the patches' tests use."""

SUITE = ['pubmedqa', 'searchqa', 'rjua_qa', 'selqa', 'replay', 'end_to_end']
"""Our tests that a tree with the benchmarks built in must pass; the others are about our own way of being found."""

NOT_FOR_PATCHED = [
    # About the built-in PubMedQA of the release, which the series replaces.
    'tests/end_to_end/test_pubmedqa.py::test_a_run_of_the_built_in_is_rescored_from_its_own_predictions',
]
"""Tests of these that do not apply to the patched tree, and why."""

NATIVE_LOADING = """
import evalscope_qa.discovery.autoload
import evalscope
from evalscope.api.registry import BENCHMARK_REGISTRY, register_benchmark
from evalscope_qa.discovery import decisions

assert register_benchmark.__module__ == 'evalscope.api.registry', 'our hook is in the way'
made = decisions()
for decision in made:
    assert decision.status == 'active', decision
    meta = BENCHMARK_REGISTRY.get(decision.benchmark)
    assert meta.data_adapter.__module__ == decision.module, decision
assert made, 'no benchmark was found'
print(', '.join(f'{decision.benchmark} {decision.version}' for decision in made))
"""
"""Run with the discovery patch alone: evalscope itself must have loaded every benchmark of this package."""

SUITE_REQUIREMENTS = ['pytest-socket>=0.7', 'scikit-learn>=1.4', 'pytrec-eval-terrier>=0.5.6']


class Verification:
    """Checks one series.

    Args:
        series: The series.
        scratch: An empty folder.
        cache: The cache folder.
    """

    def __init__(self, series: Series, scratch: Path, cache: Path) -> None:
        self._series = series
        self._scratch = scratch
        self._cache = cache
        self._tree = ReleaseTree(unpack_release(fetch_release(series.version, cache), scratch / 'release'))
        release = self._tree.head()
        self._commits = [release]
        for patch in series.patches:
            self._commits.append(self._tree.apply(self._file(patch)))
        # Git must not be asked for them in parallel.
        self._trees = [self._worktree(index) for index in range(len(self._commits))]
        for index, patch in enumerate(series.patches):
            self._add_tests(patch, index)

    def checks(self) -> list[tuple[str, Callable[[], tuple[str, str]]]]:
        """Return what is to be done, as a name and a function that returns a problem, if any, and a summary."""
        environment = self._environment()
        todo: list[tuple[str, Callable[[], tuple[str, str]]]] = []
        if self._finds_entry_points():
            todo.append(('our suite on the patched tree, without .pth', partial(self._our_suite, environment)))
            todo.append(
                ('our hook stands aside where evalscope finds plugins', partial(self._native_loading, environment))
            )
        todo.append(("evalscope's own tests", partial(self._shipped_tests, environment)))
        for number, patch in enumerate(self._series.patches, start=1):
            name = f'{number:04d} {patch.template}'
            todo.append((f'{name}: before', partial(self._tests_before, environment, patch, number)))
            todo.append((f'{name}: after', partial(self._tests_after, environment, patch, number)))
            todo.append((f'{name}: style', partial(self._style, environment, number)))
        return todo

    def _file(self, patch: Patch) -> Path:
        number = self._series.patches.index(patch) + 1
        (file,) = series_folder(self._series.version).glob(f'{number:04d}-*.patch')
        return file

    def _worktree(self, index: int) -> Path:
        """The tree after so many patches."""
        return self._tree.worktree(self._commits[index], self._scratch / f'after-{index}')

    def _add_tests(self, patch: Patch, index: int) -> None:
        """Put a patch's tests into the tree before it, where they are to be run; its own tests do not see them."""
        for test in patch.tests:
            target = self._trees[index] / test
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self._trees[index + 1] / test, target)

    def _environment(self) -> Environment:
        """The environment with the patched tree installed, as a package and not in place."""
        patched = self._trees[-1]
        requirements = [*requirements_of(patched), *TEST_REQUIREMENTS]
        if self._finds_entry_points():
            requirements += SUITE_REQUIREMENTS
        environment = Environment.cached(f'verify-{self._series.version}', requirements, self._cache)
        source = self._scratch / 'install'
        shutil.copytree(patched, source, ignore=shutil.ignore_patterns('.git'))
        environment.install([source], '--no-deps', '--force-reinstall')
        if self._finds_entry_points():
            environment.install([ROOT], '--no-deps', '--force-reinstall')
            (environment.site_packages / 'evalscope_qa.pth').unlink()
        return environment

    def _finds_entry_points(self) -> bool:
        return any(patch.template == 'entry_points' for patch in self._series.patches)

    def _tests_before(self, environment: Environment, patch: Patch, number: int) -> tuple[str, str]:
        outcome = self._run(environment, self._trees[number - 1], patch.tests)
        unexpected = [test for test in outcome.failed if not any(_covers(name, test) for name in patch.failing_before)]
        missing = [name for name in patch.failing_before if not any(_covers(name, test) for test in outcome.failed)]
        problem = ''
        if unexpected:
            problem += _listed('fail, though nobody expects it', unexpected) + outcome.output
        if missing:
            problem += _listed('pass without the patch', missing)
        return problem, f'{outcome}; failing as expected:\n' + '\n'.join(f'      {test}' for test in outcome.failed)

    def _tests_after(self, environment: Environment, patch: Patch, number: int) -> tuple[str, str]:
        outcome = self._run(environment, self._trees[number], patch.tests)
        return _problem(outcome), str(outcome)

    def _shipped_tests(self, environment: Environment) -> tuple[str, str]:
        files = sorted(path.name for path in (self._trees[0] / 'tests').glob('test_*.py'))
        tests = [f'tests/{name}' for name in files]
        released = self._run(environment, self._trees[0], tests)
        patched = self._run(environment, self._trees[-1], tests)
        broken = [test for test in patched.failed if test not in released.failed]
        summary = f'release: {released}; patched: {patched}'
        if not patched.passed:
            return 'no test passed', summary
        return (_listed('fail on the patched tree alone', broken) + patched.output if broken else ''), summary

    def _style(self, environment: Environment, number: int) -> tuple[str, str]:
        """Lint and format rules of the release itself, on the Python files that a patch adds or changes."""
        folder = self._trees[number]
        files = [path for path in self._tree.changed_files(self._commits[number]) if path.endswith('.py')]
        ruff = [environment.python, '-m', 'ruff']
        results = [
            run([*ruff, 'check', '--no-cache', '--output-format', 'concise', *files], cwd=folder, check=False),
            run([*ruff, 'format', '--no-cache', '--check', *files], cwd=folder, check=False),
        ]
        problem = ''.join(result.stdout + result.stderr for result in results if result.returncode)
        return problem, f'{len(files)} Python files'

    def _our_suite(self, environment: Environment) -> tuple[str, str]:
        folders = [f'tests/{folder}' for folder in SUITE]
        excluded = [f'--deselect={test}' for test in NOT_FOR_PATCHED]
        modules = {f'evalscope_qa.{name}': target for name, target in SHARED_MODULES.items()}
        for patch in self._series.patches:
            if patch.benchmark is not None:
                modules.update(_native_modules(patch.benchmark))
                # They are in the patch, and run with it.
                excluded += [f'--ignore=tests/{patch.benchmark.source}/{name}' for name in patch.benchmark.tests]
        variables = {'NATIVE_MODULES': json.dumps(modules), 'PYTHONPATH': str(PATCHES / 'upstream')}
        outcome = run_pytest(environment, ROOT, ['-p', 'native_modules', *folders, *excluded], variables)
        return _problem(outcome), str(outcome)

    def _native_loading(self, environment: Environment) -> tuple[str, str]:
        """Our benchmarks, loaded by evalscope with the discovery patch alone while our hook is at work."""
        number = 1 + [patch.template for patch in self._series.patches].index('entry_points')
        result = run(
            [environment.python, '-c', NATIVE_LOADING],
            cwd=self._scratch,
            env=child_environment(PYTHONPATH=str(self._trees[number])),
            check=False,
        )
        return (result.stdout + result.stderr if result.returncode else ''), result.stdout.strip()

    def _run(self, environment: Environment, folder: Path, tests: Sequence[str]) -> Outcome:
        # The tree's own modules come first, whichever state of it is installed.
        return run_pytest(environment, folder, tests, {'PYTHONPATH': str(folder), 'EVALSCOPE_PLUGINS': 'off'})


def _native_modules(benchmark: Benchmark) -> dict[str, str]:
    """Where evalscope has the modules of a benchmark's folder, ours to theirs."""
    ours, theirs = f'evalscope_qa.{benchmark.source}', f'evalscope.benchmarks.{benchmark.folder}'
    renamed = {f'{ours}.{name}': f'{theirs}.{their_name}' for name, their_name in benchmark.renamed.items()}
    return {ours: theirs, **renamed}


def _covers(name: str, test: str) -> bool:
    """Whether an expected failure, a file or a test with or without its parameters, stands for a test."""
    return test == name or test.startswith((f'{name}[', f'{name}::'))


def _problem(outcome: Outcome) -> str:
    if outcome.failed:
        return _listed('fail', outcome.failed) + outcome.output
    return '' if outcome.passed else f'no test passed\n{outcome.output}'


def _listed(what: str, tests: Sequence[str]) -> str:
    return f'{len(tests)} tests {what}:\n' + ''.join(f'  {test}\n' for test in tests)


def verify(series: Series, cache: Path, workers: int, only: str = '') -> list[str]:
    """Check a series, print what was found, and return the names of the checks that failed."""
    print(f'evalscope {series.version}')
    started = time.monotonic()
    failed = []
    with tempfile.TemporaryDirectory(prefix='evalscope-patches-') as scratch:
        verification = Verification(series, Path(scratch), cache)
        print(f'  applied {len(series.patches)} with git am')
        checks = [(name, check) for name, check in verification.checks() if only in name]
        print(f'  installed the patched tree ({time.monotonic() - started:.0f} s)', flush=True)
        with ThreadPoolExecutor(workers) as pool:
            futures: list[tuple[str, Future[tuple[str, str, float]]]] = [
                (name, pool.submit(_timed, check)) for name, check in checks
            ]
            for name, future in futures:
                problem, summary, seconds = future.result()
                print(f'  {"FAILED" if problem else "ok    "} {name} ({seconds:.0f} s): {summary}', flush=True)
                if problem:
                    failed.append(f'evalscope {series.version}, {name}')
                    print(problem, flush=True)
    print(f'  {time.monotonic() - started:.0f} s')
    return failed


def _timed(check: Callable[[], tuple[str, str]]) -> tuple[str, str, float]:
    started = time.monotonic()
    problem, summary = check()
    return problem, summary, time.monotonic() - started


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Verify; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--cache', type=Path, default=default_cache(), help='folder for sources and environments')
    parser.add_argument('--workers', type=int, default=2, help='checks at a time (default: %(default)s)')
    parser.add_argument('--only', default='', metavar='TEXT', help='only checks whose name contains this')
    parser.add_argument('versions', nargs='*', metavar='VERSION', help='evalscope releases (default: all)')
    options = parser.parse_args(arguments)
    unknown = set(options.versions) - set(SERIES)
    if unknown:
        parser.error(f'no patches for {", ".join(sorted(unknown))}; there are {", ".join(SERIES)}')
    failed = []
    for version in options.versions or SERIES:
        failed += verify(SERIES[version], options.cache, options.workers, options.only)
    for name in failed:
        print(f'FAILED {name}', file=sys.stderr)
    return int(bool(failed))


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (CommandError, PatchError) as error:
        sys.exit(str(error))
