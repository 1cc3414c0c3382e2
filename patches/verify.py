"""Applies the patches to released evalscope and runs everything that has to hold.

    python patches/verify.py [VERSION ...]     default: every release there are patches for
    python patches/verify.py --upstream DIR    also the tests of a checkout of evalscope's repository, newest release

For each release its source distribution is fetched by pip. Each patch is applied with ``git am`` to the release with
nothing but the patches it needs; its tests must fail there before it and pass after it, and what it touches must keep
the release's own lint rules and format. Then all patches are applied in order, and evalscope's shipped tests are run.
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

from upstream.release import CommandError, default_cache, fetch_release, run, unpack_release
from upstream.run_tests import Outcome, run_pytest
from upstream.series import SERIES, Patch, environment_of, series_folder
from upstream.tree import PatchError, Tree
from upstream.unchanged import differences

Check = Callable[[], tuple[str, str]]
"""Returns what is wrong, empty if nothing is, and a summary."""


class Verification:
    """Checks the patches of one release.

    Args:
        version: The release.
        scratch: An empty folder.
        cache: The cache folder.
        upstream: A checkout of evalscope's repository, if its tests are to be run.

    Raises:
        PatchError: If a patch does not apply, by itself or in order.
    """

    def __init__(self, version: str, scratch: Path, cache: Path, upstream: Path | None = None) -> None:
        self._upstream = upstream
        self._patches = SERIES[version]
        folder = series_folder(version)
        files = {patch.file: folder / patch.file for patch in self._patches}
        self._release = Tree.of_release(unpack_release(fetch_release(version, cache), scratch / 'release'))
        released = self._release.head()
        # Git must not be asked for them in parallel.
        self._before: dict[str, Tree] = {}
        self._after: dict[str, Tree] = {}
        for number, patch in enumerate(self._patches):
            base = self._before[patch.file] = self._release.worktree(scratch / f'before-{number}', released)
            for needed in patch.needs:
                base.apply(files[needed])
            after = self._after[patch.file] = self._release.worktree(scratch / f'after-{number}', base.head())
            after.apply(files[patch.file])
            for test in self._tests(patch):
                (base.folder / test).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(after.folder / test, base.folder / test)
        self._all = self._release.worktree(scratch / 'all', released)
        for patch in self._patches:
            self._all.apply(files[patch.file], three_way=True)
        self._environment = environment_of(version, self._release.folder, cache)

    def checks(self) -> list[tuple[str, Check]]:
        """Return what is to be done, each with its name."""
        todo: list[tuple[str, Check]] = [("evalscope's shipped tests", self._shipped_tests)]
        if self._upstream is not None:
            todo.append(("evalscope's repository's tests", self._repository_tests))
        for patch in self._patches:
            checks = [('tests', self._patch_tests), ('style', self._style)]
            if patch.taken_over:
                checks.append(("the package's files", self._taken_over))
            todo += [(f'{patch.file[:30]}: {what}', partial(check, patch)) for what, check in checks]
        return todo

    def _tests(self, patch: Patch) -> list[str]:
        return [file for file in self._after[patch.file].changed_files() if _is_test(file)]

    def _patch_tests(self, patch: Patch) -> tuple[str, str]:
        tests = self._tests(patch)
        before = self._run(self._before[patch.file], tests)
        after = self._run(self._after[patch.file], tests)
        added = {name for test in tests for name in self._added_functions(patch, test)}
        failing = {_function(test) for test in before.failed} if before.collected else added
        expected = added - set(patch.holds_before)
        problem = _problem(after)
        if failing != expected:
            problem += _listed('hold without the patch', sorted(expected - failing))
            problem += _listed('fail without the patch, though they are said to hold', sorted(failing - expected))
            problem += before.output
        return problem, f'before: {before}; after: {after}'

    def _added_functions(self, patch: Patch, test: str) -> set[str]:
        before = self._release.folder / test
        there = _test_functions(before.read_text(encoding='utf-8')) if before.is_file() else set()
        return _test_functions((self._after[patch.file].folder / test).read_text(encoding='utf-8')) - there

    def _style(self, patch: Patch) -> tuple[str, str]:
        """Lint and format rules of the release itself, on the Python files that a patch adds or changes."""
        tree = self._after[patch.file]
        files = [path for path in tree.changed_files() if path.endswith('.py')]
        ruff = [self._environment.python, '-m', 'ruff']
        results = [
            run([*ruff, 'check', '--no-cache', '--output-format', 'concise', *files], cwd=tree.folder, check=False),
            run([*ruff, 'format', '--no-cache', '--check', *files], cwd=tree.folder, check=False),
        ]
        problem = ''.join(result.stdout + result.stderr for result in results if result.returncode)
        return problem, f'{len(files)} Python files'

    def _taken_over(self, patch: Patch) -> tuple[str, str]:
        """What a patch takes over from the package unchanged."""
        found = differences(self._after[patch.file].folder, patch.taken_over)
        return ''.join(f'{line}\n' for line in found), f'{len(patch.taken_over)} files are unchanged'

    def _shipped_tests(self) -> tuple[str, str]:
        files = sorted(f'tests/{path.name}' for path in (self._release.folder / 'tests').glob('test_*.py'))
        return self._nothing_broken(files)

    def _repository_tests(self) -> tuple[str, str]:
        """Tests that the source distribution lacks and that are about what a patch changes."""
        assert self._upstream is not None
        changed = {file for patch in self._patches for file in self._after[patch.file].changed_files()}
        modules = {_module(file) for file in changed if file.startswith('evalscope/') and file.endswith('.py')}
        index = json.loads((self._all.folder / 'evalscope/benchmarks/_index.json').read_text(encoding='utf-8'))
        concerned = _concerned(modules, [name for name, module in index.items() if module in modules])
        files = []
        for path in sorted(self._upstream.glob('tests/**/*.py')):
            file = path.relative_to(self._upstream).as_posix()
            if (self._all.folder / file).exists():
                continue
            for tree in (self._release, self._all):
                (tree.folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, tree.folder / file)
            if path.name.startswith('test_') and concerned(path.read_text(encoding='utf-8')):
                files.append(file)
        if not files:
            return f'{self._upstream}: no test is about what the patches change', ''
        problem, summary = self._nothing_broken(files)
        return problem, f'{len(files)} files: {summary}'

    def _nothing_broken(self, tests: Sequence[str]) -> tuple[str, str]:
        """Whether the tests pass with all patches, or fail on the release too."""
        patched = self._run(self._all, tests)
        released = self._run(self._release, tests) if patched.failed else Outcome()
        pins = {pin for patch in self._patches for pin in patch.pins}
        broken = [test for test in patched.failed if test not in released.failed and _function(test) not in pins]
        summary = f'{patched}' + (f'; on the release: {released}' if patched.failed else '')
        if not patched.passed:
            return f'no test passed\n{patched.output}', summary
        return (_listed('fail with the patches alone', broken) + patched.output if broken else ''), summary

    def _run(self, tree: Tree, tests: Sequence[str]) -> Outcome:
        return run_pytest(self._environment, tree.folder, tests, {'PYTHONPATH': str(tree.folder)})


def _concerned(modules: Iterable[str], benchmarks: Iterable[str]) -> Callable[[str], bool]:
    """Return whether a test file imports one of the modules, or looks one of the benchmarks up in the registry.

    Others that name a benchmark run it, with its dataset and a model.
    """
    imports = re.compile(rf'\b(?:{"|".join(sorted(map(re.escape, modules)))})\b')
    names = re.compile(rf"""['"](?:{'|'.join(sorted(map(re.escape, benchmarks)))})['"]""")
    return lambda text: bool(imports.search(text) or ('evalscope.api.registry' in text and names.search(text)))


