"""Finds questions for a benchmark without its dataset.

In this order: records the user names, the ``sample/`` folder beside the adapter, the example in evalscope's metadata
with what is made up for the benchmark.
"""

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...engine import questions
from ...records import read_records
from ...replay import read_replies
from .made_examples import MADE_EXAMPLES

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Sample

TRUNCATED = '[TRUNCATED'
"""evalscope puts this in the place of the middle of a long field of an example."""
MAX_QUESTIONS = 12


class NoExample(ValueError):
    """There is no question to audit this benchmark with; the message says why."""


@dataclass
class Examples:
    """Questions, before variants are made of them."""

    samples: list['Sample']
    source: str
    demonstrations: list[list[str]] = field(default_factory=list)
    """Replies that may be right, a list for each sample."""


def find_examples(adapter: 'DefaultDataAdapter', records: Path | None = None) -> Examples:
    """Return questions for an adapter.

    Args:
        adapter: The adapter.
        records: A file of records in the dataset's published form; None to use what is shipped.

    Raises:
        NoExample: If nothing is shipped, or the example cannot be turned into a question.
        RecordError, ValueError, OSError: If the file named cannot be read or a record is malformed.
    """
    if records is not None:
        return _from_records(adapter, read_records(records, adapter.name), f'records of {records.name}')
    folder = _adapter_folder(adapter)
    shipped = sorted(folder.glob(f'sample/{adapter.name}_records.json*')) if folder else []
    if shipped:
        examples = _from_records(adapter, read_records(shipped[0]), f'sample records ({shipped[0].name})')
        replies = shipped[0].with_name(f'{adapter.name}_replies.jsonl')
        if replies.is_file():
            for demonstrations, reply in zip(examples.demonstrations, read_replies(replies), strict=False):
                demonstrations.extend([reply] if reply else [])
        return examples
    made = MADE_EXAMPLES.get(adapter.name, [])
    if not made:
        return _from_metadata(adapter)
    needs_file = any('question' in example for example in made)
    return _joined([_made(adapter, example) for example in made], None if needs_file else _shipped(adapter))


def _shipped(adapter: 'DefaultDataAdapter') -> Examples | None:
    """Return evalscope's example beside a made-up one; None where there is none."""
    try:
        return _from_metadata(adapter)
    except NoExample:
        return None


def _made(adapter: 'DefaultDataAdapter', example: dict[str, Any]) -> Examples:
    from evalscope.api.dataset import Sample
    from evalscope.utils.multi_choices import prompt

    if 'record' in example:
        return _from_records(adapter, [example['record']], 'a made-up record')
    text = prompt(example['question'], example['choices'], adapter.prompt_template)
    return Examples([Sample(**{**example, 'input': text, 'id': 0, 'group_id': 0})], 'a made-up question', [[]])


def _joined(made: Sequence[Examples], shipped: Examples | None) -> Examples:
    """Return all examples as one list, numbered through."""
    parts = [*([shipped] if shipped else []), *made]
    joined = Examples(
        [sample for part in parts for sample in part.samples],
        ' and '.join(dict.fromkeys(part.source for part in parts)),
        [demonstrations for part in parts for demonstrations in part.demonstrations],
    )
    for number, sample in enumerate(joined.samples):
        sample.id = sample.group_id = number
    return joined


def _adapter_folder(adapter: 'DefaultDataAdapter') -> Path | None:
    file = getattr(sys.modules.get(type(adapter).__module__), '__file__', None)
    return Path(file).parent if file else None


def _from_records(adapter: 'DefaultDataAdapter', records: list[dict], source: str) -> Examples:
    samples = list(islice(questions(adapter, records), MAX_QUESTIONS))
    if not samples:
        raise NoExample(f'the {source} give no question')
    demonstrations = [_demonstrations(adapter, sample) for sample in samples]
    return Examples(samples, source, demonstrations)


def _from_metadata(adapter: 'DefaultDataAdapter') -> Examples:
    from evalscope.api.dataset import Sample

    example = _shipped_example(adapter.name)
    if 'data' in example:
        data = example['data']
        sample = Sample(**{**data, 'target': '' if data.get('target') is None else data['target']})
        _restore_choices(adapter, sample)
        sample.id = sample.group_id = 0
        return Examples([sample], "evalscope's shipped example", [_demonstrations(adapter, sample)])
    if 'record' in example:
        # Some adapters look up which subset is being loaded.
        adapter.current_subset_name = example.get('subset') or adapter.default_subset
        return _from_records(adapter, [example['record']], "evalscope's shipped example record")
    raise NoExample('evalscope ships no example question for it; name a file with --records')


_LISTED = re.compile(r'^\s*\(?([A-Z])[).:]\s*(.+)$', re.MULTILINE)
_LETTERS = re.compile(r'is one of ((?:[A-Z]|\d{1,2})(?:\s?,\s?(?:[A-Z]|\d{1,2}))+)')


def _restore_choices(adapter: 'DefaultDataAdapter', sample: 'Sample') -> None:
    """Give a multiple-choice example the options that its prompt names and its record lacks, or has cut."""
    from evalscope.api.benchmark import MultiChoiceAdapter
    from evalscope.utils.multi_choices import answer_character

    if not isinstance(adapter, MultiChoiceAdapter) or isinstance(sample.input, str):
        return
    prompt = '\n'.join(message.text for message in sample.input)
    named = _LETTERS.search(prompt)
    labels = re.split(r'\s?,\s?', named[1]) if named else []
    if labels != [answer_character(index) for index in range(len(labels))]:
        return
    choices = list(sample.choices or [])
    listed = dict(_LISTED.findall(prompt))
    sample.choices = choices + [listed.get(label, f'option {label}').strip() for label in labels[len(choices) :]]


def _shipped_example(benchmark: str) -> dict[str, Any]:
    import evalscope

    file = Path(evalscope.__file__).parent / 'benchmarks' / '_meta' / f'{benchmark}.json'
    if not file.is_file():
        raise NoExample(
            'neither the adapter (in a folder sample/) nor evalscope ships a question; name a file with --records'
        )
    return json.loads(file.read_text(encoding='utf-8')).get('sample_example') or {}


def _demonstrations(adapter: 'DefaultDataAdapter', sample: 'Sample') -> list[str]:
    """Return the ends of the adapter's few-shot demonstration of a sample; one of them is the answer as it is shown."""
    try:
        # A demonstration is made of a question without its prompt.
        text = adapter.sample_to_fewshot(sample.model_copy(update={'input': 'QUESTION'}))
    except Exception:  # noqa: BLE001 - most adapters have no demonstration, and fail in many ways
        return []
    if not isinstance(text, str):
        return []
    lines = text.split('\n')
    return ['\n'.join(lines[start:]) for start in range(len(lines) - 1, max(-1, len(lines) - 13), -1)]
