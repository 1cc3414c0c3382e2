"""Checks of single replies that earn credit and should not: those that answer nothing, or stop before the answer."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from ..cases.non_answers import BLANK, ECHO, CannedReply, cut_off_replies, non_answers
from ..cases.questions import NUMBER, TEXT, Question
from ..measures import LEAST_CREDIT, LEAST_OF_BLANK, Metric
from ..results import Finding
from ..scoring.scorer import Outcome
from ..subject import Subject
from .findings import FailingCases, NotApplicable

_SHORT_ANSWER = 80
"""Characters of a right reply that is an answer, and not a transcript or a translation."""
_TRACE_PER_QUESTION = 48
_SEEDS = range(1, 6)
_LABELLED = 40
"""Characters of a line that is an answer behind a label."""
_REPEATED = 'a model repeats the prompt, in which an example is answered so'


def check_non_answers(subject: Subject) -> Iterator[Finding]:
    """Score replies that answer nothing, against every gold."""
    cases = FailingCases(subject, 'non-answer')
    tried = False
    for question in _fewer_numbers(subject.questions):
        # Where the gold says that there is no answer, declining may be right, but silence is not.
        replies = [one for one in non_answers() if one.kind == BLANK] if question.declines else None
        tried = tried or replies is None
        subject.progress('non-answer', question.gold)
        earning = [
            (canned, metric, outcome)
            for canned in replies or subject.non_answers(question)
            for metric, outcome in [credited(subject, question, canned)]
            if metric is not None
        ]
        add_credited(cases, subject, question, earning)
    if not tried and not list(cases):
        raise NotApplicable('every gold answer at hand says that there is no answer')
    yield from cases


def check_cut_off(subject: Subject) -> Iterator[Finding]:
    """Score replies that stop inside the reasoning."""
    cases = FailingCases(subject, 'cut-off-reasoning')
    tried = False
    for question in _fewer_numbers(subject.questions):
        subject.progress('cut-off-reasoning', question.gold)
        kind = TEXT if question.multiple else question.kind
        answer = question.answers[0] if question.answers else question.right
        if subject.whole_texts or len(question.right) > _SHORT_ANSWER:
            continue
        tried = True
        replies = cut_off_replies(answer, question.others, question.right, kind)
        earning = [
            (canned, metric, outcome)
            for canned in replies
            for metric, outcome in [credited(subject, question, canned)]
            if metric is not None
        ]
        add_credited(cases, subject, question, earning)
    if not tried:
        raise NotApplicable('a right reply is a whole text, of which a reply that is cut off may be a part')
    yield from cases


def _fewer_numbers(questions: list[Question]) -> list[Question]:
    """Leave out numeric golds but the example's and 0, which a failed parse may give."""
    return [
        question
        for number, question in enumerate(questions)
        if question.kind != NUMBER or number == 0 or question.gold == '0'
    ]


def credited(subject: Subject, question: Question, canned: CannedReply) -> tuple[Metric | None, Outcome]:
    """Return the first metric on which a reply earns at least half of full credit, whatever the random seed.

    Overlap metrics give any text a little; a blank reply may earn nothing at all.
    """
    outcome = subject.scorer.score(question.sample, canned.text)
    if outcome.failed:
        return None, outcome
    least = LEAST_OF_BLANK if canned.kind == BLANK else LEAST_CREDIT
    for metric in question.judged:
        measured = outcome.metrics.get(metric.name)
        if measured is None or not question.credit(metric, measured.value) >= least:  # it may be no number
            continue
        if outcome.drew_random and not _credited_always(subject, question, canned, metric, least):
            continue
        return metric, outcome
    return None, outcome


def _credited_always(subject: Subject, question: Question, canned: CannedReply, metric: Metric, least: float) -> bool:
    for seed in _SEEDS:
        outcome = subject.scorer.score(question.sample, canned.text, seed)
        measured = None if outcome.failed else outcome.metrics.get(metric.name)
        if measured is None or not question.credit(metric, measured.value) >= least:  # it may be no number
            return False
    return True


def add_credited(
    cases: FailingCases,
    subject: Subject,
    question: Question,
    earning: list[tuple[CannedReply, Metric, Outcome]],
    condition: str = '',
) -> None:
    """Confirm credited replies as a run scores them, trace the most telling of each kind, and add them.

    Args:
        cases: The failing cases of the rule.
        subject: The benchmark.
        question: The question.
        earning: The replies that earn credit, each with the metric.
        condition: What has to be so besides.
    """
    for canned, metric, _ in _by_turns(earning)[:_TRACE_PER_QUESTION]:
        outcome = subject.scorer.score_as_run(question.sample, canned.text)
        measured = None if outcome.failed else outcome.metrics.get(metric.name)
        if measured is None or not question.credit(metric, measured.value) > 0:
            continue
        cause = subject.credit_cause(question, canned.text, outcome, metric)
        wrong = question.wrong_metrics[metric.name].value
        cases.add(
            cause,
            canned.text,
            question.gold,
            metric.name,
            measured.value,
            f'{wrong:g}, as a wrong answer',
            kind=canned.kind,
            question=question,
            condition=condition or _example_in(canned, question),
        )


def _by_turns(earning: list[tuple[CannedReply, Metric, Outcome]]) -> list[tuple[CannedReply, Metric, Outcome]]:
    """Return replies by length, one of each kind in turn: other functions may read those of another kind."""
    by_kind: dict[str, list[tuple[CannedReply, Metric, Outcome]]] = {}
    for case in sorted(earning, key=lambda case: len(case[0].text)):
        by_kind.setdefault(case[0].kind, []).append(case)
    return [case for turn in zip_longest(*by_kind.values()) for case in turn if case is not None]


def _example_in(canned: CannedReply, question: Question) -> str:
    """Return the condition on which a repeated prompt is no answer: one of its lines is the gold behind a label.

    The letter of an option is no such label.
    """
    if canned.kind != ECHO or not question.answers:
        return ''
    answers = '|'.join(re.escape(answer) for answer in question.answers)
    answered = re.compile(rf'\W*(?:(?![A-Za-z\d]\W)\w+\W+)?(?:{answers})\W*')
    lines = (line for line in canned.text.split('\n') if len(line) <= _LABELLED)
    return _REPEATED if any(answered.fullmatch(line) for line in lines) else ''
