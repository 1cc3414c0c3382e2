"""The demo runs evalscope on every shipped sample, offline, and shows the ranking example by both adapters."""

import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa import discovery
from evalscope_qa.cli import main
from evalscope_qa.replay import demo, demo_examples
from evalscope_qa.replay.demo_examples import REPLIES, Examples
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks


@pytest.mark.usefixtures('warm_children')
def test_the_demo_reports_every_benchmark_and_writes_evalscope_s_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guard = [str(Path(__file__).parents[1] / 'network_guard'), str(Path(__file__).parents[1])]
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join(guard))  # the built-in is scored in a process of its own
    assert main(['demo', '--work-dir', str(tmp_path)]) == 0
    printed, shown_meanwhile = capsys.readouterr()
    for name in ('PubMedQA', 'PubMedQA-Official', 'SearchQA', 'RJUA-QA', 'SelQA-Selection', 'SelQA-Triggering'):
        assert f' {name} ' in printed
    for metric in (
        'Accuracy ↑',
        'Exact Match ↑',
        'Sub-EM ↑',
        'Final Accuracy ↑',
        'Rouge-L ↑',
        'MAP ↑',
        'MRR ↑',
        'Trigger Accuracy ↑',
    ):
        assert metric in printed
    page = re.search(r'HTML report: (.+)', printed)
    assert page is not None
    assert Path(page[1]).is_file()
    reports = {path.stem for path in tmp_path.glob('*/reports/*/*.json')}
    assert reports >= set(shipped_benchmarks())
    ours = [line for line in printed.splitlines() if 'evalscope-qa' in line and 'of 10 right' in line]
    assert [re.findall(r'\d\.\d{4}', line) for line in ours] == [
        ['0.8000', '1.0000', '0.8000', '0.8889'],
        ['0.9000', '0.9000', '0.9000', '0.9000'],
    ]
    assert 'built-in' in printed
    assert re.search(
        r'^The better one by F1: [AB] by evalscope \S+ built-in; B by evalscope-qa\.$', printed, re.MULTILINE
    )
    assert ':identity' not in printed and 'ROUGE' not in printed
    # Whatever the release: something is credited that says nothing, and nothing of that by ours.
    (told,) = re.findall(r'^Of 3 replies that say nothing and 4 that say the gold label, (.+)$', printed, re.MULTILINE)
    built_in, ours = told.split('; ')
    credited, lost = map(int, re.findall(r'credits (\d) and loses (\d)', built_in)[0])
    assert (credited, lost) in [(3, 0), (2, 3)]  # up to 1.14.0, and from 1.14.1 on
    assert ours == 'evalscope-qa credits 0 and loses 0.'
    assert printed.endswith('offline:\n  evalscope-qa audit pubmedqa mmlu\n')
    # One progress bar, and nothing of evalscope's two dozen.
    assert set(re.findall(r'^(\S.*?):? +\d+%', shown_meanwhile.replace('\r', '\n'), re.MULTILINE)) == {'Replies'}


@pytest.mark.parametrize(
    ('f1', 'best'), [({'A': 1.0, 'B': 0.9}, 'A'), ({'A': 0.8, 'B': 0.9}, 'B'), ({'A': 0.9, 'B': 0.9}, 'A and B')]
)
def test_the_demo_answers_its_question_by_the_numbers(f1: dict[str, float], best: str) -> None:
    ranking = {model: {'f1': value} for model, value in f1.items()}
    assert Examples('v1.0', ranking, [True] * len(REPLIES), '').best == best


@pytest.mark.parametrize(
    ('called', 'named'),
    [('.venv/bin/evalscope-qa', '.venv/bin/evalscope-qa'), ('/a b/evalscope-qa', "'/a b/evalscope-qa'"), ('x.py', '')],
)
def test_the_next_command_is_named_as_this_one_was_called(
    called: str, named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, 'argv', [called, 'demo'])
    demo._print_next_command()
    assert capsys.readouterr().out.splitlines()[-1] == f'  {named or "evalscope-qa"} audit pubmedqa mmlu'


def test_a_terminal_without_unicode_is_shown_the_tables_in_ascii(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = io.TextIOWrapper(io.BytesIO(), encoding='ascii')
    monkeypatch.setattr(sys, 'stdout', terminal)
    (tmp_path / 'reports').mkdir()
    (tmp_path / 'reports' / 'page.html').write_text('')
    monkeypatch.setattr(demo, '_evaluate', lambda samples, work_dir: tmp_path)
    monkeypatch.setattr('evalscope.report.gen_table', lambda **arguments: '┌───┐\n│ Rouge-L ↑ │')
    monkeypatch.setattr(demo, '_signature', lambda sample, outputs: 'signature')
    monkeypatch.setattr(demo, '_print_examples', lambda: None)
    assert main(['demo', '--work-dir', str(tmp_path)]) == 0
    terminal.flush()
    assert b'+---+\n| Rouge-L ^ |\n' in terminal.buffer.getvalue()


def test_the_examples_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    demo_examples.main()
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert printed['evaluation_version'] == 'v1.4'
    assert printed['ranking']['A']['recall'] == pytest.approx(0.8)
    assert printed['ranking']['B']['f1'] == pytest.approx(0.9)
    assert printed['credited'] == [bool(reply.says) for reply in REPLIES]


def test_the_demo_says_which_benchmark_evalscope_would_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(discovery, 'decisions', lambda: [])
    assert main(['demo', '--work-dir', str(tmp_path)]) == 2
    assert 'pubmedqa is not active (not found)' in capsys.readouterr().err
    with pytest.raises(RuntimeError, match='no HTML report'):
        monkeypatch.setattr('evalscope.report.gen_table', lambda **arguments: '')
        demo._print_reports(tmp_path)


def test_a_benchmark_without_a_sample_is_an_error() -> None:
    with pytest.raises(ValueError, match='no shipped sample; there is one for each of pubmedqa'):
        sample_files('gsm8k')
