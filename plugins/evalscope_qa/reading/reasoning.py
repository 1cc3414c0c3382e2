"""Strips reasoning blocks from a reply: text a model wrote for itself is never its answer."""

import re
from collections import Counter

# '[^<>]*' rather than '[^>]*': each character is then scanned once, whatever a megabyte of '<think' looks like.
_TAG = re.compile(r'<(?P<closing>/?)(?P<name>think|thinking|reasoning)(?=[\s/>])[^<>]*>', re.IGNORECASE)


def strip_reasoning(reply: str) -> str:
    """Return ``reply`` without its reasoning, in time linear in its length.

    Dropped are ``<think>…</think>`` blocks (also ``<thinking>`` and ``<reasoning>``, in any case, with attributes,
    nested), everything before a closing tag that was never opened (the opening tag was part of the prompt), and
    everything after an opening tag that is never closed (the reply was cut off while reasoning). A closing tag ends the
    latest block of its name with all that began inside it; where none of its name is open, the latest block. A block in
    the middle leaves one space, so that the words around it do not grow together.

    Args:
        reply: The model's text, of any length and content.

    Returns:
        The text outside reasoning; ``reply`` itself where it holds no reasoning tag.
    """
    kept: list[str] = []
    names: list[str] = []
    open_blocks: Counter[str] = Counter()
    position = 0
    for tag in _TAG.finditer(reply):
        name = tag['name'].lower()
        if tag['closing']:
            if not names:
                kept.clear()
            elif open_blocks[name]:
                while names[-1] != name:
                    open_blocks[names.pop()] -= 1
            if names:
                open_blocks[names.pop()] -= 1
        else:
            if not names:
                kept.append(reply[position : tag.start()])
            if not tag[0].endswith('/>'):
                names.append(name)
                open_blocks[name] += 1
        position = tag.end()
    if not names:
        kept.append(reply[position:])
    return ' '.join(piece for piece in kept if piece)
