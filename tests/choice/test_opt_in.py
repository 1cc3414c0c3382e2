"""With the strict readings off nothing of evalscope changes; with them on nothing but the names of the table does."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from evalscope.api.registry import BENCHMARK_REGISTRY
from evalscope_qa import discovery
from evalscope_qa.choice.table import BENCHMARKS
from evalscope_qa.cli import main
from evalscope_qa.replay.samples import shipped_benchmarks

Run = Callable[..., 'subprocess.CompletedProcess[str]']
Everything = dict[str, dict[str, Any]]

EVERYTHING = """
import dataclasses, hashlib, json, logging, sys
logging.disable()
import evalscope
from evalscope.api.registry import BENCHMARK_REGISTRY
from evalscope.utils.resource_utils import load_benchmark_data

def fixed(meta):
    fields = {field.name: getattr(meta, field.name) for field in dataclasses.fields(meta)}
    adapter = fields.pop('data_adapter')
    return {'adapter': f'{adapter.__module__}.{adapter.__qualname__}', **fields}

index = getattr(BENCHMARK_REGISTRY, '_indexed_module', lambda name: None)
names = sorted(BENCHMARK_REGISTRY)
indexed = {name: index(name) for name in names}
stored = {name: load_benchmark_data(name) for name in names}
print(json.dumps({
    name: {**fixed(BENCHMARK_REGISTRY[name]), 'index': indexed[name], 'benchmark-info': stored[name]} for name in names
}, default=str, sort_keys=True))
"""
"""The registry, evalscope's index, and what ``benchmark-info`` is made of, by name."""


@pytest.fixture(scope='module')
def everything(
    run_in: Callable[[Path], Run], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str | None], Everything]:
    """Return what gives evalscope's benchmarks under a value of ``EVALSCOPE_PLUGINS``, once each."""
    run, known = run_in(tmp_path_factory.mktemp('opt_in')), {}

    def give(switch: str | None) -> Everything:
        if switch not in known:
            environment = {} if switch is None else {'EVALSCOPE_PLUGINS': switch}
            process = run(sys.executable, '-c', EVERYTHING, fresh=True, **environment)
            assert process.returncode == 0, process.stderr[-2000:]
            known[switch] = json.loads(process.stdout)
        return known[switch]

    return give


def changed(before: Everything, after: Everything) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def test_installing_the_package_changes_no_benchmark_but_those_of_the_default_group(everything: Any) -> None:
    assert len(everything('off')) > 150
    assert changed(everything('off'), everything(None)) == set(shipped_benchmarks())


def test_asking_for_them_changes_the_names_of_the_table_and_no_other(everything: Any) -> None:
    off, strict = everything('off'), everything('strict')
    found = changed(off, strict)
    assert found <= BENCHMARKS.keys() and len(found) > 45
    assert {name for name in off.keys() & BENCHMARKS.keys() if strict[name]['adapter'] != off[name]['adapter']} == found
    for name in found:
        assert strict[name]['adapter'].startswith('evalscope_qa.choice.making.Strict')
        assert 'Strict reading' in strict[name]['benchmark-info'][name]['meta']['description']


ASKED_FOR = """
import sys
from evalscope.api.registry import BENCHMARK_REGISTRY
meta = BENCHMARK_REGISTRY['mmlu']
adapters = [name for name in sys.modules if name.startswith('evalscope.benchmarks.') and name.endswith('_adapter')]
print(meta.data_adapter.__name__, len(adapters))
"""


@pytest.mark.parametrize(
    ('switch', 'adapter'),
    [
        ('mmlu', 'StrictMMLUAdapter'),
        ('arc,mmlu', 'StrictMMLUAdapter'),
        ('default,strict', 'StrictMMLUAdapter'),
        ('all', 'StrictMMLUAdapter'),
        ('evalscope-qa:strict', 'StrictMMLUAdapter'),
        ('evalscope-qa:*', 'MMLUAdapter'),
        ('arc', 'MMLUAdapter'),
        ('default', 'MMLUAdapter'),
    ],
)
def test_one_name_imports_one_adapter(run_process: Run, switch: str, adapter: str) -> None:
    process = run_process(sys.executable, '-c', ASKED_FOR, EVALSCOPE_PLUGINS=switch, fresh=True)
    name, imported = process.stdout.split()
    assert name == adapter
    if hasattr(BENCHMARK_REGISTRY, 'set_resolvers'):  # evalscope 1.12 imports all at its start
        assert imported == '1'


