"""Reads scores from a CSV file: any system's, not only evalscope's."""

import math
from pathlib import Path

from ..records import read_records
from .scores import PERCENT, Attempt, Metric, ScoreSet

_REQUIRED = ('item_id', 'model_id', 'score')


def read_scores_csv(path: Path) -> list[ScoreSet]:
    """Read scores from a CSV file with the columns item_id, model_id, score, and optionally epoch and cluster.

    Returns:
        One set of scores a model, in order of appearance.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If a column is missing, a score is not a number, or an item has two scores of one model and epoch;
            names file and row.
    """
    rows = read_records(path)
    if not rows:
        raise ValueError(f'{path}: there is no row of scores.')
    missing = [name for name in _REQUIRED if name not in rows[0]]
    if missing:
        raise ValueError(f'{path}: no column {", ".join(missing)}; the columns are {", ".join(rows[0])}.')
    attempts: dict[str, dict[tuple[str, str], Attempt]] = {}
    for number, row in enumerate(rows, start=1):
        place = f'{path}: row {number}'
        try:
            value = float(row['score'])
        except (TypeError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            raise ValueError(f'{place}: the score is {row["score"]!r}; expected a number.')
        item, epoch = str(row['item_id']), str(row.get('epoch') or '')
        cluster = row.get('cluster')
        of_model = attempts.setdefault(str(row['model_id']), {})
        if (item, epoch) in of_model:
            raise ValueError(
                f'{place}: a second score of {row["model_id"]} for item {item}'
                + (f', epoch {epoch}.' if epoch else '; tell repeats apart in a column epoch.')
            )
        of_model[item, epoch] = Attempt(
            question=('', item),
            index=epoch,
            values={'score': value},
            cluster=None if cluster in (None, '') else str(cluster),
        )
    values = [attempt.values['score'] for of_model in attempts.values() for attempt in of_model.values()]
    metric = Metric('score', scale=PERCENT if min(values) >= 0 and max(values) <= 1 else 1.0, primary=True)
    return [
        ScoreSet(model, path.stem, '', str(path), tuple(of_model.values()), (metric,))
        for model, of_model in attempts.items()
    ]
