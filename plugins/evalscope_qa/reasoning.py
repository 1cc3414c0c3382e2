"""Strips reasoning blocks from a reply: text a model wrote for itself is never its answer."""

import re

# '[^<>]*' rather than '[^>]*': each character is then scanned once, whatever a megabyte of '<think' looks like.
_TAG = re.compile(r'<(?P<closing>/?)(?:think|thinking|reasoning)(?=[\s/>])[^<>]*>', re.IGNORECASE)


def strip_reasoning(reply: str) -> str:
    """Return ``reply`` without its reasoning, in time linear in its length.

    Dropped are ``<think>…</think>`` blocks (also ``<thinking>`` and ``<reasoning>``, in any case, with attributes,
    nested), everything before a closing tag that was never opened (the opening tag was part of the prompt), and
    everything after an opening tag that is never closed (the reply was cut off while reasoning). A block in the middle
    leaves one space, so that the words around it do not grow together.

    Args:
        reply: The model's text, of any length and content.

    Returns:
        The text outside reasoning; ``reply`` itself where it holds no reasoning tag.
    """
    kept: list[str] = []
    depth = 0
    position = 0
    for tag in _TAG.finditer(reply):
        self_closing = not tag['closing'] and tag[0].endswith('/>')
        if depth == 0:
            if tag['closing']:
                kept.clear()
            else:
                kept.append(reply[position : tag.start()])
            position = tag.end()
        if self_closing:
            continue
        depth = max(0, depth - 1) if tag['closing'] else depth + 1
        position = tag.end()
    if depth == 0:
        kept.append(reply[position:])
    return ' '.join(piece for piece in kept if piece)
