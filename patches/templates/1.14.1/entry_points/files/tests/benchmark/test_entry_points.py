"""Benchmarks of other distributions: what is imported when, which registration is chosen, and what happens to bad ones.

Each situation is a tiny distribution on disk. Child processes import evalscope with all of them installed, because
what matters is which modules a fresh process imports; each writes what it saw as JSON.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

ROOT = Path(__file__).resolve().parents[2]

ADAPTER = """
from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.registry import register_benchmark
"""

REGISTRATION = """
@register_benchmark(
    BenchmarkMeta(
        name='{name}', pretty_name='{name}', description='{description}', dataset_id='some/data',
        evaluation_version='{version}',
    )
)
class Adapter_{name}(DefaultDataAdapter):
    pass
"""

CHILD = """
import contextlib, io, json, sys
from argparse import Namespace

import evalscope
import evalscope.benchmarks
from evalscope.api.registry import BENCHMARK_REGISTRY, get_benchmark

def describe(name):
    meta = BENCHMARK_REGISTRY.get(name)
    return meta and [meta.evaluation_version, meta.data_adapter.__module__]

def imported():
    return sorted(name for name in sys.modules if name.startswith('plug_'))

def adapters():
    return sorted(name for name in sys.modules if name.endswith('_adapter') and name.startswith('evalscope.benchmarks.'))

seen = {{}}
{body}
print('SEEN' + json.dumps(seen))
"""


def source(*registrations: tuple) -> str:
    """An adapter module that registers (name, version) pairs."""
    return ADAPTER + ''.join(
        REGISTRATION.format(name=name, version=version, description=f'{name} of a distribution')
        for name, version in registrations
    )


# Distribution -> (entry points, modules)
DISTRIBUTIONS: Dict[str, tuple] = {
    'plug-alpha': (
        {'alpha_one': 'plug_alpha.one_adapter', 'alpha_two': 'plug_alpha.two_adapter'},
        {
            'plug_alpha/__init__.py': '',
            'plug_alpha/one_adapter.py': source(('alpha_one', 'v1.0')),
            'plug_alpha/two_adapter.py': source(('alpha_two', 'v1.0')),
        },
    ),
    # One module registers a shipped name and a new one.
    'plug-higher': (
        {'gsm8k': 'plug_higher', 'gsm8k_hard': 'plug_higher'},
        {'plug_higher.py': source(('gsm8k', 'v9.0'), ('gsm8k_hard', 'v1.0'))},
    ),
    'plug-lower': ({'arc': 'plug_lower'}, {'plug_lower.py': source(('arc', 'v0.9'))}),
    'plug-equal': ({'piqa': 'plug_equal'}, {'plug_equal.py': source(('piqa', 'v1.0'))}),
    # evalscope's module registers aime24 and aime25 together.
    'plug-sibling': ({'aime25': 'plug_sibling'}, {'plug_sibling.py': source(('aime25', 'v9.0'))}),
    'plug-broken': (
        {'broken': 'plug_broken', 'boolq': 'plug_broken'},
        {'plug_broken.py': source(('broken', 'v9.0'), ('boolq', 'v9.0')) + 'import plug_no_such_module\n'},
    ),
    'plug-silent': ({'silent': 'plug_silent'}, {'plug_silent.py': ''}),
    'plug-quitter': ({'quitter': 'plug_quitter'}, {'plug_quitter.py': 'import sys\nsys.exit(3)\n'}),
    'plug-malformed': ({'malformed': 'not a module!'}, {}),
    'plug-intruder': (
        {'intruder': 'plug_intruder'},
        {'plug_intruder.py': source(('winogrande', 'v9.0'), ('undeclared', 'v1.0'), ('intruder', 'v1.0'))},
    ),
    'plug-tie-a': (
        {'contested': 'plug_tie_a', 'hellaswag': 'plug_tie_a', 'outbid': 'plug_tie_a'},
        {'plug_tie_a.py': source(('contested', 'v1.0'), ('hellaswag', 'v9.0'), ('outbid', 'v1.9'))},
    ),
    'plug-tie-b': (
        {'contested': 'plug_tie_b', 'hellaswag': 'plug_tie_b', 'outbid': 'plug_tie_b'},
        {'plug_tie_b.py': source(('contested', 'v1.0'), ('hellaswag', 'v9.0'), ('outbid', 'v1.10'))},
    ),
    # The declared module leaves the work to another module.
    'plug-helper': (
        {'helped': 'plug_helper'},
        {'plug_helper.py': 'import plug_helper_work\n', 'plug_helper_work.py': source(('helped', 'v1.0'))},
    ),
}


@pytest.fixture(scope='module')
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp('site')
    for distribution, (entry_points, modules) in DISTRIBUTIONS.items():
        info = folder / f'{distribution.replace("-", "_")}-1.5.dist-info'
        info.mkdir()
        (info / 'METADATA').write_text(f'Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n')
        lines = [f'{name} = {value}' for name, value in entry_points.items()]
        (info / 'entry_points.txt').write_text('\n'.join(['[evalscope.benchmarks]', *lines, '']))
        for path, text in modules.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text)
    return folder


def run_child(site: Path, body: str, **environment: str) -> Dict[str, Any]:
    """Run ``body`` in a fresh process; return what it put into ``seen``, with its log under 'log'."""
    inherited = {key: value for key, value in os.environ.items() if key != 'EVALSCOPE_PLUGINS'}
    path = os.pathsep.join([str(site), str(ROOT), os.environ.get('PYTHONPATH', '')])
    result = subprocess.run(
        [sys.executable, '-c', CHILD.format(body=body)],
        env={**inherited, 'PYTHONPATH': path, **environment},
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    (line,) = [line for line in result.stdout.splitlines() if line.startswith('SEEN')]
    return {**json.loads(line[4:]), 'log': (result.stderr + result.stdout).splitlines()}


def log_lines(seen: Dict[str, Any], *words: str) -> List[str]:
    return [line for line in seen['log'] if not line.startswith('SEEN') and all(word in line for word in words)]


@pytest.fixture(scope='module')
def lookups(site: Path) -> Dict[str, Any]:
    """One name after the other, in one process."""
    return run_child(
        site,
        """
