"""Finds the sets that a gold consists of, and empties one of them."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalscope.api.dataset import Sample


def without_each_set(sample: 'Sample') -> Iterator[tuple[str, 'Sample']]:
    """Yield copies of a question whose gold is a JSON object, each with one of its lists of texts emptied.

    Nothing is yielded for a gold of another kind, or with a single list.
    """
    gold = _json_object(sample.target)
    names = [name for name, value in gold.items() if _is_set(value)]
    for name in names if len(names) > 1 else []:
        target = json.dumps({**gold, name: []}, ensure_ascii=False)
        yield name, sample.model_copy(update={'target': target}, deep=True)


def _json_object(target: Any) -> dict[str, Any]:
    if not isinstance(target, str) or not target.lstrip().startswith('{'):
        return {}
    try:
        value = json.loads(target)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _is_set(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
