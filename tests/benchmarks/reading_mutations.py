"""Takes away each table entry and disables each rule of reading, and prints which of them the tests do not notice.

    EVALSCOPE_QA_DATA=… python tests/benchmarks/reading_mutations.py [--only tables|patterns|functions]

A rule is a compiled pattern, which then matches nothing, or a function, which then answers as if it had found nothing.
Each mutant is read in a fork, by the rows of ``tests/reading`` without the properties; what fails first notices it.
"""

import argparse
import importlib
import inspect
import itertools
import os
import re
import signal
import sys
import types
from functools import partial
from pathlib import Path
from typing import Any, Callable, Iterator

ROOT = Path(__file__).parents[2]
PACKAGE = 'evalscope_qa.reading'
PARTS = (
    'reasoning', 'proper', 'echo', 'markup', 'labels', 'statements', 'labelled', 'short_text', 'sentence_numbers',
)  # fmt: skip
TESTS = (
    'tables', 'verdicts', 'letters', 'proper', 'reasoning', 'short_text', 'sentence_numbers', 'symmetry', 'properties',
    'cases', 'recorded_replies',
)  # fmt: skip
SECONDS = 60
NOTHING: dict[str, list[Any]] = {
    'bool': [False, True], 'str': [''], 'str | None': [None], 'int': [-1], 'list[Statement]': [[]], 'list[_Text]': [[]],
    'tuple[bool, bool]': [(False, False), (True, True)], 'frozenset[str]': [frozenset()], 'list[str]': [[]],
    'dict[str, str]': [{}], 'tuple[int, ...]': [()], '_Text | None': [None], 'Reading[str] | None': [None],
    'Unreasoned | None': [None], 'list[list[int] | None]': [[]], 'tuple[str, ...]': [()],
}  # fmt: skip
"""What a function answers that has found nothing, by its annotation; the others are not disabled."""
FIRST_ARGUMENT = {
    'drop_echo', '_without_beginning', '_without_lines', '_without_template', '_mark_json_keys', 'plain', '_folded',
    'fold_compatible', 'clean', '_before_next_turn',
}  # fmt: skip
"""Functions that change their first argument: disabled, they return it."""


def checks() -> Iterator[Callable[[], None]]:
    """Every row of the tests that needs no fixture but the real data, as a call that raises where it fails."""
    data = Path(os.environ['EVALSCOPE_QA_DATA'])
    conftest = importlib.import_module('reading.conftest')
    fixtures = {'data_dir': data, 'cases': lambda name: conftest.read_rows(data.parent / 'cases' / f'{name}.jsonl')}
    for name in TESTS:
        module = importlib.import_module(f'reading.test_{name}')
        for test in [value for key, value in vars(module).items() if key.startswith('test_')]:
            if hasattr(test, 'hypothesis') or test.__name__ == 'test_the_rows_are_those_of_the_tables':
                continue
            marks = [mark.args for mark in getattr(test, 'pytestmark', ()) if mark.name == 'parametrize']
            choices = []
            for names, values in marks:
                keys = [key.strip() for key in names.split(',')] if isinstance(names, str) else list(names)
                rows = [getattr(value, 'values', value) if not isinstance(value, dict) else value for value in values]
                single = len(keys) == 1
                choices.append(
                    [
                        dict(zip(keys, [row] if single and not _is_param(value) else row, strict=True))
                        for row, value in zip(rows, list(values), strict=True)
                    ]
                )
            needed = set(inspect.signature(test).parameters)
            for combination in itertools.product(*choices):
                arguments = {key: value for each in combination for key, value in each.items()}
                arguments.update({key: fixtures[key] for key in needed - set(arguments) if key in fixtures})
                long = any(isinstance(value, str) and len(value) > 50_000 for value in arguments.values())
                if set(arguments) == needed and not long and 'long_reply' not in test.__name__:
                    yield lambda test=test, arguments=arguments: test(**arguments)


def _is_param(value: Any) -> bool:
    return type(value).__name__ == 'ParameterSet'


