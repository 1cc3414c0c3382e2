"""Varies the gold of example questions and finds, by scoring, which replies are right and which are wrong.

A question enters the audit only if some reply earns credit and a reply with another answer earns clearly less: then
what the audit says of other replies is about the benchmark, not about an example that does not fit.
"""

import ast
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, Union

from .corpus import is_abstention
from .formats import ANSWER, COMMON_FORMATS, fill, requested_formats
from .scorer import Measured, Metric, Scorer

if TYPE_CHECKING:
    from evalscope.api.dataset import Sample

Target = Union[str, list[str]]

LETTER = 'letter'
LABEL = 'label'
NUMBER = 'number'
TEXT = 'text'

_LABEL_SETS = (
    ('yes', 'no'),
    ('yes', 'no', 'maybe'),
    ('true', 'false'),
    ('对', '错'),
    ('是', '否'),
    ('正确', '错误'),
    ('entailment', 'neutral', 'contradiction'),
    ('valid', 'invalid'),
    ('positive', 'negative'),
)
_LISTED_LETTER = re.compile(r'(?:^|[\s(（])\(?([A-Z])[).:：．、]', re.MULTILINE)
_MAX_VARIANTS = 30
_UNRELATED = 'zebra violin carpet'


@dataclass
class Question:
    """A sample with the texts that answer it rightly and wrongly, and the replies found to do so."""

    sample: 'Sample'
    gold: str
    """The gold as a reader would name it."""
    kind: str
    answers: list[str]
    others: list[str]
    demonstrations: list[str] = field(default_factory=list)
    """Whole replies that may be right: ends of the few-shot demonstration, canned replies of the sample."""
    right_format: str = ANSWER
    right: str = ''
    wrong: str = ''
    right_metrics: dict[str, Measured] = field(default_factory=dict)
    wrong_metrics: dict[str, Measured] = field(default_factory=dict)
    judged: list[Metric] = field(default_factory=list)
    """The quality metrics that tell the right reply from the wrong ones."""
    multiple: bool = False
    """Whether several options are right at once."""
    prompt: str = ''

    @property
    def declines(self) -> bool:
        """Whether the gold answer says that the question has none."""
        texts = [self.gold, self.right, *self.answers]
        return any(is_abstention(text) for text in texts if len(text) < 200)

    def credit(self, metric: Metric, value: float) -> float:
        """Return the share of the way from the best wrong reply to the right one: 0 none, 1 full credit."""
        wrong, right = self.wrong_metrics[metric.name].value, self.right_metrics[metric.name].value
        return (value - wrong) / (right - wrong)


def prompt_text(sample: 'Sample') -> str:
    """Return what the model would read, as text."""
    if isinstance(sample.input, str):
        return sample.input
    return '\n'.join(message.text for message in sample.input)


def gold_values(target: Optional[Target]) -> list[str]:
    """Return the accepted answers that a target spells: itself, or the strings of a list, also of a printed one."""
    if target is None:
        return []
    if isinstance(target, list):
        return [value for value in target if isinstance(value, str) and value.strip()]
    listed = _parse_list(target)
    if listed is not None:
        return [str(value[0]) if isinstance(value, tuple) and value else str(value) for value in listed]
    return [target] if target.strip() else []


def _parse_list(text: str) -> Optional[list]:
    if not text.lstrip().startswith('['):
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(value, list) and value and all(isinstance(item, (str, tuple)) for item in value):
            return value
    return None


def with_gold(sample: 'Sample', gold: str) -> 'Sample':
    """Return a copy of a sample with another gold, in the shape of the old one, also where metadata repeats it."""
    old = gold_values(sample.target)
    target: Target = gold
    if isinstance(sample.target, list):
        target = [gold]
    elif isinstance(sample.target, str) and _parse_list(sample.target) is not None:
        try:
            json.loads(sample.target)
            target = json.dumps([gold], ensure_ascii=False)
        except ValueError:
            target = repr([(gold,)])
    metadata = _replace(sample.metadata, old, gold) if sample.metadata else sample.metadata
    return sample.model_copy(update={'target': target, 'metadata': metadata}, deep=True)


def _replace(value: Any, old: Sequence[str], new: str) -> Any:
    folded = [text.casefold() for text in old]
    if isinstance(value, str):
        if value.casefold() not in folded:
            return value
        return new.lower() if value.islower() else new.upper() if value.isupper() and len(value) > 1 else new
    if isinstance(value, list) and value and all(isinstance(item, str) and item.casefold() in folded for item in value):
        return [new]
    if isinstance(value, dict):
        return {key: _replace(item, old, new) for key, item in value.items()}
    return value


