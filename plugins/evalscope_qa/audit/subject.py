"""What the rules need to know about one benchmark: adapter, scorer, calibrated questions and canned replies."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine import StepFailed, configured_adapter
from ..suitability import why_more_than_text
from .cases.examples import TRUNCATED, Examples, NoExample, find_examples
from .cases.formats import ANSWER
from .cases.non_answers import (
    DENIAL,
    ECHO,
    CannedReply,
    echoes,
    every_option,
    hedges,
    non_answers,
    non_answers_in_format,
    replies_that_name_and_do_not_answer,
)
from .cases.questions import LABEL, LETTER, TEXT, Question, StatedReplies, vary, with_options
from .measures import OVERLAP, Metric
from .scoring.at_work import AtWork
from .scoring.calibration import candidate_formats, find_right, find_wrong, graded, is_full_credit
from .scoring.credit import credit_cause
from .scoring.guard import Guard, NetworkAttempt
from .scoring.scorer import Outcome, Scorer
from .scoring.tracing import Cause

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter

_MAX_QUESTIONS = 40
_IN_WORDS = re.compile(r'[^{}\[\]<>\\\n]{1,80}')
"""A gold that a sentence can name: no transcript, and neither JSON nor LaTeX."""
_VARIED_SAMPLES = 3
"""Of how many sample records variants with other golds are made."""


class CannotAudit(Exception):
    """The benchmark cannot be audited offline; the message says why."""


@dataclass
class Subject:
    """A benchmark under audit."""

    benchmark: str
    adapter: 'DefaultDataAdapter'
    scorer: Scorer
    source: str
    questions: list[Question]
    """Calibrated questions: right, wrong and the metrics that tell them apart are known."""
    uncalibrated: list[Question]
    """All questions, for the rules that need no right answer."""
    formats: list[str]
    """Reply formats that earned full credit."""
    progress: Callable[[str, str], None] = lambda rule, reply: None
    notes: list[str] = field(default_factory=list)
    no_right_answer: str = ''
    """Why no question is calibrated."""

    @property
    def description(self) -> str:
        """What evalscope, or its author, says of the benchmark."""
        return self.adapter.benchmark_meta.description or ''

    @property
    def whole_texts(self) -> bool:
        """Whether replies are transcripts, translations or captions, of which any part is worth something."""
        return all(metric.semantic_id in OVERLAP for question in self.questions for metric in question.judged)

    @property
    def letters(self) -> list[str]:
        from evalscope.utils.multi_choices import answer_character

        choices = max((len(question.sample.choices or []) for question in self.uncalibrated), default=0)
        return [answer_character(index) for index in range(choices)]

    def template(self) -> str:
        """Return the part of the prompt that tells how to answer: the template, else the prompt's instructions."""
        if self.adapter.prompt_template:
            return self.adapter.prompt_template
        prompt = self.uncalibrated[0].prompt
        lines = [line for line in prompt.split('\n') if _FORMAT_LINE.search(line) and TRUNCATED not in line]
        return '\n'.join(line.replace('{', '{{').replace('}', '}}') for line in lines[-3:])

    def non_answers(self, question: Question) -> Iterator[CannedReply]:
        """Yield the replies that answer this question with nothing, or with two answers at once."""
        yield from non_answers()
        yield from echoes(self.template(), self.letters)
        if not self.whole_texts and TRUNCATED not in question.prompt:
            yield CannedReply(question.prompt, ECHO)
        yield from non_answers_in_format(question.right_format)
        if question.kind in (LETTER, LABEL) and not question.multiple and question.others:
            gold = question.answers[0]
            yield from hedges(gold, question.others[0])
            options = sorted([gold, *question.others])
            yield from replies_that_name_and_do_not_answer(options, gold, question.right_format or ANSWER)
        if question.multiple and len(question.gold) < len(self.letters):
            yield every_option(self.letters, question.right_format or ANSWER)
        if self.whole_texts:
            return  # a metric that compares word by word finds the gold in a refusal that names it, as it should
        if question.kind == TEXT and question.answers and _IN_WORDS.fullmatch(question.answers[0]):
            yield CannedReply(f'I cannot tell whether it is {question.answers[0]}.', DENIAL)

    def credit_cause(self, question: Question, reply: str, outcome: Outcome, metric: Metric) -> Cause:
        """Return the function that turned a reply into credit, with a call that shows it."""
        return credit_cause(self.scorer, question, reply, outcome, metric)


_FORMAT_LINE = re.compile(
    r'format|boxed|<answer>|without quotes|ANSWER: [\[<]|格式|不带引号|'
    r'only the (?:letter|answer)|single (?:word|letter)',
    re.IGNORECASE,
)


