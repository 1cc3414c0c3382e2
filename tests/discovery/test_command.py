"""`evalscope-qa list` where something is wrong, and `evalscope-qa eval` where Python reads no start-up files."""

import json
import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.cli import main
from evalscope_qa.replay.samples import sample_files
from site_directory import Site, adapter_source


def listed(site: Site, **environment: str) -> 'subprocess.CompletedProcess[str]':
    run = 'import argparse, sys; from evalscope_qa.discovery import command\n'
    return site.run(run + 'sys.exit(command.run(argparse.Namespace(json=True, strict=False)))', **environment)


def add_plugin(site: Site) -> None:
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})


def test_list_warns_of_an_empty_leftover_and_ends_in_status_1(site: Site) -> None:
    (site.packages / 'good-0.0.9.dist-info').mkdir()
    add_plugin(site)
    process = listed(site)
    assert process.returncode == 1
    assert [item['status'] for item in json.loads(process.stdout)['benchmarks']] == ['active']
    assert 'evalscope-qa list: warning: good 1.0 is used, but an interrupted installation' in process.stderr
    assert 'good-0.0.9.dist-info' in process.stderr


def test_an_empty_leftover_of_this_package_does_not_bring_the_built_ins_back(real_site: Site) -> None:
    (real_site.packages / 'evalscope_qa-0.0.1.dist-info').mkdir()  # before the installed one on the path
    process = real_site.python_command('-m', 'evalscope_qa', 'list')
    assert process.returncode == 1
    assert sum(' active ' in line for line in process.stdout.splitlines()[:-1]) == 6
    assert 'evalscope-qa list: warning: evalscope-qa 0.1.0 is used, but' in process.stderr
    assert str(real_site.packages / 'evalscope_qa-0.0.1.dist-info') in process.stderr


def test_list_says_that_no_package_declares_a_benchmark_and_ends_in_status_1(site: Site) -> None:
    process = listed(site)
    assert process.returncode == 1 and json.loads(process.stdout)['benchmarks'] == []
    assert process.stderr.startswith('evalscope-qa list: warning: no installed package declares a benchmark')


@pytest.mark.parametrize(
    'switch, said',
    [
        ('extra,extar', 'EVALSCOPE_PLUGINS names extar, which no plugin provides. Did you mean extra?'),
        ('extra,nobody:*', 'EVALSCOPE_PLUGINS names nobody:*, which no plugin provides.'),
    ],
)
def test_list_ends_in_status_2_for_a_name_in_the_switch_that_is_missing(site: Site, switch: str, said: str) -> None:
    add_plugin(site)
    process = listed(site, EVALSCOPE_PLUGINS=switch)
    assert process.returncode == 2
    assert f'evalscope-qa list: error: {said}\n' in process.stderr
    assert 'active' in process.stdout


def test_a_run_only_warns_of_a_name_in_the_switch_that_is_missing(site: Site) -> None:
    add_plugin(site)
    process = site.run('import evalscope', EVALSCOPE_PLUGINS='extra,nobody:*')
    assert process.returncode == 0
    assert 'WARNING EVALSCOPE_PLUGINS names nobody:*, which no installed plugin provides' in process.stderr


def evaluate_without_site(site: Site, work_dir: Path, **environment: str) -> 'subprocess.CompletedProcess[str]':
    dataset_args: dict[str, Any] = {'searchqa': {'local_path': str(sample_files('searchqa').records)}}
    return site.python_command(
        '-S', '-m', 'evalscope_qa', 'eval', '--model', 'nobody', '--eval-type', 'mock_llm', '--datasets', 'searchqa',
        '--dataset-args', json.dumps(dataset_args), '--limit', '2', '--work-dir', str(work_dir), '--no-timestamp',
        PYTHONPATH=os.pathsep.join([str(site.packages), sysconfig.get_path('purelib')]), **environment,
    )  # fmt: skip


def test_eval_is_that_of_evalscope_with_the_plugins_without_any_start_up_file(real_site: Site, tmp_path: Path) -> None:
    process = evaluate_without_site(real_site, tmp_path / 'out')
    assert process.returncode == 0, process.stderr[-3000:]
    report = json.loads((tmp_path / 'out' / 'reports' / 'nobody' / 'searchqa.json').read_text(encoding='utf-8'))
    assert {metric['num'] for metric in report['metrics']} == {2}


def test_eval_heeds_the_switch(real_site: Site, tmp_path: Path) -> None:
    process = evaluate_without_site(real_site, tmp_path / 'out', EVALSCOPE_PLUGINS='off')
    assert process.returncode == 1
    assert "'searchqa' not found" in process.stderr


@pytest.mark.parametrize(
    'argument, status, said', [('--help', 0, '--dataset-args'), ('--no-such-option', 2, '--no-such-option')]
)
def test_eval_passes_arguments_and_exit_status_on(
    argument: str, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(['eval', '--model', 'nobody', argument])
    assert exit_.value.code == status
    printed = capsys.readouterr()
    assert said in printed.out + printed.err


def test_the_command_names_eval_among_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(['--help'])
    assert '`evalscope eval` with the plugins' in ' '.join(capsys.readouterr().out.split())
