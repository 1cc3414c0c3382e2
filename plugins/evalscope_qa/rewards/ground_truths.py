"""What each benchmark takes as a ground truth: what its questions carry, or the part of a record that holds it."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Target = str | list[str]
"""What evalscope's ``Sample`` of a question carries."""


def target(benchmark: str, ground_truth: Any) -> Target:
    """Return a ground truth as the benchmark's questions carry it.

    Args:
        benchmark: One of :data:`FORMS`.
        ground_truth: Text, a list or a mapping; arrays of numpy are lists. See ``docs/rewards.md``.

    Raises:
        ValueError: If the benchmark is none of them, or cannot be scored against this ground truth; says what it takes.
    """
    if benchmark not in FORMS:
        raise ValueError(f'rewards: there is none for {benchmark!r}; there is one for each of {", ".join(FORMS)}.')
    read, expected = FORMS[benchmark]
    value = _plain(ground_truth)
    try:
        return read(value)
    except (KeyError, TypeError, ValueError) as error:
        shown = repr(value)
        shown = shown if len(shown) <= 200 else f'{shown[:197]}...'
        raise ValueError(f'rewards: {benchmark}: the ground truth is {shown}; expected {expected}.') from error


def _plain(value: Any) -> Any:
    """Undo what parquet and numpy make of lists."""
    if hasattr(value, 'tolist'):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {name: _plain(entry) for name, entry in value.items() if entry is not None}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return value


def _answers(value: Any) -> Target:
    if isinstance(value, dict):
        value = value['answers'] if 'answers' in value else value['target']
    answers = [value] if isinstance(value, str) else value
    _require(isinstance(answers, list) and all(isinstance(answer, str) for answer in answers))
    _require(any(answer.strip() for answer in answers))
    return answers


def _verdict(value: Any) -> Target:
    if isinstance(value, dict):
        value = value['answer'] if 'answer' in value else value['final_decision']
    label = value.strip().upper() if isinstance(value, str) else ''
    _require(label in ('YES', 'NO', 'MAYBE'))
    return label


def _ranked_sentences(value: Any) -> Target:
    gold = json.loads(value) if isinstance(value, str) else value
    if 'candidates' in gold:  # a published record: places among all candidates, of which blank ones are never shown
        shown = [place for place, text in enumerate(gold['candidates']) if text.strip()]
        answers = [shown.index(place) + 1 for place in gold['answers']]
        return json.dumps({'answers': answers, 'sentences': len(shown)})
    answers, sentences = gold['answers'], gold['sentences']
    _require(type(sentences) is int and isinstance(answers, list) and len(answers) > 0)
    _require(all(type(number) is int and 1 <= number <= sentences for number in answers))
    return json.dumps({'answers': answers, 'sentences': sentences})


def _consultation(value: Any) -> Target:
    gold = json.loads(value) if isinstance(value, str) else value
    _require(isinstance(gold['answer'], str) and bool(gold['answer'].strip()))
    for name in ('disease', 'advice'):
        _require(isinstance(gold[name], list) and all(isinstance(item, str) for item in gold[name]))
    return json.dumps({name: gold[name] for name in ('answer', 'disease', 'advice')})


def _require(holds: bool) -> None:
    if not holds:
        raise ValueError


FORMS: Mapping[str, tuple[Callable[[Any], Target], str]] = {
    'searchqa': (_answers, "a gold answer, a list of them, or {'answers': [...]}"),
    'pubmedqa': (_verdict, "yes, no or maybe, or {'answer': 'yes'}"),
    'selqa_selection': (
        _ranked_sentences,
        "{'answers': [2], 'sentences': 5} (numbers from 1, as in the prompt), its JSON, or a published record",
    ),
    'rjua_qa': (_consultation, "{'answer': '...', 'disease': [...], 'advice': [...]}, or its JSON"),
}
"""By benchmark: what reads a ground truth, and what it takes."""


def prompt_text(extra_info: Mapping[str, Any] | None) -> str:
    """Return what a model was asked: ``prompt`` (text or chat messages), else ``context`` and ``question``."""
    asked = extra_info or {}
    prompt = asked.get('prompt')
    if prompt is None:
        parts = [asked.get('context'), asked.get('question')]
        return '\n\n'.join(message_text(part) for part in parts if part is not None)
    if isinstance(prompt, str):
        return prompt
    users = [message for message in _plain(prompt) if message.get('role') == 'user']
    return message_text(users[-1].get('content')) if users else ''


def message_text(content: Any) -> str:
    """Return the text of a message: itself, that of its parts, or of the passages of a context; of None none."""
    if content is None or isinstance(content, str):
        return content or ''
    parts: Sequence[Any] = _plain(content)
    texts = [part if isinstance(part, str) else part.get('text') for part in parts]
    return '\n'.join(text for text in texts if text)
