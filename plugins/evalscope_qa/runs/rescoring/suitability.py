"""Tells which benchmarks of a run cannot be scored again from its replies alone, and why."""

from collections.abc import Mapping
from typing import Any

from ...suitability import why_more_than_text


def why_not_again(benchmark: str, config: Mapping[str, Any]) -> str | None:
    """Return why a benchmark of a run cannot be scored again without judge, sandbox and agent; None where it can.

    Args:
        benchmark: Its name.
        config: The run's configuration.
    """
    from evalscope.api.registry import BENCHMARK_REGISTRY

    try:
        meta = BENCHMARK_REGISTRY.get(benchmark)
    except Exception as error:  # noqa: BLE001 - reported
        return f'its module cannot be imported: {type(error).__name__}: {" ".join(str(error).split())}'
    if meta is None:
        return 'this scoring has no benchmark of that name'
    reason = why_more_than_text(meta)
    if reason is not None:
        return reason
    policy = getattr(meta.data_adapter, 'scoring_policy', None)
    judge = str((config.get('judge') or {}).get('strategy') or 'auto')
    if judge in ('llm', 'llm_recall') or (judge == 'auto' and policy is not None and policy.judge_by_default):
        return 'a judge model scored it'
    return 'an agent made its replies' if config.get('agent_config') else None
