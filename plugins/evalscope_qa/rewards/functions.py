"""Reward functions in the forms that trainers call: verl's, and that of TRL and ms-swift.

The score of a reply is the one that the benchmark's adapter gives it in a run: there is no second scorer. Which
versions of the trainers these forms were read from stands in ``docs/rewards.md``.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from .. import engine
from .ground_truths import FORMS, message_text, prompt_text, target

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter


def compute_score(
    data_source: str,
    solution_str: str | None,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    metric: str | None = None,
    **kwargs: Any,
) -> float:
    """Return the reward of one reply, in the form that verl calls.

    Args:
        data_source: The benchmark: searchqa, pubmedqa, selqa_selection or rjua_qa.
        solution_str: The reply; None where there is none.
        ground_truth: See :func:`~.ground_truths.target`.
        extra_info: ``prompt``, what the model was asked, as text or chat messages; or ``question`` and ``context``.
            A reply that repeats it earns nothing for that.
        metric: Another metric of a question than the primary one; verl passes ``reward_kwargs``.
        kwargs: What verl passes besides; not read.

    Returns:
        From 0.0 to 1.0: the question's value of the metric; 0.0 for an unanswered reply, whatever it holds.

    Raises:
        ValueError: If there is no such benchmark or metric, or the ground truth is none of the benchmark's: never over
            a reply.
    """
    return _score(data_source, solution_str, target(data_source, ground_truth), prompt_text(extra_info), metric)


class Reward:
    """A reward function in the form that TRL and ms-swift call: ``(completions, **columns) -> list[float]``.

    Args:
        benchmark: The benchmark of all replies; None where the column ``data_source`` names that of each.
        ground_truth: The column that holds the ground truth.
        metric: Another metric of a question than the primary one.

    Raises:
        ValueError: If there is no such benchmark or metric.
    """

    def __init__(
        self, benchmark: str | None = None, *, ground_truth: str = 'ground_truth', metric: str | None = None
    ) -> None:
        if benchmark is not None:
            check_metric(benchmark, metric)
        self._benchmark, self._ground_truth, self._metric = benchmark, ground_truth, metric
        self.__name__ = f'{benchmark or "evalscope_qa"}_reward'

    def __call__(self, completions: Sequence[Any], prompts: Sequence[Any] | None = None, **columns: Any) -> list[float]:
        """Return the reward of each reply.

        Args:
            completions: The replies: texts, or lists of chat messages, of which the last one is the reply.
            prompts: What the model was asked, as text or chat messages; ms-swift has it in ``messages``.
            columns: The columns of the dataset, one entry a reply; what a trainer passes besides is not read.

        Raises:
            ValueError: If a column that is needed is missing or has another length, or a ground truth is malformed.
        """
        needed = [self._ground_truth, *([] if self._benchmark else ['data_source'])]
        for name in needed:
            if name not in columns:
                raise ValueError(f'rewards: there is no column {name!r}; there are {", ".join(sorted(columns))}.')
        asked = prompts if prompts is not None else columns.get('messages')
        count = len(completions)
        lengths = {name: len(columns[name]) for name in needed}
        if asked is not None:
            lengths['prompts'] = len(asked)
        other = next((name for name, length in lengths.items() if length != count), None)
        if other is not None:
            raise ValueError(f'rewards: {count} completions, but {other!r} has {lengths[other]} entries.')
        return [
            compute_score(
                self._benchmark or columns['data_source'][index],
                completion_text(completion),
                columns[self._ground_truth][index],
                {'prompt': asked[index]} if asked is not None else None,
                metric=self._metric,
            )
            for index, completion in enumerate(completions)
        ]


class _FirstUse(Reward):
    """A ready-made reward of one benchmark, which evalscope is imported for when it is first called."""

    def __init__(self, benchmark: str) -> None:
        super().__init__()
        self._benchmark = benchmark
        self.__name__ = f'{benchmark}_reward'


searchqa_reward = _FirstUse('searchqa')
"""Exact match of SearchQA."""
pubmedqa_reward = _FirstUse('pubmedqa')
"""Accuracy of PubMedQA."""
selqa_selection_reward = _FirstUse('selqa_selection')
"""Average precision of SelQA's answer sentence selection."""
rjua_qa_reward = _FirstUse('rjua_qa')
"""Final accuracy of RJUA-QA."""


def completion_text(completion: Any) -> str | None:
    """Return the text of a completion: itself, or that of the last of its chat messages."""
    if completion is None or isinstance(completion, str):
        return completion
    messages = [completion] if isinstance(completion, Mapping) else completion
    return message_text(messages[-1].get('content')) if len(messages) else None


@cache
def _adapter(benchmark: str) -> 'DefaultDataAdapter':
    adapter = engine.configured_adapter(benchmark)
    if not hasattr(adapter, 'read_reply'):
        raise ValueError(
            f'rewards: {benchmark}: evalscope would score by its own adapter, not by this package; see '
            '`evalscope-qa list` for why, and the environment variable EVALSCOPE_PLUGINS.'
        )
    return adapter


def check_metric(benchmark: str, metric: str | None) -> None:
    """Raise ``ValueError`` if there is no such reward, or the benchmark has no such metric of a question."""
    if benchmark not in FORMS:
        target(benchmark, None)
    known = list(_adapter(benchmark).question_metrics)
    if metric is not None and metric not in known:
        raise ValueError(f'rewards: {benchmark} has no metric {metric!r} of a question; it has {", ".join(known)}.')


def _score(benchmark: str, reply: str | None, gold: str | list[str], prompt: str, metric: str | None) -> float:
    from evalscope.api.dataset import Sample
    from evalscope.api.messages import ChatMessageUser

    check_metric(benchmark, metric)
    adapter = _adapter(benchmark)
    sample = Sample(input=[ChatMessageUser(content=prompt)], target=gold, id=0, group_id=0)
    scored = engine.score(adapter, engine.task_state(sample, reply))
    if not engine.is_answered(scored):
        return 0.0
    return float(scored.score.value[metric or scored.score.main_score_name])
