"""Checks that no reply breaks scoring: it neither raises, nor hangs, nor goes online, nor runs the reply."""

from collections.abc import Iterator

from ..cases.long_replies import loops
from ..cases.non_answers import non_answers
from ..cases.odd_replies import hostile_replies
from ..cases.questions import Question
from ..results import Finding
from ..scoring.credit import error_cause, slow_cause
from ..scoring.growth import LIMIT
from ..scoring.guard import CANARY
from ..scoring.scorer import Outcome
from ..scoring.slow_replies import Slow, slow_replies
from ..subject import Subject
from .findings import FailingCases, NotApplicable

_MAX_CRASHES = 40


def check_no_crash(subject: Subject) -> Iterator[Finding]:
    """Score odd replies, bare and in the formats that work, replies without an answer, and a response without a choice.

    An exception ends an evaluation; so do ``sys.exit`` and a ``KeyboardInterrupt``.
    """
    cases = FailingCases(subject, 'no-crash')
    question = _first(subject)
    formats = subject.formats[:2]
    if not subject.questions and not subject.scorer.any_counts(question.sample):
        raise NotApplicable('no reply to the example could be scored')
    crashes = 0
    silent = [canned.text for canned in non_answers()]
    for reply in dict.fromkeys([None, *silent, *hostile_replies(formats)]):
        subject.progress('no-crash', repr(reply)[:80])
        outcome = subject.scorer.score(question.sample, reply)
        if not _crashed(outcome):
            continue
        confirmed = subject.scorer.score_as_run(question.sample, reply)
        if not _crashed(confirmed):
            continue
        lost = confirmed.left_out or outcome.left_out
        cause = confirmed.cause or outcome.cause or subject.scorer.loss_cause(question.sample, reply, lost)
        problem = confirmed.error or f'the question is left out of the average: {confirmed.left_out}'
        if confirmed.error:
            cause = error_cause(subject.scorer, question, reply, cause, confirmed.error)
        cases.add(cause, reply, question.gold, '', None, 'a score', problem[:300])
        crashes += 1
        if crashes >= _MAX_CRASHES:
            break
    yield from cases


def _crashed(outcome: Outcome) -> bool:
    if outcome.network or outcome.program or outcome.stopped:
        return False  # other rules' findings
    return bool(outcome.error) or (bool(outcome.left_out) and 'error' in outcome.left_out.casefold())


def check_offline(subject: Subject) -> Iterator[Finding]:
    """Look at every reply scored so far for attempts to connect or resolve a name."""
    cases = FailingCases(subject, 'offline')
    for question, reply, outcome in subject.scorer.attempts:
        cause = outcome.cause or subject.scorer.scoring_owner()
        cases.add(cause, reply, question, '', None, 'no connection', outcome.network, condition=outcome.condition)
    yield from cases


def check_no_code(subject: Subject) -> Iterator[Finding]:
    """Score replies that would open a tell-tale file if they were run; look for programs that any reply started."""
    cases = FailingCases(subject, 'no-code')
    question = _first(subject)
    bare = f"open('{CANARY}')"
    replies = [bare, f'[{bare}]', f'{{"answer": {bare}}}', f'```python\n{bare}\n```', f'\\boxed{{{bare}}}']
    replies += [form.replace('{answer}', bare) for form in subject.formats[:2]]
    replies += [
        f"cbuiltins\nopen\n(S'{CANARY}'\ntR.",  # as pickle writes it
        f"!!python/object/apply:builtins.open ['{CANARY}']",  # as YAML does
    ]
    for reply in dict.fromkeys(replies):
        outcome = subject.scorer.score_as_run(question.sample, reply)
        if outcome.ran_reply:
            cause = outcome.cause or subject.scorer.scoring_owner()
            cases.add(cause, reply, question.gold, '', None, 'the reply is read, not run')
    for gold, started_by, outcome in subject.scorer.programs:
        cause = outcome.cause or subject.scorer.scoring_owner()
        cases.add(cause, started_by, gold, '', None, 'no other program', f'scoring starts {outcome.program}')
    yield from cases


def check_speed(subject: Subject) -> Iterator[Finding]:
    """Score replies of a model in a loop; processor time counts, so a busy machine makes no finding."""
    cases = FailingCases(subject, 'speed')
    question = _first(subject)
    replies = slow_replies(
        lambda reply: subject.scorer.prepared(question.sample, reply),
        subject.scorer.tracer,
        loops(subject.formats),
        lambda name: subject.progress('speed', name),
    )
    for slow in replies:
        cause, name = slow_cause(subject.scorer, question, slow), slow.loop.name(slow.times)
        expected, detail = f'at most {LIMIT:g}', describe_slow(slow)
        cases.add(cause, None, question.gold, 'seconds', LIMIT, expected, detail, name)
    if subject.scorer.stops:
        _add_stopped(cases, subject)
    yield from cases


def describe_slow(slow: Slow) -> str:
    """Return in a line how long a reply is that takes too long, and how the time grows."""
    more = f'; {slow.growth}' if slow.growth else ''
    return f'{slow.length:,} characters take more than {LIMIT:g} s of processor time{more}'


def _first(subject: Subject) -> Question:
    return (subject.questions or subject.uncalibrated)[0]


def _add_stopped(cases: FailingCases, subject: Subject) -> None:
    """Add the shortest of the replies that had to be stopped while other rules were tried."""
    gold, reply, outcome = min(subject.scorer.stops, key=lambda stop: len(stop[1] or ''))
    cause = outcome.cause or subject.scorer.scoring_owner()
    took = f'not done after {outcome.seconds:.0f} s of processor time'
    cases.add(cause, reply, gold, 'seconds', LIMIT, f'at most {LIMIT:g}', took)
