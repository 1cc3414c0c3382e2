"""The line to cite with a number, in sacrebleu's way: what was measured, on what, and by which versions."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from . import __version__

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


def records_digest(records: Iterable[Mapping[str, Any]]) -> str:
    """Return the SHA-256 of records, which is the same whatever kind of file they come from."""
    digest = RecordsDigest()
    for record in records:
        digest.add(record)
    return digest.shown()


class RecordsDigest:
    """The SHA-256 of records that come one after another; see :func:`records_digest`."""

    _encode = json.JSONEncoder(sort_keys=True, default=str).encode

    def __init__(self) -> None:
        self._hashed = hashlib.sha256()

    def add(self, record: Mapping[str, Any]) -> None:
        """Take in the next record."""
        self._hashed.update(f'{self._encode(record)}\n'.encode())

    def shown(self) -> str:
        """Return the digest as a signature shows it."""
        return _shown(self._hashed.hexdigest())


def sha256(data: bytes) -> str:
    """Return the first digits of a SHA-256, with its name before them."""
    return _shown(hashlib.sha256(data).hexdigest())


def _shown(digest: str) -> str:
    return f'sha256={digest[:_DIGITS]}'


def installed_evalscope() -> str:
    """Return the installed release of evalscope."""
    from importlib.metadata import version

    return version('evalscope')


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _escaped(value: Any) -> str:
    """Keep a value from looking like the next part."""
    return ' '.join(str(value).split()).replace('|', '/')
