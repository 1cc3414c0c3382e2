"""Rows of a training set out of published records, in the columns that trainers read."""

from collections.abc import Iterable, Iterator
from typing import Any

from .. import engine
from ..records import Record
from .functions import check_metric


def training_rows(benchmark: str, records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    """Yield a row a question: what a model is asked, and the ground truth that its reply is rewarded by.

    Args:
        benchmark: One of those that have a reward.
        records: Records in the dataset's published form.

    Returns:
        ``data_source``, ``prompt`` (chat messages) and ``ground_truth`` (text, or a list of texts) for TRL and
        ms-swift, which calls ``prompt`` ``messages``; the same as ``reward_model`` and ``extra_info`` for verl.

    Raises:
        ValueError: If there is no reward of the benchmark.
        RecordError: If a record is malformed.
    """
    check_metric(benchmark, None)
    adapter = engine.configured_adapter(benchmark)
    for index, sample in enumerate(engine.questions(adapter, records)):
        prompt = [{'role': message.role, 'content': message.text} for message in sample.input]
        yield {
            'data_source': benchmark,
            'prompt': prompt,
            'ability': 'question answering',
            'ground_truth': sample.target,
            'reward_model': {'style': 'rule', 'ground_truth': sample.target},
            'extra_info': {'index': index, 'prompt': prompt[-1]['content']},
        }
