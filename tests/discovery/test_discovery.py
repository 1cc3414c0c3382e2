"""What becomes of real distributions in a site directory: chosen, kept out, isolated, switched off, reported."""

import json
import shutil
import textwrap
from typing import Any, Callable, Optional

import pytest
from site_directory import ADAPTER, Site, adapter_source

REPORT = """
import dataclasses, json
import evalscope
from evalscope.api.registry import BENCHMARK_REGISTRY
from evalscope_qa import discovery
decisions = [dataclasses.asdict(decision) for decision in discovery.decisions()]
benchmarks = {name: [meta.data_adapter.__module__, meta.evaluation_version]
              for name, meta in BENCHMARK_REGISTRY.items()}
# Again: the full scan must not have changed what was decided, but for a built-in it brought to light.
decisions = [dataclasses.asdict(decision) for decision in discovery.decisions()]
print(json.dumps({'benchmarks': benchmarks, 'decisions': decisions}))
"""


@pytest.fixture(params=['eager', 'lazy'])
def site(request: pytest.FixtureRequest, new_site: Site) -> Site:
    """A site directory with the stand-in for evalscope, once with each kind of registry."""
    new_site.add_stand_in(lazy=request.param == 'lazy')
    return new_site


SHIPPED = ['evalscope.benchmarks.shipped_adapter', 'v1.9']


class Report:
    """What a process says about its plugins, and what it logged at import."""

    def __init__(self, site: Site, before: str = '', **environment: str) -> None:
        process = site.run(before + REPORT, **environment)
        assert process.returncode == 0, process.stderr
        said = json.loads(process.stdout)
        self.log: str = process.stderr
        self.benchmarks: dict[str, list[str]] = said['benchmarks']
        self.decisions: list[dict[str, Any]] = said['decisions']

    def status(self) -> dict[tuple[str, str], str]:
        return {(decision['benchmark'], decision['distribution']): decision['status'] for decision in self.decisions}

    def only(self) -> dict[str, Any]:
        (decision,) = self.decisions
        return decision


def test_one_good_one_broken_one_clashing_and_one_lower(site: Site) -> None:
    site.add_distribution(
        'good',
        '1.0',
        {'extra': 'good_plugin', 'shipped': 'good_plugin'},
        {'good_plugin': adapter_source(extra='v1.0', shipped='v1.10')},
    )
    site.add_distribution(
        'broken', '2.0', {'beyond_repair': 'broken_plugin'}, {'broken_plugin': 'import a_library_that_is_missing'}
    )
    for name in ('clash_one', 'clash_two'):
        site.add_distribution(name, '3.0', {'contested': name}, {name: adapter_source(contested='v1.0')})
    site.add_distribution('lower', '4.0', {'shipped': 'lower_plugin'}, {'lower_plugin': adapter_source(shipped='v1.8')})

    report = Report(site)

    assert report.benchmarks == {'extra': ['good_plugin', 'v1.0'], 'shipped': ['good_plugin', 'v1.10']}
    assert report.status() == {
        ('beyond_repair', 'broken'): 'failed',
        ('contested', 'clash_one'): 'refused',
        ('contested', 'clash_two'): 'refused',
        ('extra', 'good'): 'active',
        ('shipped', 'good'): 'active',
        ('shipped', 'lower'): 'refused',
    }
    assert report.decisions[0] == {
        'benchmark': 'beyond_repair',
        'distribution': 'broken',
        'distribution_version': '2.0',
        'module': 'broken_plugin',
        'version': None,
        'builtin_module': None,
        'builtin_version': None,
        'status': 'failed',
        'reason': "ModuleNotFoundError: No module named 'a_library_that_is_missing'",
        'group': 'default',
    }
    assert report.log.splitlines() == [
        "WARNING Benchmark 'beyond_repair': broken 2.0 (broken_plugin) is not used: "
        "ModuleNotFoundError: No module named 'a_library_that_is_missing'.",
        "WARNING Benchmark 'contested': v1.0 of clash_one 3.0 (clash_one) is not used: "
        'clash_one 3.0 and clash_two 3.0 claim the name with the same version; uninstall all but one of them.',
        "WARNING Benchmark 'contested': v1.0 of clash_two 3.0 (clash_two) is not used: "
        'clash_one 3.0 and clash_two 3.0 claim the name with the same version; uninstall all but one of them.',
        "INFO Benchmark 'extra': v1.0 of good 1.0 (good_plugin) is added; evalscope 7.7.7 has none.",
        "INFO Benchmark 'shipped': v1.10 of good 1.0 (good_plugin) replaces "
        'v1.9 of evalscope 7.7.7 (evalscope.benchmarks.shipped_adapter).',
        "WARNING Benchmark 'shipped': v1.8 of lower 4.0 (lower_plugin) is not used: v1.10 of good 1.0 is higher; "
        'built in is v1.9 of evalscope 7.7.7 (evalscope.benchmarks.shipped_adapter).',
    ]


