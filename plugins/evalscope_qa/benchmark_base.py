"""What every adapter of this package shares, above all its one rule.

An unanswered reply earns nothing, whatever a judge says, and is counted. Adapters say how a record becomes a question,
how a reply is read, what a reading scores, and how scores aggregate; the rest is here and in ``benchmark_loading``.
"""

from typing import Any, ClassVar, Mapping, Sequence

from evalscope.api.evaluator import TaskState
from evalscope.api.metric import AggScore, MetricSelector, SampleScore, Score
from evalscope.api.registry import get_aggregation

from .benchmark_loading import HUGGING_FACE, QuestionLoadingAdapter
from .reading import Prompt, Reading

__all__ = ['HUGGING_FACE', 'UNANSWERED_RATIO', 'QuestionAnsweringAdapter']

UNANSWERED_RATIO = 'unanswered_ratio'
"""Share of the questions asked whose reply holds no answer; every benchmark reports it."""

BAYES = 'bayes_at_n'
_BAYES_METRICS = ('accuracy', 'exact_match')
"""Those that the aggregation ``bayes_at_n`` of evalscope 1.14.1 takes."""


def asked_prompt(task_state: TaskState, template: str, few_shot_template: str = '') -> Prompt:
    """Return what the model was asked, without the examples before it.

    Examples are left out where the template puts words between them and the question.

    Args:
        task_state: The question.
        template: Of the prompt without examples; empty where the adapter has none.
        few_shot_template: Of the prompt with examples; empty where there are none.
    """
    asked = task_state.input
    if not isinstance(asked, str):
        of_user = [message.text for message in asked if message.role == 'user']
        asked = (of_user or [message.text for message in asked] or [''])[-1]
    _, _, behind_examples = few_shot_template.partition('{fewshot}')
    between = behind_examples.partition('{')[0].strip()
    if between:
        asked = asked.rpartition(between)[2]
    return Prompt(asked, few_shot_template or template)


