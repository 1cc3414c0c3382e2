"""Makes the dataset of a run out of records that an adapter read by itself."""

from typing import TYPE_CHECKING, Any, Callable, Iterable

from .files import Record

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Dataset


def build_dataset(
    adapter: 'DefaultDataAdapter',
    records: Iterable[Record],
    subset: str,
    *,
    few_shot: bool = False,
    record_to_sample: Callable[[Record], Any] | None = None,
) -> 'Dataset':
    """Turn records that an adapter read by itself into a dataset, under the run's limit, repeats, shuffle and seed.

    Args:
        adapter: The adapter, whose ``record_to_sample`` and ``sample_filter`` are used.
        records: Published records.
        subset: Name of the subset.
        few_shot: Build the few-shot examples instead: ``few_shot_num`` of them, never repeated.
        record_to_sample: Another conversion than the adapter's.

    Raises:
        RecordError: If a record is malformed.
    """
    from evalscope.api.dataset import build_dataset_from_records

    return build_dataset_from_records(
        records=records,
        sample_fields=record_to_sample or adapter.record_to_sample,
        name=subset,
        location=adapter.dataset_id,
        limit=adapter.few_shot_num if few_shot else adapter.limit,
        repeats=1 if few_shot else adapter.repeats,
        shuffle=adapter.few_shot_random if few_shot else adapter.shuffle,
        seed=adapter.seed,
        filter_func=adapter.sample_filter,
    )