def _is_test(file: str) -> bool:
    return bool(re.fullmatch(r'tests/(?:.*/)?test_\w+\.py', file))


def _test_functions(text: str) -> set[str]:
    return set(re.findall(r'^ *def (test_\w+)\(', text, re.MULTILINE))


def _function(test: str) -> str:
    return test.partition('[')[0].rpartition('::')[2]


def _module(file: str) -> str:
    return file.removesuffix('.py').removesuffix('/__init__').replace('/', '.')


def _problem(outcome: Outcome) -> str:
    if outcome.failed:
        return _listed('fail', outcome.failed) + outcome.output
    return '' if outcome.passed else f'no test passed\n{outcome.output}'


def _listed(what: str, tests: Sequence[str]) -> str:
    return f'{len(tests)} tests {what}:\n' + ''.join(f'  {test}\n' for test in tests) if tests else ''


def verify(version: str, cache: Path, workers: int, only: str = '', upstream: Path | None = None) -> list[str]:
    """Check a release's patches, print what was found, and return the names of the checks that failed."""
    print(f'evalscope {version}')
    started = time.monotonic()
    failed = []
    with tempfile.TemporaryDirectory(prefix='evalscope-patches-') as scratch:
        verification = Verification(version, Path(scratch), cache, upstream)
        print(f'  applied {len(SERIES[version])} with git am, each by itself and all in order', flush=True)
        checks = [(name, check) for name, check in verification.checks() if only in name]
        with ThreadPoolExecutor(workers) as pool:
            futures: list[tuple[str, Future[tuple[str, str, float]]]] = [
                (name, pool.submit(_timed, check)) for name, check in checks
            ]
            for name, future in futures:
                problem, summary, seconds = future.result()
                print(f'  {"FAILED" if problem else "ok    "} {name} ({seconds:.0f} s): {summary}', flush=True)
                if problem:
                    failed.append(f'evalscope {version}, {name}')
                    print(problem, flush=True)
    print(f'  {time.monotonic() - started:.0f} s')
    return failed


def _timed(check: Check) -> tuple[str, str, float]:
    started = time.monotonic()
    problem, summary = check()
    return problem, summary, time.monotonic() - started


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[0])
    parser.add_argument('--cache', type=Path, default=default_cache(), help='folder for sources and environments')
    parser.add_argument('--workers', type=int, default=1, help='checks at a time (default: %(default)s)')
    parser.add_argument('--only', default='', metavar='TEXT', help='only checks whose name contains this')
    parser.add_argument('--upstream', type=Path, metavar='DIR', help="a checkout of evalscope's repository")
    parser.add_argument('versions', nargs='*', metavar='VERSION', help='evalscope releases (default: all)')
    options = parser.parse_args(arguments)
    unknown = set(options.versions) - set(SERIES)
    if unknown:
        parser.error(f'no patches for {", ".join(sorted(unknown))}; there are {", ".join(SERIES)}')
    failed = []
    for version in options.versions or SERIES:
        # The repository is that of the newest release; its tests are not about older ones.
        upstream = options.upstream if version == list(SERIES)[-1] else None
        failed += verify(version, options.cache, options.workers, options.only, upstream)
    for name in failed:
        print(f'FAILED {name}', file=sys.stderr)
    return int(bool(failed))


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (CommandError, PatchError) as error:
        sys.exit(str(error))
