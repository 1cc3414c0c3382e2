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
            that it adds must fail without it, in one of its cases at least. ``*`` stands for all but one.
        requirements: What its tests need beside the release's own requirements.
    """

    file: str
    needs: tuple[str, ...] = ()
    holds_before: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()


_PUBMEDQA = '0002-update-pubmedqa-to-v1-3-and-add-its-official-test-split.patch'

SERIES: dict[str, tuple[Patch, ...]] = {
    '1.12.0': (Patch('0001-count-unrecognised-pubmedqa-answers-in-recall.patch', holds_before=()),),
    '1.14.1': (
        Patch('0001-find-benchmarks-of-other-packages-through-entry-points.patch', holds_before=('*',)),
        Patch(_PUBMEDQA, holds_before=('*',)),
        Patch('0003-add-searchqa.patch', needs=(_PUBMEDQA,), holds_before=('*',)),
        Patch('0004-add-rjua-qa.patch', needs=(_PUBMEDQA, '0003-add-searchqa.patch'), holds_before=('*',), requirements=('rapidfuzz>=3.9',)),
        Patch(
            '0005-add-selqa-answer-sentence-selection-and-answer-triggering.patch',
            needs=(_PUBMEDQA, '0003-add-searchqa.patch', '0004-add-rjua-qa.patch'),
            holds_before=('*',),
            requirements=('scikit-learn>=1.4', 'pytrec-eval-terrier>=0.5.6'),
        ),
    ),
}


def series_folder(version: str) -> Path:
    """Return where the patches for a release are."""
    return PATCHES / f'evalscope-{version}'
