"""Checks over ten questions: an unanswered one costs as much as a wrong one, and a correction never costs."""

from collections.abc import Iterator, Sequence

from ..cases.non_answers import non_answers
from ..cases.questions import Question
from ..measures import ERROR_RATE, OVERLAP, Measured, Metric
from ..results import Finding
from ..scoring.calibration import graded
from ..scoring.lost_replies import lost_in_a_loop
from ..scoring.tracing import Cause
from ..subject import Subject
from .aggregation import aggregation_cause
from .findings import FailingCases, NotApplicable

TEN = 10
_BAD = (8, 9)
"""The two of the ten that are wrong or not answered."""
_MAX_COMPOSITIONS = 6
_ABSTENTIONS = ('', 'I cannot answer this question.', '无法回答。')
_PRECISION = 'quality.precision.ratio'
_F1 = 'quality.f1.ratio'
_OF_ONE_CLASS = (_F1, 'quality.recall.ratio')
"""Metrics that may be of one class: a question of another is not in their denominator, whatever its reply."""


def ten_questions(subject: Subject, last: Question | None = None) -> list[Question]:
    """Return ten questions, the golds in turn; the last two are ``last`` if given."""
    questions = subject.questions
    ten = [questions[number % len(questions)] for number in range(TEN)]
    if last is not None:
        for number in _BAD:
            ten[number] = last
    return ten


def check_abstention(subject: Subject) -> Iterator[Finding]:
    """Compare ten right replies with eight right ones and two abstentions, and with eight right and two wrong ones.

    - An abstention is never left out: no ``num`` shrinks, and no score is excluded from the average.
    - Where two wrong answers cost, two abstentions cost at least half as much, on every quality metric but precision,
      which counts only what was answered. F1 may keep its value for a gold whose class it does not count, so abstaining
      must cost nothing for every gold to be a finding.
    - Two empty replies are no better than two wrong answers, on every quality metric but precision and F1.
    - One right reply and nine empty ones earn less than half of what ten right replies do, precision apart: a mean over
      the questions with a hit drops wrong answers too, so that those cost as little as abstentions. F1 and recall may
      be of the class of the right reply, so it must be so whatever the gold of that one is.
    """
    cases = FailingCases(subject, 'abstention-counts')
    _left_out(cases, subject)
    _left_out_in_a_loop(cases, subject)
    if subject.questions:
        _ten(cases, subject)
        _one_right(cases, subject)
    elif not list(cases):
        raise NotApplicable('no right reply is known')
    yield from cases


def _left_out(cases: FailingCases, subject: Subject) -> None:
    """Find non-answers whose question evalscope leaves out of the average although a right reply's is in it."""
    question = (subject.questions or subject.uncalibrated)[0]
    subject.progress('abstention-counts', question.gold)
    if not question.right and not subject.scorer.any_counts(question.sample):
        return  # nothing known of this example is in the average
    for canned in non_answers():
        if not subject.scorer.score(question.sample, canned.text).left_out:
            continue
        outcome = subject.scorer.score_as_run(question.sample, canned.text)
        if not outcome.left_out:
            continue
        owner = subject.scorer.loss_cause(question.sample, canned.text, outcome.left_out)
        detail = f'evalscope leaves the question out of the average ({outcome.left_out})'
        cases.add(owner, canned.text, question.gold, 'num', 0, '1: the question was asked', detail)
        return


def _left_out_in_a_loop(cases: FailingCases, subject: Subject) -> None:
    """Find a reply of a model in a loop whose question is left out of the average, which loses it as an error would."""
    question = (subject.questions or subject.uncalibrated)[0]
    if not question.right:
        return  # nothing known of this example is in the average
    subject.progress('abstention-counts', 'replies in a loop')
    for lost in lost_in_a_loop(subject.scorer, question.sample):
        detail = f'evalscope leaves the question out of the average ({lost.reason})'
        expected = '1: the question was asked'
        cases.add(lost.cause, None, question.gold, 'num', 0, expected, detail, shown_reply=lost.name)