seen['at start'] = imported()
names = ['alpha_one', 'gsm8k_hard', 'gsm8k', 'arc', 'piqa', 'aime24', 'aime25', 'boolq', 'hellaswag', 'outbid', 'helped']
for name in names:
    seen[name] = describe(name)
    seen['after ' + name] = imported()
seen['adapters'] = adapters()
adapter = get_benchmark('gsm8k')
seen['adapter'] = type(adapter).__module__
from evalscope.cli.benchmark_info import BenchmarkInfoCMD
for form in ('json', 'markdown', 'text'):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        BenchmarkInfoCMD(Namespace(format=form))._display_info(adapter)
    seen['info ' + form] = output.getvalue()
""",
    )


@pytest.fixture(scope='module')
def scan(site: Path) -> Dict[str, Any]:
    """A full scan before any lookup."""
    return run_child(
        site,
        """
names = list(BENCHMARK_REGISTRY.keys())
seen['names'] = names
seen['after scan'] = imported()
for name in names:
    seen[name] = describe(name)
seen['missing'] = [BENCHMARK_REGISTRY.get(name) for name in ('broken', 'silent', 'contested', 'quitter', 'malformed')]
seen['index unchanged'] = evalscope.benchmarks.build_index() == evalscope.benchmarks._read_index()
""",
    )


def test_group_has_a_public_name() -> None:
    from evalscope.benchmarks import ENTRY_POINT_GROUP

    assert ENTRY_POINT_GROUP == 'evalscope.benchmarks'


def test_importing_evalscope_imports_no_declared_module(lookups: Dict[str, Any]) -> None:
    assert lookups['at start'] == []


def test_resolving_one_name_imports_one_module(lookups: Dict[str, Any]) -> None:
    assert lookups['alpha_one'] == ['v1.0', 'plug_alpha.one_adapter']
    assert lookups['after alpha_one'] == ['plug_alpha', 'plug_alpha.one_adapter']


def test_lookups_of_declared_names_never_scan_the_shipped_modules(lookups: Dict[str, Any]) -> None:
    # gsm8k, arc, piqa, aime, boolq and hellaswag were looked up.
    assert 6 <= len(lookups['adapters']) <= 10, lookups['adapters']


def test_higher_version_replaces_a_shipped_benchmark(lookups: Dict[str, Any]) -> None:
    assert lookups['gsm8k'] == ['v9.0', 'plug_higher']
    assert lookups['adapter'] == 'plug_higher'
    assert log_lines(lookups, "'gsm8k'", 'v9.0', 'plug-higher 1.5', 'replacing the shipped')


def test_new_name_beside_a_shipped_one_in_one_module(lookups: Dict[str, Any]) -> None:
    assert lookups['gsm8k_hard'] == ['v1.0', 'plug_higher']


@pytest.mark.parametrize('name, owner', [('arc', 'plug-lower 1.5'), ('piqa', 'plug-equal 1.5')])
def test_lower_or_equal_version_leaves_the_shipped_benchmark(lookups: Dict[str, Any], name: str, owner: str) -> None:
    assert lookups[name][1].startswith('evalscope.benchmarks.')
    assert log_lines(lookups, f"'{name}'", 'keeping the shipped', owner)


def test_shipped_sibling_imported_earlier_is_still_replaced(lookups: Dict[str, Any]) -> None:
    assert lookups['aime24'][1].startswith('evalscope.benchmarks.aime.')
    assert lookups['aime25'] == ['v9.0', 'plug_sibling']


def test_shipped_benchmark_survives_a_broken_replacement(lookups: Dict[str, Any]) -> None:
    assert lookups['boolq'][1].startswith('evalscope.benchmarks.boolq.')
    warnings = log_lines(lookups, 'plug-broken 1.5', 'ModuleNotFoundError', 'plug_no_such_module')
    assert len(warnings) == 1, warnings


def test_tie_of_two_distributions_leaves_the_shipped_benchmark(lookups: Dict[str, Any]) -> None:
    assert lookups['hellaswag'][1].startswith('evalscope.benchmarks.hellaswag.')
    assert log_lines(lookups, "'hellaswag' is refused", 'plug-tie-a 1.5', 'plug-tie-b 1.5')


def test_versions_are_compared_as_numbers(lookups: Dict[str, Any]) -> None:
    assert lookups['outbid'] == ['v1.10', 'plug_tie_b']


def test_registration_by_a_helper_module_counts(lookups: Dict[str, Any]) -> None:
    assert lookups['helped'] == ['v1.0', 'plug_helper_work']


@pytest.mark.parametrize('form', ['json', 'markdown', 'text'])
def test_benchmark_info_shows_the_replacement(lookups: Dict[str, Any], form: str) -> None:
    assert 'gsm8k of a distribution' in lookups[f'info {form}']


def test_full_scan_includes_declared_benchmarks(scan: Dict[str, Any]) -> None:
    assert {'alpha_one', 'alpha_two', 'gsm8k_hard', 'helped', 'outbid'} <= set(scan['names'])
    assert scan['gsm8k'] == ['v9.0', 'plug_higher']
    assert scan['aime25'] == ['v9.0', 'plug_sibling']
    assert scan['arc'][1].startswith('evalscope.benchmarks.arc.')


def test_full_scan_and_lookups_choose_the_same(lookups: Dict[str, Any], scan: Dict[str, Any]) -> None:
    names = ['alpha_one', 'gsm8k_hard', 'gsm8k', 'arc', 'piqa', 'aime24', 'aime25', 'boolq', 'hellaswag', 'outbid']
    assert {name: lookups[name] for name in names} == {name: scan[name] for name in names}


def test_bad_declarations_are_warnings_and_unknown_names(scan: Dict[str, Any]) -> None:
    assert scan['missing'] == [None] * 5
    assert log_lines(scan, 'plug-broken 1.5', 'plug_no_such_module')
    assert log_lines(scan, 'plug-quitter 1.5', 'SystemExit')
    assert log_lines(scan, 'plug-silent 1.5', 'registers no benchmark')
    assert log_lines(scan, 'plug-malformed 1.5', 'not a module')
    assert log_lines(scan, "'contested' is refused", 'plug-tie-a 1.5', 'plug-tie-b 1.5')


@pytest.mark.parametrize('name', ['winogrande', 'undeclared'])
def test_undeclared_names_are_ignored(scan: Dict[str, Any], name: str) -> None:
    assert log_lines(scan, f"Ignoring benchmark '{name}'", 'plug_intruder', 'plug-intruder 1.5')
    assert scan['intruder'] == ['v1.0', 'plug_intruder'], 'declared by the same module'
    assert scan['winogrande'][1].startswith('evalscope.benchmarks.winogrande.')
    assert 'undeclared' not in scan['names']


def test_index_holds_shipped_modules_alone(scan: Dict[str, Any]) -> None:
    assert scan['index unchanged'] is True


def test_import_order_does_not_matter(site: Path) -> None:
    seen = run_child(
        site,
        """
