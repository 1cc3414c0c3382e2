"""Reads replies to choice questions with this package and with evalscope's parser, of one release or of several.

    EVALSCOPE_QA_DATA=… python tests/benchmarks/choice_readers.py [--beside PYTHON ...]
    python tests/benchmarks/choice_readers.py [--beside PYTHON ...] FILE ...

Without files: the labelled replies of ``replies/choice_mmlu_pro.jsonl`` in that folder. A line for each reader: how
many of the stated letters it reads right, and how many of the replies that state none or several as unanswered;
only rows on which two readers could not differ.

With files: the model outputs that MMLU-Pro publishes (https://github.com/TIGER-AI-Lab/MMLU-Pro, ``eval_results``): zip
archives ``model_outputs_MODEL_5shots.zip``, JSON files, or folders of ``SUBJECT_result.json``. Each holds a JSON array
of objects with ``options`` (texts), ``answer`` (a letter) and ``model_outputs`` (the reply; null where there is none).
A line for each model: its accuracy by each reader, and where this package and the installed evalscope differ.

``--beside`` names the Python of another environment, in which evalscope is installed; this package need not be.
"""

import argparse
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Callable, Iterator, Sequence

Row = dict[str, Any]
"""``reply``, ``options`` and ``gold``."""
Letters = list['str | None']
SILENT = ('none', 'several')
OURS = 'evalscope-qa'


def evalscopes_letters(rows: Sequence[Row]) -> tuple[str, Letters]:
    """Read replies with the installed evalscope's parser; in any environment that has it."""
    from evalscope.api.dataset import Sample
    from evalscope.api.evaluator import TaskState
    from evalscope.api.model import ModelOutput
    from evalscope.utils.multi_choices import parse_answers
    from evalscope.version import __version__

    def letter(row: Row) -> 'str | None':
        sample = Sample(input='x', choices=row['options'], target='A', id=0, group_id=0)
        output = ModelOutput.from_content(model='canned', content=row['reply'])
        found = parse_answers(TaskState(model='canned', sample=sample, output=output, completed=True))
        return next(iter(found)) if len(found) == 1 else None

    return f'evalscope {__version__}', [letter(row) for row in rows]


def our_letters(rows: Sequence[Row]) -> Letters:
    from evalscope_qa.reading import read_letter

    return [read_letter(row['reply'], len(row['options']), texts=row['options']).answer for row in rows]


def letters_in(python: str, rows: Sequence[Row]) -> tuple[str, Letters]:
    """Read replies with the evalscope of another environment."""
    done = subprocess.run(
        [python, __file__, '--answer'],
        input=json.dumps(list(rows)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, 'EVALSCOPE_PLUGINS': 'off'},
    )
    name, letters = json.loads(done.stdout.splitlines()[-1])
    return name, letters


def by_reader(rows: Sequence[Row], beside: Sequence[str]) -> dict[str, Letters]:
    readers = {OURS: our_letters(rows)}
    others: list[Callable[[], tuple[str, Letters]]] = [lambda: evalscopes_letters(rows)]
    others += [lambda python=python: letters_in(python, rows) for python in beside]
    for other in others:
        name, letters = other()
        readers[name] = letters
    return readers


# The labelled replies.


def print_labelled(folder: Path, beside: Sequence[str]) -> None:
    lines = (folder / 'replies' / 'choice_mmlu_pro.jsonl').read_text(encoding='utf-8').splitlines()
    rows = [row for row in map(json.loads, lines) if row['sure']]
    stated = [row['label'] not in SILENT for row in rows]
    print(f'{"reader":20}{"stated, read right":>22}{"none or several, unanswered":>30}')
    for name, letters in by_reader(rows, beside).items():
        read = sum(
            letter == row['label'] for letter, row, is_stated in zip(letters, rows, stated, strict=True) if is_stated
        )
        silent = sum(letter is None for letter, is_stated in zip(letters, stated, strict=True) if not is_stated)
        left, right = _of(read, sum(stated)), _of(silent, len(rows) - sum(stated))
        print(f'{name:20}{left:>22}{right:>30}')


