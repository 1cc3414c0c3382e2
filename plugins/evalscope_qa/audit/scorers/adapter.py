"""Registers callables with evalscope as benchmarks, so that they are audited like any other."""

import json
from functools import lru_cache
from typing import Any, ClassVar

from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.messages import ChatMessage, ChatMessageUser, ContentText, dict_to_chat_message
from evalscope.api.metric import Score
from evalscope.api.metric.semantics import ValueRange
from evalscope.api.model import ModelOutput
from evalscope.api.registry import register_benchmark
from evalscope.metrics.semantics.catalog import BENCHMARK_METRIC_OVERRIDES
from evalscope.metrics.semantics.entry import MetricEntry

from ...engine import MODEL
from ..cases.questions import StatedReplies
from ..scoring.tracing import Cause
from .forms import Asked, Form, call, check_arguments, find_form
from .loading import LoadedScorer, load_scorer
from .options import ScorerOptions, shown_name
from .question_file import OPTION_FIELDS, PROMPT_FIELDS, AskedQuestion, Gold, parse_question, read_questions

METRIC = 'returned_score'
"""evalscope refuses a metric that is called score."""
_QUESTION = 'question'
"""Where a sample keeps its question: as text, in which the audit, that replaces golds in metadata, finds none."""


class AskedSample(Sample):
    """A question of a file, with the replies that the file states."""

    stated: StatedReplies

    @staticmethod
    def output_of(reply: str | None) -> ModelOutput:
        """Return a reply that nothing is taken out of: a callable is handed reasoning too. Without one, it is empty."""
        return ModelOutput.from_content(model=MODEL, content=[ContentText(text=reply or '')])


class ScorerAdapter(DefaultDataAdapter):
    """Scores replies by a callable; a subclass is made for each."""

    loaded: ClassVar[LoadedScorer]
    form: ClassVar[Form]

    @property
    def scoring_cause(self) -> Cause:
        """The callable, for what cannot be traced further."""
        return self.loaded.cause

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose functions may be a cause."""
        return self.loaded.packages

    def record_to_sample(self, record: dict[str, Any]) -> AskedSample:
        question = parse_question(record)
        letters = [chr(ord('A') + index) for index in range(len(question.options))]
        return AskedSample(
            input=_messages(question.prompt),
            target=json.dumps(question.gold, ensure_ascii=False)
            if isinstance(question.gold, list)
            else str(question.gold),
            choices=(question.options if question.labels == letters else question.labels) or None,
            metadata={_QUESTION: json.dumps(record, ensure_ascii=False)},
            stated=question.stated,
        )

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        question = _parsed(task_state.metadata[_QUESTION])
        gold = _like(question.gold, reference)
        columns = {
            name: value if name in (*OPTION_FIELDS, *PROMPT_FIELDS) else _replaced(value, question.gold, gold)
            for name, value in question.columns.items()
        }
        given = call(self.form, self.loaded.scorer, Asked(original_prediction, gold, question, columns))
        return Score(
            value={} if given.score is None else {METRIC: given.score},
            main_score_name=METRIC,
            extracted_prediction=given.answer,
            prediction=original_prediction,
        )


def _messages(prompt: str | list[dict[str, str]]) -> list[ChatMessage]:
    if isinstance(prompt, str):
        return [ChatMessageUser(content=prompt)]
    return [dict_to_chat_message(dict(message)) for message in prompt]


def _like(gold: Gold, target: str) -> Gold:
    """Return a gold that the audit gave to a question as the type that it has in the file."""
    if isinstance(gold, list):
        return json.loads(target)
    return target if isinstance(gold, str) else type(gold)(float(target))


def _replaced(value: Any, old: Gold, new: Gold) -> Any:
    """Return a field with another gold wherever it repeats the old one."""
    if type(value) is type(old) and value == old:
        return new
    if isinstance(value, dict):
        return {name: _replaced(item, old, new) for name, item in value.items()}
    return [_replaced(item, old, new) for item in value] if isinstance(value, list) else value


@lru_cache(maxsize=64)
def _parsed(record: str) -> AskedQuestion:
    return parse_question(json.loads(record))


def register_scorers(options: ScorerOptions) -> None:
    """Load the callables and register each under its name.

    Raises:
        ScorerError: If one cannot be loaded, its form cannot be told, or it takes other arguments.
        ValueError, OSError: If the file of questions cannot be used.
    """
    questions = read_questions(options.questions)
    for spec in options.scorers:
        loaded = load_scorer(spec)
        name = shown_name(spec)
        form = find_form(options.form, loaded.scorer, name)
        for place, question in questions:
            asked = Asked('', question.gold, question, question.columns)
            check_arguments(form, loaded.scorer, asked, name, f'{options.questions}: {place}')
        packages = (*loaded.packages, *options.packages)
        _register(name, LoadedScorer(loaded.scorer, loaded.cause, packages), form, options.score_range)


def _register(name: str, loaded: LoadedScorer, form: Form, score_range: tuple[float, float]) -> None:
    least, greatest = score_range
    meta = BenchmarkMeta(
        name=name,
        pretty_name=name,
        description=f'{name}, called as {form.shown}.',
        dataset_id=name,
        metric_list=[METRIC],
        evaluation_version='v1.0',
        eval_split='test',
    )
    adapter = type('ScorerAdapter', (ScorerAdapter,), {'loaded': loaded, 'form': form, '__module__': __name__})
    register_benchmark(meta)(adapter)
    BENCHMARK_METRIC_OVERRIDES[(name, METRIC)] = MetricEntry(
        baseline='quality.score.ratio', value_range=ValueRange(min=least, max=greatest)
    )
