"""Checks that the right answer in the requested format earns full credit, and that another answer does not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..cases.formats import ANSWER, fill
from ..cases.questions import LABEL, LETTER, NUMBER, TEXT, Question
from ..measures import OF_QUESTIONS, Metric
from ..results import Finding
from ..scoring.calibration import graded, is_full_credit
from ..scoring.scorer import Outcome
from ..subject import Subject
from .findings import FailingCases, NotApplicable
from .refusals import refusing

_SMALL = 0.01
"""Of full credit."""


def check_requested_format(subject: Subject) -> Iterator[Finding]:
    """Score the gold answer in the format that the prompt spells out: alone, after a few words, and after reasoning.

    A gold for which no reply was right is looked at too, where another gold of the same prompt earns credit in that
    format.
    """
    cases = FailingCases(subject, 'requested-format')
    tried = False
    for question in subject.questions:
        requested = question.requested_formats
        if not requested and question.right not in question.demonstrations and not question.stated.right:
            continue
        tried = True
        subject.progress('requested-format', question.gold)
        for reply in question.stated.right:
            if not _as_good(question, subject.scorer.score(question.sample, reply)):
                _add_refused(cases, subject, question, reply, question)
        replies = [fill(form, answer) for form in requested for answer in question.answers] or [question.right]
        outcomes = [subject.scorer.score(question.sample, reply) for reply in replies]
        full = [reply for reply, outcome in zip(replies, outcomes, strict=True) if _as_good(question, outcome)]
        if not full or (question.multiple and not _all_are_right(question, full)):
            _add_refused(cases, subject, question, replies[0], question)
            continue
        for reply in _after_other_answers(question, full[0]):
            outcome = subject.scorer.score(question.sample, reply)
            if not _as_good(question, outcome):
                _add_refused(cases, subject, question, reply, question)
    for question, known, reply in _golds_that_never_earn(subject):
        _add_refused(cases, subject, _judged_like(question, known), reply, known)
    if not tried and not list(cases):
        raise NotApplicable('neither the prompt nor a demonstration spells out a reply format')
    yield from cases


def _all_are_right(question: Question, replies: Sequence[str]) -> bool:
    """Whether the reply with every right option is among replies that earn full credit."""
    every = question.answers[:2]  # 'AC' and 'A,C'
    return any(answer in reply for reply in replies for answer in every)


def _after_other_answers(question: Question, reply: str) -> Iterator[str]:
    """Yield a right reply after words that reject another answer, and after finished reasoning that guessed one."""
    if question.kind not in (LETTER, LABEL):
        return
    other = question.others[0] if question.others else 'the other one'
    if _allows_reasoning(question.prompt):
        yield f'Let me compare. {other} does not fit what was asked.\n\n{reply}'
    if question.wrong and not question.multiple:
        yield f'<think>\nMy first guess is this:\n{question.wrong}\nNo, on second thoughts.\n</think>\n\n{reply}'


def _golds_that_never_earn(subject: Subject) -> Iterator[tuple[Question, Question, str]]:
    """Yield questions without a right reply, a question that is the same but for its gold, and the reply refused.

    Only where the other gold's reply earns nothing here, so that the gold is where scoring looks for it. Numbers and
    texts that the benchmark is not known to ask for count where others made up like them are credited.
    """
    for question in subject.uncalibrated:
        if question.as_good:
            continue  # where wrong answers are as good, that is another rule's finding
        same = [known for known in subject.questions if known.prompt == question.prompt and known.right_format]
        known = next((one for one in same if one is not question and _alike(one, question)), None)
        if known is None or not question.answers or (question.kind == NUMBER and question.made_up):
            continue
        if not _is_asked_for(known.right_format, question) or _earns(subject, question, known.right):
            continue
        reply = fill(known.right_format, question.answers[0])
        outcome = subject.scorer.score(question.sample, reply)
        if not outcome.failed and _earns_nothing(known, outcome):
            yield question, known, reply


def _is_asked_for(form: str, question: Question) -> bool:
    """Whether a prompt spells a format out, or names the gold as one of the labels to answer with."""
    named = question.kind == LABEL and re.search(rf'(?<!\w){re.escape(question.gold)}(?!\w)', question.prompt)
    return form in question.requested_formats or (form == ANSWER and bool(named))


def _earns_nothing(known: Question, outcome: Outcome) -> bool:
    """Whether a reply earns nothing by a metric that gives another gold's reply full credit."""
    return any(
        metric.name in outcome.metrics
        and is_full_credit(known.right_metrics[metric.name])
        and known.credit(metric, outcome.metrics[metric.name].value) < _SMALL
        for metric in known.judged
        if metric.semantic_id in OF_QUESTIONS
    )


