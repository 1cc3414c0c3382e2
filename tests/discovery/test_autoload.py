"""When discovery runs: the .pth file's hook, in every way that Python starts and that evalscope is imported."""

import json
import textwrap
import zipfile
from pathlib import Path
from typing import Any, Callable

import pytest
from site_directory import Site, adapter_source

STATE = """
import json, sys
import evalscope
from evalscope.api.registry import BENCHMARK_REGISTRY
print(json.dumps({
    'benchmarks': {name: meta.data_adapter.__module__ for name, meta in BENCHMARK_REGISTRY.items()},
    'discovery': 'evalscope_qa.discovery.process' in sys.modules,
    'finders': [type(finder).__name__ for finder in sys.meta_path],
    'loader': type(evalscope.__spec__.loader).__name__,
    'same loader': evalscope.__spec__.loader is evalscope.__loader__,
}))
"""


def state_of(site: Site, *flags: str, **environment: str) -> dict[str, Any]:
    return site.ask(STATE, *flags, **environment)


def add_plugin(site: Site) -> None:
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})


LOADED = {'shipped': 'evalscope.benchmarks.shipped_adapter', 'extra': 'good_plugin'}
UNTOUCHED = {'shipped': 'evalscope.benchmarks.shipped_adapter'}


@pytest.mark.parametrize('flags', [(), ('-I',), ('-E',), ('-s',), ('-O',)], ids=' '.join)
def test_importing_evalscope_loads_the_plugins_wherever_python_reads_pth_files(
    site: Site, flags: tuple[str, ...]
) -> None:
    add_plugin(site)
    state = state_of(site, *flags)
    assert state['benchmarks'] == LOADED
    assert state['loader'] == 'SourceFileLoader' and state['same loader']


def test_without_site_nothing_happens_by_itself_but_load_plugins_works(site: Site) -> None:
    add_plugin(site)
    code = textwrap.dedent("""
        import json
        import evalscope
        from evalscope.api.registry import BENCHMARK_REGISTRY
        before = sorted(BENCHMARK_REGISTRY)
        from evalscope_qa import discovery
        made = [(decision.benchmark, decision.status) for decision in discovery.decisions()]
        print(json.dumps([before, sorted(BENCHMARK_REGISTRY), made, discovery.pth_in_force()]))
    """)
    asked = site.ask(code, '-S', PYTHONPATH=str(site.packages))
    assert asked == [['shipped'], ['extra', 'shipped'], [['extra', 'active']], False]


def test_install_does_it_for_a_program_whether_evalscope_has_been_imported_or_not(site: Site) -> None:
    add_plugin(site)
    install = 'import evalscope_qa; evalscope_qa.install(); evalscope_qa.install()\n'
    for code in (install, f'import evalscope\n{install}'):
        state = site.ask(code + STATE, '-S', PYTHONPATH=str(site.packages))
        assert state['benchmarks'] == LOADED
        assert state['finders'].count('EvalscopeFinder') == 1
    nothing = 'import json, sys, evalscope_qa; evalscope_qa.install(); print(json.dumps("evalscope" in sys.modules))'
    assert site.ask(nothing, '-S', PYTHONPATH=str(site.packages)) is False
    by_hand = 'import json, evalscope_qa; evalscope_qa.install(); from evalscope_qa import discovery\n'
    by_hand += 'print(json.dumps(discovery.pth_in_force()))'
    assert site.ask(by_hand, '-S', PYTHONPATH=str(site.packages)) is False


def test_a_start_imports_this_package_and_nothing_else(site: Site) -> None:
    code = 'import sys; print(__import__("json").dumps(sorted(sys.modules)))'
    with_pth = site.ask(code)
    (site.packages / 'evalscope_qa.pth').unlink()
    assert set(with_pth) - set(site.ask(code)) == {'evalscope_qa'}


