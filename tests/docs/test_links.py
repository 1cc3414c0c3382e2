"""What the README and the docs lead to exists: files, sections of pages, modules and names of the package."""

import pkgutil
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *[ROOT / name for name in ('README.md', 'README.zh.md', 'CHANGELOG.md')],
    *sorted((ROOT / 'docs').rglob('*.md')),
    *sorted((ROOT / 'patches').rglob('*.md')),
]
EACH_PAGE = pytest.mark.parametrize('page', PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def _text(page: Path) -> str:
    return page.read_text(encoding='utf-8')


def _anchors(page: Path) -> set[str]:
    """The names by which links reach a page's headings, and those given in it."""
    headings = re.findall(r'^#+ (.+)$', _text(page), re.MULTILINE)
    given = re.findall(r'<a (?:id|name)="([^"]+)"', _text(page))
    return {*given} | {re.sub(r'[^\w\- ]', '', heading).strip().lower().replace(' ', '-') for heading in headings}


@EACH_PAGE
def test_relative_links_lead_somewhere(page: Path) -> None:
    missing = []
    for target, anchor in re.findall(r'\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)', _text(page)):
        file = page.parent / target if target else page
        if not file.exists() or (anchor and anchor not in _anchors(file)):
            missing.append(f'{target}#{anchor}')
    assert not missing


@EACH_PAGE
def test_paths_in_the_repository_are_there(page: Path) -> None:
    paths = re.findall(r'`((?:plugins|tests|docs|patches)/[\w./-]+)`', _text(page))
    assert [path for path in paths if not (ROOT / path).exists()] == []


@EACH_PAGE
def test_names_of_the_package_can_be_imported(page: Path) -> None:
    missing = []
    for name in set(re.findall(r'\bevalscope_qa(?:\.[a-z_A-Z]\w*)+', _text(page))):
        if (ROOT / 'plugins' / name).is_file():  # evalscope_qa.pth
            continue
        try:
            pkgutil.resolve_name(name)
        except (ImportError, AttributeError) as error:
            missing.append(f'{name}: {error}')
    assert missing == []
