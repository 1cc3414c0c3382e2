"""README.zh.md says what README.md says: the same commands, headings, links, names and numbers."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGLISH, CHINESE = ((ROOT / name).read_text(encoding='utf-8') for name in ('README.md', 'README.zh.md'))
TERMS = re.compile(r'`[^`]+`|\[[^\]]*\]\(([^)]+)\)|\d[\d.,]*\d|\d')


def _blocks(text: str) -> list[str]:
    """Code blocks, with the mark before them by which CI finds them."""
    return re.findall(r'(?:<!-- \w+ -->\n)?```.*?```', text, re.DOTALL)


def _prose(text: str) -> str:
    return re.sub(r'```.*?```', '', text, flags=re.DOTALL)


def _cells(text: str) -> list[list[list[str]]]:
    """The names, numbers and targets of links of each cell of each row, in any order: languages differ in theirs."""
    rows = [re.split(r' \| ', line.strip('| ')) for line in text.splitlines() if line.startswith('|')]
    return [[sorted(match[1] or match[0] for match in TERMS.finditer(cell)) for cell in row] for row in rows]


def _levels(text: str) -> list[int]:
    return [len(marks) for marks in re.findall(r'^(#+) ', _prose(text), re.MULTILINE)]


def test_the_commands_are_the_same() -> None:
    assert len(_blocks(ENGLISH)) > 5
    assert _blocks(CHINESE) == _blocks(ENGLISH)


def test_the_tables_are_the_same() -> None:
    assert len(_cells(ENGLISH)) > 20
    assert _cells(CHINESE) == _cells(ENGLISH)


def test_the_headings_are_the_same() -> None:
    assert _levels(CHINESE) == _levels(ENGLISH)


@pytest.mark.parametrize('pattern', [r'\]\(([^)]+)\)', r'`([^`\n]+)`', r'\b\d+\.\d+(?:\.\d+)?\b'])
def test_links_names_and_numbers_of_the_text_are_the_same(pattern: str) -> None:
    english, chinese = (set(re.findall(pattern, _prose(text))) for text in (ENGLISH, CHINESE))
    assert chinese ^ english <= {'README.md', 'README.zh.md'}
