"""Every relative link of the README and the docs leads to a file that exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md')), *sorted((ROOT / 'patches').glob('*.md'))]


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r'\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)', page.read_text(encoding='utf-8'))
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert not missing
