"""docs/choice.md names every benchmark of the table once, and `rescore --strict` does what it says of real runs."""

import re
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from evalscope_qa.choice.table import BENCHMARKS
from evalscope_qa.cli import main

PAGE = (Path(__file__).parents[2] / 'docs' / 'choice.md').read_text(encoding='utf-8')


def test_the_page_names_every_benchmark_of_the_table_once() -> None:
    table = PAGE.partition('<!-- table -->\n')[2].partition('\n\n')[0]
    named = [name for row in table.splitlines()[2:] for name in re.findall(r'`(\w+)`', row.split('|')[3])]
    assert sorted(named) == sorted(BENCHMARKS)


def test_rescore_strict_is_of_plugins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['rescore', str(tmp_path), '--with', 'built-in', '--strict']) == 2
    assert 'error: --strict: the strict readings are plugins, and --with built-in' in capsys.readouterr().err


def test_the_runs_that_evalscope_publishes_are_read_as_recorded(
    run_in: Callable[[Path], Any], tmp_path: Path, data_dir: Path
) -> None:
    process = run_in(tmp_path)(
        sys.executable, '-m', 'evalscope_qa', 'rescore', data_dir / 'runs' / 'evalscope-examples', '--strict',
        '--datasets', 'gpqa_diamond', 'iquiz', '--flips', 'flips.csv', fresh=True,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr[-2000:]
    rows = [line.split() for line in process.stdout.splitlines() if ' unanswered_ratio ' in line]
    assert [row[:5] for row in rows] == [
        [benchmark, model, 'unanswered_ratio', '-', '0.0000']
        for model in ('qwen-plus', 'qwen3-max')
        for benchmark in ('gpqa_diamond', 'iquiz')
    ]
    assert len((tmp_path / 'flips.csv').read_text(encoding='utf-8').splitlines()) == 1