import plug_higher, plug_tie_b
from evalscope.benchmarks.arc import arc_adapter
import plug_lower
for name in ('gsm8k', 'arc', 'outbid', 'contested'):
    seen[name] = describe(name)
""",
    )
    assert seen['gsm8k'] == ['v9.0', 'plug_higher']
    assert seen['arc'][1].startswith('evalscope.benchmarks.arc.')
    assert seen['outbid'] == ['v1.10', 'plug_tie_b']
    assert seen['contested'] is None


@pytest.mark.parametrize('switch', ['OFF', '0'])
def test_switch_turns_all_declarations_off(site: Path, switch: str) -> None:
    seen = run_child(
        site,
        """
seen['gsm8k'] = describe('gsm8k')
seen['alpha_one'] = describe('alpha_one')
seen['imported'] = imported()
""",
        EVALSCOPE_PLUGINS=switch,
    )
    assert seen['gsm8k'][1].startswith('evalscope.benchmarks.gsm8k.')
    assert seen['alpha_one'] is None
    assert seen['imported'] == []


def test_switch_names_the_benchmarks_to_use(site: Path) -> None:
    seen = run_child(
        site,
        """
seen['names'] = list(BENCHMARK_REGISTRY.keys())
seen['gsm8k'] = describe('gsm8k')
seen['imported'] = imported()
""",
        EVALSCOPE_PLUGINS='alpha_one, gsm8k_hard,no_such_name',
    )
    assert {'alpha_one', 'gsm8k_hard'} <= set(seen['names'])
    assert not {'alpha_two', 'outbid', 'helped'} & set(seen['names'])
    assert seen['gsm8k'][1].startswith('evalscope.benchmarks.gsm8k.'), 'declared by a used module, but not named'
    assert seen['imported'] == ['plug_alpha', 'plug_alpha.one_adapter', 'plug_higher']
    assert log_lines(seen, 'EVALSCOPE_PLUGINS', 'no_such_name')
