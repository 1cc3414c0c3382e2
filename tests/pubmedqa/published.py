"""Records of the three published forms, files of them, and what the adapters load from them."""

import json
from pathlib import Path
from typing import Any, Dict, List, Optional

from evalscope.api.dataset import Sample
from evalscope.api.registry import get_benchmark
from evalscope.config import TaskConfig
from evalscope_qa.discovery import load_plugins
from evalscope_qa.pubmedqa.official_split import official_test_ids

Record = Dict[str, Any]

OFFICIAL_IDS = sorted(official_test_ids(), key=int)
OTHER_ID = 1_000_000_000
"""Larger than any PubMed id of the dataset."""


def flat(number: int, answer: str = 'yes', **fields: Any) -> Record:
    """Form (a): a row of the hub dataset of the built-in."""
    record = {'context': f'Abstract {number}.', 'question': f'Does it work {number}?', 'answer': answer}
    return {**record, **fields}


def official(number: int, answer: str = 'yes', **fields: Any) -> Record:
    """Form (b): an entry of the official file, without its key."""
    record = {
        'QUESTION': f'Does it work {number}?', 'CONTEXTS': [f'Abstract {number}', 'of two passages.'],
        'LABELS': ['AIM', 'RESULTS'], 'MESHES': [], 'YEAR': None, 'reasoning_required_pred': answer,
        'reasoning_free_pred': answer, 'final_decision': answer, 'LONG_ANSWER': 'It does.',
    }  # fmt: skip
    return {**record, **fields}


def labelled(number: int, answer: str = 'yes', **fields: Any) -> Record:
    """Form (c): a row of qiaojin/PubMedQA."""
    context = {'contexts': [f'Abstract {number}', 'of two passages.'], 'labels': ['AIM', 'RESULTS'], 'meshes': []}
    record = {
        'pubid': number, 'question': f'Does it work {number}?', 'context': context, 'long_answer': 'It does.',
        'final_decision': answer,
    }  # fmt: skip
    return {**record, **fields}


def write_jsonl(path: Path, records: List[Record]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('\n'.join(map(json.dumps, records)), encoding='utf-8')
    return path


def whole_dataset() -> List[Record]:
    """1,000 rows of form (c): the official ids and as many others in turn."""
    ids = [identifier for index, one in enumerate(OFFICIAL_IDS) for identifier in (OTHER_ID + index, int(one))]
    return [labelled(identifier, ('yes', 'no', 'maybe')[index % 3]) for index, identifier in enumerate(ids)]


def make_adapter(benchmark: str, dataset_args: Optional[Record] = None, **settings: Any) -> Any:
    """The adapter of a run, with what ``--dataset-args`` would hold for it and other settings of the run."""
    load_plugins()
    config = TaskConfig(
        model='canned',
        eval_type='mock_llm',
        datasets=[benchmark],
        dataset_args={benchmark: dataset_args or {}},
        **settings,
    )
    return get_benchmark(benchmark, config)


def load(benchmark: str, path: Path, dataset_args: Optional[Record] = None, **settings: Any) -> List[Sample]:
    """The samples of a run on a local file or folder, as they are sent to the model."""
    adapter = make_adapter(benchmark, {'local_path': str(path), **(dataset_args or {})}, **settings)
    (dataset,) = adapter.load_dataset().values()
    return list(dataset)


def prompt(sample: Sample) -> str:
    """The text of a sample's user message, which must be a plain string."""
    content = sample.input[-1].content
    assert isinstance(content, str)
    return content