def build_subject(
    benchmark: str,
    guard: Guard,
    dataset_args: Mapping[str, Any],
    records: Path | None = None,
    progress: Callable[[str, str], None] = lambda rule, reply: None,
    at_work: AtWork | None = None,
) -> Subject:
    """Configure a benchmark, find its questions and calibrate them.

    Raises:
        CannotAudit: If its replies are not text, its score needs more than the reply, or it has no example.
        ValueError: If the benchmark is unknown or the records cannot be used.
    """
    _require_suitable(benchmark)
    try:
        adapter, notes = _adapter(benchmark, dataset_args)
    except NetworkAttempt as error:
        raise CannotAudit(f'setting it up needs the network ({error})') from error
    except ImportError as error:
        raise CannotAudit(f'it needs a package that is not installed: {_one_line(error)}') from error
    except Exception as error:
        raise CannotAudit(f'it cannot be set up: {_one_line(error)}') from error
    packages = getattr(adapter, 'packages', ('evalscope', type(adapter).__module__.partition('.')[0]))
    try:
        examples = find_examples(adapter, records)
    except NoExample as error:
        raise CannotAudit(str(error)) from error
    except NetworkAttempt as error:
        raise CannotAudit(f'making a question needs the network ({error})') from error
    except Exception as error:
        if records is not None:
            raise
        fault = error.__cause__ if isinstance(error, StepFailed) and error.__cause__ else error
        raise CannotAudit(f'its example gives no question: {_one_line(fault)}') from error
    scorer = Scorer(adapter, guard, packages, at_work)
    questions = _questions(examples, adapter.benchmark_meta.description or '')
    subject = Subject(benchmark, adapter, scorer, examples.source, [], questions, [], progress, notes)
    progress('calibration', '')
    _calibrate(subject)
    return subject


def _adapter(benchmark: str, dataset_args: Mapping[str, Any]) -> tuple['DefaultDataAdapter', list[str]]:
    adapter = configured_adapter(benchmark, dataset_args)
    policy = getattr(adapter, 'scoring_policy', None)
    if policy is None or not policy.judge_by_default:
        return adapter, []
    return configured_adapter(benchmark, dataset_args, judge={'strategy': 'rule'}), [
        'audited by its rule scoring; by default a judge model scores it'
    ]


def _require_suitable(benchmark: str) -> None:
    """Raise unless the benchmark's scoring can be tried with text replies.

    Raises:
        CannotAudit: With the reason.
        ValueError: If there is no such benchmark.
    """
    from evalscope.api.registry import BENCHMARK_REGISTRY

    try:
        meta = BENCHMARK_REGISTRY.get(benchmark)
    except Exception as error:
        raise CannotAudit(f'its module cannot be imported: {_one_line(error)}') from error
    if meta is None:
        raise ValueError(f'{benchmark}: no benchmark of that name is registered with evalscope.')
    reason = why_more_than_text(meta)
    if reason is not None:
        raise CannotAudit(reason)


def _one_line(error: BaseException) -> str:
    text = ' '.join(str(error).split()).partition(' For further information')[0]
    return f'{type(error).__name__}: {text if len(text) <= 250 else text[:250] + "…"}'


def _questions(examples: Examples, description: str) -> list[Question]:
    questions: list[Question] = []
    for number, sample in enumerate(examples.samples):
        variants = vary(sample)
        variants[0].demonstrations = examples.demonstrations[number]
        stated = getattr(sample, 'stated', None)
        if stated is not None:
            variants[0].demonstrations = [*stated.right, *variants[0].demonstrations]
            variants[0].stated = stated
            for variant in variants[1:]:  # of another gold the whole replies are not right, or not wrong
                variant.stated = StatedReplies(stated.formats)
        questions += variants if number < _VARIED_SAMPLES else variants[:1]
    questions = questions[:_MAX_QUESTIONS]
    if not any(question.kind == LETTER or question.sample.choices for question in questions):
        questions += with_options(examples.samples[0], description)
    return questions


def _calibrate(subject: Subject) -> None:
    scorer = subject.scorer
    first = subject.uncalibrated[0]
    plain = scorer.score(first.sample, first.answers[0] if first.answers else 'zebra')
    if plain.network:
        raise ScoringOnline(plain.network, subject)
    if plain.program:
        raise CannotAudit(f'its scoring starts another program ({plain.program})')
    if plain.score is None and _missing_package(plain.error):
        raise CannotAudit(f'scoring needs a package that is not installed ({plain.error})')
    calibrated: list[Question] = []
    working: list[str] = []
    for question in subject.uncalibrated:
        # Once formats are known for this benchmark, they are tried first and no others.
        formats = [*question.stated.formats, *(working or candidate_formats(question))]
        if find_right(question, scorer, formats):
            calibrated.append(question)
            if question.right_format and question.right_format not in working and _reaches_top(question):
                working.append(question.right_format)
    rights = list(dict.fromkeys(question.right for question in calibrated))
    subject.questions = [question for question in calibrated if find_wrong(question, scorer, rights[:8])]
    subject.formats = working
    if not subject.questions:
        subject.no_right_answer = _why_none(subject, first, plain)


def _why_none(subject: Subject, first: Question, plain: Outcome) -> str:
    """Return why no reply to a question could be shown to be right."""
    if TRUNCATED in f'{first.sample.target} {first.sample.metadata} {first.sample.choices}':
        return 'the gold, or what scoring needs beside it, is cut in the example'
    problem = plain.error or plain.left_out
    if problem and not any(question.right for question in subject.uncalibrated):
        return problem
    if plain.metrics and not graded(plain.metrics):
        return f"none of its metrics has a direction in evalscope's catalogue ({', '.join(plain.metrics)})"
    if not first.answers:
        return 'its gold is not in the target of the example'
    return 'no reply tried scored clearly better than a wrong one'


class ScoringOnline(Exception):
    """Scoring any reply reaches for the network; the message says how."""

    def __init__(self, attempt: str, subject: Subject) -> None:
        super().__init__(attempt)
        self.subject = subject


def _missing_package(error: str) -> bool:
    return error.startswith(('ImportError', 'ModuleNotFoundError'))


def _reaches_top(question: Question) -> bool:
    measured = graded(question.right_metrics)
    return bool(measured) and is_full_credit(measured[0])
