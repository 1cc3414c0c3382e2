"""Questions of evalscope as plain data and back: pydantic pickles at many times the size, and checks all anew."""

from functools import cache
from typing import TYPE_CHECKING, Any

from ..engine import altered

if TYPE_CHECKING:
    from evalscope.api.dataset import Sample
    from evalscope.api.messages import ChatMessage

_ROLES = ('system', 'user')


def packed(sample: 'Sample') -> Any:
    """Return a question as plain data where it is text, messages of text, and what else a record gives; else itself."""
    model, names = _sample()
    fields = vars(sample)
    if type(sample) is not type(model) or fields.keys() != vars(model).keys():
        return sample
    asked = sample.input if isinstance(sample.input, str) else _packed_messages(sample.input)
    return sample if asked is None else (asked, [fields[name] for name in names])


def unpacked(data: Any) -> 'Sample':
    """Return the question that :func:`packed` made plain; its messages have no ids of their own."""
    if not isinstance(data, tuple):
        return data
    model, names = _sample()
    asked, values = data
    if not isinstance(asked, str):
        asked = [altered(_message(role), content=text) for role, text in asked]
    return altered(model, input=asked, **dict(zip(names, values, strict=True)))


def _packed_messages(messages: list['ChatMessage']) -> list[tuple[str, str]] | None:
    found = []
    for message in messages:
        fields = vars(message)
        role, content = fields['role'], fields['content']
        # Id, role and content alone: anything else would be lost.
        others = len(fields) - list(fields.values()).count(None) - (fields['id'] is not None)
        if others != 2 or role not in _ROLES or not isinstance(content, str):
            return None
        found.append((role, content))
    return found


@cache
def _message(role: str) -> 'ChatMessage':
    from evalscope.api.messages import ChatMessageSystem, ChatMessageUser

    return ChatMessageSystem(content='') if role == 'system' else ChatMessageUser(content='')


@cache
def _sample() -> tuple['Sample', tuple[str, ...]]:
    """A question without content, and the names of all its fields but the input."""
    from evalscope.api.dataset import Sample

    sample = Sample(input='')
    return sample, tuple(name for name in vars(sample) if name != 'input')