@pytest.mark.parametrize('version', ['v1.9', 'v1.8'])
def test_a_plugin_retires_once_evalscope_has_caught_up(site: Site, version: str) -> None:
    site.add_distribution('good', '1.0', {'shipped': 'good_plugin'}, {'good_plugin': adapter_source(shipped=version)})
    report = Report(site)
    assert report.benchmarks == {'shipped': SHIPPED}
    assert report.only()['status'] == 'kept built-in'
    assert (report.only()['version'], report.only()['builtin_version']) == (version, 'v1.9')
    assert report.log.startswith("INFO Benchmark 'shipped': v1.9 of evalscope 7.7.7")


def test_a_tie_above_the_built_in_leaves_the_built_in(site: Site) -> None:
    for name in ('one', 'two'):
        site.add_distribution(name, '1.0', {'shipped': name}, {name: adapter_source(shipped='v2.0')})
    report = Report(site)
    assert report.benchmarks == {'shipped': SHIPPED}
    assert set(report.status().values()) == {'refused'}
    for decision in report.decisions:
        assert 'one 1.0 and two 1.0' in decision['reason']


def test_two_distributions_that_name_the_same_module_are_a_tie_too(site: Site) -> None:
    source = {'common': adapter_source(extra='v1.0')}
    site.add_distribution('original', '1.0', {'extra': 'common'}, source)
    site.add_distribution('renamed_copy', '1.0', {'extra': 'common'})
    report = Report(site)
    assert 'extra' not in report.benchmarks
    assert set(report.status().values()) == {'refused'}


BROKEN_MODULES = {
    'raises': ('raise RuntimeError("two\\nlines")', 'RuntimeError: two'),
    'skips': ('class Skipped(BaseException): pass\nraise Skipped("no GPU")', 'Skipped: no GPU'),
    'exits': ('raise SystemExit(3)', 'SystemExit: 3'),
    'syntax error': ('def (:', 'SyntaxError: '),
    'registers nothing': ('', 'it registers no benchmark of this name'),
    'registers, then fails': (adapter_source(extra='v1.0') + '1 / 0', 'ZeroDivisionError: '),
    'wrong version': (adapter_source(extra='newest'), "its evaluation version 'newest' is not of the form v1.2"),
}


@pytest.mark.parametrize('source, reason', BROKEN_MODULES.values(), ids=BROKEN_MODULES)
def test_a_broken_plugin_is_reported_and_everything_else_loads(site: Site, source: str, reason: str) -> None:
    site.add_distribution('broken', '2.0', {'extra': 'broken_plugin'}, {'broken_plugin': source})
    site.add_distribution('good', '1.0', {'fine': 'good_plugin'}, {'good_plugin': adapter_source(fine='v1.0')})
    report = Report(site)
    assert report.benchmarks == {'shipped': SHIPPED, 'fine': ['good_plugin', 'v1.0']}
    broken, good = report.decisions
    assert (broken['status'], good['status']) == ('failed', 'active')
    assert (broken['distribution'], broken['distribution_version'], broken['module']) == (
        'broken',
        '2.0',
        'broken_plugin',
    )
    assert reason in broken['reason']
    assert len(report.log.splitlines()) == 2


