"""Every public scoring function shows in its docstring what it returns, and it does return that."""

import doctest
import importlib
import inspect
from pathlib import Path

import evalscope_qa
import pytest

PACKAGE = Path(evalscope_qa.__file__).parent
SCORING = ('scoring', 'rouge_l', '*_metrics')
"""Names of the modules in a benchmark's folder that compute its metrics."""
MODULES = [
    f'{module.parent.name}.{module.stem}'
    for adapter in PACKAGE.glob('*/*_adapter.py')
    for module in sorted(adapter.parent.glob('*.py'))
    if any(module.match(f'{name}.py') for name in SCORING)
]
PACKAGE = Path(__file__).parents[2] / 'plugins' / 'evalscope_qa'
WITH_EXAMPLES = [path for path in sorted(PACKAGE.rglob('*.py')) if '>>> ' in path.read_text(encoding='utf-8')]


def test_every_benchmark_has_scoring_functions() -> None:
    assert {name.split('.')[0] for name in MODULES} == {file.parent.name for file in PACKAGE.glob('*/*_adapter.py')}


@pytest.mark.parametrize('name', MODULES)
def test_the_examples_of_each_public_function_hold(name: str) -> None:
    module = importlib.import_module(f'evalscope_qa.{name}')
    public = {
        function
        for function, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not function.startswith('_')
    }
    runner = doctest.DocTestRunner()
    shown = set()
    for test in doctest.DocTestFinder().find(module):
        if test.examples:
            shown.add(test.name.removeprefix(f'{module.__name__}.'))
            runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
    assert public <= shown


@pytest.mark.parametrize('name', [path.relative_to(PACKAGE).with_suffix('').as_posix() for path in WITH_EXAMPLES])
def test_every_example_of_a_docstring_holds(name: str) -> None:
    module = importlib.import_module(f'evalscope_qa.{name.replace("/", ".")}'.removesuffix('.__init__'))
    outcome = doctest.testmod(module)
    assert outcome.attempted and not outcome.failed
