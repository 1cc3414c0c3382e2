"""Writes a call that was traced as Python that can be pasted, and checks it by running it."""

import ast
import builtins
import dataclasses
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from .timing import ScoringStopped, time_limit
from .tracing import Call, Cause, in_process

_SECONDS = 5.0
_MAX_ARGUMENT = 600
"""Characters of an argument; longer ones belong to one benchmark, and nobody would read them."""
_MAX_CALL = 900
_MAX_RESULT = 160
_MAX_FIRST = 80
"""Characters of a container or an object that is written at the first try; what is longer often makes no difference."""
_CUT = 2
"""Pieces of a repeated text that may be missing from an argument: blanks at its ends are cut."""
_AROUND = 60
"""Characters that may stand around them."""
_METADATA = ('metadata', 'choices', 'target')
"""What functions read of evalscope's task state beside the reply."""


def reproduced(call: Call) -> Cause:
    """Return the function of a call that returned, with the call as Python if it gives the same result again."""
    return _with_call(call, lambda result: _same(result, call.result), _shown(call.result))


def reproduced_error(call: Call, error: str) -> Cause:
    """Return the function of a call that raised, with the call as Python if it raises the same again.

    Args:
        call: A call that did not return.
        error: What was raised, as ``type: message``.
    """
    name = error.partition(':')[0]
    return _with_call(call, None, f'raises {name}', raised=name)


def repeated(call: Call, piece: str, few: int, times: int, shown: str) -> Cause:
    """Return the function of a call with a piece of text a few times, with the call as Python that repeats it often.

    What stands around the pieces in the argument may differ from the reply: what called the function may have taken the
    text out of a format, or blanks from its ends.

    Args:
        call: The call with few pieces.
        piece: What is repeated.
        few: How often in the reply.
        times: How often it is to be.
        shown: What the call with many pieces does.
    """
    written = {number: _longer(argument, piece, few, times) for number, argument in enumerate(call.arguments)}
    replaced = {number: text for number, text in written.items() if text}
    if not replaced:
        return call.cause
    for (source, _), (long, _) in zip(_sources(call, {}), _sources(call, replaced), strict=True):
        if _holds(source, lambda result: _same(result, call.result), None):
            return dataclasses.replace(call.cause, call=f'{long}\n# {shown}')
    return call.cause


def _longer(argument: Any, piece: str, few: int, times: int) -> str:
    """Return an expression for an argument with many pieces in the place of a few; empty if it has not as many."""
    if not isinstance(argument, str):
        return ''
    for left in range(few, few - _CUT - 1, -1):
        before, found, after = argument.partition(piece * left)
        if found and len(before) + len(after) <= _AROUND:
            parts = (
                [repr(before)] * bool(before) + [f'{piece!r} * {times - few + left:_}'] + [repr(after)] * bool(after)
            )
            return ' + '.join(parts)
    return ''


def _with_call(call: Call, accept: Callable[[Any], bool] | None, shown: str | None, raised: str | None = None) -> Cause:
    for source, length in _sources(call, {}) if shown else ():
        if length <= _MAX_CALL and _holds(source, accept, raised):
            return dataclasses.replace(call.cause, call=f'{source}\n# {shown}')
    return call.cause


def _short(value: Any) -> str:
    text = literal(value) or 'None'
    return text if isinstance(value, str) or len(text) <= _MAX_FIRST else 'None'


_WRITERS: tuple[Callable[[Any], str], ...] = (
    _short,
    lambda value: literal(value) or 'None',
    lambda value: literal(value) or _namespace(value),
)
"""Ways to write an argument, the shortest first."""


def _sources(call: Call, replaced: dict[int, str]) -> Iterator[tuple[str, int]]:
    """Yield ways to write a call, the shortest first: imports and an expression on a line of its own; its length.

    Args:
        call: The call.
        replaced: Expressions for some of its arguments.
    """
    found = _function(call.cause.name)
    if found is None or call.code is None:
        return
    module, path, function = found
    owner, _, method = path.rpartition('.')
    if getattr(inspect.unwrap(function), '__code__', None) is not call.code:
        return  # a function inside another, or one that was put in the place of this
    constants = {id(value): name for name, value in vars(sys.modules[module]).items()}
    for write in _WRITERS:
        imported = {path.partition('.')[0]}
        written = []
        for number, value in enumerate(call.arguments):
            text = replaced.get(number) or write(value)
            if text == 'None' and value is not None and id(value) in constants:
                text = constants[id(value)]
                imported.add(text)
            written.append(text)
        if set(written) == {'None'} and any(value is not None for value in call.arguments):
            continue  # it would show nothing
        imports = f'from {module} import {", ".join(sorted(imported))}\n'
        if any('SimpleNamespace(' in text for text in written):
            imports = f'from types import SimpleNamespace\n{imports}'
        value = '.value' if _is_score(call.result) else ''
        if inspect.ismethod(function):  # of a class
            forms = [f'{path}({_arguments(call, written, 1)})']
        else:
            forms = [f'{path}({_arguments(call, written, 0)})']
            if call.names[:1] == ['self'] and owner:
                bound = f'{owner}()' if method == '__call__' else f'{owner}().{method}'
                forms.append(f'{bound}({_arguments(call, written, 1)})')
        for form in forms:
            yield f'{imports}{form}{value}', len(form)