def test_the_users_interrupt_is_not_taken_for_a_broken_plugin(site: Site) -> None:
    site.add_distribution('slow', '1.0', {'extra': 'slow_plugin'}, {'slow_plugin': 'raise KeyboardInterrupt'})
    process = site.run('from evalscope.api.registry import BENCHMARK_REGISTRY; BENCHMARK_REGISTRY.get("extra")')
    assert process.returncode != 0 and 'KeyboardInterrupt' in process.stderr


def test_a_module_that_is_not_there_is_a_broken_plugin(site: Site) -> None:
    site.add_distribution('hollow', '1.0', {'extra': 'nowhere.to_be_found'})
    assert Report(site).only()['reason'] == "ModuleNotFoundError: No module named 'nowhere'"


def leftover_that_is_empty(site: Site) -> None:
    (site.packages / 'good-0.0.9.dist-info').mkdir()


def leftover_of_a_version_before(site: Site) -> None:
    site.add_metadata('good', '0.9', '[evalscope.benchmarks]\nextra = good_plugin\nghost = nowhere\n')


@pytest.mark.parametrize('leave', [leftover_that_is_empty, leftover_of_a_version_before])
def test_what_an_interrupted_installation_left_behind_is_a_problem_that_is_told(
    site: Site, leave: Callable[[Site], None]
) -> None:
    leave(site)  # first, as a folder's order has it on most file systems
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})
    report = Report(site)
    assert report.benchmarks['extra'] == ['good_plugin', 'v1.0']
    assert report.status()['extra', 'good'] == 'active'
    assert report.log.count('WARNING good 1.0 is used, but an interrupted installation has left behind') == 1
    assert report.log.count(f'{site.packages / "good-0."}') == 1
    assert report.status().keys() == {('extra', 'good')}


def test_a_leftover_without_a_name_is_no_second_claim(site: Site) -> None:
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})
    site.add_metadata('older', '0.9', '[evalscope.benchmarks]\nextra = good_plugin\n')
    (site.packages / 'older-0.9.dist-info' / 'METADATA').unlink()
    assert Report(site).only()['status'] == 'active'


def test_the_first_distribution_of_a_name_on_the_path_hides_the_others(site: Site) -> None:
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})
    (site.packages / 'later').mkdir()
    (site.packages / 'later.pth').write_text(f'{site.packages / "later"}\n', encoding='utf-8')
    site.add_metadata('later/good', '0.9', '[evalscope.benchmarks]\nghost = nowhere\n')
    report = Report(site)
    assert report.benchmarks['extra'] == ['good_plugin', 'v1.0']
    assert report.status() == {('extra', 'good'): 'active'}


@pytest.mark.parametrize('content', [None, b'', b'\xff\xfe not UTF-8'], ids=['none', 'empty', 'not UTF-8'])
def test_a_distribution_without_usable_metadata_still_loads(site: Site, content: Optional[bytes]) -> None:
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})
    metadata = site.packages / 'good-1.0.dist-info' / 'METADATA'
    metadata.unlink()
    if content is not None:
        metadata.write_bytes(content)
    decision = Report(site).only()
    assert (decision['status'], decision['distribution']) == ('active', 'unnamed distribution')


@pytest.mark.parametrize(
    'value',
    ['acme.plugin', 'acme.plugin [gpu]', 'acme.plugin[gpu,cpu]', 'acme.plugin : Adapter', 'acme.plugin:A.b [gpu]'],
)
def test_an_entry_point_may_name_an_attribute_and_extras(site: Site, value: str) -> None:
    source = {'acme.__init__': '', 'acme.plugin': adapter_source(extra='v1.0')}
    site.add_distribution('acme', '1.0', {'extra': value}, source)
    decision = Report(site).only()
    assert (decision['status'], decision['module']) == ('active', 'acme.plugin')


def test_an_entry_point_that_names_no_module_is_a_broken_plugin(site: Site) -> None:
    site.add_distribution('garbled', '1.0', {'extra': 'no-module at all'})
    site.add_distribution('good', '1.0', {'fine': 'good_plugin'}, {'good_plugin': adapter_source(fine='v1.0')})
    report = Report(site)
    assert report.status() == {('extra', 'garbled'): 'failed', ('fine', 'good'): 'active'}
    assert report.decisions[0]['reason'] == "ModuleNotFoundError: No module named 'no-module at all'"


