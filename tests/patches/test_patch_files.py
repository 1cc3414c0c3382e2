"""The patches in git: in order, complete, small, with a pull request's text, and with nothing of ours in them."""

import re

import pytest
from upstream.series import SERIES

GENERATED = ('docs/', 'evalscope/benchmarks/_index.json', 'evalscope/benchmarks/_meta/')
"""What evalscope's own commands write."""

MESSAGE_PARTS = ('Problem', 'Change', 'Tests', 'Compatibility')


def test_every_listed_patch_is_in_git_and_no_other(series) -> None:
    listed = {version: [patch.file for patch in patches] for version, patches in SERIES.items()}
    assert {version: [patch.name for patch in patches] for version, patches in series.items()} == listed


def test_a_patch_needs_none_but_earlier_ones() -> None:
    for patches in SERIES.values():
        earlier: list[str] = []
        for patch in patches:
            assert set(patch.needs) <= set(earlier), patch.file
            earlier.append(patch.file)


def test_patches_are_numbered_in_order_and_named_after_their_subject(series) -> None:
    for listed in series.values():
        for number, patch in enumerate(listed, start=1):
            slug = re.sub(r'[^a-z0-9]+', '-', patch.subject.lower()).strip('-')
            assert patch.name == f'{number:04d}-{slug}.patch'


@pytest.mark.parametrize('heading', MESSAGE_PARTS)
def test_every_message_is_a_pull_request_text(patches, heading: str) -> None:
    for patch in patches:
        assert re.search(rf'^{heading}[.,]', patch.message, re.MULTILINE), patch.name


def test_messages_fit_a_mail(patches) -> None:
    for patch in patches:
        assert len(patch.subject) <= 80, patch.name
        assert max(len(line) for line in patch.message.splitlines()) <= 80, patch.name


def test_patches_are_as_small_as_a_maintainer_reads(series) -> None:
    """Fixes and small features under 300 changed lines, a benchmark under 900 besides what is generated."""
    for patch in series['1.14.1']:
        lines = sum(file.changed for path, file in patch.files.items() if not path.startswith(GENERATED))
        added = [path for path, file in patch.files.items() if file.new and path.startswith(GENERATED[2])]
        assert lines < (900 * len(added) if added else 300), (patch.name, lines)


def test_titles_are_those_of_the_repository(series) -> None:
    for patch in series['1.14.1']:
        assert re.match(r'(fix|feat)\([a-z-]+\): [a-z]', patch.subject), patch.subject


def test_every_patch_brings_tests(patches) -> None:
    for patch in patches:
        tests = [file for file in patch.files.values() if file.path.startswith('tests/')]
        assert any(re.search(r'^ *def test_', file.added, re.MULTILINE) for file in tests), patch.name


def test_tests_that_hold_before_their_patch_are_tests_of_it(series) -> None:
    for version, listed in series.items():
        for known, patch in zip(SERIES[version], listed, strict=True):
            added = '\n'.join(file.added for file in patch.files.values() if file.path.startswith('tests/'))
            for name in known.holds_before:
                assert f'def {name}(' in added, (patch.name, name)


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
        assert tops <= {'evalscope', 'tests', 'docs', 'requirements', 'pyproject.toml'}, patch.name


def test_patches_carry_no_machine_and_no_date_of_their_making(patches) -> None:
    for patch in patches:
        assert patch.text.startswith('From 0000000000000000000000000000000000000000 '), patch.name
        assert 'Date: Sun, 29 Nov 2026 00:00:00 +0000\n' in patch.text, patch.name
