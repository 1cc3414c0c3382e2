"""The worked example of docs/writing-an-adapter.md builds, is discovered, and prints what the page says."""

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Callable

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / 'docs' / 'writing-an-adapter.md').read_text(encoding='utf-8')
Run = Callable[..., 'subprocess.CompletedProcess[str]']


def _block(marker: str) -> str:
    match = re.search(rf'<!-- {re.escape(marker)} -->\n```\w+\n(.*?)```\n', PAGE, re.DOTALL)
    assert match, f'no block marked {marker}'
    return match[1]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the example installed from a wheel built from the page's files."""
    project = tmp_path / 'project'
    for name in re.findall(r'<!-- file: (\S+) -->', PAGE):
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_block(f'file: {name}'), encoding='utf-8')
    (project / 'capitals' / '__init__.py').touch()
    build = [sys.executable, '-m', 'build', '--wheel', '--no-isolation', '--skip-dependency-check', str(project)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = (project / 'dist').glob('*.whl')
    zipfile.ZipFile(wheel).extractall(tmp_path / 'site')
    for name in ('records.jsonl', 'replies.jsonl'):
        (tmp_path / name).write_text(_block(f'file: {name}'), encoding='utf-8')
    return tmp_path / 'site'


def test_the_worked_example_is_discovered_and_replays_as_printed(site: Path, run_process: Run) -> None:
    path = os.pathsep.join([str(site), str(ROOT / 'tests' / 'network_guard'), str(ROOT / 'tests')])
    listing = run_process('evalscope-qa', 'list', '--json', PYTHONPATH=path)
    assert listing.returncode == 0, listing.stderr
    status = {item['benchmark']: item['status'] for item in json.loads(listing.stdout)['benchmarks']}
    assert status['capitals'] == 'active'
    replayed = run_process(*shlex.split(_block('command')), PYTHONPATH=path)
    assert replayed.returncode == 0, replayed.stderr
    # The last two parts of the signature are the releases installed.
    assert replayed.stdout.partition('|evalscope:')[0] == _block('output').partition('|evalscope:')[0]