def test_a_start_that_never_imports_evalscope_imports_other_modules_as_ever(site: Site) -> None:
    code = textwrap.dedent("""
        import importlib.util, json
        import email.mime.text
        try:
            import no_such_module
        except ModuleNotFoundError as error:
            print(json.dumps([error.name, importlib.util.find_spec('evalscope_of_somebody_else')]))
    """)
    assert site.ask(code) == ['no_such_module', None]


@pytest.mark.parametrize('switch', ['off', 'OFF', ' off ', '0'])
def test_the_switch_is_read_before_anything_is_imported(site: Site, switch: str) -> None:
    add_plugin(site)
    state = state_of(site, EVALSCOPE_PLUGINS=switch)
    assert state['benchmarks'] == UNTOUCHED
    assert not state['discovery']


def test_the_switch_can_be_set_by_the_program_itself(site: Site) -> None:
    add_plugin(site)
    assert site.ask('import os; os.environ["EVALSCOPE_PLUGINS"] = "off"' + STATE)['benchmarks'] == UNTOUCHED


def test_a_failed_import_of_evalscope_can_be_retried(site: Site, tmp_path: Path) -> None:
    add_plugin(site)
    obstacle = tmp_path / 'obstacle'
    obstacle.touch()
    code = textwrap.dedent("""
        import os, sys
        try:
            import evalscope
        except RuntimeError as error:
            assert str(error) == 'evalscope cannot start', error
        else:
            raise AssertionError('evalscope was to fail')
        assert 'evalscope' not in sys.modules and 'evalscope_qa.discovery.process' not in sys.modules
        os.unlink(os.environ['STAND_IN_FAILS_WHILE_EXISTS'])
    """)
    state = site.ask(code + STATE, STAND_IN_FAILS_WHILE_EXISTS=str(obstacle))
    assert state['benchmarks'] == LOADED


IMPORTED_ANEW = """
import json, sys
import evalscope
from evalscope.api.registry import BENCHMARK_REGISTRY

def state():
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.registry import BENCHMARK_REGISTRY
    return {name: [meta.data_adapter.__module__, issubclass(meta.data_adapter, DefaultDataAdapter)]
            for name, meta in BENCHMARK_REGISTRY.items()}

def forget(whole):
    for name in list(sys.modules):
        if name == 'evalscope' or (whole and name.startswith('evalscope.')):
            del sys.modules[name]

before, states = BENCHMARK_REGISTRY, [state()]
for whole in (False, True, True):
    forget(whole)
    import evalscope
    from evalscope.api import registry
    assert (registry.BENCHMARK_REGISTRY is before) != whole
    before = registry.BENCHMARK_REGISTRY
    states.append(state())
from evalscope_qa import discovery
print(json.dumps([states, [decision.status for decision in discovery.decisions()]]))
"""


@pytest.mark.parametrize('lazy', [False, True], ids=['eager', 'lazy'])
def test_an_evalscope_that_is_forgotten_and_imported_again_gets_its_plugins_again(new_site: Site, lazy: bool) -> None:
    new_site.add_stand_in(lazy)
    new_site.add_distribution('acme', '1.0', {'extra': 'acme.adapter', 'more': 'acme.more'})
    new_site.add_module('acme.__init__', '')
    new_site.add_module('acme.base', 'from evalscope.api.benchmark import DefaultDataAdapter')
    new_site.add_module('acme.adapter', 'import acme.base' + adapter_source(extra='v1.0'))
    new_site.add_module('acme.more', adapter_source(more='v1.0'))
    states, statuses = new_site.ask(IMPORTED_ANEW)
    expected = {
        'shipped': ['evalscope.benchmarks.shipped_adapter', True],
        'extra': ['acme.adapter', True],
        'more': ['acme.more', True],
    }
    assert states == [expected] * 4
    assert statuses == ['active', 'active']


def test_finding_evalscope_without_importing_it_runs_nothing(site: Site) -> None:
    add_plugin(site)
    code = textwrap.dedent("""
        import importlib.util, sys
        spec = importlib.util.find_spec('evalscope')
        assert spec.origin.endswith('__init__.py') and spec.submodule_search_locations
        assert 'BENCHMARK' in spec.loader.get_source('evalscope') or spec.loader.is_package('evalscope')
        assert 'evalscope' not in sys.modules and 'evalscope_qa.discovery.process' not in sys.modules
    """)
    assert site.ask(code + STATE)['benchmarks'] == LOADED


