"""What evalscope stores about its benchmarks tells of the plugins in use: its commands, service and reports read it."""

import json
from pathlib import Path

import evalscope
import pytest
from evalscope.cli.cli import run_cmd
from evalscope_qa import discovery
from evalscope_qa.replay.samples import shipped_benchmarks
from site_directory import Site, adapter_source

CODE = """
import importlib.util, json, pathlib, sys
import evalscope
# By its file: importing its package takes the web framework of evalscope's extra `service`.
file = pathlib.Path(evalscope.__file__).parent / 'service' / 'utils' / 'benchmarks.py'
spec = importlib.util.spec_from_file_location('service_benchmarks', file)
service = importlib.util.module_from_spec(spec)
spec.loader.exec_module(service)
from evalscope.report.renderer import _load_meta_readme
from evalscope.utils.doc_utils import load_benchmark_data

entries = map(service.build_benchmark_entry, service.discover_all_benchmarks())
catalogue = {entry['name']: entry for entry in entries}
everything = load_benchmark_data()
print(json.dumps({
    'catalogue': catalogue,
    'all at once': {name: entry['meta'].get('metrics') for name, entry in everything.items()},
    'report': _load_meta_readme('pubmedqa'),
    'unknown': load_benchmark_data('no_such_benchmark')['no_such_benchmark']['meta'],
}))
"""


def test_the_catalogue_of_the_service_tells_of_the_benchmarks_in_use(real_site: Site) -> None:
    installed = Path(evalscope.__file__).parent / 'benchmarks' / '_meta'
    before = {file.name: file.stat().st_mtime_ns for file in installed.iterdir()}
    real_site.add_distribution(
        'broken', '1.0', {'gsm8k': 'broken_plugin', 'beyond_repair': 'broken_plugin'}, {'broken_plugin': '1 / 0'}
    )
    real_site.add_distribution('lower', '1.0', {'mmlu': 'lower'}, {'lower': adapter_source(mmlu='v0.1')})
    own = set(shipped_benchmarks())
    with_plugins, without = real_site.ask(CODE), real_site.ask(CODE, EVALSCOPE_PLUGINS='off')

    assert set(with_plugins['catalogue']) == set(without['catalogue']) | own
    for said in (with_plugins, without):
        assert set(said['all at once']) == set(said['catalogue']) and said['unknown'] == {}
    changed = {name for name, entry in without['catalogue'].items() if entry != with_plugins['catalogue'][name]}
    assert changed == {'pubmedqa'}
    for name in own:
        entry = with_plugins['catalogue'][name]
        assert entry['category'] == 'llm' and 'unanswered_ratio' in entry['metrics'] and entry['pretty_name'] != name
        assert entry['description']['en']['sections']['overview']
        assert with_plugins['all at once'][name] == entry['meta']['metrics']
    assert 'unanswered_ratio' not in without['catalogue']['pubmedqa']['metrics']
    assert 'unanswered' in with_plugins['report'] and 'unanswered' not in without['report']
    assert {file.name: file.stat().st_mtime_ns for file in installed.iterdir()} == before


@pytest.mark.parametrize('form', ['json', 'markdown'])
def test_benchmark_info_prints_the_benchmark_in_use(
    form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    discovery.load_plugins()
    monkeypatch.setattr('sys.argv', ['evalscope', 'benchmark-info', 'pubmedqa', '--format', form])
    run_cmd()
    printed = capsys.readouterr().out
    assert 'unanswered_ratio' in printed
    if form == 'json':
        assert 'unanswered_ratio' in json.loads(printed)['meta']['metrics']