def test_one_module_may_register_several_names(site: Site) -> None:
    source = adapter_source(first='v1.0', second='v1.1')
    site.add_distribution('good', '1.0', {'first': 'both', 'second': 'both'}, {'both': source})
    assert Report(site).status() == {('first', 'good'): 'active', ('second', 'good'): 'active'}


def test_a_name_without_an_entry_point_is_refused_and_reported(site: Site) -> None:
    source = adapter_source(declared='v1.0', smuggled='v1.0', shipped='v9.9')
    site.add_distribution('good', '1.0', {'declared': 'good_plugin'}, {'good_plugin': source})
    report = Report(site)
    assert report.benchmarks == {'declared': ['good_plugin', 'v1.0'], 'shipped': SHIPPED}
    assert report.status() == {
        ('declared', 'good'): 'active',
        ('smuggled', 'good'): 'refused',
        ('shipped', 'good'): 'refused',
    }
    assert "without an entry point 'smuggled' in the group evalscope.benchmarks" in report.decisions[-1]['reason']
    assert report.log.count('smuggled') == 2  # as the name and in the reason, on one line


def test_the_line_on_a_name_without_an_entry_point_names_the_built_in_too(new_site: Site) -> None:
    source = adapter_source(declared='v1.0', shipped='v9.9')
    new_site.add_distribution('good', '1.0', {'declared': 'good_plugin'}, {'good_plugin': source})
    start = (
        "WARNING Benchmark 'shipped': v9.9 of good 1.0 (good_plugin) is not used: it registers this name without an "
        "entry point 'shipped' in the group evalscope.benchmarks; built in is "
    )
    # A lazy registry knows the module; only importing it, in the middle of the plugin's import, would tell the version.
    for lazy, version in ((False, 'v1.9 of '), (True, '')):
        new_site.add_stand_in(lazy)
        report = Report(new_site)
        assert f'{start}{version}evalscope 7.7.7 (evalscope.benchmarks.shipped_adapter).' in report.log.splitlines()
        shutil.rmtree(new_site.packages / 'evalscope')


PACKAGES = {
    'the entry point is a package that imports its adapters': {
        'acme.__init__': 'import acme.adapters',
        'acme.adapters': adapter_source(extra='v1.0'),
    },
    'the entry point registers through another distribution': {
        'acme.__init__': 'import factory',
        'factory': adapter_source(extra='v1.0'),
    },
    'the entry point builds on a built-in': {
        'acme.__init__': 'from evalscope.benchmarks import shipped_adapter\n' + adapter_source(extra='v1.0'),
    },
}  # fmt: skip


@pytest.mark.parametrize('modules', PACKAGES.values(), ids=PACKAGES)
def test_the_module_that_registers_need_not_be_the_entry_point(site: Site, modules: dict[str, str]) -> None:
    site.add_distribution('acme', '1.0', {'extra': 'acme'}, modules)
    report = Report(site)
    assert report.only()['status'] == 'active'
    assert report.benchmarks['shipped'] == SHIPPED


def test_a_plugin_that_imports_another_plugins_adapter_does_not_take_it_over(site: Site) -> None:
    site.add_distribution('base', '1.0', {'basic': 'base'}, {'base.__init__': 'import base.impl'})
    site.add_module('base.impl', adapter_source(basic='v1.0'))
    site.add_distribution(
        'above', '1.0', {'advanced': 'above'}, {'above': 'import base.impl' + adapter_source(advanced='v1.0')}
    )
    assert Report(site).status() == {('advanced', 'above'): 'active', ('basic', 'base'): 'active'}


FIRST_IMPORTS = {
    'the adapter': 'import good_plugin',
    'the registry': 'from evalscope.api.registry import register_benchmark',
    'discovery itself': 'from evalscope_qa import discovery; discovery.load_plugins(); discovery.load_plugins()',
}