def test_a_lazily_loaded_evalscope_is_followed_by_discovery_when_it_runs(site: Site) -> None:
    add_plugin(site)
    code = textwrap.dedent("""
        import importlib.util, sys
        spec = importlib.util.find_spec('evalscope')
        spec.loader = importlib.util.LazyLoader(spec.loader)
        module = importlib.util.module_from_spec(spec)
        sys.modules['evalscope'] = module
        spec.loader.exec_module(module)
        assert 'evalscope_qa.discovery.process' not in sys.modules
        assert module.__version__ == '7.7.7'
    """)
    assert site.ask(code + STATE)['benchmarks'] == LOADED


def test_evalscope_keeps_its_resources_its_source_and_its_reload(site: Site) -> None:
    add_plugin(site)
    code = textwrap.dedent("""
        import importlib, importlib.resources, inspect, pkgutil
        import evalscope
        assert '__version__' in importlib.resources.files('evalscope').joinpath('version.py').read_text()
        assert 'stand-in' in inspect.getsource(evalscope)
        assert pkgutil.get_data('evalscope', 'version.py')
        assert importlib.reload(evalscope) is evalscope
    """)
    assert site.ask(code + STATE)['benchmarks'] == LOADED


@pytest.mark.parametrize('first', ['evalscope.version', 'evalscope.api.registry', 'evalscope.benchmarks'])
def test_importing_a_part_of_evalscope_first_is_importing_evalscope(site: Site, first: str) -> None:
    add_plugin(site)
    assert site.ask(f'import {first}' + STATE)['benchmarks'] == LOADED


def test_an_evalscope_that_another_pth_file_imported_first_gets_its_plugins_too(site: Site) -> None:
    add_plugin(site)
    (site.packages / 'a_first.pth').write_text('import evalscope\n', encoding='utf-8')
    assert state_of(site)['benchmarks'] == LOADED


def as_path_line(site: Site) -> None:
    """Editable, the plain way: a path in a .pth file."""
    (site.packages / 'elsewhere').mkdir()
    (site.packages / 'evalscope').rename(site.packages / 'elsewhere' / 'evalscope')
    (site.packages / '__editable__.evalscope.pth').write_text(f'{site.packages / "elsewhere"}\n', encoding='utf-8')


def as_mapping_finder(site: Site, pth: str = '__editable__.evalscope-7.7.7.pth', position: str = 'append(') -> None:
    """Editable, the way of setuptools: a finder on sys.meta_path that maps the name to a folder."""
    (site.packages / 'elsewhere').mkdir()
    (site.packages / 'evalscope').rename(site.packages / 'elsewhere' / 'evalscope')
    finder = textwrap.dedent(f"""
        import sys
        from importlib.util import spec_from_file_location

        class Finder:
            @classmethod
            def find_spec(cls, fullname, path=None, target=None):
                if fullname == 'evalscope':
                    folder = {str(site.packages / 'elsewhere' / 'evalscope')!r}
                    return spec_from_file_location(fullname, folder + '/__init__.py')

        sys.meta_path.{position}Finder)
    """)
    site.add_module('editable_finder', finder)
    (site.packages / pth).write_text('import editable_finder\n', encoding='utf-8')


def as_mapping_finder_after_ours(site: Site) -> None:
    """The same, with the finder put last by a .pth file that is read after ours."""
    as_mapping_finder(site, pth='zz_editable.pth')


def as_mapping_finder_in_front(site: Site) -> None:
    """The same, with the finder put in front (as meson-python does) by a .pth file that is read before ours."""
    as_mapping_finder(site, pth='_evalscope_editable.pth', position='insert(0, ')


