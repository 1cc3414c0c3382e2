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
assert 'map' in METRIC_DEFINITIONS
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
    'a list': Case(
        {'a': {'extra': 'v1.0', 'shipped': 'v2.0', 'more': 'v1.0'}},
        {'extra/a': 'active', 'shipped/a': 'off', 'more/a': 'active'},
        {'extra': 'plugin_a v1.0', 'more': 'plugin_a v1.0'},
        switch='extra,a:more',
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
        new_site.add_distribution(name, '1.0', dict.fromkeys(versions, f'plugin_{name}'), {f'plugin_{name}': source})
    process = new_site.run(REPORT, EVALSCOPE_PLUGINS=case.switch)
    assert process.returncode == 0, process.stderr
    at_start, one_by_one, scan, statuses = json.loads(process.stdout)
    expected: dict[str, Any] = {'shipped': BUILT_IN, **case.used}
    assert {name: used for name, used in one_by_one.items() if used} == expected
    assert scan == expected
    assert statuses == case.statuses
    if evalscope != 'eager':
        assert at_start == []


def test_another_attribute_of_that_name_is_not_a_loader(new_site: Site) -> None:
    new_site.add_stand_in(lazy=True)
    benchmarks = new_site.packages / 'evalscope' / 'benchmarks' / '__init__.py'
    text = benchmarks.read_text(encoding='utf-8')
    benchmarks.write_text(text + "\nENTRY_POINT_GROUP = 'something.else'\n", encoding='utf-8')
    new_site.add_distribution('a', '1.0', {'extra': 'plugin_a'}, {'plugin_a': adapter_source(extra='v1.0')})
    process = new_site.run(REPORT)
    assert json.loads(process.stdout)[3] == {'extra/a': 'active'}, process.stderr


def test_a_new_name_is_left_to_an_evalscope_that_loads_it(new_site: Site) -> None:
    new_site.add_stand_in(lazy=True)
    new_site.add_upstream_loader()
    new_site.add_distribution('a', '1.0', {'extra': 'plugin_a'}, {'plugin_a': adapter_source(extra='v1.0')})
    code = """
import json
from evalscope.api import registry
from evalscope_qa import discovery
(decision,) = discovery.decisions()
print(json.dumps([hasattr(registry.register_benchmark, '__wrapped__'), decision.status, decision.reason]))
"""
    assert new_site.ask(code) == [False, 'active', 'loaded by evalscope itself']