@pytest.mark.parametrize('first', FIRST_IMPORTS.values(), ids=FIRST_IMPORTS)
def test_what_the_user_imports_first_makes_no_difference(site: Site, first: str) -> None:
    site.add_distribution('good', '1.0', {'shipped': 'good_plugin'}, {'good_plugin': adapter_source(shipped='v2.0')})
    report = Report(site, before=first)
    assert report.benchmarks == {'shipped': ['good_plugin', 'v2.0']}
    assert report.only()['status'] == 'active'
    assert len(report.log.splitlines()) == 1


def test_a_package_that_imports_evalscope_before_its_own_names_recovers(site: Site) -> None:
    # When the user imports it first, discovery finds it half done: the adapter lacks LIMIT, and fails that time.
    site.add_distribution('acme', '1.0', {'extra': 'acme.adapter'})
    site.add_module('acme.__init__', 'import evalscope\nLIMIT = 5\nimport acme.adapter\n')
    site.add_module('acme.adapter', 'from acme import LIMIT\n' + adapter_source(extra='v1.0'))
    report = Report(site, before='import acme')
    assert report.only()['status'] == 'active'
    assert report.benchmarks['extra'] == ['acme.adapter', 'v1.0']


def test_an_adapter_that_the_user_imports_and_that_fails_late_is_reported_with_its_error(site: Site) -> None:
    site.add_distribution('bad', '1.0', {'extra': 'bad_plugin'}, {'bad_plugin': ADAPTER + '1 / 0'})
    user = textwrap.dedent("""
        try:
            import bad_plugin
        except ZeroDivisionError:
            pass
    """)
    report = Report(site, before=user)
    assert report.only()['status'] == 'failed'
    assert report.only()['reason'].startswith('ZeroDivisionError')


def test_reloading_a_plugin_registers_it_anew_without_an_error(site: Site) -> None:
    site.add_distribution('good', '1.0', {'shipped': 'good_plugin'}, {'good_plugin': adapter_source(shipped='v2.0')})
    again = textwrap.dedent("""
        import importlib
        import evalscope, good_plugin
        from evalscope.api.registry import BENCHMARK_REGISTRY
        first = BENCHMARK_REGISTRY['shipped'].data_adapter
        importlib.reload(good_plugin)
        assert BENCHMARK_REGISTRY['shipped'].data_adapter is good_plugin.Adapter_shipped is not first
    """)
    report = Report(site, before=again)
    assert report.only()['status'] == 'active' and report.only()['builtin_version'] == 'v1.9'


def test_the_users_own_registrations_go_to_evalscope_as_ever(site: Site) -> None:
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})
    site.add_module('mine', adapter_source(my_own='v0.1'))
    user = textwrap.dedent("""
        import mine
        from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
        from evalscope.api.registry import register_benchmark
        for taken in ('shipped', 'extra', 'my_own'):
            try:
                register_benchmark(BenchmarkMeta(name=taken, evaluation_version='v5.0'))(DefaultDataAdapter)
            except ValueError as error:
                assert str(error) == f'Benchmark {taken} already registered'
            else:
                raise AssertionError(taken)
        assert register_benchmark.__name__ == 'register_benchmark'
    """)
    # The adapter class must not be one of evalscope's own for this.
    user = user.replace('(DefaultDataAdapter)', "(type('Mine', (DefaultDataAdapter,), {'__module__': '__main__'}))")
    report = Report(site, before=user)
    assert report.benchmarks['my_own'] == ['mine', 'v0.1']
    assert report.benchmarks['extra'] == ['good_plugin', 'v1.0']


def test_a_built_in_that_turns_up_after_a_plugin_took_its_name_is_compared_then(site: Site) -> None:
    # evalscope's index may lack a name; its full scan then registers a shipped benchmark late.
    site.add_distribution(
        'good', '1.0', {'late': 'good_plugin', 'latest': 'good_plugin'},
        {'good_plugin': adapter_source(late='v1.0', latest='v1.0')},
    )  # fmt: skip
    site.add_module('evalscope.benchmarks.late_adapter', adapter_source(late='v1.1', latest='v0.9'))
    report = Report(site, before='import evalscope; import evalscope.benchmarks.late_adapter')
    assert report.benchmarks['late'] == ['evalscope.benchmarks.late_adapter', 'v1.1']
    assert report.benchmarks['latest'] == ['good_plugin', 'v1.0']
    assert report.status() == {('late', 'good'): 'kept built-in', ('latest', 'good'): 'active'}
    assert report.decisions[1]['builtin_version'] == 'v0.9'


