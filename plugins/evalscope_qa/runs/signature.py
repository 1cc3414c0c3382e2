"""The line to cite with a number, in sacrebleu's way: what was measured, on what, and by which versions."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .. import __version__
from .scores import ScoreSet
from .settings import changed_settings

_DIGITS = 12
"""Hexadecimal digits of a SHA-256 that are shown: 48 bits."""


def signature(
    *,
    benchmark: str,
    version: str,
    metric: str,
    questions: int,
    data: str,
    settings: Mapping[str, Any] | None = None,
    evalscope_version: str | None = None,
) -> str:
    """Return a signature: parts ``name:value``, joined by ``|``.

    Args:
        benchmark: Its name.
        version: Its evaluation version; empty where it is not known.
        metric: Names of metrics, joined by ``+``.
        questions: Number of questions asked.
        data: What the questions are: a split, or the SHA-256 of the records or the questions.
        settings: Those that differ from the defaults.
        evalscope_version: Release that scored; None for the installed one.
    """
    parts = {
        'benchmark': benchmark,
        'version': version or 'unknown',
        'metric': metric,
        'n': questions,
        'data': data,
        'settings': ','.join(f'{name}={_plain(value)}' for name, value in (settings or {}).items()) or 'default',
        'evalscope': evalscope_version or installed_evalscope(),
        'evalscope-qa': __version__,
    }
    return '|'.join(f'{name}:{_escaped(value)}' for name, value in parts.items())


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
        else '+'.join(sorted({str(scores.config.get('evalscope_version') or 'unknown') for scores in sets})),
    )


def questions_digest(sets: Sequence[ScoreSet]) -> str:
    """Return the SHA-256 of the questions that were asked: subset, index, prompt and target of each."""
    questions = {
        json.dumps([*attempt.question, attempt.prompt, attempt.target], sort_keys=True)
        for scores in sets
        for attempt in scores.attempts
    }
    return sha256(''.join(sorted(questions)).encode('utf-8', 'surrogatepass'))


def sha256(data: bytes) -> str:
    """Return the first digits of a SHA-256, with its name before them."""
    return f'sha256={hashlib.sha256(data).hexdigest()[:_DIGITS]}'


def installed_evalscope() -> str:
    """Return the installed release of evalscope."""
    from importlib.metadata import version

    return version('evalscope')


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _escaped(value: Any) -> str:
    """Keep a value from looking like the next part."""
    return ' '.join(str(value).split()).replace('|', '/')
