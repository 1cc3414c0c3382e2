"""The patches of each release, in order, and what ``verify.py`` has to know about them beside the files themselves."""

from dataclasses import dataclass
from pathlib import Path

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
    """

    file: str
    needs: tuple[str, ...] = ()
    holds_before: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()


SERIES: dict[str, tuple[Patch, ...]] = {
    '1.12.0': (Patch('0001-count-unrecognised-pubmedqa-answers-in-recall.patch'),),
    '1.14.1': (
        Patch('0001-fix-multi-choice-read-a-letter-only-where-the-reply-states-it.patch'),
        Patch(
            '0002-fix-yes-no-one-verdict-parser-which-reads-stated-answers.patch',
            holds_before=('test_a_whole_word_counts_wherever_it_stands_as_the_official_halueval_script_reads_it',),
        ),
        Patch('0003-fix-prompts-send-text-only-prompts-as-plain-strings.patch'),
        Patch('0004-feat-pubmedqa-report-no-ratio-and-unanswered-ratio.patch'),
        Patch('0005-feat-registry-find-new-benchmarks-through-entry-points.patch'),
    ),
}


def series_folder(version: str) -> Path:
    """Return where the patches for a release are."""
    return PATCHES / f'evalscope-{version}'