def test_a_built_in_that_cannot_be_imported_is_not_replaced_blindly(new_site: Site) -> None:
    new_site.add_stand_in(lazy=True)
    shipped = new_site.packages / 'evalscope' / 'benchmarks' / 'shipped_adapter.py'
    shipped.write_text('raise ImportError("the built-in needs a library")', encoding='utf-8')
    new_site.add_distribution('good', '1.0', {'shipped': 'plugin'}, {'plugin': adapter_source(shipped='v2.0')})
    code = """
        import json
        from evalscope.api.registry import BENCHMARK_REGISTRY
        try:
            BENCHMARK_REGISTRY.get('shipped')
        except ImportError as error:
            from evalscope_qa import discovery
            print(json.dumps([str(error), *[[made.status, made.reason] for made in discovery.decisions()]]))
    """
    error, (status, reason) = new_site.ask(textwrap.dedent(code))
    assert error == 'the built-in needs a library'
    assert status == 'failed' and reason.endswith('ImportError: the built-in needs a library')


def test_a_late_built_in_whose_plugin_is_off_is_registered_as_ever(site: Site) -> None:
    site.add_distribution(
        'good', '1.0', {'late': 'good_plugin', 'extra': 'good_plugin'},
        {'good_plugin': adapter_source(late='v2.0', extra='v1.0')},
    )  # fmt: skip
    site.add_module('evalscope.benchmarks.late_adapter', adapter_source(late='v1.1'))
    later = 'from evalscope_qa import discovery; discovery.decisions(); import evalscope.benchmarks.late_adapter'
    report = Report(site, before=later, EVALSCOPE_PLUGINS='extra')
    assert report.benchmarks['late'] == ['evalscope.benchmarks.late_adapter', 'v1.1']
    assert report.status() == {('late', 'good'): 'off', ('extra', 'good'): 'active'}
    assert report.decisions[1]['builtin_version'] == 'v1.1'


def test_a_stale_index_of_evalscope_costs_a_scan_and_no_mistake(new_site: Site) -> None:
    new_site.add_stand_in(lazy=True)
    benchmarks = new_site.packages / 'evalscope' / 'benchmarks'
    index = (benchmarks / '__init__.py').read_text(encoding='utf-8')
    stale = index.replace('INDEX = {', "INDEX = {'moved': 'evalscope.benchmarks.shipped_adapter', ")
    assert stale != index
    (benchmarks / '__init__.py').write_text(stale, encoding='utf-8')
    new_site.add_module('evalscope.benchmarks.moved_adapter', adapter_source(moved='v1.5'))
    new_site.add_distribution('good', '1.0', {'moved': 'plugin'}, {'plugin': adapter_source(moved='v1.4')})
    report = Report(new_site)
    assert report.benchmarks['moved'] == ['evalscope.benchmarks.moved_adapter', 'v1.5']
    assert report.only()['status'] == 'kept built-in'


def test_the_list_of_what_is_off_survives_a_built_in_that_cannot_be_imported(new_site: Site) -> None:
    new_site.add_stand_in(lazy=True)
    shipped = new_site.packages / 'evalscope' / 'benchmarks' / 'shipped_adapter.py'
    shipped.write_text('raise ImportError("the built-in needs a library")', encoding='utf-8')
    new_site.add_distribution('good', '1.0', {'shipped': 'plugin'}, {'plugin': adapter_source(shipped='v2.0')})
    code = """
        import json
        from evalscope_qa import discovery
        print(json.dumps([[made.status, made.builtin_version] for made in discovery.decisions()]))
    """
    assert new_site.ask(textwrap.dedent(code), EVALSCOPE_PLUGINS='off') == [['off', None]]


# -- the switch ---------------------------------------------------------------------------------------------------


