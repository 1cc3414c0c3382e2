"""Writes the patches from the package's own sources and the templates, or checks that they are up to date.

    python patches/build.py            write patches/evalscope-<version>/*.patch
    python patches/build.py --check    fail if they differ from what would be written

Building twice gives the same bytes: author, date and git's settings are fixed, evalscope's source is checked against
its digest, and evalscope's ``benchmark-info`` command, which writes index and metadata, runs with a fixed clock.
The release's source and the Python environment are kept in a cache folder; see ``upstream/release.py``.
"""

import argparse
import difflib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Iterable, Optional, Sequence

from upstream import catalog, rewrite
from upstream.contents import SERIES
from upstream.definition import Benchmark, Patch, Series
from upstream.edit import apply_edits
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
from upstream.sample_test import sample_test
from upstream.tree import DATE, ReleaseTree

PATCHES = Path(__file__).resolve().parent
ROOT = PATCHES.parent
PACKAGE = ROOT / 'plugins' / 'evalscope_qa'
RUFF = 'ruff==0.17.6'
"""Orders imports and formats as the release's own settings ask; pinned, because its output changes with its version."""


class SeriesBuilder:
    """Builds one series in a scratch folder.

    Args:
        series: What to build.
        scratch: An empty folder.
        cache: The cache folder.
    """

    def __init__(self, series: Series, scratch: Path, cache: Path) -> None:
        self._series = series
        self._tree = ReleaseTree(unpack_release(fetch_release(series.version, cache), scratch / series.version))
        requirements = [*requirements_of(self._tree.folder), *_added_requirements(series), RUFF]
        self._environment = Environment.cached(f'build-{series.version}', requirements, cache)

    def build(self) -> dict[str, str]:
        """Return the patches, file name to content, in order."""
        patches = {}
        for number, patch in enumerate(self._series.patches, start=1):
            name, text = self._tree.format_patch(self._commit(patch), number)
            patches[name] = text
        return patches

    def _commit(self, patch: Patch) -> str:
        folder = self._tree.folder
        template = PATCHES / 'templates' / self._series.version / patch.template
        apply_edits(folder, patch.edits)
        if (template / 'files').is_dir():
            shutil.copytree(template / 'files', folder, dirs_exist_ok=True)
        if patch.shared_modules:
            self._add_shared_modules()
        if patch.benchmark is not None:
            self._add_benchmark(patch.benchmark)
        self._format([path for path in self._tree.uncommitted() if path.endswith('.py')])
        if patch.benchmark is not None:
            self._generate(patch.benchmark)
        message = (template / 'message.txt').read_text(encoding='utf-8')
        return self._tree.commit(message)

    def _add_shared_modules(self) -> None:
        for name, target in rewrite.SHARED_MODULES.items():
            source = PACKAGE / f'{name}.py'
            text = rewrite.rewrite_module(source.read_text(encoding='utf-8'), {}, str(source))
            _write(self._tree.folder / f'{target.replace(".", "/")}.py', text)
            test = ROOT / 'tests' / name / f'test_{name}.py'
            text = rewrite.rewrite_shared_test(test.read_text(encoding='utf-8'), str(test))
            _write(self._tree.folder / 'tests' / 'utils' / f'test_{name}.py', text)

    def _add_benchmark(self, benchmark: Benchmark) -> None:
        source = PACKAGE / benchmark.source
        target = self._tree.folder / 'evalscope' / 'benchmarks' / benchmark.folder
        for file in sorted(source.rglob('*')):
            relative = file.relative_to(source)
            if not file.is_file() or not benchmark.takes(relative):
                continue
            if file.suffix != '.py':
                (target / relative).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target / relative)
                continue
            wording = benchmark.wording.get(relative.stem)
            relative = relative.with_stem(benchmark.renamed.get(relative.stem, relative.stem))
            text = rewrite.rewrite_module(file.read_text(encoding='utf-8'), benchmark.renamed, str(file), wording)
            _write(target / relative, text)
        for name in benchmark.tests:
            file = ROOT / 'tests' / benchmark.source / name
            text = rewrite.rewrite_test(
                file.read_text(encoding='utf-8'), benchmark.source, benchmark.folder, benchmark.renamed, str(file)
            )
            _write(self._tree.folder / benchmark.test_path(name), text)
        _write(self._tree.folder / benchmark.sample_test_path, sample_test(benchmark))
        if benchmark.metrics:
            apply_edits(self._tree.folder, [catalog.declare(benchmark.metrics, benchmark.metrics_comment)])

    def _format(self, files: Iterable[str]) -> None:
        listed = list(files)
        if not listed:
            return
        ruff = [self._environment.python, '-m', 'ruff']
        options = ['--no-cache', '--quiet']
        run([*ruff, 'check', *options, '--select', 'I', '--fix', *listed], cwd=self._tree.folder)
        run([*ruff, 'format', *options, *listed], cwd=self._tree.folder)
        run([*ruff, 'check', *options, '--output-format', 'concise', *listed], cwd=self._tree.folder)

    def _generate(self, benchmark: Benchmark) -> None:
        """Let evalscope write its index, the benchmark's metadata and the documentation pages."""
        before = set(self._tree.uncommitted())
        self._benchmark_info('--update-index', f'{" ".join(benchmark.names)} --update', '--generate-docs')
        wanted = {f'docs/{language}/benchmarks/{name}.md' for language in ('en', 'zh') for name in benchmark.documented}
        metadata = {f'evalscope/benchmarks/_meta/{name}.json' for name in benchmark.names}
        wanted |= metadata | {'evalscope/benchmarks/_index.json'}
        for path in set(self._tree.uncommitted()) - before - wanted:
            if not path.startswith('docs/'):
                raise RuntimeError(f'{benchmark.source}: evalscope wrote {path}, which nobody expected')
            (self._tree.folder / path).unlink()
        missing = [path for path in wanted if not (self._tree.folder / path).is_file()]
        if missing:
            raise RuntimeError(f'{benchmark.source}: evalscope did not write {", ".join(missing)}')

    def _benchmark_info(self, *commands: str) -> None:
        environment = child_environment(PYTHONPATH=str(self._tree.folder), EVALSCOPE_PLUGINS='off')
        script = PATCHES / 'upstream' / 'benchmark_info.py'
        run([self._environment.python, script, DATE[:19], *commands], cwd=self._tree.folder, env=environment)


