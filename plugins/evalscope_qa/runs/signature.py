"""The line to cite with the scores of runs."""

import json
from collections.abc import Sequence
from typing import Any

from ..signature import sha256, signature
from .scores import ScoreSet
from .settings import changed_settings


def run_signature(sets: Sequence[ScoreSet], metric: str, version: str | None = None) -> str:
    """Return the signature of scores of one benchmark.

    Args:
        sets: One a model.
        metric: Names of metrics, joined by ``+``.
        version: The version that scores them again, with the installed release; None for the one that the runs have.
    """
    settings: dict[str, list[Any]] = {}
    for scores in sets:
        for name, value in changed_settings(scores.config, scores.benchmark).items():
            if value not in settings.setdefault(name, []):
                settings[name].append(value)
    return signature(
        benchmark=sets[0].benchmark,
        version=sets[0].version if version is None else version,
        metric=metric,
        questions=len({attempt.question for scores in sets for attempt in scores.attempts}),
        data=questions_digest(sets),
        settings={name: values[0] if len(values) == 1 else values for name, values in settings.items()},
        evalscope_version=None
        if version is not None
        else '+'.join(sorted({scores.evalscope or 'unknown' for scores in sets})),
    )


def questions_digest(sets: Sequence[ScoreSet]) -> str:
    """Return the SHA-256 of the questions that were asked: subset, index, prompt and target of each."""
    questions = {
        json.dumps([*attempt.question, attempt.prompt, attempt.target], sort_keys=True)
        for scores in sets
        for attempt in scores.attempts
    }
    return sha256(''.join(sorted(questions)).encode('utf-8', 'surrogatepass'))
