"""Records the calls of a replay, and finds the one that made an answer, gave credit, or lost a question.

The calls are recorded with a profile function. Of the project's own functions (evalscope's and the adapter's), the
cause is the innermost one that turned a text of the reply into the answer; where none did, the innermost one that
decided on the credit.
"""

import math
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType, TracebackType
from typing import Any

from .naming import Cause, cause_of_frame, cause_of_function, causes_in_dump, is_given_a_pattern

__all__ = ['Call', 'Cause', 'Tracer', 'aggregating', 'answering', 'cause_of_function', 'crediting', 'extracting']

_MAX_CALLS = 50_000
_MACHINERY = (f'{__package__.rpartition(".")[0]}.', f'{__package__.partition(".")[0]}.engine')
"""What replays the replies, and is no part of any benchmark."""
_DATA_MODELS = ('evalscope.api.metric.', 'evalscope.metrics.semantics.')
"""Modules that hold scores and their names, and compute none."""
_MAX_TEXT = 10_000
"""Arguments longer than this are the reply itself or a prompt; comparing them would cost more than scoring."""


@dataclass
class Call:
    """One call of a project function."""

    cause: Cause
    depth: int
    arguments: list[Any]
    result: Any = None
    returned: bool = False
    names: list[str] = field(default_factory=list)
    """The parameters."""
    code: CodeType | None = None
    end: int = 0
    """How many calls had been made when it returned: those up to there, after itself, are within it."""


class Tracer:
    """Records the calls of the project's functions in a block.

    Args:
        packages: Top-level packages whose functions count as the project's.
    """

    def __init__(self, packages: Iterable[str]) -> None:
        self._packages = tuple(packages)
        self._names: dict[CodeType, Cause | None] = {}

    def run(self, function: Callable[[], Any], calls: list[Call] | None = None) -> tuple[Any, list[Call], Cause | None]:
        """Run a function.

        Args:
            function: What to run.
            calls: Gets the calls; for a function that may raise.

        Returns:
            Its result, the calls in the order they were made, and the project function that drew a random number.
        """
        calls = [] if calls is None else calls
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
                    values = frame.f_locals
                    call = Call(cause, len(stack), [values.get(name) for name in names], names=[*names], code=code)
                    calls.append(call)
                stack.append(call)
            elif event == 'return' and stack:
                call = stack.pop()
                if call is not None:
                    call.result, call.returned, call.end = argument, True, len(calls)

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
        """Return the innermost project function of a traceback that was not given the pattern it searches for."""
        found = None
        while traceback is not None:
            if found is None or not is_given_a_pattern(traceback.tb_frame.f_code):
                found = self.cause_of(traceback.tb_frame) or found
            traceback = traceback.tb_next
        return found

    def swallowed(self, function: Callable[[], Any], reason: str) -> Cause | None:
        """Run a function and return the innermost project function in which an exception was that it does not let out.

        Args:
            function: What to run.
            reason: What became of the exception: a text that holds its message.
        """
        seen: dict[int, tuple[BaseException, Cause]] = {}  # kept, or another exception gets the id

        # Coverage is not measured inside a trace function: the interpreter traces nothing while one runs.
        def local(frame: FrameType, event: str, argument: Any) -> Any:  # pragma: no cover
            cause = self.cause_of(frame)
            if event == 'exception' and cause is not None and isinstance(argument[1], BaseException):
                error: BaseException = argument[1]
                origin = error.__cause__ or error.__context__
                # Whoever waited until a deadline did as it was told; who makes an error of that lost the question.
                known = None if isinstance(origin, TimeoutError) else seen.get(id(origin))
                seen.setdefault(id(error), (error, known[1] if known else cause))
            return local

        def enter(frame: FrameType, event: str, argument: Any) -> Any:  # pragma: no cover
            if self.cause_of(frame) is None:
                return None
            frame.f_trace_lines = False
            return local

        before = sys.gettrace()
        sys.settrace(enter)
        try:
            function()
        finally:
            sys.settrace(before)
        causes = [cause for error, cause in seen.values() if str(error) and str(error) in reason]
        return causes[0] if causes else None

    def in_dump(self, dump: str) -> Cause | None:
        """Return the innermost project function of a traceback that ``faulthandler`` wrote, innermost first."""
        return next((cause for module, cause in causes_in_dump(dump) if self.is_project(module)), None)

    def is_project(self, module: str) -> bool:
        """Whether functions of a module are the project's."""
        return module.partition('.')[0] in self._packages and not module.startswith(_MACHINERY)

    def _describe(self, frame: FrameType) -> Cause | None:
        module = frame.f_globals.get('__name__', '')
        return cause_of_frame(frame, module) if self.is_project(module) else None


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