def _added_requirements(series: Series) -> list[str]:
    """What the series' own edits add to evalscope's requirements."""
    added = []
    for patch in series.patches:
        for edit in patch.edits:
            if edit.path.startswith('requirements/'):
                added += [line for line in edit.new.splitlines() if line not in edit.old.splitlines()]
    return added


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8', newline='\n')


def series_folder(version: str) -> Path:
    """Return where the patches for a release are."""
    return PATCHES / f'evalscope-{version}'


def differences(version: str, built: dict[str, str]) -> list[str]:
    """Return what the files in ``patches/`` are and should not be, as lines of a diff."""
    folder = series_folder(version)
    present = {file.name: file.read_bytes().decode('utf-8') for file in folder.glob('*')} if folder.is_dir() else {}
    lines: list[str] = []
    for name in sorted(present.keys() | built.keys()):
        if present.get(name) == built.get(name):
            continue
        old, new = present.get(name, '').splitlines(), built.get(name, '').splitlines()
        path = f'evalscope-{version}/{name}'
        lines += difflib.unified_diff(old, new, path, f'{path} (built)', lineterm='', n=1)
    return lines


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Build or check; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--check', action='store_true', help='write nothing; fail if the files differ')
    parser.add_argument('--cache', type=Path, default=default_cache(), help='folder for sources and environments')
    parser.add_argument('versions', nargs='*', metavar='VERSION', help='evalscope releases (default: all)')
    options = parser.parse_args(arguments)
    unknown = set(options.versions) - set(SERIES)
    if unknown:
        parser.error(f'no patches for {", ".join(sorted(unknown))}; there are {", ".join(SERIES)}')
    stale = False
    for version in options.versions or SERIES:
        with tempfile.TemporaryDirectory(prefix='evalscope-patches-') as scratch:
            built = SeriesBuilder(SERIES[version], Path(scratch), options.cache).build()
        if options.check:
            lines = differences(version, built)
            stale = stale or bool(lines)
            print('\n'.join(lines[:200]) or f'patches/evalscope-{version}: up to date')
            continue
        folder = series_folder(version)
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in built.items():
            _write(folder / name, text)
            print((folder / name).relative_to(ROOT))
    if stale:
        print('The patches are out of date: run `python patches/build.py` and commit the result.', file=sys.stderr)
    return int(stale)


if __name__ == '__main__':
    try:
        sys.exit(main())
    except CommandError as error:
        sys.exit(str(error))
