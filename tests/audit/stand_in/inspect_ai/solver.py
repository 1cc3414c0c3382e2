"""States of tasks, and the solver that marks the options that a reply names in a line of its own."""

import re
from typing import Any


class TaskState:
    def __init__(self, *, choices: Any, output: Any = None, messages: Any = (), **fields: Any) -> None:
        self.choices = [False] * len(choices or [])
        self.output, self.messages, self.fields = output, list(messages), fields


def multiple_choice(*, multiple_correct: bool = False) -> Any:
    async def solve(state: Any, generate: Any) -> Any:
        state = await generate(state, max_tokens=None)
        found = re.fullmatch('ANSWER: ([A-H]+)' if multiple_correct else 'ANSWER: ([A-H])', state.output.completion)
        state.choices = [found is not None and chr(ord('A') + index) in found[1] for index in range(len(state.choices))]
        return state

    return solve