def answering(calls: list[Call], reply: str, answers: Iterable[str]) -> Call | None:
    """Return the innermost call that turned a text of the reply, which is no answer, into an answer.

    Args:
        calls: Calls of scoring the reply.
        reply: The reply.
        answers: What counts as the answer: the gold in its spellings, and what is made out of a right reply.
    """
    wanted = {_plain(answer) for answer in answers} - {'', _plain(reply)}
    of_reply = {reply.strip()}
    found = []
    for call in calls:
        texts = [argument.strip() for argument in call.arguments if isinstance(argument, str)]
        if call.returned and any(text in of_reply or (text and text in reply) for text in texts):
            of_reply.update(text.strip() for text in _texts(call.result) if len(text) <= _MAX_TEXT)
            if _is_answer(call.result, wanted) and not any(_is_answer(argument, wanted) for argument in call.arguments):
                found.append(call)
    return _innermost(found)


def extracting(calls: list[Call], extracted: str) -> Cause | None:
    """Return the innermost function that returned the extracted answer without having been given it."""
    answer = extracted.strip()
    if not answer or len(answer) > _MAX_TEXT:
        return None
    call = _innermost(
        call
        for call in calls
        if call.returned
        and _carries_text(call.result, answer)
        and any(_holds_text(argument, answer) for argument in call.arguments)
        and not any(_carries_text(argument, answer) for argument in call.arguments)
    )
    return call.cause if call else None


def crediting(
    calls: list[Call], control: list[Call], value: float, right: Sequence[Call] = (), right_value: float | None = None
) -> Call | None:
    """Return the innermost call that decided on the credit.

    Each function on the way from the one that scores down to it returned the credit; it did not for a wrong reply; and
    for a right one it returned what that earns, if it was called at all. So a count, a distance or a ratio that equals
    the credit by chance is not taken for it.

    Args:
        calls: Calls of scoring the credited reply.
        control: Calls of scoring a wrong reply of the same question.
        value: The credit.
        right: Calls of scoring a right reply.
        right_value: What that earns.
    """
    by_chance = {call.cause for call in control if call.returned and _carries_number(call.result, value)}
    if right_value is not None:
        as_right = {call.cause for call in right if call.returned and _carries_number(call.result, right_value)}
        by_chance |= {call.cause for call in right} - as_right
    found: list[Call] = []
    around: list[tuple[Call, bool]] = []
    for number, call in enumerate(calls):
        while around and around[-1][0].end <= number:
            around.pop()
        carries = call.returned and call.cause not in by_chance and _carries_number(call.result, value)
        if carries and any(carried for _, carried in around) and not around[-1][1]:
            carries = False  # what called for it made something else of it
        if carries:
            found.append(call)
        around.append((call, carries))
    return _innermost(found)


def aggregating(calls: list[Call], value: float) -> Cause | None:
    """Return the innermost function that returned an aggregated value."""
    call = _innermost(
        call
        for call in calls
        if call.returned
        and not call.cause.name.startswith(_DATA_MODELS)
        and _carries_number(call.result, value)
        and not any(_carries_number(argument, value) for argument in call.arguments)
    )
    return call.cause if call else None


def _innermost(calls: Iterable[Call]) -> Call | None:
    best: Call | None = None
    for call in calls:
        if best is None or call.depth > best.depth:
            best = call
    return best


def _plain(text: str) -> str:
    """Return an answer without what is written around it, so that spellings of it compare equal.

    >>> _plain(r'\\boxed{204}'), _plain(' (b). '), _plain('7.0')
    ('204', 'b', '7')
    """
    text = text.strip()
    if len(text) > _MAX_TEXT:
        return text
    if text.startswith('\\boxed{') and text.endswith('}'):
        text = text[len('\\boxed{') : -1]
    text = text.strip(' ()[]{}$*\'".').casefold()
    try:
        return f'{float(text.replace(",", "")):g}'
    except ValueError:
        return text


def _texts(value: Any, nested: bool = True) -> list[str]:
    """Return the texts that a result is: itself, the only item of a container, and so for each of several results."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [str(value)]
    if isinstance(value, tuple) and 1 < len(value) <= 3 and nested:  # several results
        return [text for item in value for text in _texts(item, nested=False)]
    if isinstance(value, (set, frozenset, list, tuple)) and 0 < len(value) <= 64:
        items = [item for item in value if isinstance(item, str)]
        return [''.join(sorted(items))] if len(items) == len(value) else []
    answer = getattr(value, 'answer', None)  # a reading of this package
    return [answer] if isinstance(answer, str) else []


def _is_answer(value: Any, wanted: set[str]) -> bool:
    return any(len(text) <= _MAX_TEXT and _plain(text) in wanted for text in _texts(value))


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
