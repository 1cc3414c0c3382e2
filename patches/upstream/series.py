"""The patches of each release, in order, and what ``verify.py`` has to know about them beside the files themselves."""

from dataclasses import dataclass, field
from pathlib import Path

from .release import Environment, requirements_of

PATCHES = Path(__file__).resolve().parents[1]
ROOT = PATCHES.parent


@dataclass(frozen=True)
class Patch:
    """One patch, which is one pull request.

    Attributes:
        file: Its name below the release's folder.
        needs: Names of the patches that it needs; it must apply to the release with these alone.
        holds_before: Its test functions that hold without it too: what must not be lost. Every other test function
            that it adds must fail without it, in one of its cases at least.
        requirements: What its tests need beside the release's own requirements.
        taken_over: Files of the package that it holds unchanged, import statements of tests aside: path in evalscope to
            path here.
        pins: Tests of evalscope's repository, not in its source distribution, that hold a version which it raises.
    """

    file: str
    needs: tuple[str, ...] = ()
    holds_before: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    taken_over: dict[str, str] = field(default_factory=dict)
    pins: tuple[str, ...] = ()


def _taken_over(benchmark: str, *metrics: str) -> dict[str, str]:
    """The modules with a benchmark's metrics, and their tests."""
    files = {}
    for name in metrics:
        files[f'evalscope/benchmarks/{benchmark}/{name}.py'] = f'plugins/evalscope_qa/{benchmark}/{name}.py'
        files[f'tests/benchmark/test_{benchmark}_{name}.py'] = f'tests/{benchmark}/test_{name}.py'
    return files


SERIES: dict[str, tuple[Patch, ...]] = {
    '1.12.0': (Patch('0001-count-unrecognised-pubmedqa-answers-in-recall.patch'),),
    '1.14.1': (
        Patch(
            '0001-fix-multi-choice-read-a-letter-only-where-the-reply-states-it.patch',
            pins=(
                'test_every_affected_benchmark_declares_the_next_minor_version',
                'test_inclusion_benchmark_evaluation_version',
            ),
        ),
        Patch(
            '0002-fix-yes-no-one-verdict-parser-which-reads-stated-answers.patch',
            holds_before=('test_a_whole_word_counts_wherever_it_stands_as_the_official_halueval_script_reads_it',),
        ),
        Patch('0003-fix-prompts-send-text-only-prompts-as-plain-strings.patch'),
        Patch('0004-feat-pubmedqa-report-no-ratio-and-unanswered-ratio.patch'),
        Patch('0005-feat-registry-find-new-benchmarks-through-entry-points.patch'),
        Patch(
            '0006-feat-benchmark-add-searchqa.patch',
            taken_over=_taken_over('searchqa', 'scoring'),
        ),
        Patch(
            '0007-feat-benchmark-add-selqa-answer-selection-and-answer-triggering.patch',
            requirements=('pytrec-eval-terrier>=0.5.6',),
            taken_over=_taken_over('selqa', 'ranking_metrics', 'triggering_metrics'),
        ),
        Patch(
            '0008-feat-benchmark-add-rjua-qa.patch',
            requirements=('rapidfuzz>=3.0', 'scikit-learn>=1.4'),
            taken_over=_taken_over('rjua_qa', 'scoring', 'rouge_l'),
        ),
    ),
}


RUFF = 'ruff==0.17.6'
"""Pinned, because what it asks for changes with its version; the settings are the release's."""


def environment_of(version: str, release: Path, cache: Path) -> Environment:
    """Return the environment in which a release and its patches run, with what their tests need.

    Args:
        version: The release.
        release: Its source tree.
        cache: The cache folder.
    """
    added = sorted({requirement for patch in SERIES[version] for requirement in patch.requirements})
    requirements = [*requirements_of(release), 'pytest>=8', 'hypothesis>=6.100', RUFF, *added]
    return Environment.cached(f'verify-{version}', requirements, cache)


def series_folder(version: str) -> Path:
    """Return where the patches for a release are."""
    return PATCHES / f'evalscope-{version}'