def _ten(cases: FailingCases, subject: Subject) -> None:
    free_f1: dict[str, list[bool]] = {}
    f1_cases: dict[str, tuple] = {}
    for last in _distinct(subject.questions):
        subject.progress('abstention-counts', last.gold)
        ten = ten_questions(subject, last)
        right = _aggregate(subject, ten, [question.right for question in ten])
        wrong = _aggregate(subject, ten, _with_last(ten, last.wrong))
        if not right or not wrong:
            continue
        _wrong_leaves(cases, subject, ten, right, wrong, last)
        for abstention in _ABSTENTIONS:
            if not _earns_nothing(subject, last, abstention):
                continue
            replies = _with_last(ten, abstention)
            abstained = _aggregate(subject, ten, replies)
            if abstained is None:
                continue
            if _counts_differ(cases, subject, ten, replies, right, wrong, abstained, last, abstention):
                continue
            for key, measured in right.items():
                metric = measured.metric
                if not _compared(metric) or key not in wrong or key not in abstained:
                    continue
                values = measured.value, wrong[key].value, abstained[key].value
                if metric.semantic_id == _F1:
                    if metric.better(measured.value, wrong[key].value):
                        free_f1.setdefault(key, []).append(not metric.better(measured.value, abstained[key].value))
                        f1_cases[key] = (ten, replies, last, abstention, abstained[key], wrong[key])
                elif _too_cheap(metric, *values, blank=not abstention):
                    _add(cases, subject, ten, replies, last, abstention, abstained[key], wrong[key])
    for key, free_everywhere in free_f1.items():
        if all(free_everywhere):
            _add(cases, subject, *f1_cases[key])


def _one_right(cases: FailingCases, subject: Subject) -> None:
    """Compare one right reply and nine empty ones with ten right and ten empty ones."""
    cheap_of_class: dict[str, list[bool]] = {}
    of_class: dict[str, tuple] = {}
    for first in _distinct(subject.questions):
        subject.progress('abstention-counts', f'one right: {first.gold}')
        # Of another gold where there is one, because an average over the classes that were answered has one class then.
        others = [question for question in subject.questions if question.gold != first.gold] or subject.questions
        ten = [first, *(others[number % len(others)] for number in range(TEN - 1))]
        if not all(_earns_nothing(subject, question, '') for question in ten):
            continue  # another rule's finding
        right = _aggregate(subject, ten, [question.right for question in ten])
        empty = _aggregate(subject, ten, [''] * TEN)
        replies = [first.right, *[''] * (TEN - 1)]
        one = _aggregate(subject, ten, replies)
        if not right or not empty or not one:
            continue
        for key, measured in right.items():
            metric = measured.metric
            if not _compared(metric) or key not in empty or key not in one or measured.num < TEN:
                continue  # one of few questions: of a category, or of those that belong together
            full, nothing, value = measured.value, empty[key].value, one[key].value
            if not metric.better(full, nothing):
                continue
            cheap = abs(full - value) < abs(full - nothing) / 2
            case = ten, replies, first, key, value, f'less than half of the way from {nothing:g} to {full:g}'
            if metric.semantic_id in _OF_ONE_CLASS:
                cheap_of_class.setdefault(key, []).append(cheap)
                if cheap:
                    of_class.setdefault(key, case)
            elif cheap:
                _add_one_right(cases, subject, *case)
    for key, case in of_class.items():
        if all(cheap_of_class[key]):
            _add_one_right(cases, subject, *case)


def _add_one_right(
    cases: FailingCases,
    subject: Subject,
    ten: Sequence[Question],
    replies: Sequence[str],
    first: Question,
    key: str,
    value: float,
    expected: str,
) -> None:
    cause = _owner(subject, ten, replies, key, value)
    cases.add(cause, None, first.gold, key, value, expected, '', f'1 right reply and 9 times {""!r}')


def _too_cheap(metric: Metric, right: float, wrong: float, abstained: float, blank: bool) -> bool:
    """Whether abstaining costs less than half of what wrong answers cost; for a blank reply, less at all.

    An overlap metric may think a little better of one text without a word of the right one than of another.
    """
    if metric.better(right, wrong) and (
        abs(right - abstained) < abs(right - wrong) / 2 or not metric.better(right, abstained)
    ):
        return True
    return blank and metric.semantic_id not in OVERLAP and metric.better(abstained, wrong)


def _distinct(questions: Sequence[Question]) -> list[Question]:
    by_gold = {question.gold: question for question in reversed(questions) if not question.declines}
    return list(by_gold.values())[::-1][:_MAX_COMPOSITIONS]


def _with_last(ten: Sequence[Question], reply: str) -> list[str]:
    return [reply if number in _BAD else question.right for number, question in enumerate(ten)]


def _aggregate(subject: Subject, ten: Sequence[Question], replies: Sequence[str | None]) -> dict[str, Measured] | None:
    scores = _scores(subject, ten, replies)
    return None if scores is None else subject.scorer.aggregate(scores)


def _scores(subject: Subject, ten: Sequence[Question], replies: Sequence[str | None]) -> list | None:
    scores = []
    for number, (question, reply) in enumerate(zip(ten, replies, strict=True)):
        outcome = subject.scorer.score(question.sample, reply)
        if outcome.score is None:
            return None
        scores.append(subject.scorer.numbered(outcome.score, number))
    return scores


