"""Real replies are read as they were: a changed reading shows as a changed line of ``recorded_replies.json``.

``tests/snapshots/recorded_replies.json`` holds no reply, only lines of fifty characters, one a reading. After
a change that is meant, run ``python tests/reading/test_recorded_replies.py`` and look at the difference.
"""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from evalscope_qa.reading import Prompt, Reading, read_letter, read_verdict

SNAPSHOT = Path(__file__).parents[1] / 'snapshots' / 'recorded_replies.json'
LETTERED = Prompt('x', '{question}\nA. yes\nB. no\nC. maybe\nAnswer with a letter.')
A_LINE = 50

SHOWN = {'YES': 'Y', 'NO': 'N', 'MAYBE': 'M'}
REASONS = {
    'nothing stated': '.', 'several': '=', 'refused': '-', 'cut off': '<', 'empty': '_', 'echo': '"',
    'not an option': '?',
}  # fmt: skip

Row = dict[str, Any]


def _sets(folder: Path) -> dict[str, list[Reading[str]]]:
    def rows(name: str) -> list[Row]:
        return [json.loads(line) for line in (folder / f'{name}.jsonl').read_text(encoding='utf-8').splitlines()]

    gpt = rows('pubmedqa_gpt')
    return {
        'pubmedqa_gpt': [read_verdict(row['reply']) for row in gpt],
        'pubmedqa_gpt, prompt with letters': [read_verdict(row['reply'], LETTERED) for row in gpt],
        'pubmedqa_instructgpt': [read_verdict(row['reply']) for row in rows('pubmedqa_instructgpt')],
        'choice_mmlu_pro': [
            read_letter(row['reply'], len(row['options']), texts=row['options']) for row in rows('choice_mmlu_pro')
        ],
        'choice_mmlu_pro, texts unknown': [
            read_letter(row['reply'], len(row['options'])) for row in rows('choice_mmlu_pro')
        ],
    }


def _shown(reading: Reading[str]) -> str:
    return REASONS[reading.rule] if reading.answer is None else SHOWN.get(reading.answer, reading.answer)


def _compact(readings: list[Reading[str]]) -> dict[str, Any]:
    characters = ''.join(map(_shown, readings))
    rules = Counter(reading.rule for reading in readings)
    lines = [characters[start : start + A_LINE] for start in range(0, len(characters), A_LINE)]
    return {'rules': dict(sorted(rules.items())), 'readings': lines}


def test_real_replies_are_read_as_recorded(data_dir: Path) -> None:
    recorded = json.loads(SNAPSHOT.read_text(encoding='utf-8'))
    now = {name: _compact(readings) for name, readings in _sets(data_dir / 'replies').items()}
    for name in now:
        assert now[name] == recorded[name], (
            f'{name}: real replies are read otherwise than before. If that is meant, raise the evaluation versions of '
            f'released benchmarks, and run `python {Path(__file__).name}`.'
        )
    assert list(now) == list(recorded)


def test_a_reading_that_changes_shows(data_dir: Path) -> None:
    readings = _sets(data_dir / 'replies')['pubmedqa_instructgpt']
    changed = [Reading('MAYBE', 'said'), *readings[1:]]
    assert readings[0] != changed[0]
    assert _compact(changed) != _compact(readings)
    assert (
        sum(
            one != other
            for one, other in zip(*(_compact(each)['readings'] for each in (changed, readings)), strict=False)
        )
        == 1
    )


def test_labelled_replies_are_read_as_they_were_labelled(data_dir: Path) -> None:
    """The bounds of ``docs/reading.md``; ``tests/benchmarks/reading_accuracy.py`` prints the whole table."""
    folder = data_dir / 'replies'
    sets = _sets(folder)
    for name, least_stated, least_silent in (('pubmedqa_instructgpt', 0.985, 1.0), ('choice_mmlu_pro', 0.95, 0.98)):
        lines = (folder / f'{name}.jsonl').read_text(encoding='utf-8').splitlines()
        sure = [
            (row['label'], reading)
            for row, reading in zip(map(json.loads, lines), sets[name], strict=True)
            if row['sure']
        ]
        stated = [reading.answer == label for label, reading in sure if label not in ('none', 'several')]
        silent = [reading.answer is None for label, reading in sure if label in ('none', 'several')]
        assert sum(stated) / len(stated) >= least_stated
        assert sum(silent) / len(silent) >= least_silent
    rows = [json.loads(line) for line in (folder / 'pubmedqa_gpt.jsonl').read_text(encoding='utf-8').splitlines()]
    read, lettered = sets['pubmedqa_gpt'], sets['pubmedqa_gpt, prompt with letters']
    worded = [row['worded'] == each.answer for row, each in zip(rows, read, strict=True) if row['worded']]
    by_letter = [row['lettered'] == each.answer for row, each in zip(rows, lettered, strict=True)]
    assert sum(worded) / len(worded) >= 0.995
    assert sum(by_letter) / len(by_letter) >= 0.995


if __name__ == '__main__':
    found = {
        name: _compact(readings) for name, readings in _sets(Path(os.environ['EVALSCOPE_QA_DATA']) / 'replies').items()
    }
    SNAPSHOT.write_text(json.dumps(found, indent=1, ensure_ascii=False) + '\n', encoding='utf-8')