class QuestionAnsweringAdapter(QuestionLoadingAdapter):
    """A benchmark whose every question asked counts.

    A subclass sets the class attributes and implements :meth:`read_reply`, :meth:`score_reading` and
    :meth:`aggregate_questions`, besides what :class:`~.benchmark_loading.QuestionLoadingAdapter` asks of it.
    """

    judge_metric_name: str
    """The metric of a question that a judge decides; the main one."""
    question_metrics: ClassVar[Mapping[str, str]]
    """The metrics of one question, and the name of each in the report when it is averaged over the questions."""
    score_fields_aggregated: ClassVar[tuple[str, ...] | None] = None
    """The fields of a score that :meth:`aggregate_questions` reads, ``value`` and ``metadata`` at least; None for any.

    Of a million replies only these are kept until all are scored: a benchmark that needs no text of a reply says so.
    """
    metrics_without_answer: ClassVar[frozenset[str]] = frozenset()
    """Those of them that an unanswered reply has too, because they compare texts and credit no answer."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._check_aggregation()

    # -- what a benchmark implements ----------------------------------------------------------------------------------

    def read_reply(self, text: str, task_state: TaskState) -> Reading:
        """Read a reply: its answer, or None where it is unanswered.

        Args:
            text: The reply after the user's filters; empty where there was none.
            task_state: The question.
        """
        raise NotImplementedError

    def prompt_of(self, task_state: TaskState) -> Prompt:
        """Return what the model was asked, for a reply that repeats it or answers by letters that it gives.

        Examples in the prompt are left out where the template puts words between them and the question.
        """
        few_shot = self.few_shot_prompt_template or '' if self.few_shot_num > 0 else ''
        return asked_prompt(task_state, self.prompt_template or '', few_shot)

    def show_answer(self, answer: Any) -> str:
        """Return an answer as evalscope stores and shows it, never empty; equal answers are shown alike."""
        return str(answer)

    def score_reading(self, reading: Reading, task_state: TaskState) -> tuple[dict[str, float], dict[str, Any]]:
        """Score a reading of one question.

        Args:
            reading: What :meth:`read_reply` returned. For an unanswered reply, no more than
                ``metrics_without_answer`` is taken from the values.
            task_state: The question.

        Returns:
            The value of each of ``question_metrics``, and what else :meth:`aggregate_questions` needs, ready for JSON.
        """
        raise NotImplementedError

    def aggregate_questions(self, scores: Sequence[Score]) -> dict[str, float]:
        """Aggregate over every question asked, answered or not.

        Args:
            scores: One a question, with ``question_metrics`` in ``value``, and ``answered`` and the extras of
                :meth:`score_reading` in ``metadata``; may be empty.

        Returns:
            Every metric that the benchmark reports by its name, but ``unanswered_ratio``; 0.0 for no questions.
        """
        raise NotImplementedError

    # -- scoring ------------------------------------------------------------------------------------------------------

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        """Score a reply that the user's filters have been applied to."""
        reading = self.read_reply(filtered_prediction, task_state)
        values, details = self.score_reading(reading, task_state)
        return Score(
            value=values if reading.answered else self._uncredited(values),
            main_score_name=self.judge_metric_name,
            extracted_prediction=self.show_answer(reading.answer) if reading.answered else '',
            prediction=original_prediction,
            metadata={**details, 'answered': reading.answered, 'reading': reading.rule},
        )

    def _uncredited(self, values: Mapping[str, float]) -> dict[str, float]:
        return {name: values[name] if name in self.metrics_without_answer else 0.0 for name in self.question_metrics}

    def calculate_metrics(self, task_state: TaskState) -> SampleScore:
        """Score a reply; a judge's score stands for the main metric, but never for a reply without an answer."""
        sample_score = super().calculate_metrics(task_state)
        score = sample_score.score
        if 'answered' not in (score.metadata or {}):  # a judge has scored alone
            prediction = score.prediction or ''
            filtered = self.filter_prediction(prediction, task_state)
            own = self.match_score(prediction, filtered, task_state.target, task_state)
            score.value = {**own.value, **score.value}
            score.main_score_name = own.main_score_name
            score.extracted_prediction = own.extracted_prediction
            score.metadata = {**(score.metadata or {}), **own.metadata}
        if not score.metadata['answered']:
            score.value = self._uncredited(score.value)
        return sample_score

    # -- aggregation --------------------------------------------------------------------------------------------------

    def _check_aggregation(self) -> None:
        """Make the aggregation of the user's choice work, or refuse it before any model is called.

        Raises:
            ValueError: If evalscope does not have it, or it does not apply to this benchmark.
        """
        if self.aggregation == 'mean':
            return
        meta, primary = self.benchmark_meta, self.primary_metric.name
        try:
            get_aggregation(self.aggregation)
        except ValueError as error:
            raise ValueError(f'{self.name}: aggregation {self.aggregation!r}: {error}') from error
        if self.aggregation == BAYES:
            if primary not in _BAYES_METRICS:
                raise ValueError(
                    f'{self.name}: the aggregation {BAYES!r} is of answers that are right or wrong, and {primary} can '
                    'lie between. Choose another aggregation.'
                )
            meta.metric_list = [primary]
            meta.primary_metric = MetricSelector(name=primary, aggregation=BAYES)
        elif self.aggregation.startswith('mean_and_') and primary in self.question_metrics.values():
            # These report the mean and values at each k under one name, and evalscope refuses to choose between them.
            meta.primary_metric = MetricSelector(name=primary, aggregation='mean')

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        """Aggregate over every question asked, answered or not; no question gives zeros.

        Raises:
            ValueError: If a score is not this adapter's, as in the cached reviews of another version.
        """
        scores = [sample_score.score for sample_score in sample_scores]
        if not all(self._is_own(score) for score in scores):
            raise ValueError(f'{self.name}: these scores come from another version. Score again with --rerun-review.')
        unanswered = sum(not score.metadata['answered'] for score in scores)
        metrics = {
            **self.aggregate_questions(scores),
            UNANSWERED_RATIO: unanswered / len(scores) if scores else 0.0,
        }
        others = [] if self.aggregation == 'mean' or not scores else self._evalscopes_aggregates(sample_scores)
        if others and self.aggregation == BAYES:
            return others  # evalscope refuses any other beside them
        names = {other.metric_name for other in others}
        own = [AggScore(metric_name=name, score=value, num=len(scores)) for name, value in metrics.items()]
        return [*others, *(aggregate for aggregate in own if aggregate.metric_name not in names)]

    def _is_own(self, score: Score) -> bool:
        return 'answered' in (score.metadata or {}) and score.value.keys() >= self.question_metrics.keys()

    def _evalscopes_aggregates(self, sample_scores: Sequence[SampleScore]) -> list[AggScore]:
        """Aggregate each question metric as the user chose, such as pass@k, which is evalscope's to compute."""
        names = {
            name: reported
            for name, reported in self.question_metrics.items()
            if self.aggregation != BAYES or reported == self.primary_metric.name
        }
        renamed = []
        for sample_score in sample_scores:
            value = {reported: sample_score.score.value[name] for name, reported in names.items()}
            score = sample_score.score.model_copy(update={'value': value})
            renamed.append(sample_score.model_copy(update={'score': score}))
        return super().aggregate_scores(renamed)
