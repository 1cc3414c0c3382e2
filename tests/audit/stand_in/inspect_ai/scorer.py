"""Scores, targets, and a scorer of options that looks at their marks alone."""

import functools
import types
from dataclasses import dataclass
from typing import Any


@dataclass
class Score:
    value: Any
    answer: str | None = None


class Target(list):
    pass


def value_to_float() -> Any:
    return lambda value: {'C': 1.0, 'P': 0.5, 'I': 0.0, 'N': 0.0}[value] if isinstance(value, str) else float(value)


def scorer(factory: Any) -> Any:
    @functools.wraps(factory)
    def make(*words: Any, **named: Any) -> Any:
        made = factory(*words, **named)
        made.noted = make.noted
        return made

    make.noted = types.SimpleNamespace(type='scorer')
    return make


@scorer
def choice() -> Any:
    async def score(state: Any, target: Any) -> Score:
        marked = ''.join(letter for letter, mark in zip('ABCDEFGH', state.choices, strict=False) if mark)
        return Score('C' if marked == ''.join(sorted(target)) else 'I', marked)

    return score


@scorer
def end(of: str = 'reply') -> Any:
    async def score(state: Any, target: Any) -> Score:
        return Score(state.output.completion.endswith(target[0]))

    return score


@scorer
def odd() -> Any:
    async def score(state: Any, target: Any) -> Any:
        return {'several': Score({'a': 1.0}), 'none': 1.0}[state.output.completion]

    return score
