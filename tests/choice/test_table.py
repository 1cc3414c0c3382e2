"""The table, the entry points, and what is made of each of evalscope's benchmarks."""

import copy
import dataclasses
import inspect
from importlib.metadata import distribution
from typing import Any

import pytest
from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.registry import BENCHMARK_REGISTRY
from evalscope_qa.choice.adapter import StrictReading
from evalscope_qa.choice.making import READING, make, why_not
from evalscope_qa.choice.table import BENCHMARKS

HELD = sorted(name for name in BENCHMARKS if name in BENCHMARK_REGISTRY)


def test_the_entry_points_are_the_table() -> None:
    points = distribution('evalscope-qa').entry_points.select(group='evalscope.benchmarks.strict')
    assert sorted(point.name for point in points) == sorted(BENCHMARKS)
    assert {point.value for point in points} == {'evalscope_qa.choice.making:make'}


def test_most_of_the_table_is_in_this_evalscope() -> None:
    assert len(HELD) > 45


@pytest.mark.parametrize('name', HELD)
def test_a_strict_benchmark_is_the_installed_one_but_for_version_reading_and_description(name: str) -> None:
    installed = BENCHMARK_REGISTRY[name]
    before = copy.deepcopy(dataclasses.asdict(dataclasses.replace(installed, data_adapter=None)))
    made = make(name, installed)
    assert isinstance(made, BenchmarkMeta), made
    major, minor = installed.evaluation_version[1:].split('.')
    assert made.evaluation_version == f'v{major}.{int(minor) + 1}'
    assert made.description.startswith(installed.description.rstrip())
    assert made.extra_params.pop('reading')['value'] == READING
    changed = ('evaluation_version', 'description', 'data_adapter')
    for field in dataclasses.fields(made):
        if field.name not in changed:
            assert getattr(made, field.name) == getattr(installed, field.name), field.name
    assert made.data_adapter.__mro__[:3] == (made.data_adapter, StrictReading, installed.data_adapter)
    assert dataclasses.asdict(dataclasses.replace(installed, data_adapter=None)) == before


# What is left out, with the reason.


class Renamed(DefaultDataAdapter):
    def match_score(self, prediction: str, gold: str) -> Any: ...  # type: ignore[override]


class WithAJudge(DefaultDataAdapter):
    class scoring_policy:
        rule_supported = False


def meta(adapter: Any) -> BenchmarkMeta:
    return BenchmarkMeta(name='mmlu', dataset_id='x', data_adapter=adapter, metric_list=['acc'])


LEFT_OUT = [
    (None, 'this evalscope has no benchmark of this name'),
    (meta(None), 'its adapter is not of the kind that is known here'),
    (meta(object), 'its adapter is not of the kind that is known here'),
    (meta(Renamed), 'match_score of its adapter takes other arguments: prediction, gold'),
    (meta(WithAJudge), 'its score needs a judge model'),
]


@pytest.mark.parametrize(('builtin', 'reason'), LEFT_OUT, ids=[row[1] for row in LEFT_OUT])
def test_a_benchmark_that_cannot_be_read_is_left_out_with_a_reason(builtin: Any, reason: str) -> None:
    assert why_not('mmlu', builtin) == reason
    assert make('mmlu', builtin) == reason


def test_an_adapter_without_a_hook_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Adapter(DefaultDataAdapter):
        pass

    Adapter.aggregate_scores = None  # type: ignore[assignment]
    assert why_not('mmlu', meta(Adapter)) == 'its adapter has no aggregate_scores'


def test_the_hooks_are_those_that_are_overridden() -> None:
    overridden = {name for name, value in vars(StrictReading).items() if inspect.isfunction(value)}
    assert {'extract_answer', 'match_score', 'calculate_metrics', 'aggregate_scores'} <= overridden