def as_zip(site: Site) -> None:
    """In a zip file on the path: one loader instance serves all modules in it."""
    archive = site.packages / 'elsewhere.zip'
    folder = site.packages / 'evalscope'
    with zipfile.ZipFile(archive, 'w') as file:
        for source in folder.rglob('*.py'):
            file.write(source, source.relative_to(site.packages))
    folder.rename(site.packages / 'not_evalscope')
    (site.packages / 'zip.pth').write_text(f'{archive}\n', encoding='utf-8')


@pytest.mark.parametrize(
    'install',
    [as_path_line, as_mapping_finder, as_mapping_finder_after_ours, as_mapping_finder_in_front, as_zip],
    ids=lambda install: install.__name__,
)
def test_evalscope_is_found_however_it_is_installed(site: Site, install: Callable[[Site], None]) -> None:
    add_plugin(site)
    install(site)
    state = state_of(site)
    assert state['benchmarks'] == LOADED
    assert state['loader'] == ('zipimporter' if install is as_zip else 'SourceFileLoader') and state['same loader']


def test_another_hook_of_the_same_kind_is_no_obstacle(site: Site) -> None:
    add_plugin(site)
    # It asks every other finder, this package's among them, as a second copy of such a hook would.
    site.add_module(
        'other_hook',
        textwrap.dedent("""
            import sys

            class Hook:
                ran = []

                def find_spec(self, name, path=None, target=None):
                    if name != 'evalscope':
                        return None
                    for finder in sys.meta_path:
                        if finder is not self:
                            spec = finder.find_spec(name, path, target)
                            if spec is not None:
                                original = spec.loader.exec_module

                                def exec_module(module):
                                    original(module)
                                    Hook.ran.append(module.__name__)

                                spec.loader.exec_module = exec_module
                                return spec

            sys.meta_path.insert(0, Hook())
        """),
    )
    for pth in ('a_hook.pth', 'z_hook.pth'):
        (site.packages / pth).write_text('import other_hook\n', encoding='utf-8')
        assert state_of(site)['benchmarks'] == LOADED
        assert site.ask('import json, evalscope, other_hook; print(json.dumps(other_hook.Hook.ran))') == ['evalscope']
        (site.packages / pth).unlink()


def test_a_bare_folder_called_evalscope_is_left_alone(new_site: Site) -> None:
    (new_site.packages / 'evalscope').mkdir()
    process = new_site.run('import evalscope; print(evalscope.__path__)')
    assert process.returncode == 0 and process.stderr == ''


def test_where_evalscope_is_not_installed_its_import_fails_as_ever(new_site: Site) -> None:
    process = new_site.run('import evalscope')
    assert process.returncode == 1
    assert process.stderr.rstrip().endswith("ModuleNotFoundError: No module named 'evalscope'")


def broken_by_a_namesake(site: Site) -> None:
    site.add_module('evalscope', 'print("my own script")')


def broken_by_a_new_registry(site: Site) -> None:
    site.add_stand_in()
    (site.packages / 'evalscope' / 'benchmarks' / '__init__.py').write_text('', encoding='utf-8')
    (site.packages / 'evalscope' / 'api' / 'registry.py').write_text('BENCHMARK_REGISTRY = {}', encoding='utf-8')


@pytest.mark.parametrize('arrange', [broken_by_a_namesake, broken_by_a_new_registry])
def test_a_discovery_that_cannot_work_is_one_line_on_stderr(new_site: Site, arrange: Callable[[Site], None]) -> None:
    arrange(new_site)
    process = new_site.run('import evalscope; import evalscope; print("goes on")')
    assert process.returncode == 0 and process.stdout.endswith('goes on\n')
    assert process.stderr.startswith('evalscope_qa: the plugins of evalscope were not loaded: ')
    assert process.stderr.count('\n') == 1


def test_with_stderr_closed_or_absent_a_failure_is_silent(new_site: Site) -> None:
    broken_by_a_namesake(new_site)
    for loss in ('sys.stderr.close()', 'sys.stderr = None'):
        process = new_site.run(f'import sys; {loss}; import evalscope; print("goes on")')
        assert process.returncode == 0
        assert process.stdout.endswith('goes on\n') and 'not loaded' not in process.stdout


