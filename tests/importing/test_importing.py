"""`--import` takes a module or a file, also a file of a package that imports its siblings; replay and questions too."""

import sys
from pathlib import Path
from typing import Iterator

import pytest
from evalscope_qa.cli import main
from evalscope_qa.importing import import_all, import_benchmarks

ADAPTER = """
from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import Sample
from evalscope.api.registry import register_benchmark
{imports}

@register_benchmark(
    BenchmarkMeta(
        name='{name}', description='', dataset_id='none', metric_list=['acc'], prompt_template='{{question}}'
    )
)
class Adapter(DefaultDataAdapter):
    def record_to_sample(self, record):
        return Sample(input=record[QUESTION], target=record['answer'])
"""


@pytest.fixture(autouse=True)
def fresh_imports(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, 'path', list(sys.path))
    yield
    for name in [name for name in sys.modules if name.partition('.')[0].endswith('_by_file')]:
        del sys.modules[name]


def _package(folder: Path, name: str, benchmark: str) -> Path:
    """Write a package in a package, whose adapter imports from both; return the adapter's file."""
    inner = folder / name / 'inner'
    inner.mkdir(parents=True)
    (folder / name / '__init__.py').touch()
    (inner / '__init__.py').touch()
    (inner / 'fields.py').write_text("QUESTION = 'asked'\n")
    (inner / 'adapter.py').write_text(ADAPTER.format(name=benchmark, imports='from .fields import QUESTION'))
    return inner / 'adapter.py'


def test_replay_and_questions_import_a_file_of_a_package_as_a_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter = _package(tmp_path, 'imported_by_file', 'imported_benchmark')
    (tmp_path / 'records.jsonl').write_text('{"asked": "Where?", "answer": "here"}\n')
    (tmp_path / 'replies.jsonl').write_text('{"reply": "here"}\n')
    monkeypatch.chdir(tmp_path)
    words = ['imported_benchmark', '--records', 'records.jsonl', '--import']
    assert main(['questions', *words, str(adapter)]) == 0
    assert '"prompt": "Where?"' in capsys.readouterr().out
    # Named again, by its dotted name: it is imported once.
    replay = ['replay', *words, 'imported_by_file.inner.adapter', '--replies', 'replies.jsonl']
    assert main([*replay, '-b']) == 0
    assert capsys.readouterr().out == '1.0000\n'
    assert main([*replay, '--import', 'no_such_module_anywhere']) == 2
    assert '--import no_such_module_anywhere: ModuleNotFoundError' in capsys.readouterr().err
    assert main([*replay, '--import', str(adapter), '--per-sample', str(adapter)]) == 2
    assert 'that is an input' in capsys.readouterr().err


def test_a_file_in_no_package_is_imported_by_itself(tmp_path: Path) -> None:
    (tmp_path / 'alone_by_file.py').write_text('HERE = __file__\n')
    import_benchmarks(str(tmp_path / 'alone_by_file.py'))
    assert str(tmp_path / 'alone_by_file.py') == sys.modules['alone_by_file'].HERE
    assert str(tmp_path) not in sys.path


def test_another_file_of_the_same_name_is_not_taken_for_it(tmp_path: Path) -> None:
    one = _package(tmp_path / 'one', 'twice_by_file', 'imported_once')
    other = _package(tmp_path / 'other', 'twice_by_file', 'imported_twice')
    import_benchmarks(str(one))
    with pytest.raises(ImportError, match=r'twice_by_file\.inner\.adapter is already another file, .*one'):
        import_benchmarks(str(other))


@pytest.mark.parametrize(
    ('module', 'problem'), [('/no/such/file.py', 'no such file'), ('no_such_module_anywhere', 'No module named')]
)
def test_what_cannot_be_imported_is_named(module: str, problem: str) -> None:
    with pytest.raises(ValueError, match=f'--import {module}: .*{problem}'):
        import_all([module])
