"""Names the function that made an answer out of a reply, gave it credit, or lost a question.

The calls of a replay are recorded with a profile function; of the project's own functions (evalscope's and the
adapter's), the innermost one that returned the answer, or the credit, without having been given it, is the cause.
"""

import inspect
import math
import multiprocessing
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

_DUMPED_FRAME = re.compile(r'^  File "(?P<file>[^"]+)", line \d+ in (?P<function>\S+)$', re.MULTILINE)
_MAX_CALLS = 50_000
_MACHINERY = (f'{__package__.rpartition(".")[0]}.', f'{__package__.partition(".")[0]}.engine')
"""What replays the replies, and is no part of any benchmark."""
_DATA_MODELS = ('evalscope.api.metric.', 'evalscope.metrics.semantics.')
"""Modules that hold scores and their names, and compute none."""
_MAX_TEXT = 10_000
"""Arguments longer than this are the reply itself or a prompt; comparing them would cost more than scoring."""


@dataclass(frozen=True)
class Cause:
    """A function, and where it is."""

    name: str
    location: str = ''


def cause_of_function(function: Any) -> Cause:
    """Return a function or method as a cause."""
    function = inspect.unwrap(function)
    code = function.__code__
    return Cause(
        f'{function.__module__}.{function.__qualname__}', f'{_relative(code.co_filename)}:{code.co_firstlineno}'
    )


@dataclass
class Call:
    """One call of a project function."""

    cause: Cause
    depth: int
    arguments: list[Any]
    result: Any = None
    returned: bool = False


class Tracer:
    """Records the calls of the project's functions in a block.

    Args:
        packages: Top-level packages whose functions count as the project's.
    """

    def __init__(self, packages: Iterable[str]) -> None:
        self._packages = tuple(packages)
        self._names: dict[CodeType, Cause | None] = {}

    def run(self, function: Callable[[], Any]) -> tuple[Any, list[Call], Cause | None]:
        """Run a function.

        Returns:
            Its result, the calls in the order they were made, and the project function that drew a random number.
        """
        calls: list[Call] = []
        stack: list[Call | None] = []
        drew: list[Cause] = []

        # Coverage is not measured inside a profile function: the interpreter traces nothing while one runs.
        def profile(frame: FrameType, event: str, argument: Any) -> None:  # pragma: no cover
            if event == 'call':
                cause = self.cause_of(frame)
                if cause is None and not drew and _is_random(frame):
                    innermost = next((call for call in reversed(stack) if call is not None), None)
                    if innermost is not None:
                        drew.append(innermost.cause)
                call = None
                if cause is not None and len(calls) < _MAX_CALLS:
                    code = frame.f_code
                    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
                    call = Call(cause, len(stack), [frame.f_locals.get(name) for name in names])
                    calls.append(call)
                stack.append(call)
            elif event == 'return' and stack:
                call = stack.pop()
                if call is not None:
                    call.result, call.returned = argument, True

        with in_process():
            sys.setprofile(profile)
            try:
                result = function()
            finally:
                sys.setprofile(None)
        return result, calls, drew[0] if drew else None

    def cause_of(self, frame: FrameType) -> Cause | None:
        """Return the function of a frame if it is the project's."""
        code = frame.f_code
        if code not in self._names:
            self._names[code] = self._describe(frame)
        return self._names[code]

    def innermost(self, frame: FrameType | None) -> Cause | None:
        """Return the innermost project function on the stack of a frame."""
        while frame is not None:
            cause = self.cause_of(frame)
            if cause is not None:
                return cause
            frame = frame.f_back
        return None

    def raised_in(self, traceback: TracebackType | None) -> Cause | None:
        """Return the innermost project function of a traceback."""
        found = None
        while traceback is not None:
            found = self.cause_of(traceback.tb_frame) or found
            traceback = traceback.tb_next
        return found

    def in_dump(self, dump: str) -> Cause | None:
        """Return the innermost project function of a traceback that ``faulthandler`` wrote, innermost first."""
        modules = {getattr(module, '__file__', None): name for name, module in list(sys.modules.items())}
        for match in _DUMPED_FRAME.finditer(dump):
            module = modules.get(match['file'], '')
            if self._is_project(module) and not match['function'].startswith('<'):
                return Cause(f'{module}.{match["function"]}', _relative(match['file']))
        return None

    def _is_project(self, module: str) -> bool:
        return module.partition('.')[0] in self._packages and not module.startswith(_MACHINERY)

    def _describe(self, frame: FrameType) -> Cause | None:
        module = frame.f_globals.get('__name__', '')
        if not self._is_project(module):
            return None
        code = frame.f_code
        if code.co_name.startswith('<'):  # a comprehension or lambda is part of the function around it
            return None
        return Cause(f'{module}.{_qualified_name(frame)}', f'{_relative(code.co_filename)}:{code.co_firstlineno}')


