"""Names functions as causes: from a function, a frame, or the traceback that ``faulthandler`` writes."""

import inspect
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

_DUMPED_FRAME = re.compile(r'^  File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>\S+)$', re.MULTILINE)
_PATTERN_PARAMETERS = frozenset(('pattern', 'regex'))


@dataclass(frozen=True)
class Cause:
    """A function, where it is, and a call of it."""

    name: str
    location: str = ''
    call: str = field(default='', compare=False)
    """Python that can be pasted and shows what the function does; empty where there is none."""


def cause_of_function(function: Any) -> Cause:
    """Return a function or method as a cause."""
    function = inspect.unwrap(function)
    return _cause(function.__module__, function.__qualname__, function.__code__)


def cause_of_frame(frame: FrameType, module: str) -> Cause | None:
    """Return the function of a frame; None for a part of the function around it, which is on the stack.

    That is a comprehension, a lambda, or a function defined in the one that calls it.
    """
    code = frame.f_code
    if code.co_name.startswith('<') or _is_part(code, frame.f_back):
        return None
    return _cause(module, _qualified_name(frame), code)


def cause_of_module(frame: FrameType, module: str) -> Cause:
    """Return a module that is being imported as a cause, at the line where the import is."""
    return Cause(module, f'{relative(frame.f_code.co_filename)}:{frame.f_lineno}')


def causes_in_dump(dump: str) -> Iterator[tuple[str, Cause]]:
    """Yield the module and the function of each frame in a dumped traceback, innermost first.

    A function that was given a pattern to search for is left out: the pattern is its caller's.
    """
    modules = {getattr(module, '__file__', None): module for module in list(sys.modules.values())}
    for match in _DUMPED_FRAME.finditer(dump):
        module = modules.get(match['file'])
        if module is None or match['function'].startswith('<'):
            continue
        found = next(_functions_at(module, match['function'], int(match['line'])), None)
        if found is None:
            yield module.__name__, Cause(f'{module.__name__}.{match["function"]}', relative(match['file']))
        elif not is_given_a_pattern(found[1]):
            yield module.__name__, _cause(module.__name__, *found)


def is_given_a_pattern(code: CodeType) -> bool:
    """Whether a function is handed the pattern that it searches for: what is slow then is its caller's."""
    return bool(_PATTERN_PARAMETERS.intersection(code.co_varnames[: code.co_argcount]))


def _cause(module: str, qualified_name: str, code: CodeType) -> Cause:
    name = qualified_name.replace('<locals>.', '')
    return Cause(f'{module}.{name}', f'{relative(code.co_filename)}:{code.co_firstlineno}')


def _is_part(code: CodeType, around: FrameType | None) -> bool:
    if not code.co_flags & inspect.CO_NESTED:
        return False
    while around is not None:
        if code in around.f_code.co_consts:
            return True
        around = around.f_back
    return False


def _functions_at(module: ModuleType, function: str, line: int) -> Iterator[tuple[str, CodeType]]:
    """Yield name and code of the module's functions and methods that hold a line of a function so called."""
    owners: list[Any] = [module]
    while owners:
        owner = owners.pop()
        for value in list(vars(owner).values()):
            if isinstance(value, type):
                if value.__module__ == module.__name__ and value is not owner:
                    owners.append(value)
                continue
            value = getattr(value, '__func__', getattr(value, 'fget', value))
            value = inspect.unwrap(value) if callable(value) else value
            code = getattr(value, '__code__', None)
            if isinstance(code, CodeType) and code.co_filename == module.__file__ and _holds(code, function, line):
                yield value.__qualname__, code


def _holds(code: CodeType, function: str, line: int) -> bool:
    lines = [number for _, _, number in code.co_lines() if number]
    if code.co_name == function and lines and code.co_firstlineno <= line <= max(lines):
        return True
    return any(isinstance(inner, CodeType) and _holds(inner, function, line) for inner in code.co_consts)


def _qualified_name(frame: FrameType) -> str:
    code = frame.f_code
    name = getattr(code, 'co_qualname', None)  # Python 3.11
    if name is not None:
        return name
    return _name_with_class(code, frame.f_locals.get('self', frame.f_locals.get('cls')))


def _name_with_class(code: CodeType, owner: Any) -> str:
    """Return the name of a function with the class that defines it, found by the object it is called on."""
    for cls in getattr(owner if isinstance(owner, type) else type(owner), '__mro__', ()):
        member = vars(cls).get(code.co_name)
        member = getattr(member, '__func__', getattr(member, 'fget', member))
        if (
            getattr(member, '__code__', None) is code
            or getattr(getattr(member, '__wrapped__', None), '__code__', None) is code
        ):
            return f'{cls.__qualname__}.{code.co_name}'
    return code.co_name


def relative(file: str) -> str:
    """Return a file's path from the folder that holds its top-level package."""
    marker = f'site-packages{os.sep}'
    if marker in file:
        return file.rpartition(marker)[2].replace(os.sep, '/')
    for folder in sys.path:
        if folder and file.startswith(folder.rstrip(os.sep) + os.sep):
            return os.path.relpath(file, folder).replace(os.sep, '/')
    return Path(file).name
