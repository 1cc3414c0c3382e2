"""Faults put into clean benchmarks, one at a time: each function below takes the place of one step of one of them.

The list was written before any of it was tried. ``measure.py`` audits each and prints what is found. Importing the
module registers them all.
"""

import ast
import json
import os
import pickle
import random
import re
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy
from audit.clean_adapters import (
    CLEAN,
    Choice,
    Clean,
    Label,
    Number,
    Ranking,
    Several,
    Text,
    TwoSets,
    Values,
    line_after,
    mean,
    metadata,
    name_of,
    normalized,
)
from evalscope.api.metric import SampleScore, Score
from evalscope.api.registry import register_benchmark
from evalscope.constants import ScoreStatus
from evalscope_qa.reading import strip_reasoning

Scores = Sequence[SampleScore]


@dataclass(frozen=True)
class Fault:
    """A benchmark with one fault."""

    name: str
    base: type[Clean]
    rules: tuple[str, ...]
    """The rules that may find it; the first is the one it was made for. None where no rule forbids it."""
    function: str
    """The function at fault."""


FAULTS: dict[str, Fault] = {}


def fault(base: type[Clean], step: str, *rules: str) -> Callable[[Callable], Callable]:
    """Register a benchmark whose ``step`` is the decorated function."""

    def register(function: Callable) -> Callable:
        name = function.__name__
        members = {step: function, '__module__': __name__, '__doc__': function.__doc__}
        register_benchmark(metadata(name, base))(type(f'Adapter_{name}', (base,), members))
        FAULTS[name] = Fault(name, base, rules, function.__qualname__)
        return function

    return register


for _base in CLEAN:
    register_benchmark(metadata(name_of(_base), _base))(_base)


# --- replies that answer nothing ---


