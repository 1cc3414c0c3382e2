"""Checks of single replies: what earns credit that should not, and what should and does not."""

from collections.abc import Iterator

from ..cases.formats import fill
from ..cases.non_answers import BLANK, EMPTY, CannedReply, cut_off_replies, non_answers
from ..cases.questions import LABEL, LETTER, NUMBER, TEXT, Question, with_gold
from ..measures import Metric
from ..results import Finding
from ..scoring.calibration import find_right, find_wrong, graded
from ..scoring.scorer import Outcome
from ..scoring.tracing import extracting
from ..subject import Subject
from .findings import FailingCases, NotApplicable

_HALF = 0.5
_SHORT_ANSWER = 80
"""Characters of a right reply that is an answer, and not a transcript or a translation."""
_TRACE_PER_QUESTION = 12
_SEEDS = range(1, 6)
_DEGENERATE_GOLDS = ('The', 'an', '...')
_NORMAL_GOLD = 'Reykjavik'


def check_non_answers(subject: Subject) -> Iterator[Finding]:
    """Score replies that answer nothing, against every gold."""
    cases = FailingCases(subject, 'non-answer')
    tried = False
    for question in _fewer_numbers(subject.questions):
        if question.declines:
            continue
        tried = True
        subject.progress('non-answer', question.gold)
        credited = [
            (canned, metric, outcome)
            for canned in subject.non_answers(question)
            for metric, outcome in [_credited(subject, question, canned)]
            if metric is not None
        ]
        _add(cases, subject, question, credited)
    if not tried:
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
        credited = [
            (canned, metric, outcome)
            for canned in replies
            for metric, outcome in [_credited(subject, question, canned)]
            if metric is not None
        ]
        _add(cases, subject, question, credited)
    if not tried:
        raise NotApplicable('a right reply is a whole text, of which a reply that is cut off may be a part')
    yield from cases


def check_requested_format(subject: Subject) -> Iterator[Finding]:
    """Score the gold answer in the format that the prompt spells out, alone and after a few words."""
    cases = FailingCases(subject, 'requested-format')
    tried = False
    for question in subject.questions:
        requested = question.requested_formats
        if not requested and question.right not in question.demonstrations and not question.stated.right:
            continue
        tried = True
        subject.progress('requested-format', question.gold)
        for reply in question.stated.right:
            outcome = subject.scorer.score(question.sample, reply)
            if not _as_good(question, outcome):
                _add_refused(cases, subject, question, reply, outcome)
        replies = [fill(form, answer) for form in requested for answer in question.answers] or [question.right]
        outcomes = [subject.scorer.score(question.sample, reply) for reply in replies]
        full = [reply for reply, outcome in zip(replies, outcomes, strict=True) if _as_good(question, outcome)]
        if not full:
            outcome = outcomes[0]
            _add_refused(cases, subject, question, replies[0], outcome)
            continue
        other = question.others[0] if question.others else 'the other one'
        reasoned = f'Let me compare. {other} does not fit what was asked.\n\n{full[0]}'
        if question.kind in (LETTER, LABEL) and _allows_reasoning(question.prompt):
            outcome = subject.scorer.score(question.sample, reasoned)
            if not _as_good(question, outcome):
                _add_refused(cases, subject, question, reasoned, outcome)
    if not tried:
        raise NotApplicable('neither the prompt nor a demonstration spells out a reply format')
    yield from cases