def test_a_spawned_process_loads_the_plugins_by_itself(site: Site, tmp_path: Path) -> None:
    add_plugin(site)
    script = tmp_path / 'spawn.py'
    script.write_text(
        textwrap.dedent("""
            import json, multiprocessing

            def names():
                import evalscope
                from evalscope.api.registry import BENCHMARK_REGISTRY
                return sorted(BENCHMARK_REGISTRY)

            if __name__ == '__main__':
                with multiprocessing.get_context('spawn').Pool(1) as pool:
                    print(json.dumps(pool.apply(names)))
        """),
        encoding='utf-8',
    )
    process = site.run(f'import runpy; runpy.run_path({str(script)!r}, run_name="__main__")')
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout) == ['extra', 'shipped']


def test_threads_that_import_evalscope_at_once_all_see_the_plugins(site: Site) -> None:
    add_plugin(site)
    code = textwrap.dedent("""
        import faulthandler, json, sys, threading
        faulthandler.dump_traceback_later(60, exit=True)  # says where, should it ever hang
        # Once all run: CPython cannot start traced threads that change over so fast, which is how coverage runs this.
        start = threading.Barrier(8, action=lambda: sys.setswitchinterval(1e-6))
        seen = []

        def work(number):
            start.wait()
            if number % 2:
                from evalscope_qa import discovery
                discovery.load_plugins()
            import evalscope
            from evalscope.api.registry import BENCHMARK_REGISTRY
            seen.append(sorted(BENCHMARK_REGISTRY))

        threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join(60)
        print(json.dumps(seen))
    """)
    process = site.run(code)
    assert json.loads(process.stdout) == [['extra', 'shipped']] * 8, process.stderr
    assert process.stderr.count("Benchmark 'extra'") == 1


def test_nothing_is_imported_while_python_holds_its_import_lock(site: Site) -> None:
    # Another thread that imports the same module holds the module's lock and waits for that one: for ever.
    code = """
        import builtins, json, sys
        finder = next(finder for finder in sys.meta_path if type(finder).__name__ == 'EvalscopeFinder')
        imported, own = [], builtins.__import__

        def record(name, *arguments, **named):
            imported.append(name)
            return own(name, *arguments, **named)

        builtins.__import__ = record
        loader = finder.find_spec('evalscope').loader
        builtins.__import__ = own
        print(json.dumps([imported, type(loader).__name__]))
    """
    assert site.ask(textwrap.dedent(code)) == [[], '_DiscoveringLoader']


def test_a_thread_that_imports_a_plugin_while_another_imports_evalscope_does_not_deadlock(site: Site) -> None:
    waits = textwrap.dedent("""
        import meeting
        meeting.adapter_begun.set()
        meeting.evalscope_begun.wait(60)
    """)
    site.add_distribution(
        'good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': waits + adapter_source(extra='v1.0')}
    )
    site.add_module(
        'meeting', 'import threading\nadapter_begun, evalscope_begun = threading.Event(), threading.Event()'
    )
    shipped = site.packages / 'evalscope' / 'benchmarks' / 'shipped_adapter.py'
    shipped.write_text(
        'import meeting\nmeeting.evalscope_begun.set()\n' + shipped.read_text(encoding='utf-8'), encoding='utf-8'
    )
    code = textwrap.dedent("""
        import json, threading
        import meeting

        def import_evalscope():
            meeting.adapter_begun.wait(60)
            import evalscope

        def import_adapter():
            import good_plugin

        threads = [threading.Thread(target=work, daemon=True) for work in (import_evalscope, import_adapter)]
        for thread in threads: thread.start()
        for thread in threads: thread.join(60)
        assert not any(thread.is_alive() for thread in threads), 'deadlock'
        from evalscope_qa import discovery
        print(json.dumps([(decision.benchmark, decision.status) for decision in discovery.decisions()]))
    """)
    assert site.ask(code) == [['extra', 'active']]