def _qualified_name(frame: FrameType) -> str:
    code = frame.f_code
    name = getattr(code, 'co_qualname', None)  # Python 3.11
    if name is not None:
        return name.replace('<locals>.', '')
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


def _relative(file: str) -> str:
    """Return a file's path from the folder that holds its top-level package."""
    marker = f'site-packages{os.sep}'
    if marker in file:
        return file.rpartition(marker)[2].replace(os.sep, '/')
    for folder in sys.path:
        if folder and file.startswith(folder.rstrip(os.sep) + os.sep):
            return os.path.relpath(file, folder).replace(os.sep, '/')
    return Path(file).name


def _is_random(frame: FrameType) -> bool:
    return frame.f_globals.get('__name__') == 'random'


@contextmanager
def in_process() -> Iterator[None]:
    """Have evalscope score mathematics in this process, where it can be traced, as it does in a daemonic process."""
    config = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    before = config.get('daemon')
    config['daemon'] = True
    try:
        yield
    finally:
        config['daemon'] = before


def extracting(calls: list[Call], extracted: str) -> Cause | None:
    """Return the innermost function that returned the extracted answer without having been given it."""
    answer = extracted.strip()
    if not answer or len(answer) > _MAX_TEXT:
        return None
    return _innermost(
        call
        for call in calls
        if call.returned
        and _carries_text(call.result, answer)
        and any(_holds_text(argument, answer) for argument in call.arguments)
        and not any(_carries_text(argument, answer) for argument in call.arguments)
    )


def crediting(calls: list[Call], control: list[Call], value: float) -> Cause | None:
    """Return the innermost function that returned the credit and did not do so for a reply that earned none.

    A function whose caller returned the credit too comes first: another may have returned the same number by chance,
    as a count or a distance.

    Args:
        calls: Calls of scoring the credited reply.
        control: Calls of scoring a wrong reply of the same question.
        value: The credit.
    """
    also_wrong = {call.cause for call in control if call.returned and _carries_number(call.result, value)}
    crediting_calls: list[Call] = []
    handed_on: list[Call] = []
    around: list[Call] = []
    for call in calls:
        while around and around[-1].depth >= call.depth:
            around.pop()
        if call.returned and call.cause not in also_wrong and _carries_number(call.result, value):
            crediting_calls.append(call)
            if not around or _carries_number(around[-1].result, value):
                handed_on.append(call)
        around.append(call)
    return _innermost(handed_on) or _innermost(crediting_calls)


def aggregating(calls: list[Call], value: float) -> Cause | None:
    """Return the innermost function that returned an aggregated value."""
    return _innermost(
        call
        for call in calls
        if call.returned
        and not call.cause.name.startswith(_DATA_MODELS)
        and _carries_number(call.result, value)
        and not any(_carries_number(argument, value) for argument in call.arguments)
    )


def _innermost(calls: Iterable[Call]) -> Cause | None:
    best: Call | None = None
    for call in calls:
        if best is None or call.depth > best.depth:
            best = call
    return best.cause if best else None


def _carries_text(value: Any, answer: str) -> bool:
    if isinstance(value, str):
        return len(value) <= _MAX_TEXT and value.strip() == answer
    if isinstance(value, (set, frozenset, list, tuple)) and 0 < len(value) <= 64:
        items = [item for item in value if isinstance(item, str)]
        if len(items) != len(value):
            return False
        return answer in items if len(items) == 1 else ''.join(sorted(items)) == answer
    return False


def _holds_text(value: Any, answer: str) -> bool:
    """Whether a value is a text around the answer, such as the reply: the function had something to find it in."""
    return isinstance(value, str) and len(value) > len(answer) and answer.casefold() in value.casefold()


def _carries_number(value: Any, number: float, nested: int = 2) -> bool:
    if isinstance(value, (bool, int, float)):
        return not math.isnan(value) and math.isclose(float(value), number, rel_tol=1e-9, abs_tol=1e-12)
    if nested == 0:
        return False
    if isinstance(value, dict):
        return len(value) <= 64 and any(_carries_number(item, number, nested - 1) for item in value.values())
    if isinstance(value, (list, tuple)):
        return len(value) <= 64 and any(_carries_number(item, number, nested - 1) for item in value)
    for attribute in ('score', 'value'):  # evalscope's AggScore and Score
        inner = getattr(value, attribute, None)
        if isinstance(inner, (bool, int, float, dict)):
            return _carries_number(inner, number, nested - 1)
    return False
