"""The configuration of a run scored again: the run's own, with the identity that its scores now have."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...signature import installed_evalscope
from ..settings import tells_defaults

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter

_SHAPING = (
    'aggregation',
    'eval_split',
    'few_shot_num',
    'few_shot_prompt_template',
    'few_shot_random',
    'filters',
    'prompt_template',
    'query_template',
    'shuffle',
    'shuffle_choices',
    'subset_list',
    'system_prompt',
)
"""Settings that say what was asked and how it was scored."""


def new_config(
    config: Mapping[str, Any], adapters: 'Mapping[str, DefaultDataAdapter]'
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the configuration of the new run, and by benchmark why its cache identity could not be made.

    The identity and the resolved settings are those that evalscope itself would make of the settings: by them
    ``--use-cache`` accepts the new scores for a run of the same settings.

    Args:
        config: The run's configuration; may be empty.
        adapters: What scored again, by benchmark.
    """
    new, notes = dict(config), dict[str, str]()
    if not adapters:
        return new, notes
    given = dict(new.get('dataset_args') or {})
    identities = dict((new.get('evaluation_identity') or {}).get('benchmarks') or {})
    specs = dict(new.get('resolved_benchmarks') or {})
    for name, adapter in adapters.items():
        if not tells_defaults(config, name):
            given[name] = _without_defaults(name, given.get(name) or {})
        try:
            identities[name], specs[name] = _identity({**new, 'dataset_args': given}, name, identities.get(name))
        except Exception as error:  # noqa: BLE001 - reported: the scores stand without it
            notes[name] = f'no cache identity: {type(error).__name__}: {" ".join(str(error).split())}'
            version = adapter.benchmark_meta.evaluation_version
            identities[name] = {'evaluation_version': version, 'fingerprint': 'unknown'}
    new.update(
        dataset_args=given,
        evaluation_identity={'schema_version': 1, 'benchmarks': identities},
        resolved_benchmarks=specs,
        evalscope_version=installed_evalscope(),
    )
    return new, notes


def _without_defaults(benchmark: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a run of 2025, whose configuration holds every one, without those that are the default."""
    from evalscope.api.registry import get_benchmark

    meta = get_benchmark(benchmark).benchmark_meta
    return {name: given[name] for name in _SHAPING if name in given and given[name] != getattr(meta, name)}


def _identity(config: dict[str, Any], benchmark: str, previous: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    from evalscope.api.registry import get_benchmark
    from evalscope.config import parse_task_config
    from evalscope.evaluation_versioning import CacheSource, ResolvedBenchmarkSpec, build_benchmark_identity

    task = parse_task_config({**config, 'datasets': [benchmark]})
    meta = get_benchmark(benchmark, task).benchmark_meta
    spec = ResolvedBenchmarkSpec.from_meta(meta, task)
    identity = build_benchmark_identity(spec, meta.evaluation_version, task)
    before = previous or {'evaluation_version': 'unknown', 'fingerprint': 'unknown'}
    identity.cache_source = CacheSource(
        evaluation_version=before['evaluation_version'],
        fingerprint=before['fingerprint'],
        inferred_legacy=previous is None,
    )
    return identity.model_dump(mode='json'), spec.model_dump(mode='json')
