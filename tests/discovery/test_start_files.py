"""The two start-up files under the rules of today's Python and of later ones: PEP 829."""

import pytest
from site_directory import START_UP_FILES, Site, adapter_source

STATE = """
import json, sys
finders = [type(finder).__name__ for finder in sys.meta_path].count('EvalscopeFinder')
import evalscope
from evalscope.api.registry import BENCHMARK_REGISTRY
from evalscope_qa import discovery
print(json.dumps([finders, sorted(BENCHMARK_REGISTRY), discovery.pth_in_force()]))
"""


def add_plugin(site: Site) -> None:
    site.add_distribution('good', '1.0', {'extra': 'good_plugin'}, {'good_plugin': adapter_source(extra='v1.0')})


def test_both_files_name_the_same_function() -> None:
    pth, start = (file.read_text(encoding='utf-8') for file in START_UP_FILES)
    module, function = start.rstrip('\n').split(':')
    assert pth == f'import {module}; {module}.{function}()\n'
    assert START_UP_FILES[0].stem == START_UP_FILES[1].stem


@pytest.mark.parametrize('times', [1, 2])
@pytest.mark.parametrize('rules', ['start disables pth', 'ignore import lines', 'both'])
def test_evalscope_gets_its_plugins_by_the_rules_of_later_pythons(site: Site, rules: str, times: int) -> None:
    add_plugin(site)
    assert site.ask_by_pep_829(STATE, rules, times) == [1, ['extra', 'shipped'], True]


def test_the_start_file_does_it_without_the_pth_file(site: Site) -> None:
    add_plugin(site)
    (site.packages / 'evalscope_qa.pth').unlink()
    assert site.ask_by_pep_829(STATE) == [1, ['extra', 'shipped'], True]


def test_without_the_start_file_import_lines_that_are_ignored_load_nothing(site: Site) -> None:
    add_plugin(site)
    (site.packages / 'evalscope_qa.start').unlink()
    assert site.ask_by_pep_829(STATE) == [0, ['shipped'], False]