def _of(part: int, whole: int) -> str:
    return f'{part} of {whole} ({part / whole:.1%})' if whole else '-'


# MMLU-Pro's outputs.


def read_outputs(path: Path) -> Iterator[tuple[str, list[Row]]]:
    """Yield the models of a file or folder with their replies.

    Raises:
        ValueError: If it is none of MMLU-Pro's; names the file and what is missing.
    """
    if path.is_dir():
        found = sorted([*path.glob('*_result.json'), *path.glob('*.zip')])
        if not found:
            raise ValueError(f'{path}: holds neither SUBJECT_result.json nor model_outputs_MODEL_5shots.zip.')
        results = [file for file in found if file.suffix == '.json']
        if results:
            yield path.name, [row for file in results for row in _rows(file, file.read_bytes())]
        for file in found:
            if file.suffix == '.zip':
                yield from read_outputs(file)
    elif path.suffix == '.zip':
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith('.json') and '__MACOSX' not in name]
            yield _model(path), [row for name in sorted(names) for row in _rows(path, archive.read(name))]
    else:
        yield _model(path), list(_rows(path, path.read_bytes()))


def _model(path: Path) -> str:
    return path.stem.removeprefix('model_outputs_').removesuffix('_5shots')


def _rows(path: Path, content: bytes) -> Iterator[Row]:
    entries = json.loads(content)
    if not isinstance(entries, list):
        raise ValueError(f'{path}: expected a JSON array of answered questions.')
    for number, entry in enumerate(entries):
        missing = {'options', 'answer', 'model_outputs'} - entry.keys()
        if missing:
            raise ValueError(f'{path}: entry {number} has no {", ".join(sorted(missing))}.')
        yield {'options': entry['options'], 'gold': entry['answer'], 'reply': entry['model_outputs'] or ''}


def print_outputs(paths: Sequence[Path], beside: Sequence[str]) -> None:
    """Print a line a model: accuracies, and what the installed evalscope makes of what differs."""
    heading_printed = False
    for path in paths:
        for model, rows in read_outputs(path):
            readers = by_reader(rows, beside)
            if not heading_printed:
                accuracies = ''.join(f'{name:>18}' for name in readers)
                print(f'{"model":32}{"replies":>8}{accuracies}{"unanswered":>12}{"read":>7}{"credited":>10}{"lost":>6}')
                heading_printed = True
            print(_line(model, rows, readers))
    print(f'\nunanswered: by {OURS}; of these the installed evalscope reads a letter in `read` and credits `credited`.')
    print(f'lost: right answers by {OURS} that the installed evalscope does not read as such.')


def _line(model: str, rows: Sequence[Row], readers: dict[str, Letters]) -> str:
    golds = [row['gold'] for row in rows]
    ours, installed = list(readers.values())[:2]
    accuracies = ''.join(
        f'{sum(letter == gold for letter, gold in zip(letters, golds, strict=True)) / max(len(rows), 1):>18.2%}'
        for letters in readers.values()
    )
    silent = [(letter, gold) for own, letter, gold in zip(ours, installed, golds, strict=True) if own is None]
    lost = sum(own == gold != letter for own, letter, gold in zip(ours, installed, golds, strict=True))
    read = sum(letter is not None for letter, _ in silent)
    credited = sum(letter == gold for letter, gold in silent)
    return f'{model:32}{len(rows):>8}{accuracies}{len(silent):>12}{read:>7}{credited:>10}{lost:>6}'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('files', nargs='*', type=Path)
    parser.add_argument('--beside', action='append', default=[], metavar='PYTHON')
    parser.add_argument('--answer', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        print(json.dumps(evalscopes_letters(json.load(sys.stdin))))
    elif options.files:
        print_outputs(options.files, options.beside)
    else:
        print_labelled(Path(os.environ['EVALSCOPE_QA_DATA']), options.beside)
    return 0


if __name__ == '__main__':
    sys.exit(main())
