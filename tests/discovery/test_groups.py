"""Benchmarks of an opt-in group: off unless asked for, and made from evalscope's own when their name is looked up."""

import json
import textwrap
from typing import Any

import pytest
from site_directory import ADAPTER, Site

MAKER = ADAPTER + textwrap.dedent("""
    import copy

    def make(benchmark, builtin):
        print('made', benchmark)
        if builtin is None:
            return 'this evalscope has none'
        if benchmark == 'broken':
            raise RuntimeError('no luck')
        made = copy.copy(builtin)
        made.evaluation_version = 'v2.0'
        made.data_adapter = type('Made', (builtin.data_adapter,), {'__module__': __name__})
        return made
""")
REPORT = """
import dataclasses, json, sys
import evalscope
from evalscope.api.registry import BENCHMARK_REGISTRY
from evalscope_qa import discovery
decisions = [dataclasses.asdict(decision) for decision in discovery.decisions()]
held = {name: [meta.data_adapter.__module__, meta.evaluation_version] for name, meta in BENCHMARK_REGISTRY.items()}
print(json.dumps([held, decisions, 'making' in sys.modules]))
"""


@pytest.fixture(params=['eager', 'lazy'])
def site(request: pytest.FixtureRequest, new_site: Site) -> Site:
    """A stand-in for evalscope, once with each kind of registry, and a distribution with a group of its own."""
    new_site.add_stand_in(lazy=request.param == 'lazy')
    new_site.add_metadata(
        'acme',
        '1.0',
        '[evalscope.benchmarks.Careful]\nshipped = making:make\nmissing = making:make [extra]\n'
        '[evalscope.benchmarks.default]\nignored = making:make\n',
    )
    new_site.add_module('making', MAKER)
    return new_site


def report(site: Site, **environment: str) -> Any:
    process = site.run(REPORT, **environment)
    assert process.returncode == 0, process.stderr
    *printed, last = process.stdout.splitlines()
    return (*json.loads(last), printed, process.stderr)


def test_without_being_asked_for_nothing_of_it_is_imported(site: Site) -> None:
    held, decisions, imported, printed, log = report(site)
    assert held == {'shipped': ['evalscope.benchmarks.shipped_adapter', 'v1.9']}
    assert {(row['benchmark'], row['status'], row['group']) for row in decisions} == {
        ('shipped', 'off', 'careful'),
        ('missing', 'off', 'careful'),
    }
    assert {row['reason'] for row in decisions} == {'off unless asked for: EVALSCOPE_PLUGINS=careful'}
    assert (imported, printed, log) == (False, [], '')


@pytest.mark.parametrize('switch', ['careful', 'default,Careful', 'acme:careful', 'all'])
def test_asked_for_it_replaces_what_there_is_and_leaves_out_what_is_not(site: Site, switch: str) -> None:
    held, decisions, _, printed, log = report(site, EVALSCOPE_PLUGINS=switch)
    assert held == {'shipped': ['making', 'v2.0']}
    rows = {row['benchmark']: row for row in decisions}
    assert (rows['shipped']['status'], rows['missing']['status']) == ('active', 'left out')
    assert rows['missing']['reason'] == 'this evalscope has none'
    assert sorted(printed) == ['made missing', 'made shipped']
    assert "INFO Benchmark 'missing': acme 1.0 (making) is not used: this evalscope has none." in log


def test_one_name_makes_one_benchmark(site: Site) -> None:
    held, decisions, _, printed, _ = report(site, EVALSCOPE_PLUGINS='shipped')
    assert held == {'shipped': ['making', 'v2.0']}
    assert {row['benchmark']: row['status'] for row in decisions} == {'shipped': 'active', 'missing': 'off'}
    assert printed == ['made shipped']


@pytest.mark.parametrize(
    ('source', 'reason'),
    [
        ('def make(benchmark, builtin): raise RuntimeError("no luck")', 'RuntimeError: no luck'),
        ('import nothing_of_that_name', "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ('', "AttributeError: module 'making' has no attribute 'make'"),
        ('def make(benchmark, builtin): raise SystemExit(3)', 'SystemExit: 3'),
    ],
)
def test_a_maker_that_fails_is_reported_and_the_built_in_stays(site: Site, source: str, reason: str) -> None:
    site.add_module('making', source)
    held, decisions, *_ = report(site, EVALSCOPE_PLUGINS='careful')
    assert held == {'shipped': ['evalscope.benchmarks.shipped_adapter', 'v1.9']}
    assert {(row['status'], row['reason']) for row in decisions} == {('failed', reason)}


def test_ctrl_c_in_a_maker_is_not_swallowed(site: Site) -> None:
    site.add_module('making', 'def make(benchmark, builtin): raise KeyboardInterrupt')
    look_up = "import evalscope\nfrom evalscope.api.registry import BENCHMARK_REGISTRY\nBENCHMARK_REGISTRY['shipped']"
    process = site.run(look_up, EVALSCOPE_PLUGINS='careful')
    assert process.returncode != 0 and 'KeyboardInterrupt' in process.stderr


def test_an_unknown_name_is_told_of_the_groups_there_are(site: Site) -> None:
    process = site.run('import evalscope', EVALSCOPE_PLUGINS='carful')
    assert 'names carful, which no installed plugin provides; plugins: those of careful.' in process.stderr
