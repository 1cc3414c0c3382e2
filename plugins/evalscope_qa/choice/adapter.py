"""What is put on top of an installed adapter: the reading of a reply, and that an unanswered one earns nothing.

Data, prompts, examples and metrics stay the installed adapter's. It scores the answer that was read as if the reply had
been that answer and nothing else.
"""

from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from evalscope.api.benchmark import DefaultDataAdapter
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import AggScore, SampleScore, Score
from evalscope.constants import ScoreStatus

from ..benchmark_base import BAYES, UNANSWERED_RATIO, asked_prompt
from ..reading import Prompt, Reading, read_label, read_letter, read_letters, reply_proper
from .aggregates import yes_no_metrics
from .questions import Asked, Question

if TYPE_CHECKING:
    from .table import Row


class Extracted(str):
    """What the installed adapter scores: the answer as it has it, empty where there is none; with the reading of it."""

    reading: Reading[str]
    reply: str
    """A reply that is this answer and nothing else."""

    @classmethod
    def of(cls, reading: Reading[str], answer: str, reply: str) -> 'Extracted':
        made = cls(answer)
        made.reading, made.reply = reading, reply
        return made


class StrictReading(DefaultDataAdapter):
    """Put before an installed adapter among the bases of a class; :mod:`.making` does so."""

    row: ClassVar['Row']
    """How this benchmark's replies are read."""

    # -- reading ------------------------------------------------------------------------------------------------------

    def question_of(self, task_state: TaskState) -> Question:
        """Return what reading needs to know of a question."""
        return Question(
            prompt=self.prompt_of(task_state),
            options=tuple(str(choice.value) for choice in task_state.choices or ()),
            metadata=task_state.metadata or {},
            several=bool(getattr(self, 'multiple_correct', False)),
            target=str(task_state.target),
        )

    def prompt_of(self, task_state: TaskState) -> Prompt:
        """Return what the model was asked, without examples before the question where they can be told from it."""
        few_shot = ''
        if self.few_shot_num > 0:
            few_shot = self.few_shot_prompt_template or f'{{fewshot}}\n\n{self.prompt_template or ""}'
        return asked_prompt(task_state, self.prompt_template or '', few_shot)

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        """Read a reply that the user's filters have been applied to."""
        question = self.question_of(task_state)
        asked = self.row.asks(question)
        if asked.kind == 'text':
            return self._evalscopes(prediction, question.prompt, task_state)
        reading = read(prediction, asked, question.prompt)
        answer = reply = ''
        if reading.answer is not None:
            answer = asked.answers.get(reading.answer, reading.answer)
            reply = (self.row.canonical or '{}').format(answer)
            if self.row.canonical:
                answer = super().extract_answer(reply, task_state)
        if self.row.left_in:
            task_state.metadata[self.row.left_in] = answer
        return Extracted.of(reading, answer, reply)

    def _evalscopes(self, prediction: str, prompt: Prompt, task_state: TaskState) -> str:
        """Let the installed adapter read the answer to a question that has no options, out of the reply proper."""
        proper = reply_proper(prediction, prompt)
        if not proper.text:
            if self.row.left_in:
                task_state.metadata[self.row.left_in] = ''
            return Extracted.of(Reading(None, proper.unanswered), '', '')
        answer = super().extract_answer(proper.text, task_state)
        return Extracted.of(Reading(str(answer), "evalscope's"), answer, proper.text)

    # -- scoring ------------------------------------------------------------------------------------------------------

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        """Score an answer by the installed adapter; a reply without one earns nothing."""
        extracted = self._extracted(original_prediction, filtered_prediction, task_state)
        score = super().match_score(extracted.reply, str(extracted), reference, task_state)
        score.prediction, score.extracted_prediction = original_prediction, str(extracted)
        self._note(score, extracted.reading)
        return score

    def _extracted(self, original: str, filtered: str, task_state: TaskState) -> Extracted:
        """Return what :meth:`extract_answer` returned, or read again where that has not come through."""
        if not isinstance(filtered, Extracted):
            filtered = self.filter_prediction(original, task_state)
        assert isinstance(filtered, Extracted)
        return filtered

    def calculate_metrics(self, task_state: TaskState) -> SampleScore:
        """Score a reply; a judge cannot give credit for one without an answer."""
        sample_score = super().calculate_metrics(task_state)
        score = sample_score.score
        if 'answered' not in (score.metadata or {}):  # a judge has scored alone
            extracted = self._extracted(score.prediction or '', score.extracted_prediction or '', task_state)
            score.extracted_prediction = str(extracted)
            self._note(score, extracted.reading)
        elif not score.metadata['answered']:
            self._withhold_credit(score)
        return sample_score

    def _note(self, score: Score, reading: Reading[str]) -> None:
        """Say in a score how the reply was read; take back what an unanswered one has earned."""
        score.metadata = {**(score.metadata or {}), 'answered': reading.answered, 'reading': reading.rule}
        if not reading.answered:
            self._withhold_credit(score)

    def _withhold_credit(self, score: Score) -> None:
        """Let a score be zero and counted, even where the installed adapter would leave the question out."""
        declared = [metric if isinstance(metric, str) else next(iter(metric)) for metric in self.metric_list]
        score.value = dict.fromkeys(score.value or declared, 0.0)
        score.status = ScoreStatus.SUCCESS

    # -- aggregation --------------------------------------------------------------------------------------------------

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        """Aggregate as the installed adapter does, over every question asked, and add the share of the unanswered.

        Raises:
            ValueError: If a score is not this adapter's, as in the cached reviews of another version.
        """
        scores = [sample_score.score for sample_score in sample_scores]
        if not all('answered' in (score.metadata or {}) for score in scores):
            raise ValueError(f'{self.name}: these scores come from another version. Score again with --rerun-review.')
        aggregates = super().aggregate_scores(sample_scores)
        if self.aggregation == BAYES:
            return aggregates  # evalscope refuses any other beside them
        self._count_every_question(aggregates, sample_scores)
        reasons = Counter(score.metadata['reading'] for score in scores if not score.metadata['answered'])
        share = sum(reasons.values()) / len(scores) if scores else 0.0
        unanswered = AggScore(
            metric_name=UNANSWERED_RATIO, score=share, num=len(scores), metadata={'reasons': dict(reasons)}
        )
        return [*aggregates, unanswered]

    def _count_every_question(self, aggregates: list[AggScore], sample_scores: list[SampleScore]) -> None:
        """Put precision, recall and F1 of yes/no questions in the place of those that leave the unanswered out."""
        if not any(aggregate.metric_name in ('f1', 'f1_score') for aggregate in aggregates):
            return
        golds = [
            str((sample_score.sample_metadata or {}).get('answer')).strip().upper() for sample_score in sample_scores
        ]
        if not set(golds) <= {'YES', 'NO'}:
            return
        answers = [sample_score.score.extracted_prediction or '' for sample_score in sample_scores]
        values = yes_no_metrics(golds, answers)
        for aggregate in aggregates:
            aggregate.score = values.get(aggregate.metric_name.removesuffix('_score'), aggregate.score)


def read(reply: str, asked: Asked, prompt: Prompt) -> Reading[str]:
    """Read a reply to a question that asks for options or labels.

    Returns:
        The letter, the letters in their order, or the label.
    """
    if asked.labels is not None:
        return read_label(reply, asked.labels, prompt)
    reader = read_letters if asked.kind == 'letters' else read_letter
    reading = reader(reply, asked.count, prompt, asked.texts)
    if not asked.all_is_an_answer and reading.answer is not None and len(reading.answer) == asked.count:
        return Reading(None, 'several')
    return reading