def _arguments(call: Call, written: Sequence[str], first: int) -> str:
    """Return the arguments from the first on: by place, and by name from one that is left out, so that it is seen."""
    assert call.code is not None
    texts, by_name = [], False
    for number in range(first, len(written)):
        left_out = written[number] == 'None' and call.arguments[number] is not None
        by_name = by_name or number >= call.code.co_argcount or (left_out and number >= call.code.co_posonlyargcount)
        texts.append(f'{call.names[number]}={written[number]}' if by_name else written[number])
    return ', '.join(texts)


def _function(name: str) -> tuple[str, str, Any] | None:
    """Return module, name in it, and the function of a dotted name."""
    parts = name.split('.')
    for length in range(len(parts) - 1, 0, -1):
        module = '.'.join(parts[:length])
        try:
            value: Any = importlib.import_module(module)
        except ImportError:
            continue
        for part in parts[length:]:
            value = getattr(value, part, None)
        return (module, '.'.join(parts[length:]), value) if value is not None else None
    return None


def _holds(source: str, accept: Callable[[Any], bool] | None, raised: str | None) -> bool:
    imports, _, expression = source.rpartition('\n')
    scope: dict[str, Any] = {}
    try:
        with in_process(), time_limit(_SECONDS):
            exec(imports, scope)
            result = eval(expression, scope)
    except ScoringStopped:
        return False
    except (Exception, SystemExit, KeyboardInterrupt) as error:  # noqa: BLE001 - whatever it raises is compared
        return raised is not None and type(error).__name__ == raised
    return accept is not None and accept(result)


def literal(value: Any) -> str | None:
    """Return a value as it is written in Python; None where it has no literal, or too long a one.

    >>> literal({'B', 'A'}), literal('9' * 5000), literal(object())
    ("{'A', 'B'}", "'9' * 5_000", None)
    """
    if isinstance(value, str) and len(value) > 60 and len(set(value)) == 1:
        return f'{value[0]!r} * {len(value):_}'
    if type(value) in (set, list) and value:
        items = [literal(item) or '' for item in value]
        if type(value) is set:
            return '{' + ', '.join(sorted(items)) + '}' if all(items) else None
        return '[' + ', '.join(items) + ']' if all(items) else None
    text = repr(value) if _is_plain(value) else None
    if text is None or len(text) > _MAX_ARGUMENT:
        return None
    with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
        return text if ast.literal_eval(text) == value else None
    return None


def _is_plain(value: Any) -> bool:
    if type(value) in (list, tuple):
        return len(value) <= 64 and all(_is_plain(item) for item in value)
    if type(value) is dict:
        return len(value) <= 64 and all(_is_plain(item) for pair in value.items() for item in pair)
    return value is None or type(value) in (str, int, float, bool)


def _namespace(value: Any) -> str:
    fields = {name: literal(getattr(value, name, None)) for name in _METADATA}
    written = [f'{name}={text}' for name, text in fields.items() if text not in (None, 'None')]
    return f'SimpleNamespace({", ".join(written)})' if written else 'None'


def _is_score(value: Any) -> bool:
    return type(value).__name__ == 'Score' and isinstance(getattr(value, 'value', None), dict)


def _same(result: Any, expected: Any) -> bool:
    expected = expected.value if _is_score(expected) else expected
    try:
        return bool(result == expected) or repr(result) == repr(expected)
    except Exception:  # noqa: BLE001 - objects that cannot be compared are not the same
        return False


def _shown(result: Any) -> str | None:
    result = result.value if _is_score(result) else result
    text = literal(result) or (repr(result) if type(result).__module__ in (builtins.__name__, 'numpy') else None)
    return text if text and len(text) <= _MAX_RESULT and '\n' not in text else None
