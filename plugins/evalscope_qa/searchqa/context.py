"""Cuts the search passages of a question to a budget of characters."""

from typing import Any

_DOCUMENT = '[DOC]'
"""Opens each passage of a context; MRQA 2019, https://github.com/mrqa/MRQA-Shared-Task-2019."""


def cut_context(context: str, max_chars: int) -> str:
    """Return as many whole passages from the start of ``context`` as fit into ``max_chars`` characters.

    A first passage that does not fit alone is cut at the limit. White space after the last kept passage is dropped and
    does not count.

    Args:
        context: Passages, each after a ``[DOC]`` marker.
        max_chars: Most characters to keep, markers included; 0 keeps everything.

    Returns:
        A prefix of ``context``; ``context`` itself where it fits.
    """
    if max_chars == 0 or len(context) <= max_chars:
        return context
    rest = context[max_chars:].lstrip()
    if not rest or rest.startswith(_DOCUMENT):
        end = max_chars
    else:
        # A marker that starts inside the limit ends a passage that fits, even where the limit cuts the marker in two.
        end = max(0, context.rfind(_DOCUMENT, 0, max_chars + len(_DOCUMENT) - 1))
    kept = context[:end].rstrip()
    holds_text = kept.replace(_DOCUMENT, '').strip()
    return kept if holds_text else context[:max_chars]


def check_max_context_chars(value: Any) -> int:
    """Return ``value`` if it can be the budget of :func:`cut_context`.

    Raises:
        ValueError: If it is not an integer from 0 up; says what to set.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(
            f"searchqa: extra parameter 'max_context_chars' is {value!r}; set a number of characters, "
            '0 or more and without a fraction (0 keeps the whole context).'
        )
    return value
