"""Loads SelQA's adapters as a run would, without a model."""

from pathlib import Path
from typing import Any, Optional

from evalscope.api.benchmark import DefaultDataAdapter
from evalscope.api.dataset import Dataset
from evalscope.api.registry import get_benchmark
from evalscope.config import TaskConfig


def adapter_of(
    benchmark: str, local_path: Optional[Path] = None, dataset_args: Optional[dict[str, Any]] = None, **settings: Any
) -> DefaultDataAdapter:
    """The benchmark's adapter under the settings of a run; by default it would download the official files."""
    arguments = {**({'local_path': str(local_path)} if local_path else {}), **(dataset_args or {})}
    config = TaskConfig(
        model='none', eval_type='mock_llm', datasets=[benchmark], dataset_args={benchmark: arguments}, **settings
    )
    return get_benchmark(benchmark, config)


def load(benchmark: str, local_path: Optional[Path] = None, **settings: Any) -> Dataset:
    """The questions that a run would ask, prompts included."""
    return adapter_of(benchmark, local_path, **settings).load_dataset()['default']


def prompt(sample: Any) -> str:
    """The text sent to the model."""
    [message] = sample.input
    return message.content
