"""Reads the reviews and reports of runs as scores, whichever release of evalscope wrote them."""

import json
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .layout import RunFolder, find_runs, read_rows
from .scores import Attempt, Metric, ScoreSet

_LEGACY_PROMPT = '**User**:'
"""How the releases of 2025 begin the text of a prompt in a review."""


def read_runs(paths: Sequence[Path], datasets: Collection[str] = (), cluster: str | None = None) -> list[ScoreSet]:
    """Read the scores of every run at or below the paths.

    Args:
        paths: Folders of runs, or folders that hold some.
        datasets: Only these benchmarks; empty for all.
        cluster: What makes questions a cluster: ``subset``, or the name of a field of the sample's metadata.

    Returns:
        One set of scores a run, model and benchmark, in the order of the paths.

    Raises:
        FileNotFoundError: If there is no such folder.
        ValueError: If a folder holds no run, a file is malformed, or no run has a benchmark of ``datasets``; names it.
    """
    runs = list({run.path.resolve(): run for path in paths for run in find_runs(path)}.values())
    found = {file.benchmark for run in runs for file in run.files}
    unknown = sorted(set(datasets) - found)
    if unknown:
        raise ValueError(f'no run holds {", ".join(unknown)}; they hold {", ".join(sorted(found))}.')
    sets = []
    for run in runs:
        for model, benchmark in run.scored:
            if not datasets or benchmark in datasets:
                sets.append(read_scores(run, model, benchmark, cluster))
    return sets


def read_scores(run: RunFolder, model: str, benchmark: str, cluster: str | None = None) -> ScoreSet:
    """Read one model's scores on one benchmark of a run; see :func:`read_runs`."""
    attempts: list[Attempt] = []
    for file in run.files_of(model, benchmark):
        by_index = {}
        for number, row in enumerate(read_rows(file.path)):
            try:
                attempt = read_attempt(row, file.subset, cluster)
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise ValueError(
                    f'{file.path}: review {number} is not one that evalscope writes: {type(error).__name__}: {error}'
                ) from error
            by_index[attempt.index] = attempt  # the last of several: so does evalscope
        attempts += by_index.values()
    return ScoreSet(
        model=model,
        benchmark=benchmark,
        version=run.evaluation_version(benchmark),
        source=str(run.path),
        attempts=tuple(attempts),
        metrics=tuple(read_metrics(run.report_file(model, benchmark))),
        evalscope=run.evalscope_version(benchmark),
        config=run.config,
    )


def read_attempt(row: dict[str, Any], subset: str, cluster: str | None = None) -> Attempt:
    """Turn one review into an attempt.

    Raises:
        KeyError, TypeError, AttributeError, ValueError: If the row lacks what every release writes.
    """
    from evalscope.constants import ScoreStatus

    sample = row['sample_score']
    score = sample['score']
    group = sample.get('group_id')
    extracted = score.get('extracted_prediction')
    metadata = score.get('metadata') or {}
    answered = metadata.get('answered')
    if answered is None:
        answered = extracted is None or bool(str(extracted).strip())
    reason = metadata.get('reading') or ('' if answered or (score.get('prediction') or '').strip() else 'empty')
    return Attempt(
        question=(subset, row['index'] if group is None else group),
        index=row['index'],
        values={
            metric_name(name): float(value) for name, value in score['value'].items() if isinstance(value, (int, float))
        },
        usable=ScoreStatus(score.get('status') or ScoreStatus.SUCCESS).is_usable,
        answered=bool(answered),
        reason=str(reason),
        prompt=_prompt(row),
        target=_target(row.get('target')),
        extracted='' if extracted is None else str(extracted),
        cluster=_cluster(cluster, subset, sample.get('sample_metadata') or {}),
        row=row,
    )


@cache
def metric_name(raw: str) -> str:
    """Return the name under which evalscope's reports show a metric: ``acc`` is ``accuracy``."""
    from evalscope.metrics.semantics.naming import canonicalize_producer_identity

    return label(canonicalize_producer_identity(raw, 'identity'))


def label(identity: Any) -> str:
    """Return a metric's name with what tells it from its namesakes, but not how it is aggregated."""
    dimensions = ','.join(f'{name}={value}' for name, value in identity.dimensions.items())
    return f'{identity.name}[{dimensions}]' if dimensions else identity.name


def read_metrics(path: Path) -> list[Metric]:
    """Read the numbers of a report; none where there is no such file.

    Raises:
        ValueError: If evalscope cannot read the report.
    """
    if not path.is_file():
        return []
    from evalscope.report import Report

    try:
        report = Report.from_json(str(path))
    except Exception as error:
        raise ValueError(f'{path}: evalscope cannot read this report: {" ".join(str(error).split())}') from error
    labels = [label(metric.identity) for metric in report.metrics]
    directions = {'higher_is_better': True, 'lower_is_better': False}
    return [
        Metric(
            name=label if labels.count(label) == 1 else metric.identity.key,
            key=metric.identity.key,
            value=metric.score,
            higher_is_better=directions.get(getattr(metric.semantics.direction, 'value', metric.semantics.direction)),
            scale=float(metric.semantics.display_multiplier or 1),
            primary=metric.identity == report.primary_metric_identity,
        )
        for label, metric in zip(labels, report.metrics, strict=True)
    ]


def _prompt(row: dict[str, Any]) -> str | None:
    """Return what was asked, without system prompt and reply, in one form for every layout."""
    if row.get('input') is not None and not row.get('messages'):
        return str(row['input']).strip().removeprefix(_LEGACY_PROMPT).strip()
    asked = []
    for message in row.get('messages') or []:
        if message['role'] == 'assistant':
            break
        if message['role'] != 'system':
            content = message['content']
            asked.append(content if isinstance(content, str) else json.dumps(content, sort_keys=True))
    return '\n'.join(asked).strip() if asked else None


def _target(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    return tuple(str(item).strip() for item in (value if isinstance(value, list) else [value]))


def _cluster(field: str | None, subset: str, metadata: dict[str, Any]) -> str | None:
    if field is None:
        return None
    if field == 'subset':
        return subset
    if field not in metadata:
        raise ValueError(f'the sample has no field {field!r} to make clusters of; it has {sorted(metadata)}')
    return str(metadata[field])
