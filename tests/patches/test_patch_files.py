"""The patches in git: in order, complete, ours, and the same code as the package they are made from."""

import ast
import json
import re
from pathlib import Path

import pytest
from upstream import catalog, rewrite
from upstream.contents import SERIES
from upstream.definition import Benchmark

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / 'plugins' / 'evalscope_qa'
DEFINED = [(version, patch) for version, series in SERIES.items() for patch in series.patches]
BENCHMARKS = [patch.benchmark for _, patch in DEFINED if patch.benchmark is not None]

KNOWN_TO_EVALSCOPE = {'yes_ratio', 'maybe_ratio'}
"""Names that the package declares for older releases and evalscope 1.14.1 has."""


def test_every_defined_patch_is_in_git_and_no_other(series) -> None:
    assert {version: len(listed) for version, listed in series.items()} == {
        version: len(defined.patches) for version, defined in SERIES.items()
    }


def test_patches_are_numbered_in_order_and_named_after_their_subject(series) -> None:
    for listed in series.values():
        for number, patch in enumerate(listed, start=1):
            slug = re.sub(r'[^a-z0-9]+', '-', patch.subject.lower()).strip('-')
            assert patch.name == f'{number:04d}-{slug}.patch'


@pytest.mark.parametrize('heading', ['Problem', 'Change', 'Tests', 'Compatibility'])
def test_every_message_is_a_pull_request_text(patches, heading: str) -> None:
    for patch in patches:
        assert re.search(rf'^{heading}\.', patch.message, re.MULTILINE), patch.name
        assert re.search(r'\bbefore\b', patch.message) or re.search(r'\bv1\.2\b', patch.message), patch.name


def test_messages_fit_a_mail(patches) -> None:
    for patch in patches:
        assert len(patch.subject) <= 80, patch.name
        assert max(len(line) for line in patch.message.splitlines()) <= 80, patch.name


def test_every_patch_brings_its_tests(series) -> None:
    for version, listed in series.items():
        for defined, patch in zip(SERIES[version].patches, listed, strict=True):
            assert defined.tests
            for test in defined.tests:
                assert patch.files[test].new, (patch.name, test)
                assert re.search(r'^def test_', patch.files[test].added, re.MULTILINE), (patch.name, test)


def test_expected_failures_are_tests_of_their_patch(series) -> None:
    for version, listed in series.items():
        for defined, patch in zip(SERIES[version].patches, listed, strict=True):
            assert defined.failing_before
            for name in defined.failing_before:
                file, _, test = name.partition('::')
                assert file in defined.tests
                if test:
                    assert f'def {test.partition("[")[0]}(' in patch.files[file].added, name


@pytest.mark.parametrize('folder', ['/work', '/tmp', '/root', '/home/', 'C:\\'])
def test_no_patch_holds_a_local_path(patches, folder: str) -> None:
    for patch in patches:
        assert folder not in patch.text, patch.name


def test_no_patch_names_the_package_it_comes_from(patches) -> None:
    for patch in patches:
        for file in patch.files.values():
            assert not re.search(r'\bevalscope_qa\b|\bevalscope-qa\b', file.added), (patch.name, file.path)


def test_no_patch_touches_what_is_not_part_of_evalscope(patches) -> None:
    for patch in patches:
        tops = {path.partition('/')[0] for path in patch.files}
        assert tops <= {'evalscope', 'tests', 'docs', 'requirements'}, patch.name


def test_patches_carry_no_machine_and_no_date_of_their_making(patches) -> None:
    for patch in patches:
        assert patch.text.startswith('From 0000000000000000000000000000000000000000 '), patch.name
        assert 'Date: Sun, 29 Nov 2026 00:00:00 +0000\n' in patch.text, patch.name


@pytest.mark.parametrize('benchmark', BENCHMARKS, ids=lambda benchmark: benchmark.source)
def test_a_patch_holds_the_package_s_code(patches, benchmark: Benchmark) -> None:
    """Drift shows here without a network; imports aside, because their order and module names differ."""
    patch = _patch_of(patches, benchmark)
    source = PACKAGE / benchmark.source
    modules = sorted(source.glob('*.py'))
    assert modules
    for module in modules:
        target = f'evalscope/benchmarks/{benchmark.folder}/{benchmark.renamed.get(module.stem, module.stem)}.py'
        wording = benchmark.wording.get(module.stem)
        text = rewrite.rewrite_module(module.read_text(encoding='utf-8'), benchmark.renamed, target, wording)
        if target in patch.files and patch.files[target].new:
            assert _code(patch.files[target].added) == _code(text), target
        elif text.strip():
            # It replaces a file that evalscope has, so the patch adds no more than what differs.
            ours = set(text.splitlines())
            foreign = [line for line in patch.files[target].added.splitlines() if line not in ours]
            assert all(line.startswith(('from ', 'import ')) for line in foreign), (target, foreign)


