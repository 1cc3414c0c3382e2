"""The script that compares readers on real replies: on small files in the form of MMLU-Pro's published outputs."""

import importlib.util
import json
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any, Callable

import pytest

SCRIPT = Path(__file__).parents[1] / 'benchmarks' / 'choice_readers.py'
ENTRY = {'question_id': 7, 'question': 'Which?', 'options': ['lime', 'basalt', 'slate', 'chalk'], 'answer': 'B'}
REPLIES = [
    'The answer is (B).',
    "Don't know. I am not sure. B",
    'ANSWER: C',
    'A is wrong, so I choose B because D is not',
    None,
]
"""Two state B, one states C, two are unanswered."""


@pytest.fixture(scope='module')
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location('choice_readers', SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def entries(replies: list[Any]) -> str:
    return json.dumps([{**ENTRY, 'model_outputs': reply, 'pred': None} for reply in replies])


def published(folder: Path) -> list[Path]:
    """One archive, one file and one folder, with the same replies."""
    archive = folder / 'model_outputs_One-7B_5shots.zip'
    with zipfile.ZipFile(archive, 'w') as file:
        file.writestr('model_outputs_One-7B_5shots.json', entries(REPLIES))
        file.writestr('__MACOSX/model_outputs_One-7B_5shots.json', 'no JSON')
    (folder / 'two.json').write_text(entries(REPLIES), encoding='utf-8')
    (folder / 'three').mkdir()
    (folder / 'three' / 'law_result.json').write_text(entries(REPLIES[:2]), encoding='utf-8')
    (folder / 'three' / 'math_result.json').write_text(entries(REPLIES[2:]), encoding='utf-8')
    return [archive, folder / 'two.json', folder / 'three']


def test_every_form_of_the_published_outputs_is_read(script: ModuleType, tmp_path: Path) -> None:
    found = [read for path in published(tmp_path) for read in script.read_outputs(path)]
    assert [model for model, _ in found] == ['One-7B', 'two', 'three']
    for _, rows in found:
        assert [row['reply'] for row in rows] == [reply or '' for reply in REPLIES]
        assert {row['gold'] for row in rows} == {'B'}
    of_folder = list(script.read_outputs(tmp_path))
    assert [model for model, _ in of_folder] == ['One-7B']


@pytest.mark.parametrize(
    ('content', 'problem'),
    [
        ('{}', 'expected a JSON array of answered questions'),
        ('[{"options": []}]', 'entry 0 has no answer, model_outputs'),
        (None, 'holds neither SUBJECT_result.json nor'),
    ],
)
def test_what_is_not_of_that_form_is_an_error(
    script: ModuleType, tmp_path: Path, content: 'str | None', problem: str
) -> None:
    path = tmp_path
    if content is not None:
        path = tmp_path / 'x.json'
        path.write_text(content, encoding='utf-8')
    with pytest.raises(ValueError, match=problem):
        list(script.read_outputs(path))


def test_the_table_of_models_is_what_is_counted_by_hand(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What another reader makes of them: the last capital letter, right in the second and wrong in the fourth.
    monkeypatch.setattr(script, 'evalscopes_letters', lambda rows: ('last capital', ['B', 'B', 'C', 'D', None]))
    script.print_outputs(published(tmp_path)[:1], [])
    heading, line, *_ = capsys.readouterr().out.splitlines()
    assert heading.split() == [
        'model', 'replies', 'evalscope-qa', 'last', 'capital', 'unanswered', 'read', 'credited', 'lost',
    ]  # fmt: skip
    assert line.split() == ['One-7B', '5', '40.00%', '40.00%', '2', '1', '1', '1']


def test_another_environment_reads_the_same_replies(script: ModuleType, run_in: Callable[..., Any]) -> None:
    rows = [{'options': ENTRY['options'], 'gold': 'B', 'reply': 'ANSWER: B'}]
    name, letters = script.letters_in(sys.executable, rows)
    assert (name, letters) == script.evalscopes_letters(rows)
    assert letters == ['B']


def test_labelled_replies_are_read_as_the_page_says(
    script: ModuleType, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script.print_labelled(data_dir, [])
    ours = capsys.readouterr().out.splitlines()[1]
    assert ours.split() == ['evalscope-qa', '73', 'of', '74', '(98.6%)', '79', 'of', '79', '(100.0%)']