def check_degenerate_gold(subject: Subject) -> Iterator[Finding]:
    """Give a free-text question a gold that normalises to nothing, and score replies that hold no answer."""
    base = next((question for question in subject.questions if question.kind in (TEXT, NUMBER)), None)
    if base is None or subject.whole_texts:
        raise NotApplicable('its gold answers are not short free text')
    if base.kind == NUMBER and not _takes_text(subject, base):
        raise NotApplicable('its gold answers are numbers')
    cases = FailingCases(subject, 'degenerate-gold')
    for gold in (_NORMAL_GOLD, *_DEGENERATE_GOLDS):
        question = Question(with_gold(base.sample, gold), gold, TEXT, [gold], base.others, prompt=base.prompt)
        if gold == _NORMAL_GOLD:
            if not _calibrated(subject, base, question):
                raise NotApplicable('its gold answer is not only in the target of the question')
            normal = question
            continue
        # What a right reply earns on this metric is known from the ordinary gold.
        question.right_metrics, question.wrong_metrics = normal.right_metrics, normal.wrong_metrics
        question.judged, question.right, question.wrong = normal.judged, normal.right, normal.wrong
        # A lone punctuation mark normalises to the same as such a gold; only what holds no word surely is no answer.
        # And where a metric looks for the gold inside the reply, a reply that holds it is no case.
        replies = [
            canned for canned in non_answers() if canned.kind != EMPTY and gold.casefold() not in canned.text.casefold()
        ]
        credited = [
            (canned, metric, outcome)
            for canned in replies
            for metric, outcome in [_credited(subject, question, canned)]
            if metric is not None and not _credited(subject, normal, canned)[0]
        ]
        _add(cases, subject, question, credited)
    yield from cases


def _takes_text(subject: Subject, base: Question) -> bool:
    question = Question(
        with_gold(base.sample, _NORMAL_GOLD), _NORMAL_GOLD, TEXT, [_NORMAL_GOLD], ['zebra'], prompt=base.prompt
    )
    return _calibrated(subject, base, question)


def _calibrated(subject: Subject, base: Question, question: Question) -> bool:
    formats = [base.right_format] if base.right_format else subject.formats
    return find_right(question, subject.scorer, formats) and find_wrong(question, subject.scorer)


def _fewer_numbers(questions: list[Question]) -> list[Question]:
    """Leave out numeric golds but the example's and 0, which a failed parse may give."""
    return [
        question
        for number, question in enumerate(questions)
        if question.kind != NUMBER or number == 0 or question.gold == '0'
    ]


def _credited(subject: Subject, question: Question, canned: CannedReply) -> tuple[Metric | None, Outcome]:
    """Return the first metric on which a reply earns at least half of full credit, whatever the random seed.

    Overlap metrics give any text a little; a blank reply may earn nothing at all.
    """
    outcome = subject.scorer.score(question.sample, canned.text)
    if outcome.failed:
        return None, outcome
    least = 0.01 if canned.kind == BLANK else _HALF
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


def _add(
    cases: FailingCases,
    subject: Subject,
    question: Question,
    credited: list[tuple[CannedReply, Metric, Outcome]],
) -> None:
    """Confirm credited replies as a run scores them, trace the most telling, and add them."""

    def least_telling(case: tuple[CannedReply, Metric, Outcome]) -> tuple[bool, bool, int]:
        return case[0].text != '', case[0].kind in (BLANK, EMPTY), len(case[0].text)

    for canned, metric, _ in sorted(credited, key=least_telling)[:_TRACE_PER_QUESTION]:
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
        )


def _add_refused(cases: FailingCases, subject: Subject, question: Question, reply: str, outcome: Outcome) -> None:
    confirmed = subject.scorer.score_as_run(question.sample, reply)
    if _as_good(question, confirmed):
        return
    measured = graded(confirmed.metrics)
    cause = outcome.cause or subject.scorer.scoring_owner()
    calls, _ = subject.scorer.trace(question.sample, reply)
    cause = extracting(calls, confirmed.extracted) or cause
    cases.add(
        cause,
        reply,
        question.gold,
        measured[0].metric.name if measured else '',
        measured[0].value if measured else None,
        'full credit',
    )


def _as_good(question: Question, outcome: Outcome) -> bool:
    """Whether a reply earns as much as the best known one."""
    return not outcome.failed and all(
        metric.name in outcome.metrics
        and not metric.better(question.right_metrics[metric.name].value, outcome.metrics[metric.name].value)
        for metric in question.judged
    )


def _allows_reasoning(prompt: str) -> bool:
    """Whether the prompt asks to think, or for a last line, so that text may come before the answer."""
    folded = prompt.casefold()
    return any(words in folded for words in ('last line', 'step by step', 'at the end', '最后一行', '一步步'))