def vary(sample: 'Sample') -> list[Question]:
    """Return questions with different golds made of one sample, its own first."""
    from evalscope.utils.multi_choices import answer_character

    values = gold_values(sample.target)
    prompt = prompt_text(sample)
    choices = list(sample.choices or [])
    letters = [answer_character(index) for index in range(len(choices))]
    gold = ''.join(values) if len(values) > 1 and all(value in letters for value in values) else (values or [''])[0]
    if choices and gold and set(gold) <= set(letters) and gold not in letters:
        others = [letter for letter in letters if letter not in gold][:2] + [letter for letter in gold][:1]
        return [Question(sample, gold, LETTER, [gold, ','.join(gold)], others, multiple=True, prompt=prompt)]
    if not choices:
        letters = _listed_letters(prompt)
    if gold in letters:
        return _variants(sample, gold, letters, LETTER, prompt, choices)
    if gold in choices:
        return _variants(sample, gold, choices, LABEL, prompt, choices)
    labels = _label_set(gold, prompt)
    if labels:
        return _variants(sample, gold, labels, LABEL, prompt, [])
    if _is_number(gold):
        first = Question(sample, gold, NUMBER, values, _other_numbers(gold), prompt=prompt)
        return [
            first,
            *(_numeric_variant(sample, number, prompt) for number in ('0', '1', '-1', '7') if number != gold),
        ]
    shown = ' or '.join(values) or '(in the metadata)'
    return [Question(sample, shown, TEXT, values + _rated(gold), [_UNRELATED], prompt=prompt)]


def _rated(gold: str) -> list[str]:
    """Return ratings as lines of text: ``{'emotion1': 'Calm', 'emotion1_score': 3}`` is ``Calm: 3``."""
    if not gold.startswith('{'):
        return []
    try:
        ratings = ast.literal_eval(gold)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []
    named = [(ratings[key], ratings[f'{key}_score']) for key in ratings if f'{key}_score' in ratings]
    return ['\n'.join(f'{name}: {score}' for name, score in named)] if named else []


def _variants(
    sample: 'Sample', gold: str, labels: Sequence[str], kind: str, prompt: str, choices: Sequence[str]
) -> list[Question]:
    questions = []
    for label in [gold, *(label for label in labels if label != gold)][:_MAX_VARIANTS]:
        changed = sample if label == gold else with_gold(sample, label)
        index = list(labels).index(label)
        shown = f'{label} ({choices[index]})' if choices and kind == LETTER else label
        answers = [label, choices[index]] if choices and kind == LETTER else [label]
        others = [other for other in labels if other != label]
        questions.append(Question(changed, shown, kind, answers, others, prompt=prompt))
    return questions


def _numeric_variant(sample: 'Sample', number: str, prompt: str) -> Question:
    return Question(with_gold(sample, number), number, NUMBER, [number], _other_numbers(number), prompt=prompt)


def _other_numbers(gold: str) -> list[str]:
    number = float(_plain_number(gold))
    return [f'{2 * number + 1234:g}', f'{number + 77:g}']


def _is_number(text: str) -> bool:
    try:
        float(_plain_number(text))
    except ValueError:
        return False
    return True


def _plain_number(text: str) -> str:
    boxed = re.fullmatch(r'\\boxed\{(.*)\}', text.strip())
    return (boxed[1] if boxed else text).replace(',', '').strip().rstrip('%')


def _listed_letters(prompt: str) -> list[str]:
    """Return the option letters that a prompt lists from A on, at least two."""
    seen = set(_LISTED_LETTER.findall(prompt))
    letters = []
    for code in range(ord('A'), ord('Z') + 1):
        if chr(code) not in seen:
            break
        letters.append(chr(code))
    return letters if len(letters) >= 2 else []


def _label_set(gold: str, prompt: str) -> list[str]:
    folded = gold.casefold()
    fitting = [labels for labels in _LABEL_SETS if folded in labels]
    if not fitting:
        return []
    asks_maybe = re.search(r'\bmaybe\b', prompt, re.IGNORECASE) is not None
    labels = fitting[-1] if asks_maybe or folded == 'maybe' else fitting[0]
    restyle = str.upper if gold.isupper() else str.title if gold.istitle() else str.lower
    return [restyle(label) for label in labels]


