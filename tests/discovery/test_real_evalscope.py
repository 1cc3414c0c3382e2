"""With the evalscope that is installed: replacing a built-in for good, and leaving its lazy start as it was."""

import json
import os
import sysconfig
import textwrap
from typing import Any

import evalscope
import pytest
from site_directory import Site, adapter_source

# Each process imports evalscope, which takes seconds: so they ask many things at once.

REPLACED = 'gsm8k'  # a built-in that this package leaves alone


def add_plugins(site: Site) -> None:
    site.add_distribution(
        'good', '1.0', {REPLACED: 'good_plugin', 'brand_new': 'good_plugin'},
        {'good_plugin': adapter_source(**{REPLACED: 'v9.0', 'brand_new': 'v1.0'})},
    )  # fmt: skip
    site.add_distribution('lower', '1.0', {'mmlu': 'lower_plugin'}, {'lower_plugin': adapter_source(mmlu='v0.1')})
    site.add_distribution('broken', '1.0', {'beyond_repair': 'broken_plugin'}, {'broken_plugin': '1 / 0'})


PROLOGUE = """
import dataclasses, json, sys
import evalscope
from evalscope.api.registry import BENCHMARK_REGISTRY, get_benchmark
said = {}

def adapter_module(name):
    return BENCHMARK_REGISTRY[name].data_adapter.__module__

def unknown(name):
    try:
        get_benchmark(name)
    except ValueError as error:
        return str(error)
"""
EPILOGUE = """
from evalscope_qa import discovery
said['decisions'] = {
    decision.benchmark: dataclasses.asdict(decision) for decision in discovery.decisions()
    if decision.distribution != 'evalscope-qa'
}
print(json.dumps(said))
"""


def ask(site: Site, code: str, *flags: str, **environment: str) -> dict[str, Any]:
    return site.ask(PROLOGUE + textwrap.dedent(code) + EPILOGUE, *flags, **environment)


def assert_decided(said: dict[str, Any]) -> None:
    decisions = said['decisions']
    assert {name: decision['status'] for name, decision in decisions.items()} == {
        REPLACED: 'active',
        'brand_new': 'active',
        'mmlu': 'kept built-in',
        'beyond_repair': 'failed',
    }
    assert decisions[REPLACED]['builtin_module'] == 'evalscope.benchmarks.gsm8k.gsm8k_adapter'
    assert decisions['mmlu']['builtin_module'] == 'evalscope.benchmarks.mmlu.mmlu_adapter'


def test_a_replaced_built_in_stays_replaced_after_the_full_scan_and_the_start_stays_lazy(real_site: Site) -> None:
    add_plugins(real_site)
    said = ask(
        real_site,
        """
        said['lazy'] = hasattr(BENCHMARK_REGISTRY, 'set_resolvers')
        said['plugins at start'] = [name for name in ('good_plugin', 'lower_plugin') if name in sys.modules]
        said['adapters at start'] = sum(
            name.startswith('evalscope.benchmarks.') and name.endswith('_adapter') for name in sys.modules)
        said['one'] = [adapter_module('gsm8k'), adapter_module('brand_new'), adapter_module('mmlu')]
        said['adapters after three look-ups'] = sum(
            name.startswith('evalscope.benchmarks.') and name.endswith('_adapter') for name in sys.modules)
        said['unknown before'] = unknown('brand_neww')
        said['keys'] = sorted(BENCHMARK_REGISTRY.keys())
        said['items'] = sorted(name for name, _ in BENCHMARK_REGISTRY.items())
        said['len'] = len(BENCHMARK_REGISTRY)
        said['unknown after'] = unknown('brand_neww')
        said['again'] = [adapter_module('gsm8k'), adapter_module('brand_new'), adapter_module('mmlu')]
        adapter = get_benchmark('gsm8k')
        said['adapter'] = [type(adapter).__module__, adapter._benchmark_meta.evaluation_version]
        """,
    )
    if said['lazy']:
        # A full scan would import some 250. evalscope 1.14 imports one of its own at start.
        assert said['plugins at start'] == []
        assert said['adapters at start'] <= 1
        assert said['adapters after three look-ups'] <= said['adapters at start'] + 2
    assert said['one'] == said['again'] == ['good_plugin', 'good_plugin', 'evalscope.benchmarks.mmlu.mmlu_adapter']
    assert "Benchmark 'brand_neww' not found. Did you mean: 'brand_new'" in said['unknown before']
    assert said['unknown after'] == said['unknown before']
    assert said['keys'] == said['items'] and len(said['keys']) == said['len'] == len(set(said['keys'])) > 200
    assert {'gsm8k', 'brand_new', 'mmlu'} <= set(said['keys']) and 'beyond_repair' not in said['keys']
    assert said['adapter'] == ['good_plugin', 'v9.0']
    assert_decided(said)


