"""Exact match, token F1 and sub-EM of short answers, and their means over all questions.

Papers: SearchQA, https://arxiv.org/abs/1704.05179; MRQA 2019, https://arxiv.org/abs/1910.09753, whose form of the
dataset and whose evaluation are used here. Official script: ``mrqa_official_eval.py`` of
https://github.com/mrqa/MRQA-Shared-Task-2019, with the normalisation of SQuAD v1.1
(https://rajpurkar.github.io/SQuAD-explorer/).

``sub_em`` is the metric of that name in SkillOpt's SearchQA evaluator: one normalised answer contains the other.

Deviations, both for answers without content:

- The official F1 is 0 where prediction and gold both normalise to an empty string, although their exact match is 1.
  Here it is 1.
- An unanswered reply scores 0 on every metric. The official exact match credits an empty prediction where a gold answer
  normalises to an empty string, and ``sub_em`` once credited it against every gold answer, because an empty string is
  part of every string. Here ``sub_em`` compares texts only as long as neither is empty.
"""

import re
import string
from collections import Counter
from statistics import mean
from typing import Dict, Iterable, List, NamedTuple, Sequence

METRICS = ('exact_match', 'f1', 'sub_em')
"""The quality metrics of one question, the primary one first."""

_PUNCTUATION = string.punctuation.encode()
_PUNCTUATION_MARKS = re.compile(f'[{re.escape(string.punctuation)}]+')
_ARTICLES = frozenset(('a', 'an', 'the'))
_ARTICLE_WORD = re.compile(r'\b(?:a|an|the)\b')


def normalize_answer(text: str) -> str:
    """Return SQuAD's normal form of ``text``: lower case, no ASCII punctuation, no articles, single spaces.

    >>> normalize_answer('The  Beatles!')
    'beatles'
    """
    words = _delete_punctuation(text.lower()).split()
    normalized = ' '.join([word for word in words if word not in _ARTICLES])
    if normalized.isascii() and normalized.isprintable():
        return normalized
    # A character that is neither word nor white space ends a word for SQuAD's regular expression: '–the–' loses 'the'.
    return ' '.join(_ARTICLE_WORD.sub(' ', normalized).split())


def _delete_punctuation(text: str) -> str:
    try:
        encoded = text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which JSON can carry
        return _PUNCTUATION_MARKS.sub('', text)
    # Many times faster than str.translate where a character is not ASCII; no such character's UTF-8 holds ASCII bytes.
    return encoded.translate(None, _PUNCTUATION).decode()


def exact_match(prediction: str, gold: str) -> float:
    """1.0 if two normalised answers are equal, else 0.0.

    >>> exact_match('beatles', 'beatles'), exact_match('beatles', 'fab four')
    (1.0, 0.0)
    """
    return float(prediction == gold)


def f1(prediction: str, gold: str) -> float:
    """Harmonic mean of precision and recall of the tokens that two normalised answers share, counted with repeats.

    With neither holding a token it is 1.0, with one 0.0.

    >>> f1('john lennon', 'lennon')  # precision 1/2, recall 1
    0.6666666666666666
    >>> f1('', 'lennon'), f1('', '')
    (0.0, 1.0)
    """
    return 1.0 if prediction == gold else _token_f1(_Tokens.of(prediction), gold)


def sub_em(prediction: str, gold: str) -> float:
    """1.0 if one normalised answer contains the other, as text, else 0.0.

    An empty one is contained in an empty one alone.

    >>> sub_em('john lennon', 'lennon'), sub_em('', 'lennon')
    (1.0, 0.0)
    """
    if not prediction or not gold:
        return float(prediction == gold)
    return float(gold in prediction or prediction in gold)


def score_answer(prediction: str, golds: Sequence[str]) -> Dict[str, float]:
    """Return each of :data:`METRICS` for one question: the best over its gold answers.

    Args:
        prediction: The extracted answer, as the model wrote it; blank where the question is unanswered.
        golds: The gold answers as published, at least one.

    Returns:
        Values from 0.0 to 1.0 by metric name.

    Raises:
        ValueError: If there is no gold answer.

    >>> score_answer('John Lennon', ['Lennon', 'Paul'])
    {'exact_match': 0.0, 'f1': 0.6666666666666666, 'sub_em': 1.0}
    >>> score_answer('', ['The'])  # unanswered, though both normalise to an empty string
    {'exact_match': 0.0, 'f1': 0.0, 'sub_em': 0.0}
    """
    if not golds:
        raise ValueError('searchqa: a question without gold answers cannot be scored.')
    if not prediction.strip():
        return dict.fromkeys(METRICS, 0.0)
    predicted = normalize_answer(prediction)
    normalized_golds = []
    for gold in golds:
        normalized_golds.append(normalize_answer(gold))
        if exact_match(predicted, normalized_golds[-1]):
            return dict.fromkeys(METRICS, 1.0)  # an exact match is perfect on the other two as well
    tokens = _Tokens.of(predicted)
    return {
        'exact_match': 0.0,
        'f1': max(_token_f1(tokens, gold) for gold in normalized_golds),
        'sub_em': max(sub_em(predicted, gold) for gold in normalized_golds),
    }


class _Tokens(NamedTuple):
    """The tokens of a normalised answer."""

    counts: 'Counter[str]'
    total: int

    @classmethod
    def of(cls, normalized: str) -> '_Tokens':
        tokens = normalized.split()
        return cls(Counter(tokens), len(tokens))


def _token_f1(prediction: _Tokens, gold: str) -> float:
    gold_tokens = gold.split()
    if prediction.counts.keys().isdisjoint(gold_tokens):
        return 0.0
    shared = sum(min(prediction.counts[token], count) for token, count in Counter(gold_tokens).items())
    precision = shared / prediction.total
    recall = shared / len(gold_tokens)
    # In the official order of operations, so that the last bit agrees too.
    return (2 * precision * recall) / (precision + recall)


def aggregate_answers(values: Iterable[Dict[str, float]], answered: Sequence[bool]) -> Dict[str, float]:
    """Return the mean of each metric over all questions, and the share of unanswered ones.

    The means are those of exact arithmetic, rounded once: neither the order of the questions nor repeating all of them
    changes a bit.

    Args:
        values: Each question's value of every one of :data:`METRICS`.
        answered: For each question, in the same order, whether the reply held an answer.

    Returns:
        :data:`METRICS` and ``unanswered_ratio``, all from 0.0 to 1.0; 0.0 for no questions.

    >>> right = {'exact_match': 1.0, 'f1': 1.0, 'sub_em': 1.0}
    >>> aggregate_answers([right, dict.fromkeys(METRICS, 0.0)], answered=[True, False])
    {'exact_match': 0.5, 'f1': 0.5, 'sub_em': 0.5, 'unanswered_ratio': 0.5}
    """
    columns: Dict[str, List[float]] = {metric: [] for metric in METRICS}
    for value in values:
        for metric, column in columns.items():
            column.append(float(value[metric]))
    asked = len(answered)
    means = {metric: mean(column) if column else 0.0 for metric, column in columns.items()}
    return {**means, 'unanswered_ratio': (asked - sum(answered)) / asked if asked else 0.0}