def find_right(question: Question, scorer: Scorer, formats: Sequence[str]) -> bool:
    """Find a reply that is right; return whether one scores at all.

    Args:
        question: Gets its right reply and the reply's metrics.
        scorer: Scores the candidates.
        formats: Reply formats to try, preferred first.
    """
    requested = requested_formats(question.prompt)
    candidates = [(form, fill(form, answer)) for form in formats for answer in question.answers if answer.strip()]
    # A demonstration is how the adapter shows the answer; only what the prompt itself requests comes before it.
    candidates += [('', reply) for reply in question.demonstrations]
    candidates.sort(key=lambda candidate: (candidate[0] not in requested, candidate[0] != ''))
    for form, reply in candidates:
        metrics = score_metrics(scorer, question, reply)
        if not metrics or (question.right_metrics and not _beats(metrics, question.right_metrics)):
            continue
        question.right_format, question.right, question.right_metrics = form, reply, metrics
        if _is_full(metrics):
            break
    return bool(question.right_metrics)


def find_wrong(question: Question, scorer: Scorer, replies: Iterable[str] = ()) -> bool:
    """Find what a wrong reply earns at most; return whether some metric tells the right reply from the wrong ones.

    Args:
        question: A question with a right reply; gets a wrong one, and the metrics that tell them apart.
        scorer: Scores the candidates.
        replies: Right replies of other questions.
    """
    others = [reply for reply in replies if reply != question.right]
    candidates = [fill(question.right_format or ANSWER, other) for other in (*question.others[:3], _UNRELATED)]
    candidates = candidates + others if question.right_format else others + candidates
    for wrong in candidates:
        metrics = score_metrics(scorer, question, wrong)
        if not metrics or not any(
            name in question.right_metrics and _tells_apart(question.right_metrics[name], measured)
            for name, measured in metrics.items()
        ):
            continue  # another way to say the same, or partly right
        question.wrong = question.wrong or wrong
        for name, measured in metrics.items():
            known = question.wrong_metrics.get(name)
            if known is None or measured.metric.better(measured.value, known.value):
                question.wrong_metrics[name] = measured
    question.judged = [
        measured.metric
        for name, measured in question.right_metrics.items()
        if name in question.wrong_metrics and _tells_apart(measured, question.wrong_metrics[name])
    ]
    return bool(question.judged)


def score_metrics(scorer: Scorer, question: Question, reply: str) -> dict[str, Measured]:
    """Return the metrics of one reply; empty where scoring failed."""
    outcome = scorer.score(question.sample, reply)
    return {} if outcome.failed else outcome.metrics


def graded(metrics: dict[str, Measured]) -> list[Measured]:
    """Return the metrics that grade: quality with a direction, and not a rate of leaks or hallucinations.

    A rate of faults in what was said is best where nothing was said; that is no credit for an answer.
    """
    from .scorer import ERROR_RATE

    return [
        measured
        for measured in metrics.values()
        if measured.metric.is_quality and measured.metric.semantic_id != ERROR_RATE
    ]


def _beats(metrics: dict[str, Measured], best: dict[str, Measured]) -> bool:
    for measured in graded(metrics):
        if measured.metric.name in best and measured.value != best[measured.metric.name].value:
            return measured.metric.better(measured.value, best[measured.metric.name].value)
    return False


def _is_full(metrics: dict[str, Measured]) -> bool:
    measured = graded(metrics)
    return bool(measured) and all(is_full_credit(one) for one in measured)


def is_full_credit(measured: Measured) -> bool:
    """Whether a value is the best its metric can be."""
    return measured.metric.best is not None and not measured.metric.better(measured.metric.best, measured.value)


def _tells_apart(right: Measured, wrong: Measured) -> bool:
    """Whether the right reply is better than every wrong one by at least half of the metric's range."""
    from .scorer import ERROR_RATE

    metric = right.metric
    if not metric.is_quality or metric.semantic_id == ERROR_RATE or not metric.better(right.value, wrong.value):
        return False
    scale = abs(metric.best) if metric.best else 1.0
    return abs(right.value - wrong.value) >= scale / 2


def candidate_formats(question: Question) -> list[str]:
    """Return formats to try for a question: those its prompt requests, then the common ones."""
    return list(dict.fromkeys([*requested_formats(question.prompt), *COMMON_FORMATS]))