@pytest.mark.parametrize('benchmark', BENCHMARKS, ids=lambda benchmark: benchmark.source)
def test_a_patch_holds_the_package_s_data(patches, benchmark: Benchmark) -> None:
    patch = _patch_of(patches, benchmark)
    source = PACKAGE / benchmark.source
    files = [file for file in source.rglob('*') if file.is_file() and file.suffix != '.py']
    files = [file for file in files if benchmark.takes(file.relative_to(source))]
    assert files
    for file in files:
        target = f'evalscope/benchmarks/{benchmark.folder}/{file.relative_to(source).as_posix()}'
        assert patch.files[target].added == file.read_text(encoding='utf-8').rstrip('\n') + '\n', target


@pytest.mark.parametrize('benchmark', BENCHMARKS, ids=lambda benchmark: benchmark.source)
def test_a_patch_holds_the_package_s_tests_and_numbers(patches, benchmark: Benchmark) -> None:
    patch = _patch_of(patches, benchmark)
    for name in benchmark.tests:
        text = (ROOT / 'tests' / benchmark.source / name).read_text(encoding='utf-8')
        assert _code(patch.files[benchmark.test_path(name)].added) == _code(text), name
    for name in benchmark.names:
        snapshots = json.loads((ROOT / 'tests' / 'snapshots' / f'{name}.json').read_text(encoding='utf-8'))
        *_, version = sorted(snapshots, key=lambda text: [int(part) for part in text[1:].split('.')])
        for metric, value in snapshots[version].items():
            assert f"'{metric}': {value!r}," in patch.files[benchmark.sample_test_path].added, (name, metric)


@pytest.mark.parametrize('benchmark', BENCHMARKS, ids=lambda benchmark: benchmark.source)
def test_a_patch_brings_index_metadata_and_metric_names(patches, benchmark: Benchmark) -> None:
    patch = _patch_of(patches, benchmark)
    for name in benchmark.names:
        assert f'evalscope/benchmarks/_meta/{name}.json' in patch.files
        if name in benchmark.documented:
            assert (
                f'"{name}": "evalscope.benchmarks.{benchmark.folder}.'
                in patch.files['evalscope/benchmarks/_index.json'].added
            )
            metadata = json.loads(patch.files[f'evalscope/benchmarks/_meta/{name}.json'].added)
            assert metadata['meta']['metrics'][-1] == 'unanswered_ratio'
            assert patch.files[f'docs/en/benchmarks/{name}.md'].new
            assert patch.files[f'docs/zh/benchmarks/{name}.md'].new
    added = patch.files['evalscope/metrics/semantics/catalog.py'].added
    for metric in benchmark.metrics:
        assert f"'{metric}': MetricEntry(" in added


def test_the_series_declares_every_metric_name_of_the_package_once() -> None:
    declared = [metric for benchmark in BENCHMARKS for metric in benchmark.metrics]
    ours = catalog.metric_names()
    assert sorted(declared) == sorted({*ours._SCORES, *ours._SHARES} - KNOWN_TO_EVALSCOPE)


def test_the_shared_modules_come_with_the_first_benchmark(series) -> None:
    first = next(patch for patch in SERIES['1.14.1'].patches if patch.benchmark is not None)
    assert [patch for _, patch in DEFINED if patch.shared_modules] == [first]
    patch = series['1.14.1'][SERIES['1.14.1'].patches.index(first)]
    for name, target in rewrite.SHARED_MODULES.items():
        added = patch.files[f'{target.replace(".", "/")}.py'].added
        assert _code(added) == _code((PACKAGE / f'{name}.py').read_text(encoding='utf-8'))


def test_templates_are_all_used() -> None:
    folders = {path for path in (ROOT / 'patches' / 'templates').glob('*/*') if path.is_dir()}
    assert folders == {ROOT / 'patches' / 'templates' / version / patch.template for version, patch in DEFINED}


def _patch_of(patches, benchmark: Benchmark):
    (patch,) = [patch for patch in patches if benchmark.sample_test_path in patch.files]
    return patch


def _code(text: str) -> str:
    """The module's syntax tree without imports, docstrings included."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for field in ('body', 'orelse'):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                kept = [item for item in statements if not isinstance(item, (ast.Import, ast.ImportFrom))]
                setattr(node, field, kept)
    return ast.dump(tree)