@pytest.mark.skipif(evalscope.__version__ != '1.14.1', reason='the patch is of another release of evalscope')
def test_with_the_loader_that_is_proposed_shipped_names_are_still_decided_by_version(real_site: Site) -> None:
    real_site.apply_upstream_loader()
    add_plugins(real_site)
    said = ask(
        real_site,
        """
        said['adapters at start'] = sum(
            name.startswith('evalscope.benchmarks.') and name.endswith('_adapter') for name in sys.modules)
        said['plugins at start'] = [name for name in ('good_plugin', 'lower_plugin') if name in sys.modules]
        said['one'] = [adapter_module('brand_new'), adapter_module('gsm8k'), adapter_module('mmlu')]
        said['own'] = [adapter_module('pubmedqa'), adapter_module('searchqa')]
        said['keys'] = sorted(BENCHMARK_REGISTRY.keys())
        said['again'] = [adapter_module('brand_new'), adapter_module('gsm8k'), adapter_module('mmlu')]
        """,
    )
    assert said['plugins at start'] == [] and said['adapters at start'] <= 1
    assert said['one'] == said['again'] == ['good_plugin', 'good_plugin', 'evalscope.benchmarks.mmlu.mmlu_adapter']
    assert said['own'] == ['evalscope_qa.pubmedqa.pubmedqa_adapter', 'evalscope_qa.searchqa.searchqa_adapter']
    assert {'gsm8k', 'brand_new', 'mmlu'} <= set(said['keys']) and 'beyond_repair' not in said['keys']
    assert_decided(said)
    assert said['decisions']['brand_new']['reason'] == 'loaded by evalscope itself'


def test_a_full_scan_before_discovery_changes_nothing(real_site: Site) -> None:
    add_plugins(real_site)
    (real_site.packages / 'evalscope_qa.pth').unlink()
    said = ask(
        real_site,
        """
        said['before'] = [len(BENCHMARK_REGISTRY.keys()), adapter_module('gsm8k'), unknown('brand_new')]
        from evalscope_qa import discovery
        discovery.load_plugins()
        said['pth'] = discovery.pth_in_force()
        said['after'] = [adapter_module('gsm8k'), adapter_module('brand_new'), adapter_module('mmlu')]
        said['keys'] = sorted(BENCHMARK_REGISTRY.keys())
        """,
    )
    number, module, message = said['before']
    assert module == 'evalscope.benchmarks.gsm8k.gsm8k_adapter'
    assert message.startswith("Benchmark 'brand_new' not found")
    assert said['pth'] is False
    assert said['after'] == ['good_plugin', 'good_plugin', 'evalscope.benchmarks.mmlu.mmlu_adapter']
    own = {'pubmedqa_official', 'searchqa', 'rjua_qa', 'selqa_selection', 'selqa_triggering'}
    assert len(set(said['keys']) - own) == number + 1
    assert_decided(said)


def test_the_commands_of_evalscope_see_the_plugins(real_site: Site) -> None:
    add_plugins(real_site)
    command = 'import sys; from evalscope.cli.cli import run_cmd; sys.argv = ["evalscope", *{}]; run_cmd()'
    process = real_site.run(command.format(['benchmark-info', '--list']))
    assert process.returncode == 0, process.stderr
    rows = {line.split()[0]: line for line in process.stdout.splitlines() if line.strip()}
    assert 'gsm8k of a plugin' in rows['gsm8k']
    assert 'brand_new of a plugin' in rows['brand_new']
    assert 'of a plugin' not in rows['mmlu']
    assert len(rows) > 200
    # One line a decision in evalscope's own log.
    for part in ("'gsm8k': v9.0 of good 1.0 (good_plugin) replaces v", "'brand_new': v1.0 of good 1.0", "'mmlu': v"):
        assert process.stderr.count(part) == 1


def test_without_site_the_command_line_of_this_package_loads_them_itself(real_site: Site) -> None:
    add_plugins(real_site)
    process = real_site.python_command(
        '-S', '-m', 'evalscope_qa', 'list', '--json',
        PYTHONPATH=os.pathsep.join([str(real_site.packages), sysconfig.get_path('purelib')]),
        EVALSCOPE_PLUGINS='gsm8k,searchqa',
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    said = json.loads(process.stdout)
    assert said['pth_in_force'] is False
    statuses = {item['benchmark']: item['status'] for item in said['benchmarks']}
    assert (statuses['gsm8k'], statuses['searchqa']) == ('active', 'active')
    assert (statuses['brand_new'], statuses['pubmedqa'], statuses['beyond_repair']) == ('off', 'off', 'off')


@pytest.mark.parametrize('switch', ['off', ''])
def test_the_built_in_pubmedqa_is_there_again_when_plugins_are_off(real_site: Site, switch: str) -> None:
    said = ask(real_site, "said['pubmedqa'] = adapter_module('pubmedqa')", EVALSCOPE_PLUGINS=switch)
    expected = 'evalscope.benchmarks.pumed_qa.pubmed_qa_adapter' if switch else 'evalscope_qa.pubmedqa.pubmedqa_adapter'
    assert said['pubmedqa'] == expected
