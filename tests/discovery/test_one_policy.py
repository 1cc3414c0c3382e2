"""One table of cases, with evalscope as it is released and with the loader that is proposed to it: the same answers."""

import dataclasses
import json
from typing import Any

import pytest
from site_directory import Site, adapter_source

REPORT = """
import json, sys
import evalscope
at_start = [name for name in sys.modules if name.startswith('plugin_')]
from evalscope.api.registry import BENCHMARK_REGISTRY
from evalscope.metrics.semantics.catalog import METRIC_DEFINITIONS
import os
assert ('map' in METRIC_DEFINITIONS) or os.environ.get('EVALSCOPE_PLUGINS') == 'off'
one_by_one = {}
for name in ('shipped', 'extra', 'more'):
    meta = BENCHMARK_REGISTRY.get(name)
    one_by_one[name] = meta and f'{meta.data_adapter.__module__} {meta.evaluation_version}'
scan = {name: f'{meta.data_adapter.__module__} {meta.evaluation_version}' for name, meta in BENCHMARK_REGISTRY.items()}
from evalscope_qa import discovery
statuses = {f'{item.benchmark}/{item.distribution}': item.status for item in discovery.decisions()}
print(json.dumps([at_start, one_by_one, scan, statuses]))
"""
BUILT_IN = 'evalscope.benchmarks.shipped_adapter v1.9'


@dataclasses.dataclass
class Case:
    """Distributions, and what becomes of them."""

    plugins: dict[str, dict[str, str]]
    """The versions each distribution registers, by benchmark; its module is called plugin_NAME."""
    statuses: dict[str, str]
    """By benchmark/distribution."""
    used: dict[str, str]
    """Module and version in use, by benchmark."""
    undeclared: tuple[str, ...] = ()
    """Benchmarks that are registered without an entry point."""
    switch: str = ''


CASES = {
    'a new name': Case({'a': {'extra': 'v1.0'}}, {'extra/a': 'active'}, {'extra': 'plugin_a v1.0'}),
    'a higher version of a shipped name': Case(
        {'a': {'shipped': 'v1.10'}}, {'shipped/a': 'active'}, {'shipped': 'plugin_a v1.10'}
    ),
    'the same version of a shipped name': Case({'a': {'shipped': 'v1.9'}}, {'shipped/a': 'kept built-in'}, {}),
    'a lower version of a shipped name': Case({'a': {'shipped': 'v1.8'}}, {'shipped/a': 'kept built-in'}, {}),
    'one module with a new and a shipped name': Case(
        {'a': {'shipped': 'v2.0', 'extra': 'v1.0'}},
        {'shipped/a': 'active', 'extra/a': 'active'},
        {'shipped': 'plugin_a v2.0', 'extra': 'plugin_a v1.0'},
    ),
    'one module with a new name and a shipped one that it does not win': Case(
        {'a': {'shipped': 'v1.0', 'extra': 'v1.0'}},
        {'shipped/a': 'kept built-in', 'extra/a': 'active'},
        {'extra': 'plugin_a v1.0'},
    ),
    'two claims to a new name': Case(
        {'a': {'extra': 'v1.0'}, 'b': {'extra': 'v1.1'}},
        {'extra/a': 'refused', 'extra/b': 'active'},
        {'extra': 'plugin_b v1.1'},
    ),
    'a tie for a new name': Case(
        {'a': {'extra': 'v1.0'}, 'b': {'extra': 'v1.0', 'more': 'v1.0'}},
        {'extra/a': 'refused', 'extra/b': 'refused', 'more/b': 'active'},
        {'more': 'plugin_b v1.0'},
    ),
    'a tie for a shipped name': Case(
        {'a': {'shipped': 'v2.0'}, 'b': {'shipped': 'v2.0'}}, {'shipped/a': 'refused', 'shipped/b': 'refused'}, {}
    ),
    'a broken module': Case(
        {'a': {'extra': 'broken', 'shipped': 'broken'}, 'b': {'more': 'v1.0'}},
        {'extra/a': 'failed', 'shipped/a': 'failed', 'more/b': 'active'},
        {'more': 'plugin_b v1.0'},
    ),
    'all off': Case(
        {'a': {'extra': 'v1.0', 'shipped': 'v2.0'}}, {'extra/a': 'off', 'shipped/a': 'off'}, {}, switch='off'
    ),
    'a name without an entry point': Case(
        {'a': {'extra': 'v1.0', 'smuggled': 'v1.0'}},
        {'extra/a': 'active', 'smuggled/a': 'refused'},
        {'extra': 'plugin_a v1.0'},
        undeclared=('smuggled',),
    ),
    'a list': Case(
        {'a': {'extra': 'v1.0', 'shipped': 'v2.0', 'other': 'v1.0'}, 'b': {'more': 'v1.0'}, 'c': {'third': 'v1.0'}},
        {'extra/a': 'active', 'shipped/a': 'off', 'other/a': 'off', 'more/b': 'active', 'third/c': 'off'},
        {'extra': 'plugin_a v1.0', 'more': 'plugin_b v1.0'},
        switch='extra,b:more',
    ),
}


@pytest.mark.parametrize('evalscope', ['eager', 'lazy', 'with the proposed loader'])
@pytest.mark.parametrize('case', CASES.values(), ids=CASES)
def test_the_same_is_used_with_the_proposed_loader_and_without(new_site: Site, case: Case, evalscope: str) -> None:
    new_site.add_stand_in(lazy=evalscope != 'eager')
    if evalscope == 'with the proposed loader':
        new_site.add_upstream_loader()
    for name, versions in case.plugins.items():
        source = 'import nowhere' if 'broken' in versions.values() else adapter_source(**versions)
        declared = {benchmark: f'plugin_{name}' for benchmark in versions if benchmark not in case.undeclared}
        new_site.add_distribution(name, '1.0', declared, {f'plugin_{name}': source})
    process = new_site.run(REPORT, EVALSCOPE_PLUGINS=case.switch)
    assert process.returncode == 0, process.stderr
    at_start, one_by_one, scan, statuses = json.loads(process.stdout)
    expected: dict[str, Any] = {'shipped': BUILT_IN, **case.used}
    assert {name: used for name, used in one_by_one.items() if used} == expected
    assert scan == expected
    assert statuses == case.statuses
    if evalscope != 'eager':
        assert at_start == []


def test_a_new_name_is_left_to_an_evalscope_that_loads_it(new_site: Site) -> None:
    new_site.add_stand_in(lazy=True)
    new_site.add_upstream_loader()
    new_site.add_distribution('a', '1.0', {'extra': 'plugin_a'}, {'plugin_a': adapter_source(extra='v1.0')})
    code = """
import json
from evalscope_qa import discovery
(decision,) = discovery.decisions()
print(json.dumps([decision.status, decision.version, decision.reason]))
"""
    assert new_site.ask(code) == ['active', 'v1.0', 'loaded by evalscope itself']
