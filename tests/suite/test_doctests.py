"""Every public scoring function shows in its docstring what it returns, and it does return that."""

import doctest
import importlib
import inspect

import pytest

MODULES = [
    'pubmedqa.scoring',
    'searchqa.scoring',
    'rjua_qa.scoring',
    'rjua_qa.rouge_l',
    'selqa.ranking_metrics',
    'selqa.triggering_metrics',
]


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