# What `evalscope-qa list` says of them.


def test_list_folds_them_into_one_line(run_process: Run) -> None:
    process = run_process('evalscope-qa', 'list')
    assert process.returncode == 0, process.stderr
    (line,) = [line for line in process.stdout.splitlines() if 'strict' in line]
    assert line == (
        f'strict: {len(BENCHMARKS)} more of evalscope-qa are available and off: EVALSCOPE_PLUGINS=default,strict; '
        '`evalscope-qa list --strict` shows them.'
    )
    assert 'mmlu' not in process.stdout


def test_list_strict_shows_each_with_both_versions_or_the_reason(run_process: Run) -> None:
    process = run_process(sys.executable, '-m', 'evalscope_qa', 'list', '--strict', '--json', fresh=True)
    assert process.returncode == 0, process.stderr[-2000:]
    rows = {row['benchmark']: row for row in json.loads(process.stdout)['benchmarks']}
    strict = {name: row for name, row in rows.items() if row['group'] == 'strict'}
    assert strict.keys() == BENCHMARKS.keys()
    for row in strict.values():
        if row['status'] == 'left out':
            assert row['reason'] and '\n' not in row['reason']
        else:
            assert row['status'] == 'off' and row['version'] > row['builtin_version']
    assert rows['searchqa']['status'] == 'active'


def test_list_shows_as_active_what_is_asked_for(run_process: Run) -> None:
    process = run_process(
        sys.executable, '-m', 'evalscope_qa', 'list', '--json', EVALSCOPE_PLUGINS='mmlu,searchqa', fresh=True
    )
    rows = {row['benchmark']: row['status'] for row in json.loads(process.stdout)['benchmarks']}
    assert (rows['mmlu'], rows['searchqa'], rows['arc'], rows['pubmedqa']) == ('active', 'active', 'off', 'off')


@pytest.mark.parametrize(
    ('switch', 'said'),
    [
        ('strct', 'EVALSCOPE_PLUGINS names strct, which no plugin provides. Did you mean strict?'),
        ('coin_flp', 'EVALSCOPE_PLUGINS names coin_flp, which no plugin provides. Did you mean coin_flip?'),
        ('nobody:strict', 'EVALSCOPE_PLUGINS names nobody:strict, which no plugin provides.'),
    ],
)
def test_a_wrong_name_is_an_error_of_list_with_what_may_be_meant(run_process: Run, switch: str, said: str) -> None:
    process = run_process(sys.executable, '-m', 'evalscope_qa', 'list', EVALSCOPE_PLUGINS=switch, fresh=True)
    assert process.returncode == 2
    assert f'evalscope-qa list: error: {said}' in process.stderr


# Asking for them inside a process.


def test_a_process_that_has_them_may_ask_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalscope_qa.discovery import process

    monkeypatch.setattr(process, 'selection_in_force', lambda: 'searchqa,strict')
    discovery.ask_for('strict')


def test_it_is_too_late_to_ask_for_them_once_evalscope_is_imported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from evalscope_qa.discovery import process

    monkeypatch.setattr(process, 'selection_in_force', lambda: '')
    said = 'evalscope was imported without the benchmarks of strict: set EVALSCOPE_PLUGINS before that.'
    with pytest.raises(RuntimeError, match=said):
        discovery.ask_for('strict')
    assert main(['list', '--strict']) == 2
    assert capsys.readouterr().err == f'evalscope-qa list: error: {said}\n'


def test_asking_for_them_is_handed_on_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalscope_qa.discovery import process

    monkeypatch.setattr(process, 'selection_in_force', lambda: None)
    monkeypatch.setenv('EVALSCOPE_PLUGINS', 'searchqa')
    discovery.ask_for('strict')
    assert os.environ['EVALSCOPE_PLUGINS'] == 'searchqa,strict'