def add_two(site: Site) -> None:
    site.add_distribution(
        'good', '1.0', {'first': 'good_plugin', 'second': 'good_plugin', 'shipped': 'other_plugin'},
        {
            'good_plugin': adapter_source(first='v1.0', second='v1.0'),
            'other_plugin': 'import sys\nsys.stdout.write("imported!")' + adapter_source(shipped='v2.0'),
        },
    )  # fmt: skip


@pytest.mark.parametrize('switch', ['off', '0'])
def test_all_off_lists_every_name_as_off_and_imports_no_plugin(site: Site, switch: str) -> None:
    add_two(site)
    report = Report(site, EVALSCOPE_PLUGINS=switch)
    assert report.benchmarks == {'shipped': SHIPPED}
    assert set(report.status().values()) == {'off'}
    assert {decision['reason'] for decision in report.decisions} == {f'EVALSCOPE_PLUGINS={switch}'}
    shipped = report.decisions[-1]
    assert (shipped['builtin_module'], shipped['builtin_version']) == tuple(SHIPPED)
    assert report.log == ''


@pytest.mark.parametrize('switch', ['first', ' first , ', 'first,first'])
def test_a_list_loads_only_those_names_even_where_a_module_registers_more(site: Site, switch: str) -> None:
    add_two(site)
    report = Report(site, EVALSCOPE_PLUGINS=switch)
    assert report.benchmarks == {'shipped': SHIPPED, 'first': ['good_plugin', 'v1.0']}
    assert report.status() == {('first', 'good'): 'active', ('second', 'good'): 'off', ('shipped', 'good'): 'off'}
    assert len(report.log.splitlines()) == 1


def test_a_name_switched_off_stays_off_when_its_module_is_imported_later(site: Site) -> None:
    add_two(site)
    (site.packages / 'other_plugin.py').write_text(adapter_source(shipped='v2.0'), encoding='utf-8')
    later = 'import evalscope\nfrom evalscope_qa import discovery\ndiscovery.decisions()\nimport other_plugin\n'
    report = Report(site, before=later, EVALSCOPE_PLUGINS='first')
    assert report.benchmarks['shipped'] == SHIPPED
    assert report.status()['shipped', 'good'] == 'off'


def test_an_unknown_name_in_the_list_is_a_warning(site: Site) -> None:
    add_two(site)
    report = Report(site, EVALSCOPE_PLUGINS='first,typo,other')
    assert 'WARNING EVALSCOPE_PLUGINS names typo, other, which no installed plugin provides' in report.log
    assert 'plugins: first, second, shipped.' in report.log
    assert report.status()['first', 'good'] == 'active'


def test_an_allow_list_by_distribution_keeps_the_others_out(site: Site) -> None:
    add_two(site)
    rival = {'rival': 'import sys\nsys.stdout.write("imported!")' + adapter_source(first='v9.0', rival='v1.0')}
    site.add_distribution('rival', '1.0', {'first': 'rival', 'rival': 'rival'}, rival)
    (site.packages / 'other_plugin.py').write_text(adapter_source(shipped='v2.0'), encoding='utf-8')
    report = Report(site, EVALSCOPE_PLUGINS='Good:*')
    assert report.benchmarks['first'] == ['good_plugin', 'v1.0'] and 'rival' not in report.benchmarks
    assert report.status() == {
        ('first', 'good'): 'active',
        ('second', 'good'): 'active',
        ('shipped', 'good'): 'active',
        ('first', 'rival'): 'off',
        ('rival', 'rival'): 'off',
    }


def test_a_blank_switch_is_none_at_all(site: Site) -> None:
    (site.packages / 'unused.py').touch()
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})
    assert Report(site, EVALSCOPE_PLUGINS=' ').only()['status'] == 'active'


def test_metric_names_that_cannot_be_declared_stop_no_plugin(site: Site) -> None:
    (site.packages / 'evalscope' / 'metrics' / 'semantics' / 'catalog.py').unlink()
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})
    report = Report(site)
    assert report.only()['status'] == 'active'
    assert 'WARNING The metric names of evalscope-qa are not declared: ModuleNotFoundError' in report.log