def _judged_like(question: Question, known: Question) -> Question:
    judged = [metric for metric in known.judged if metric.semantic_id in OF_QUESTIONS]
    return replace(question, right_metrics=known.right_metrics, judged=judged)


def _alike(known: Question, question: Question) -> bool:
    return known.kind == question.kind and (question.kind != TEXT or known.made_up or not question.made_up)


def _earns(subject: Subject, question: Question, reply: str) -> bool:
    outcome = subject.scorer.score(question.sample, reply)
    nothing = subject.scorer.score(question.sample, '')
    return not outcome.failed and any(
        measured.metric.name in nothing.metrics
        and measured.metric.better(measured.value, nothing.metrics[measured.metric.name].value)
        for measured in graded(outcome.metrics)
    )


def check_wrong_answers(subject: Subject) -> Iterator[Finding]:
    """Look for options, labels and numbers that earn full credit where another is the gold."""
    cases = FailingCases(subject, 'wrong-answer')
    tried = False
    for question in subject.uncalibrated:
        if question.kind not in (LETTER, LABEL, NUMBER) or question.multiple or not question.right_format:
            continue
        tried = True
        subject.progress('wrong-answer', question.gold)
        for reply in question.as_good:
            outcome = subject.scorer.score_as_run(question.sample, reply)
            measured = graded(outcome.metrics)
            if outcome.failed or not measured:
                continue
            cause = subject.credit_cause(question, reply, outcome, measured[0].metric)
            expected = 'less than the right answer'
            cases.add(cause, reply, question.gold, measured[0].metric.name, measured[0].value, expected)
    if not tried:
        raise NotApplicable('its answers are no options, labels or numbers')
    yield from cases


def _add_refused(cases: FailingCases, subject: Subject, question: Question, reply: str, full: Question) -> None:
    """Add a right reply that earns less than it should, confirmed as a run scores it.

    Args:
        full: A question whose right reply earns full credit; it may be the same.
    """
    confirmed = subject.scorer.score_as_run(question.sample, reply)
    short = [metric for metric in question.judged if not _as_good_by(question, confirmed, metric)]
    if not short:
        return
    metric = short[0]
    cause = confirmed.cause or refusing(
        subject, question.sample, reply, question.answers[:1], metric, (full.sample, full.right)
    )
    measured = confirmed.metrics.get(metric.name)
    value = measured.value if measured and not confirmed.failed else None
    cases.add(cause, reply, question.gold, metric.name, value, 'full credit')


def _as_good(question: Question, outcome: Outcome) -> bool:
    """Whether a reply earns as much as the best known one."""
    return all(_as_good_by(question, outcome, metric) for metric in question.judged)


def _as_good_by(question: Question, outcome: Outcome, metric: Metric) -> bool:
    return (
        not outcome.failed
        and metric.name in outcome.metrics
        and not metric.better(question.right_metrics[metric.name].value, outcome.metrics[metric.name].value)
    )


def _allows_reasoning(prompt: str) -> bool:
    """Whether the prompt asks to think, or for a last line, so that text may come before the answer."""
    folded = prompt.casefold()
    return any(words in folded for words in ('last line', 'step by step', 'at the end', '最后一行', '一步步'))
