"""docs/architecture.md shows the package as it is: its tree, and the files outside a benchmark that name one."""

import re
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / 'plugins' / 'evalscope_qa'
PAGE = (ROOT / 'docs' / 'architecture.md').read_text(encoding='utf-8')

FILES = re.findall(r'`([^`]+)`', PAGE.partition('| file | what it names |')[2].partition('\n\n')[0])
"""Those that a new benchmark gets a line in."""


def _tree() -> set[str]:
    """The paths below the package that the tree shows; a folder's ends in a slash."""
    (block,) = re.findall(r'```text\nevalscope_qa/\n(.*?)```', PAGE, re.DOTALL)
    paths: set[str] = set()
    folder = ''
    for indent, name in re.findall(r'^( +)(\S+)', block, re.MULTILINE):
        paths.add(folder + name if len(indent) == 4 else name)
        folder = name if len(indent) == 2 else folder
    return paths


def test_the_tree_is_that_of_the_package() -> None:
    folders = {f'{file.parent.relative_to(PACKAGE)}/' for file in PACKAGE.rglob('*.py') if file.parent != PACKAGE}
    assert _tree() == folders | {file.name for file in PACKAGE.glob('*.py')}


def test_the_files_that_name_a_benchmark_are_listed() -> None:
    points = distribution('evalscope-qa').entry_points.select(group='evalscope.benchmarks')
    own = {point.value.split('.')[1] for point in points}
    names = re.compile(rf'\b(?:{"|".join({point.name for point in points} | own)})\b')
    naming = {
        file.relative_to(ROOT).as_posix()
        for file in PACKAGE.rglob('*.py')
        if file.relative_to(PACKAGE).parts[0] not in own and names.search(file.read_text(encoding='utf-8'))
    }
    listed = re.findall(r'`([^`]+)`', PAGE.partition('<!-- named in -->')[2].partition('\n\n')[0])
    assert naming - {file for file in FILES if file.startswith('plugins/')} == set(listed)


def test_every_file_to_add_a_line_to_names_every_benchmark_or_dataset() -> None:
    points = distribution('evalscope-qa').entry_points.select(group='evalscope.benchmarks')
    files = [path for path in FILES if not path.endswith(('/', 'discovery/metric_names.py'))]
    assert len(files) > 5
    for file in files:
        text = (ROOT / file).read_text(encoding='utf-8')
        assert [point.name for point in points if point.name not in text] == [], file
