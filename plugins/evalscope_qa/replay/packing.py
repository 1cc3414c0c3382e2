"""Questions of evalscope as plain data and back: pydantic pickles at many times the size, and checks all anew."""

from functools import cache
from typing import TYPE_CHECKING, Any

from ..engine import altered, rebuilt

if TYPE_CHECKING:
    from evalscope.api.dataset import Sample
    from evalscope.api.messages import ChatMessage

_ROLES = ('system', 'user')


def packed(sample: 'Sample') -> Any:
    """Return a question as plain data where it is text, messages of text, and what else a record gives; else itself."""
    model = _sample()
    fields = vars(sample)
    if type(sample) is not type(model) or fields.keys() != vars(model).keys():
        return sample
    asked = sample.input if isinstance(sample.input, str) else _packed_messages(sample.input)
    return sample if asked is None else {**fields, 'input': asked}


def unpacked(data: Any) -> 'Sample':
    """Return the question that :func:`packed` made plain; its messages have no ids of their own."""
    if not isinstance(data, dict):
        return data
    asked = data['input']
    if not isinstance(asked, str):
        asked = [altered(_message(role), content=text) for role, text in asked]
    return rebuilt(type(_sample()), {**data, 'input': asked})


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
def _sample() -> 'Sample':
    from evalscope.api.dataset import Sample

    return Sample(input='')
