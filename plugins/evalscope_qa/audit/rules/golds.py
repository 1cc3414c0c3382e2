"""Checks of what stands in the gold: one that normalises to nothing, an empty set of two, several that are accepted."""

from collections.abc import Iterator, Sequence

from ..cases.formats import fill
from ..cases.gold_sets import without_each_set
from ..cases.non_answers import BLANK, EMPTY, CannedReply, non_answers
from ..cases.questions import NUMBER, TEXT, Question, gold_values, with_gold
from ..measures import Metric
from ..results import Finding
from ..scoring.calibration import find_right, find_wrong, is_full_credit
from ..scoring.scorer import Outcome
from ..subject import Subject
from .findings import FailingCases, NotApplicable
from .refusals import refusing
from .single_replies import add_credited, credited

_NORMAL_GOLD = 'Reykjavik'
_DEGENERATE_GOLDS = ('The', 'an', '...')
_NOTHING_IN_WORDS = ('None', 'nan')
"""What Python writes where there is nothing: a reply may say so and be right, silence is not that."""
_MADE_UP = 'the dataset has such a gold; the audit made it up'
_MAX_GOLDS = 8
_SMALL = 0.01
"""Of full credit."""


def check_degenerate_gold(subject: Subject) -> Iterator[Finding]:
    """Score replies that hold no answer against a free-text gold that normalises to nothing, and an emptied set."""
    cases = FailingCases(subject, 'degenerate-gold')
    tried = _emptied_sets(cases, subject)
    try:
        _short_texts(cases, subject)
    except NotApplicable:
        if not tried:
            raise
    yield from cases


def _short_texts(cases: FailingCases, subject: Subject) -> None:
    base = next((question for question in subject.questions if question.kind in (TEXT, NUMBER)), None)
    if base is None or subject.whole_texts:
        raise NotApplicable('its gold answers are not short free text')
    if base.kind == NUMBER and not _takes_text(subject, base):
        raise NotApplicable('its gold answers are numbers')
    normal = _with_text(base, _NORMAL_GOLD)
    if not _calibrated(subject, base, normal):
        raise NotApplicable('its gold answer is not only in the target of the question')
    for gold in (*_DEGENERATE_GOLDS, *_NOTHING_IN_WORDS):
        question = _with_text(base, gold)
        # What a right reply earns on this metric is known from the ordinary gold.
        _measured_like(question, normal)
        # A lone punctuation mark normalises to the same as such a gold; only what holds no word surely is no answer.
        # And where a metric looks for the gold inside the reply, a reply that holds it is no case.
        replies = [
            canned
            for canned in non_answers()
            if canned.kind != EMPTY
            and gold.casefold() not in canned.text.casefold()
            and (canned.kind == BLANK or gold not in _NOTHING_IN_WORDS)
        ]
        _add(cases, subject, question, normal, replies)


def _emptied_sets(cases: FailingCases, subject: Subject) -> bool:
    """Empty one of the sets of a gold that has several; return whether there was one."""
    tried = False
    for normal in subject.questions[:2]:
        for name, sample in without_each_set(normal.sample):
            tried = True
            gold = f'{normal.gold}, with {name} emptied'
            question = Question(sample, gold, TEXT, normal.answers, normal.others, prompt=normal.prompt)
            _measured_like(question, normal)
            _add(cases, subject, question, normal, [canned for canned in non_answers() if canned.kind != EMPTY])
    return tried


def _add(
    cases: FailingCases, subject: Subject, question: Question, normal: Question, replies: Sequence[CannedReply]
) -> None:
    earning = [
        (canned, metric, outcome)
        for canned in replies
        for metric, outcome in [credited(subject, question, canned)]
        if metric is not None and not credited(subject, normal, canned)[0]
    ]
    add_credited(cases, subject, question, earning, _MADE_UP)


def _with_text(base: Question, gold: str) -> Question:
    return Question(with_gold(base.sample, gold), gold, TEXT, [gold], base.others, prompt=base.prompt)


def _measured_like(question: Question, normal: Question) -> None:
    question.right_metrics, question.wrong_metrics = normal.right_metrics, normal.wrong_metrics
    question.judged, question.right, question.wrong = normal.judged, normal.right, normal.wrong


def _takes_text(subject: Subject, base: Question) -> bool:
    question = _with_text(base, _NORMAL_GOLD)
    question.others = ['zebra']
    return _calibrated(subject, base, question)


def _calibrated(subject: Subject, base: Question, question: Question) -> bool:
    formats = [base.right_format] if base.right_format else subject.formats
    return find_right(question, subject.scorer, formats) and find_wrong(question, subject.scorer)


def check_several_golds(subject: Subject) -> Iterator[Finding]:
    """Answer a question that lists several golds with each of them; one may earn less than another, but not nothing."""
    cases = FailingCases(subject, 'several-golds')
    tried = False
    for question in subject.uncalibrated:
        golds = list(dict.fromkeys(gold_values(question.sample.target)))
        if question.kind != TEXT or question.multiple or len(golds) < 2:
            continue
        known = next((one for one in (question, *subject.questions) if one.judged and one.right_format), None)
        if known is None or (known is not question and known.prompt != question.prompt):
            continue
        tried = True
        subject.progress('several-golds', question.gold)
        replies = {gold: fill(known.right_format, gold) for gold in golds[:_MAX_GOLDS]}
        outcomes = {gold: subject.scorer.score(question.sample, reply) for gold, reply in replies.items()}
        full = [gold for gold, outcome in outcomes.items() if all(_is_full(outcome, one) for one in known.judged)]
        if not full and not isinstance(question.sample.target, list):
            continue  # a list printed into the target may be a set of which all are wanted
        control = (question.sample, replies[full[0]]) if full else (known.sample, known.right)
        for gold, outcome in outcomes.items():
            metric = next((one for one in known.judged if _earns_nothing(known, outcome, one)), None)
            if metric is not None:
                cause = refusing(subject, question.sample, replies[gold], [gold], metric, control)
                measured = outcome.metrics.get(metric.name)
                value = measured.value if measured else None
                cases.add(cause, replies[gold], question.gold, metric.name, value, 'credit, as one of the golds')
    if not tried:
        raise NotApplicable('no question lists several golds of which one is enough')
    yield from cases


def _is_full(outcome: Outcome, metric: Metric) -> bool:
    return not outcome.failed and metric.name in outcome.metrics and is_full_credit(outcome.metrics[metric.name])


def _earns_nothing(known: Question, outcome: Outcome, metric: Metric) -> bool:
    measured = None if outcome.failed else outcome.metrics.get(metric.name)
    return measured is None or known.credit(metric, measured.value) < _SMALL