def noticed(mutate: Callable[[], None], without: tuple[str, Any] | None = None) -> bool:
    """Whether a row fails in a fork in which ``mutate`` has been called, or a table lacks an entry."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] != 0
    sys.stderr = sys.stdout = Path(os.devnull).open('w', encoding='utf-8')  # noqa: SIM115
    signal.alarm(SECONDS)
    try:
        if without is not None:
            _replace_table(*without)
        importlib.import_module(PACKAGE)
        mutate()
        for check in checks():
            check()
    except BaseException:  # noqa: BLE001 (whatever a mutant raises notices it)
        os._exit(1)
    os._exit(0)


def _replace_table(name: str, table: Any) -> None:
    """Let the package import ``tables`` with another table, by putting it in place before the package is imported."""
    source = types.ModuleType(f'{PACKAGE}.tables')
    source.__dict__.update(_tables())
    setattr(source, name, table)
    if name == 'HEDGING_ADVERBS':
        source.HEDGES = source.HEDGES - (_tables()['HEDGING_ADVERBS'] - table)  # type: ignore[attr-defined]
    sys.modules[f'{PACKAGE}.tables'] = source


def _tables() -> dict[str, Any]:
    path = ROOT / 'plugins' / 'evalscope_qa' / 'reading' / 'tables.py'
    values: dict[str, Any] = {}
    exec(compile(path.read_text(encoding='utf-8'), str(path), 'exec'), values)
    return values


def table_mutants() -> Iterator[tuple[str, tuple[str, Any]]]:
    for name, table in _tables().items():
        if name.isupper():
            for entry in table:
                kind = type(table)
                yield f'{name}: {entry!r}', (name, kind(each for each in table if each != entry))


def _everywhere(old: Any, new: Any) -> None:
    for part in PARTS:
        module = importlib.import_module(f'{PACKAGE}.{part}')
        for name, value in vars(module).items():
            if value is old:
                setattr(module, name, new)


def rule_names(kind: str) -> list[tuple[str, str, Any]]:
    """Part, name and what is put in its place, of every rule; found in a fork, so that nothing is imported here."""
    reading, writing = os.pipe()
    if not os.fork():
        found = []
        for part in PARTS:
            module = importlib.import_module(f'{PACKAGE}.{part}')
            for name, value in vars(module).items():
                if kind == 'patterns' and isinstance(value, re.Pattern):
                    found.append((part, name, '(?!)'))
                scopes = [(name, value)]
                if inspect.isclass(value) and value.__module__ == module.__name__:
                    scopes = [(f'{name}.{key}', each) for key, each in vars(value).items()]
                for full, function in scopes:
                    function = getattr(function, '__wrapped__', function)
                    if (
                        kind != 'functions'
                        or not inspect.isfunction(function)
                        or function.__module__ != module.__name__
                    ):
                        continue
                    annotation = (
                        str(function.__annotations__.get('return', '')).replace("<class '", '').replace("'>", '')
                    )
                    if full.startswith(('read_', '__')) or '.__' in full:
                        continue
                    if full in FIRST_ARGUMENT:
                        found.append((part, full, 'its argument'))
                    else:
                        found += [(part, full, index) for index in range(len(NOTHING.get(annotation, [])))]
        os.write(writing, repr(found).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding='utf-8') as pipe:
        text = pipe.read()
    os.wait()
    return eval(text)


def disable(part: str, name: str, instead: Any) -> None:
    module = importlib.import_module(f'{PACKAGE}.{part}')
    owner, _, method = name.rpartition('.')
    holder = getattr(module, owner) if owner else module
    old = vars(holder)[method]
    if instead == '(?!)':
        _everywhere(old, re.compile('(?!)'))
        return
    function = getattr(old, '__wrapped__', old)
    annotation = str(function.__annotations__.get('return', '')).replace("<class '", '').replace("'>", '')

    def nothing(*arguments: Any, **_: Any) -> Any:
        return arguments[0] if instead == 'its argument' else NOTHING[annotation][instead]

    nothing.cache_clear = lambda: None  # type: ignore[attr-defined]
    if owner:
        setattr(holder, method, nothing)
    else:
        _everywhere(old, nothing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--only', choices=('tables', 'patterns', 'functions'))
    options = parser.parse_args()
    sys.path[:0] = [str(ROOT / 'plugins'), str(ROOT / 'tests')]
    if noticed(lambda: None):
        raise SystemExit('The tests fail without a mutation, or EVALSCOPE_QA_DATA is not set.')
    for kind in ('tables', 'patterns', 'functions'):
        if options.only not in (None, kind):
            continue
        mutants: list[tuple[str, Callable[[], None], tuple[str, Any] | None]]
        if kind == 'tables':
            mutants = [(name, lambda: None, without) for name, without in table_mutants()]
        else:
            mutants = [
                (f'{part}.{name} -> {instead}', partial(disable, part, name, instead), None)
                for part, name, instead in rule_names(kind)
            ]
        missed = 0
        for name, mutate, without in mutants:
            if not noticed(mutate, without):
                missed += 1
                print(f'    not noticed: {name}', flush=True)
        print(f'{kind}: {len(mutants) - missed} of {len(mutants)} noticed', flush=True)


if __name__ == '__main__':
    main()