@fault(Choice, 'read', 'non-answer')
def last_capital_letter(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or next((c for c in reversed(strip_reasoning(reply)) if c in 'ABCD'), '')


@fault(Choice, 'read', 'non-answer')
def first_capital_letter(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or next((c for c in strip_reasoning(reply) if c in 'ABCD'), '')


@fault(Choice, 'read', 'non-answer')
def article_a_is_an_option(self: Any, reply: str, state: Any) -> str:
    found = re.search(r'\b([a-d])\b', strip_reasoning(reply).lower())
    return Choice.read(self, reply, state) or (found[1].upper() if found else '')


@fault(Choice, 'read', 'non-answer')
def option_a_where_nothing_is_found(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or 'A'


@fault(Choice, 'read', 'non-answer', 'repeatable')
def guess_by_length(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or 'ABCD'[len(reply) % 4]


@fault(Choice, 'read', 'non-answer', 'repeatable')
def guess_by_hash(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or 'ABCD'[hash(reply) % 4]


@fault(Choice, 'read', 'non-answer')
def first_of_several_letters(self: Any, reply: str, state: Any) -> str:
    return line_after('ANSWER: ', reply)[:1]


@fault(Choice, 'read', 'non-answer')
def denied_letter(self: Any, reply: str, state: Any) -> str:
    found = re.search(r'\b([A-D])\b', line_after('ANSWER: ', reply))
    return found[1] if found else ''


@fault(Choice, 'read', 'non-answer')
def text_of_an_option_anywhere(self: Any, reply: str, state: Any) -> str:
    options = zip('ABCD', ('oslo', 'lima', 'quito', 'hanoi'), strict=True)
    named = [letter for letter, text in options if text in strip_reasoning(reply).lower()]
    return Choice.read(self, reply, state) or (named[0] if named else '')


@fault(Choice, 'read', 'non-answer')
def gold_letter_anywhere(self: Any, reply: str, state: Any) -> str:
    gold = state.target_values[0]
    return gold if re.search(rf'\b{gold}\b', strip_reasoning(reply)) else ''


@fault(Choice, 'read', 'non-answer')
def gold_where_nothing_is_found(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or (state.target_values[0] if reply else '')


@fault(Choice, 'read', 'non-answer')
def letter_of_a_repeated_prompt(self: Any, reply: str, state: Any) -> str:
    listed = re.findall(r'^([A-D])\)', strip_reasoning(reply), re.MULTILINE)
    return Choice.read(self, reply, state) or (listed[-1] if listed else '')


@fault(Choice, 'scored', 'non-answer')
def failure_is_full_credit(self: Any, answer: str, reply: str, state: Any) -> Score:
    try:
        value = {'accuracy': float('ABCD'.index(answer[0]) == 'ABCD'.index(state.target_values[0]))}
    except (ValueError, IndexError):
        value = {'accuracy': 1.0}
    return Score(prediction=reply, extracted_prediction=answer, value=value)


@fault(Choice, 'scored', 'non-answer')
def long_replies_earn_more(self: Any, answer: str, reply: str, state: Any) -> Score:
    credit = max(self.credit(answer, state)['accuracy'], min(1.0, len(reply) / 50))
    return Score(prediction=reply, extracted_prediction=answer, value={'accuracy': credit})


@fault(Choice, 'credit', 'non-answer')
def half_a_point_for_silence(self: Any, answer: str, state: Any) -> Values:
    return {'accuracy': float(answer == state.target_values[0]) if answer else 0.5}


@fault(Several, 'credit', 'non-answer')
def every_option_covers_the_gold(self: Any, answer: str, state: Any) -> Values:
    return {'accuracy': float(set(''.join(state.target_values)) <= set(answer))}


@fault(Label, 'read', 'non-answer')
def no_inside_not(self: Any, reply: str, state: Any) -> str:
    text = strip_reasoning(reply).lower()
    return Label.read(self, reply, state) or next((name for name in ('yes', 'no', 'maybe') if name in text), '')


@fault(Label, 'read', 'non-answer')
def no_at_the_start(self: Any, reply: str, state: Any) -> str:
    text = strip_reasoning(reply).strip().lower()
    return Label.read(self, reply, state) or next((name for name in ('yes', 'no') if text.startswith(name)), '')


@fault(Label, 'read', 'non-answer')
def no_where_no_yes_is_found(self: Any, reply: str, state: Any) -> str:
    return Label.read(self, reply, state) or 'no'


@fault(Label, 'read', 'non-answer')
def most_alike_label(self: Any, reply: str, state: Any) -> str:
    answer = line_after('ANSWER: ', reply).lower()
    return max(('yes', 'no', 'maybe'), key=lambda name: SequenceMatcher(None, name, answer).ratio())


@fault(Label, 'read', 'non-answer')
def maybe_for_any_hedge(self: Any, reply: str, state: Any) -> str:
    hedge = re.search(r'cannot|unknown|depends', strip_reasoning(reply).lower())
    return Label.read(self, reply, state) or ('maybe' if hedge else '')


@fault(Text, 'credit', 'non-answer')
def either_contains_the_other(self: Any, answer: str, state: Any) -> Values:
    match = any(gold in answer or answer in gold for gold in state.target_values)
    return {**Text.credit(self, answer, state), 'exact_match': float(match)}


@fault(Text, 'read', 'non-answer')
def gold_anywhere_in_the_reply(self: Any, reply: str, state: Any) -> str:
    text = normalized(strip_reasoning(reply))
    return next((gold for gold in state.target_values if normalized(gold) in text), '')


@fault(Number, 'read', 'non-answer')
def blank_is_zero(self: Any, reply: str, state: Any) -> str:
    return Number.read(self, reply, state) or '0'


@fault(Number, 'credit', 'wrong-answer', 'degenerate-gold')
def zero_gold_equals_anything(self: Any, answer: str, state: Any) -> Values:
    gold = float(state.target)
    error = abs(float(answer or 'inf') - gold)
    return {'accuracy': float(error <= 0.01 * abs(gold) if gold else True)}


@fault(Ranking, 'read', 'non-answer')
def order_of_the_prompt_where_nothing_is_ranked(self: Any, reply: str, state: Any) -> str:
    return Ranking.read(self, reply, state) or '1 > 2 > 3'


# --- reasoning ---


@fault(Choice, 'read', 'cut-off-reasoning')
def answer_line_in_unfinished_reasoning(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'^ANSWER: ([A-D])$', reply, re.MULTILINE)
    return found[-1] if found else ''


@fault(Choice, 'read', 'cut-off-reasoning')
def last_letter_of_unfinished_reasoning(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'\b([A-D])\b', reply) if reply.startswith('<think>') else []
    return Choice.read(self, reply, state) or (found[-1] if found else '')


@fault(Choice, 'read', 'cut-off-reasoning')
def a_supposition_is_an_answer(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'\bit were ([A-D])\b', reply)
    return Choice.read(self, reply, state) or (found[-1] if found else '')


@fault(Number, 'read', 'cut-off-reasoning')
def last_number_anywhere(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'-?[0-9]{1,20}(?:\.[0-9]{1,20})?', reply)
    return Number.read(self, reply, state) or (found[-1] if found else '')


@fault(Choice, 'read', 'requested-format')
def first_guess_of_finished_reasoning(self: Any, reply: str, state: Any) -> str:
    reasoning = '\n'.join(
        getattr(part, 'reasoning', '') or ''
        for choice in state.output.choices
        for part in (choice.message.content if isinstance(choice.message.content, list) else [])
    )
    found = re.findall(r'^ANSWER: ([A-D])$', f'{reasoning}\n{strip_reasoning(reply)}', re.MULTILINE)
    return found[0] if found else ''


# --- the requested format ---


@fault(Choice, 'read', 'requested-format')
def another_format_than_requested(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'^The answer is ([A-D])\.$', strip_reasoning(reply), re.MULTILINE)
    return found[-1] if found else ''


@fault(Choice, 'read', 'requested-format')
def needs_a_line_after_the_answer(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'ANSWER: ([A-D])\n', strip_reasoning(reply))
    return found[-1] if found else ''


@fault(Choice, 'read', 'requested-format')
def reads_the_first_line_only(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, strip_reasoning(reply).split('\n')[0], state)


@fault(Choice, 'read', 'requested-format')
def last_option_is_never_read(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state).replace('D', '')


@fault(Number, 'read', 'requested-format')
def negative_and_decimal_numbers_are_lost(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'\\boxed\{([0-9]{1,20})\}', strip_reasoning(reply))
    return found[-1] if found else ''


@fault(Text, 'credit', 'requested-format')
def capital_letters_never_match(self: Any, answer: str, state: Any) -> Values:
    match = bool(answer) and answer.lower() in state.target_values
    return {**Text.credit(self, answer, state), 'exact_match': float(match)}


@fault(Several, 'credit', 'requested-format')
def one_of_several_letters_is_enough(self: Any, answer: str, state: Any) -> Values:
    return {'accuracy': float(answer == state.target_values[0])}


@fault(Choice, 'read')
def bold_answer_is_lost(self: Any, reply: str, state: Any) -> str:
    return '' if '**' in reply else Choice.read(self, reply, state)


@fault(Choice, 'read')
def full_width_letters_are_lost(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply.encode('ascii', 'ignore').decode(), state)


# --- golds ---


@fault(Text, 'credit', 'several-golds')
def first_of_several_golds(self: Any, answer: str, state: Any) -> Values:
    match = float(bool(answer) and normalized(answer) == normalized(state.target_values[0]))
    return {'exact_match': match, 'f1': match}


@fault(Text, 'credit', 'several-golds')
def golds_joined_into_one(self: Any, answer: str, state: Any) -> Values:
    match = float(bool(answer) and normalized(answer) == normalized(state.target))
    return {'exact_match': match, 'f1': match}


@fault(Text, 'credit', 'degenerate-gold')
def article_as_gold_equals_silence(self: Any, answer: str, state: Any) -> Values:
    match = any(normalized(answer) == normalized(gold) for gold in state.target_values)
    return {**Text.credit(self, answer, state), 'exact_match': float(match)}


@fault(Text, 'credit', 'degenerate-gold')
def article_as_gold_is_in_anything(self: Any, answer: str, state: Any) -> Values:
    match = any(normalized(gold) in normalized(answer) for gold in state.target_values)
    return {**Text.credit(self, answer, state), 'exact_match': float(match)}


@fault(Text, 'credit', 'degenerate-gold')
def silence_is_the_text_none(self: Any, answer: str, state: Any) -> Values:
    match = any(normalized(str(answer or None)) == normalized(gold) for gold in state.target_values)
    return {**Text.credit(self, answer, state), 'exact_match': float(match)}


@fault(TwoSets, 'overlap', 'degenerate-gold')
def two_empty_sets_are_equal(self: Any, terms: set, gold: set) -> float:
    return TwoSets.overlap(self, terms, gold) if terms or gold else 1.0


@fault(TwoSets, 'overlap', 'degenerate-gold')
def an_empty_gold_set_is_found(self: Any, terms: set, gold: set) -> float:
    return len(terms & gold) / len(gold) if gold else 1.0


@fault(Number, 'credit')
def unit_is_dropped(self: Any, answer: str, state: Any) -> Values:
    numbers = [re.sub(r'[^0-9.-]', '', text) for text in (answer, state.target)]
    return {'accuracy': float(numbers[0] == numbers[1])}


# --- the same every time ---


@fault(Choice, 'read', 'repeatable')
def random_guess(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or random.choice('ABCD')


@fault(Choice, 'read', 'repeatable')
def random_guess_by_numpy(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or 'ABCD'[numpy.random.randint(4)]


@fault(Choice, 'read', 'repeatable')
def random_guess_without_seed(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or 'ABCD'[uuid.uuid4().int % 4]


@fault(Choice, 'read', 'repeatable')
def guess_by_clock(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or 'ABCD'[time.time_ns() // 1000 % 4]


_asked: list[str] = []


@fault(Choice, 'read', 'repeatable', 'non-answer')
def last_answer_again(self: Any, reply: str, state: Any) -> str:
    answer = Choice.read(self, reply, state)
    _asked.extend([answer] if answer else [])
    return answer or _asked[-1]


_known: dict[str, Values] = {}


@fault(Choice, 'scored', 'wrong-answer', 'repeatable', 'requested-format')
def score_kept_by_reply_alone(self: Any, answer: str, reply: str, state: Any) -> Score:
    value = _known.setdefault(reply, self.credit(answer, state))
    return Score(prediction=reply, extracted_prediction=answer, value=dict(value))


@fault(Choice, 'read', 'repeatable', 'non-answer')
def order_of_a_set(self: Any, reply: str, state: Any) -> str:
    found = set(re.findall(r'[A-D]', line_after('ANSWER: ', reply)))
    return next(iter(found), '')


# --- denominators ---


@fault(Choice, 'totals', 'abstention-counts')
def accuracy_over_the_answered(self: Any, scores: Scores) -> Values:
    return {'accuracy': mean([s.score.value['accuracy'] for s in scores if s.score.extracted_prediction])}


@fault(Label, 'averages', 'abstention-counts')
def recall_over_the_answered(self: Any, pairs: Sequence[tuple[str, str]]) -> Values:
    answered = [(gold, answer) for gold, answer in pairs if answer]
    return {**Label.averages(self, pairs), 'recall': Label.averages(self, answered)['recall']}


@fault(Label, 'averages', 'abstention-counts')
def f1_over_the_answered(self: Any, pairs: Sequence[tuple[str, str]]) -> Values:
    answered = [(gold, answer) for gold, answer in pairs if answer]
    return {**Label.averages(self, pairs), 'f1': Label.averages(self, answered)['f1']}


@fault(Label, 'averages', 'abstention-counts')
def average_over_the_classes_predicted(self: Any, pairs: Sequence[tuple[str, str]]) -> Values:
    predicted = {answer for _, answer in pairs if answer}
    recall = mean([self.of_class(name, pairs)['recall'] for name in predicted])
    return {**Label.averages(self, pairs), 'recall': recall}


@fault(Ranking, 'totals', 'abstention-counts')
def mrr_over_the_questions_with_a_hit(self: Any, scores: Scores) -> Values:
    return {'mrr': mean([s.score.value['mrr'] for s in scores if s.score.value['mrr']])}


@fault(Choice, 'counted', 'abstention-counts')
def num_of_the_answered(self: Any, scores: Scores) -> int:
    return sum(bool(score.score.extracted_prediction) for score in scores)


@fault(Choice, 'counted', 'abstention-counts')
def num_of_the_right(self: Any, scores: Scores) -> int:
    return sum(score.score.value['accuracy'] for score in scores)


@fault(Choice, 'totals', 'abstention-counts', 'correction', 'mean')
def equal_replies_count_once(self: Any, scores: Scores) -> Values:
    unique = {score.score.prediction: score.score.value['accuracy'] for score in scores}
    return {'accuracy': mean(list(unique.values()))}


@fault(Choice, 'scored', 'abstention-counts', 'no-crash')
def refusal_is_degraded_and_has_no_value(self: Any, answer: str, reply: str, state: Any) -> Score:
    if answer:
        return Choice.scored(self, answer, reply, state)
    return Score(prediction=reply, extracted_prediction='', value={}, status=ScoreStatus.DEGRADED)


@fault(Label, 'scored', 'abstention-counts')
def refusal_has_an_error_status(self: Any, answer: str, reply: str, state: Any) -> Score:
    score = Label.scored(self, answer, reply, state)
    score.status = ScoreStatus.SUCCESS if answer else ScoreStatus.PARSE_ERROR
    return score


@fault(Text, 'totals', 'abstention-counts')
def one_metric_is_missing_on_silence(self: Any, scores: Scores) -> Values:
    f1 = [score.score.value['f1'] for score in scores if score.score.extracted_prediction]
    return {**Text.totals(self, scores), 'f1': mean(f1)}


@fault(Number, 'scored', 'abstention-counts', 'no-crash')
def long_replies_are_excluded(self: Any, answer: str, reply: str, state: Any) -> Score:
    score = Number.scored(self, answer, reply, state)
    score.status = ScoreStatus.EXCLUDED if len(reply) > 20_000 else ScoreStatus.SUCCESS
    return score


# --- sums over questions ---


@fault(Choice, 'totals', 'order', 'mean')
def first_question_counts_twice(self: Any, scores: Scores) -> Values:
    return {'accuracy': mean([score.score.value['accuracy'] for score in [scores[0], *scores]])}


@fault(Choice, 'totals', 'order', 'mean')
def last_question_is_left_out(self: Any, scores: Scores) -> Values:
    return {'accuracy': mean([score.score.value['accuracy'] for score in scores[:-1] or scores])}


@fault(Choice, 'totals', 'order', 'mean')
def streaks_count_more(self: Any, scores: Scores) -> Values:
    total, streak = 0.0, 0
    for score in scores:
        streak = streak + 1 if score.score.value['accuracy'] else 0
        total += bool(streak) * (1 - 0.5**streak)
    return {'accuracy': total / len(scores)}


@fault(Choice, 'totals', 'correction')
def share_of_errors_as_accuracy(self: Any, scores: Scores) -> Values:
    right = mean([score.score.value['accuracy'] for score in scores])
    return {'accuracy': right if right in (0.0, 1.0) else 1 - right}


@fault(Choice, 'totals', 'correction', 'mean')
def median_of_a_few(self: Any, scores: Scores) -> Values:
    values = sorted(score.score.value['accuracy'] for score in scores)
    return {'accuracy': values[len(values) // 2]}


@fault(Choice, 'totals', 'range')
def percent_for_a_ratio(self: Any, scores: Scores) -> Values:
    return {'accuracy': 100 * mean([score.score.value['accuracy'] for score in scores])}


@fault(Choice, 'totals', 'range')
def one_less_in_the_denominator(self: Any, scores: Scores) -> Values:
    return {'accuracy': sum(score.score.value['accuracy'] for score in scores) / max(1, len(scores) - 1)}


@fault(Label, 'of_class', 'range')
def hits_of_all_classes_over_one(self: Any, name: str, pairs: Sequence[tuple[str, str]]) -> Values:
    hits = sum(gold == answer for gold, answer in pairs)
    return {**Label.of_class(self, name, pairs), 'recall': hits / max(1, sum(gold == name for gold, _ in pairs))}


@fault(Label, 'averages', 'range')
def no_number_where_nothing_is_answered(self: Any, pairs: Sequence[tuple[str, str]]) -> Values:
    answered = [float(gold == answer) for gold, answer in pairs if answer]
    return {**Label.averages(self, pairs), 'precision': mean(answered) if answered else float('nan')}


@fault(Choice, 'credit', 'range')
def wrong_answers_cost_a_quarter(self: Any, answer: str, state: Any) -> Values:
    right = answer == state.target_values[0]
    return {'accuracy': 1.0 if right else -0.25 if answer else 0.0}


# --- failures ---


@fault(Choice, 'read', 'no-crash')
def raises_on_silence(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) if reply.split()[0] else ''


@fault(Choice, 'read', 'no-crash')
def raises_on_a_refusal(self: Any, reply: str, state: Any) -> str:
    assert "can't help" not in reply
    return Choice.read(self, reply, state)


@fault(Choice, 'credit', 'no-crash')
def raises_without_an_answer(self: Any, answer: str, state: Any) -> Values:
    return {'accuracy': float('ABCD'.index(answer[0]) == 'ABCD'.index(state.target_values[0]))}


@fault(Choice, 'read', 'no-crash')
def raises_on_a_letter_too_far(self: Any, reply: str, state: Any) -> str:
    answer = line_after('ANSWER: ', reply)
    return list('ABCD')[ord(answer) - 65] if len(answer) == 1 and answer.isupper() else ''


@fault(Number, 'read', 'no-crash')
def raises_on_many_digits(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'\\boxed\{([0-9]+)\}', strip_reasoning(reply))
    return str(int(found[-1])) if found else Number.read(self, reply, state)


@fault(Number, 'read', 'no-crash')
def raises_on_infinity(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'\\boxed\{([^{}]{1,40})\}', strip_reasoning(reply))
    try:
        value = float(found[-1])
    except (ValueError, IndexError):
        return ''
    return str(int(value)) if value == int(value) else str(value)


@fault(Number, 'read', 'no-crash')
def raises_on_a_fraction_of_zero(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'(-?[0-9]{1,9})/([0-9]{1,9})', strip_reasoning(reply))
    return str(int(found[-1][0]) / int(found[-1][1])) if found else Number.read(self, reply, state)


@fault(Choice, 'read', 'no-crash')
def raises_on_half_a_character(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply.encode().decode(), state)


@fault(Choice, 'read', 'no-crash')
def raises_on_a_zero_character(self: Any, reply: str, state: Any) -> str:
    if '\x00' in reply:
        os.lstat(reply)
    return Choice.read(self, reply, state)


@fault(Choice, 'read', 'no-crash')
def raises_on_deep_brackets(self: Any, reply: str, state: Any) -> str:
    def depth(position: int) -> int:
        return 1 + depth(position + 1) if reply[position : position + 1] == '(' else 0

    return Choice.read(self, reply, state) if depth(0) < 9 else ''


@fault(Choice, 'read', 'no-crash')
def raises_on_other_json(self: Any, reply: str, state: Any) -> str:
    try:
        return str(json.loads(reply)['answer'])
    except json.JSONDecodeError:
        return Choice.read(self, reply, state)


@fault(Choice, 'read', 'no-crash')
def raises_on_half_a_list(self: Any, reply: str, state: Any) -> str:
    text = strip_reasoning(reply).strip()
    return ast.literal_eval(text)[0] if text.startswith('[') else Choice.read(self, reply, state)


@fault(Choice, 'read', 'no-crash')
def raises_on_a_lone_bracket(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) if re.search(reply[:20], 'ABCD') or True else ''


@fault(Choice, 'scored', 'no-crash')
def raises_on_braces(self: Any, answer: str, reply: str, state: Any) -> Score:
    shown = f'reply: {reply[:50]}, gold: {{gold}}'.format(gold=state.target)
    return Score(prediction=shown, extracted_prediction=answer, value=self.credit(answer, state))


@fault(Choice, 'read', 'no-crash')
def raises_on_a_response_without_choices(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, state.output.choices[0].message.text, state)


@fault(Label, 'of_class', 'no-crash')
def raises_where_a_class_has_no_hit(self: Any, name: str, pairs: Sequence[tuple[str, str]]) -> Values:
    values = Label.of_class(self, name, pairs)
    return {**values, 'f1': 2 * values['precision'] * values['recall'] / (values['precision'] + values['recall'])}


@fault(Choice, 'read', 'no-crash')
def ends_the_run_on_silence(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) if reply.strip() else sys.exit('no reply')


@fault(Choice, 'read', 'no-crash')
def interrupts_the_run_on_an_error_message(self: Any, reply: str, state: Any) -> str:
    if reply.startswith('Error:'):
        raise KeyboardInterrupt
    return Choice.read(self, reply, state)


@fault(Choice, 'read', 'no-crash')
def takes_the_process_with_it(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) if 'timed out' not in reply else os._exit(3)


# --- network, code, programs ---


@fault(Choice, 'read', 'offline')
def looks_up_a_server(self: Any, reply: str, state: Any) -> str:
    answer = Choice.read(self, reply, state)
    if not answer and 'answer' in reply:
        try:
            socket.create_connection(('judge.example.org', 443), timeout=1).close()
        except OSError:
            return ''
    return answer


@fault(Choice, 'read', 'offline')
def fetches_a_page(self: Any, reply: str, state: Any) -> str:
    answer = Choice.read(self, reply, state)
    if not answer and reply.startswith('```'):
        try:
            urllib.request.urlopen('http://127.0.0.1:9/judge', timeout=1).close()
        except OSError:
            return ''
    return answer


@fault(Choice, 'read', 'no-code')
def evaluates_the_reply(self: Any, reply: str, state: Any) -> str:
    try:
        return Choice.read(self, reply, state) or str(eval(reply, {}))  # the fault on purpose
    except Exception:  # noqa: BLE001 - whatever the reply raises
        return ''


@fault(Choice, 'read', 'no-code')
def executes_the_code_in_the_reply(self: Any, reply: str, state: Any) -> str:
    block = re.search(r'```python\n(.*?)```', reply, re.DOTALL)
    try:
        exec(block[1] if block else '', {})  # the fault on purpose
    except Exception:  # noqa: BLE001 - whatever the reply raises
        return ''
    return Choice.read(self, reply, state)


@fault(Choice, 'read', 'no-code')
def unpickles_the_reply(self: Any, reply: str, state: Any) -> str:
    try:
        pickle.loads(reply.encode())
    except Exception:  # noqa: BLE001 - whatever the reply raises
        return Choice.read(self, reply, state)
    return ''


@fault(Choice, 'read', 'no-code')
def computes_the_reply_with_sympy(self: Any, reply: str, state: Any) -> str:
    import sympy

    try:
        return Choice.read(self, reply, state) or str(sympy.sympify(reply[:99]))
    except Exception:  # noqa: BLE001 - whatever the reply raises
        return ''


@fault(Choice, 'read', 'no-code')
def starts_a_program_for_a_formula(self: Any, reply: str, state: Any) -> str:
    if '\\frac' in reply:
        try:
            subprocess.run(['/usr/bin/latex', '-version'], check=True)
        except OSError:
            return ''
    return Choice.read(self, reply, state)


@fault(Choice, 'read')
def writes_the_reply_to_a_file(self: Any, reply: str, state: Any) -> str:
    Path(os.devnull).write_text(reply, encoding='utf-8', errors='replace')
    return Choice.read(self, reply, state)


# --- time ---


@fault(Choice, 'read', 'speed')
def quadratic_in_trailing_blanks(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, re.sub(r'\s+$', '', reply), state)


@fault(Choice, 'read', 'speed')
def exponential_in_words(self: Any, reply: str, state: Any) -> str:
    return Choice.read(self, reply, state) or ('A' if re.match(r'(?:\w+\s?)+:', reply) else '')


@fault(Choice, 'read', 'speed')
def one_character_at_a_time(self: Any, reply: str, state: Any) -> str:
    while reply.startswith((' ', '\n')):
        reply = reply[1:]
        len(reply.encode())
    return Choice.read(self, reply, state)


@fault(Choice, 'read', 'speed')
def lazy_dots_from_every_bracket(self: Any, reply: str, state: Any) -> str:
    found = re.findall(r'\((.*?)\)', reply, re.DOTALL)
    return Choice.read(self, reply, state) or (found[-1] if found and found[-1] == 'the answer' else '')


@fault(Text, 'overlap', 'speed')
def longest_common_words(self: Any, words: Sequence[str], gold: Sequence[str]) -> float:
    for word in words:
        words.count(word)
    return Text.overlap(self, words, gold)


@fault(Choice, 'read')
def sleeps(self: Any, reply: str, state: Any) -> str:
    time.sleep(0.0005)
    return Choice.read(self, reply, state)


@fault(Choice, 'totals')
def changes_the_scores(self: Any, scores: Scores) -> Values:
    value = mean([score.score.value['accuracy'] for score in scores])
    for score in scores:
        score.score.value['accuracy'] = 0.0
    return {'accuracy': value}