def _wrong_leaves(
    cases: FailingCases,
    subject: Subject,
    ten: Sequence[Question],
    right: dict[str, Measured],
    wrong: dict[str, Measured],
    last: Question,
) -> None:
    """Add a case where a metric's ``num`` shrinks because of wrong answers."""
    for key, measured in right.items():
        if key in wrong and _compared(measured.metric) and wrong[key].num < measured.num:
            replies = _with_last(ten, last.wrong)
            _add(cases, subject, ten, replies, last, last.wrong, None, wrong[key], (key, wrong[key].num, measured.num))


def _earns_nothing(subject: Subject, question: Question, reply: str) -> bool:
    """Whether a reply earns nothing by itself; one that does is another rule's finding."""
    outcome = subject.scorer.score(question.sample, reply)
    if outcome.failed or outcome.drew_random:
        return False
    return all(
        question.credit(metric, outcome.metrics[metric.name].value) < 0.01 or metric.semantic_id in OVERLAP
        for metric in question.judged
        if metric.name in outcome.metrics
    )


def _compared(metric: Metric) -> bool:
    return metric.is_quality and metric.semantic_id not in (_PRECISION, ERROR_RATE) and 'precision' not in metric.name


def _counts_differ(
    cases: FailingCases,
    subject: Subject,
    ten: Sequence[Question],
    replies: Sequence[str],
    right: dict[str, Measured],
    wrong: dict[str, Measured],
    abstained: dict[str, Measured],
    last: Question,
    abstention: str,
) -> bool:
    """Add a case where a metric's ``num`` shrinks, or the metric vanishes, because of abstentions."""
    found = False
    for key, measured in right.items():
        if key not in wrong or not measured.metric.is_quality:
            continue
        num = abstained[key].num if key in abstained else 0
        if num < min(measured.num, wrong[key].num):
            _add(cases, subject, ten, replies, last, abstention, None, wrong[key], num=(key, num, measured.num))
            found = True
    return found


def _add(
    cases: FailingCases,
    subject: Subject,
    ten: Sequence[Question],
    replies: Sequence[str],
    last: Question,
    abstention: str,
    abstained: Measured | None,
    wrong: Measured,
    num: tuple[str, int, int] | None = None,
) -> None:
    shown = f'8 right replies and twice {abstention!r}'
    gold = f'{last.gold}, twice'
    if num is not None:
        key, counted, asked = num
        owner = _owner(subject, ten, replies, f'num of {key}', counted)
        detail = 'the question leaves the denominator'
        cases.add(owner, None, gold, f'num of {key}', counted, f'{asked}', detail, shown)
        return
    assert abstained is not None
    cause = _owner(subject, ten, replies, abstained.metric.name, abstained.value)
    expected = f'about {wrong.value:g}, as with two wrong answers'
    cases.add(cause, None, gold, abstained.metric.name, abstained.value, expected, '', shown)


def _owner(subject: Subject, ten: Sequence[Question], replies: Sequence[str], name: str, value: float) -> Cause:
    scores = _scores(subject, ten, replies)
    if scores is None:
        return subject.scorer.aggregation_owner()
    return aggregation_cause(subject, scores, name, value)


def check_correction(subject: Subject) -> Iterator[Finding]:
    """Make the wrong replies of ten questions right, one after another."""
    cases = FailingCases(subject, 'correction')
    subject.progress('correction', '')
    ten = ten_questions(subject)
    replies = [question.wrong if number % 2 else question.right for number, question in enumerate(ten)]
    before = _aggregate(subject, ten, replies)
    for number in range(1, TEN, 2):
        replies[number] = ten[number].right
        after = _aggregate(subject, ten, replies)
        if before and after:
            _add_lowered(cases, subject, ten, replies, number, before, after)
        before = after
    yield from cases


def _add_lowered(
    cases: FailingCases,
    subject: Subject,
    ten: Sequence[Question],
    replies: Sequence[str],
    number: int,
    before: dict[str, Measured],
    after: dict[str, Measured],
) -> None:
    for measured in graded(before):
        key = measured.metric.name
        if key in after and measured.metric.better(measured.value, after[key].value):
            cases.add(
                _owner(subject, ten, replies, key, after[key].value),
                None,
                ten[number].gold,
                key,
                after[key].value,
                f'at least {measured.value:g}, the value before the correction',
                shown_reply=(
                    f'ten replies; number {number + 1} corrected from {ten[number].wrong!r} to {ten[number].right!r}'
                ),
            )
