"""Callables that score replies in each form, right and with faults; the tests of the audit name them."""

import difflib
import functools
import re
from typing import Any

_LETTER_LINE = re.compile(r'^ANSWER: ([A-D])$', re.MULTILINE)


def _outside_reasoning(text: str) -> str:
    return text.rpartition('</think>')[2] if '</think>' in text else text.partition('<think>')[0]


def clean(reply: str, gold: str) -> float:
    found = _LETTER_LINE.findall(_outside_reasoning(reply))
    return float(bool(found) and found[-1] == gold)


def last_capital(reply: str, gold: str) -> bool:
    return re.findall('[A-D]', reply)[-1:] == [gold]


def by_question(reply: str, question: dict[str, Any]) -> float:
    """Looks for the text of the right option, and for the gold where another field repeats it."""
    texts = dict(zip('ABCD', question['options'], strict=True))
    assert question['extra_info'] == {'gold': question['gold'], 'golds': [question['gold']]}
    assert question['prompt'].startswith('Which') and len(texts) == 4
    return clean(reply, question['gold'])


def compute_score(data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None) -> dict[str, Any]:
    """Credits the number behind four hashes, and a little for the format."""
    assert data_source == 'sums' and extra_info == {'split': 'test'}
    found = re.findall(r'#### (-?\d+)', _outside_reasoning(solution_str))
    return {'score': (1.0 if found[-1] == ground_truth else 0.1) if found else 0.0, 'pred': found[-1] if found else ''}


def twice(data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None) -> float:
    return 2 * compute_score(data_source, solution_str, ground_truth, extra_info)['score'] - 1


def contains(completions: list[str], solution: list[str], **columns: Any) -> list[float]:
    return [float(gold in text) for text, gold in zip(completions, solution, strict=True)]


def skips_refusals(completions: list[str], gold: list[str]) -> list[float | None]:
    return [None if 'cannot' in text else clean(text, right) for text, right in zip(completions, gold, strict=True)]


def ratio(reply: str, gold: str) -> float:
    """Fails where a reply holds a fraction of nothing."""
    return 0.0 if re.search(r'\d/0', reply) and 1 / 0 else clean(reply, gold)


def chat(completions: list[Any], gold: list[str], **columns: Any) -> list[float]:
    assert columns['prompts'][0][0]['role'] == 'user'
    return [clean(messages[0]['content'], right) for messages, right in zip(completions, gold, strict=True)]


async def waits(reply: str, gold: str) -> float:
    return clean(reply, gold)


class Reward:
    """A reward that is an object, as ms-swift's are."""

    def __call__(self, completions: list[str], solution: list[str], **columns: Any) -> list[float]:
        return [float(text == gold) for text, gold in zip(completions, solution, strict=True)]


class NeedsSettings:
    def __init__(self, settings: Any) -> None:
        self.settings = settings


class LastNumber:
    """A filter as lm-evaluation-harness has them."""

    def apply(self, resps: Any, docs: Any) -> Any:
        return [[(re.findall(r'\d+', reply) or ['[invalid]'])[-1] for reply in replies] for replies in resps]


class TakeFirst:
    def apply(self, resps: Any, docs: Any) -> Any:
        return [replies[0] for replies in resps]


chain = [LastNumber(), TakeFirst()]
half = functools.partial(clean)
number = 3


def three(reply: str, gold: str, tolerance: float) -> float:
    return tolerance


def unclear(a: str, b: str) -> float:
    return float(a == b)


def optional_gold(prompt: str, text: str) -> float:
    return float(prompt == text)


def number_equals(reply: str, gold: int) -> float:
    assert type(gold) is int
    return float(reply == str(gold))


def one_of(reply: str, golds: list[str]) -> float:
    assert isinstance(golds, list)
    return float(reply in golds)


def equal(reply: str, gold: str) -> float:
    assert gold in ('(A)', '(B)')
    return float(reply == gold)


def thoughtful(reply: str, gold: str) -> float:
    """Wants to see the reasoning."""
    return float(reply.startswith('<think>') and reply.partition('</think>')[2].strip() == gold)


def by_difflib(reply: str, gold: str) -> float:
    """Takes the last letter, whatever its case; another package says how like the gold it is."""
    return float(difflib.SequenceMatcher(None, reply.strip(' .')[-1:].upper(), gold).ratio() == 1.0)
