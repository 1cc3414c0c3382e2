"""docs/data.md names every file of real data that tests read, and the tests that read it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / 'docs' / 'data.md').read_text(encoding='utf-8')
ROWS = re.findall(r'^\| (`\w+/[^|]+) \|[^|]+\|[^|]+\| ([^|]+) \|$', PAGE, re.MULTILINE)
"""The first cell and the last of each row whose first names files."""
FILES = [path for paths, _ in ROWS for path in re.findall(r'`([\w./-]+)`', paths)]


def _read_by(folder: Path) -> set[str]:
    """The folders of data that the Python files of a folder, or one file, name: ``data_dir / 'selqa'``."""
    files = [folder] if folder.is_file() else folder.rglob('*.py')
    texts = [file.read_text(encoding='utf-8') for file in files]
    return {name for text in texts for name in re.findall(r"(?:data_dir|DATA\)+|data) / '(\w+)'", text)}


def test_every_folder_of_data_that_tests_read_is_described() -> None:
    read = _read_by(ROOT / 'tests')
    assert read and read <= {path.partition('/')[0] for path in FILES}


@pytest.mark.parametrize(('paths', 'readers'), ROWS, ids=lambda text: text[:30])
def test_the_tests_named_read_the_data(paths: str, readers: str) -> None:
    folder = re.findall(r'`(\w+)/', paths)[0]
    for reader in re.findall(r'`([\w./-]+)`', readers):
        files = ROOT / 'patches' if reader.startswith('patches/') else ROOT / reader
        assert folder in _read_by(files), reader


@pytest.mark.parametrize('path', FILES)
def test_the_layout_is_that_of_the_folder(path: str, data_dir: Path) -> None:
    assert (data_dir / path).exists()


def test_the_page_says_what_is_there_and_no_more(data_dir: Path) -> None:
    described = {path.rstrip('/') for path in FILES}
    there = {
        path.relative_to(data_dir).as_posix() for path in data_dir.glob('*/*') if not path.name.startswith('LICENSE')
    }
    assert there == described


def test_every_variable_that_leads_to_data_is_explained() -> None:
    texts = [file.read_text(encoding='utf-8') for file in (ROOT / 'tests').rglob('*.py')]
    variables = {name for text in texts for name in re.findall(r'EVALSCOPE_QA_[A-Z]+\b(?!_)', text)}
    assert {'EVALSCOPE_QA_DATA'} <= variables <= set(re.findall(r'^## (\w+)$', PAGE, re.MULTILINE))
