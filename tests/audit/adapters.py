"""Small benchmarks for the audit: two that keep every rule, and for every rule one that breaks it and no other.

Importing the module registers them; the audit's workers import it by its path. Each faulty one differs from a clean one
in a single method.
"""

import os
import random
import re
import socket
import subprocess
import sys
import threading
import time
from tempfile import TemporaryDirectory
from typing import Any

from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import AggScore, SampleScore, Score
from evalscope.api.registry import register_benchmark
from evalscope.constants import ScoreStatus
from evalscope.utils.download_utils import download_url
from evalscope_qa.reading import strip_reasoning

LETTERS = 'ABCD'
_LINE = re.compile(r'^ANSWER: ([A-D])$', re.MULTILINE)


def meta(name: str, **fields: Any) -> BenchmarkMeta:
    """The metadata that evalscope wants of every benchmark."""
    return BenchmarkMeta(
        **{
            'name': name,
            'pretty_name': name,
            'description': f'{name}, a benchmark of the tests.',
            'dataset_id': name,
            'metric_list': ['accuracy'],
            'evaluation_version': 'v1.0',
            'eval_split': 'test',
            'prompt_template': "{question}\nThe last line must have the form 'ANSWER: [LETTER]'.",
            **fields,
        }
    )


@register_benchmark(meta('contract_clean'))
class CleanAdapter(DefaultDataAdapter):
    """Multiple choice; reads the last line ``ANSWER: X`` outside reasoning, and nothing else."""

    def record_to_sample(self, record: dict[str, Any]) -> Sample:
        return Sample(input=record['question'], choices=record['choices'], target=record['answer'])

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        found = _LINE.findall(strip_reasoning(prediction))
        return found[-1] if found else ''

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        right = float(bool(filtered_prediction) and filtered_prediction == reference)
        return Score(
            prediction=original_prediction,
            extracted_prediction=filtered_prediction,
            value={'accuracy': right},
            main_score_name='accuracy',
        )

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        return [self.aggregated('accuracy', self.accuracy(sample_scores), sample_scores)]

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        return sum(score.score.value['accuracy'] for score in sample_scores) / max(1, len(sample_scores))

    def aggregated(self, name: str, value: float, sample_scores: list[SampleScore]) -> AggScore:
        return AggScore(metric_name=name, aggregation='mean', score=value, num=len(sample_scores))


@register_benchmark(
    meta('contract_clean_text', prompt_template='{question}\nPut the answer into <answer>...</answer>.')
)
class CleanTextAdapter(CleanAdapter):
    """Short answers in a tag, compared without articles and case."""

    def record_to_sample(self, record: dict[str, Any]) -> Sample:
        return Sample(input=record['question'], target=record['answer'])

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        found = re.findall(r'<answer>([^<]*)</answer>', strip_reasoning(prediction))
        return found[-1].strip() if found else ''

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        right = float(any(self.equal(filtered_prediction, gold) for gold in self.golds(task_state)))
        return Score(
            prediction=original_prediction, extracted_prediction=filtered_prediction, value={'accuracy': right}
        )

    def golds(self, task_state: TaskState) -> list[str]:
        return task_state.target_values

    def equal(self, prediction: str, reference: str) -> bool:
        return bool(prediction) and normalized(prediction) == normalized(reference)


def normalized(text: str) -> str:
    """Lower case, without articles and the marks of punctuation."""
    return ' '.join(word for word in re.findall(r'\w+', text.lower()) if word not in ('a', 'an', 'the'))


@register_benchmark(meta('breaks_non_answer'))
class FirstLetterAdapter(CleanAdapter):
    """Takes the first letter of any reply: 'Cannot be determined.' is option C."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        answer = super().extract_answer(prediction, task_state)
        return answer or self.first_letter(strip_reasoning(prediction))

    def first_letter(self, reply: str) -> str:
        return reply[:1] if reply[:1] in set(LETTERS) else ''


@register_benchmark(meta('breaks_non_answer_in_format'))
class FirstLetterOfLineAdapter(CleanAdapter):
    """Takes the first letter after the label: 'ANSWER: A definitive answer cannot be determined.' is option A."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        found = re.findall(r'^ANSWER: ([A-D])', strip_reasoning(prediction), re.MULTILINE)
        return found[-1] if found else ''


@register_benchmark(meta('breaks_non_answer_by_denial'))
class DeniedLetterAdapter(CleanAdapter):
    """Overlooks the word before the letter: 'It is not B.' is option B."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        denied = re.search(r'\bis not ([A-D])\b', strip_reasoning(prediction))
        return super().extract_answer(prediction, task_state) or (denied[1] if denied else '')


_LISTED = "{question}\nOptions: (A), (B), (C), (D)\nThe last line must have the form 'ANSWER: [LETTER]'."


@register_benchmark(meta('breaks_non_answer_by_prompt', prompt_template=_LISTED))
class PromptReadingAdapter(CleanAdapter):
    """Finds a letter in a prompt that is repeated whole."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        listed = re.search(r'Which.*\nOptions: \(([A-D])\)', strip_reasoning(prediction))
        return super().extract_answer(prediction, task_state) or (listed[1] if listed else '')


@register_benchmark(meta('breaks_cut_off_reasoning'))
class ReasoningAdapter(CleanAdapter):
    """Reads the answer line inside reasoning that never ended, too."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        found = _LINE.findall(prediction)
        return found[-1] if found else ''


@register_benchmark(meta('breaks_requested_format'))
class BareLetterAdapter(CleanAdapter):
    """Asks for 'ANSWER: [LETTER]' and reads a letter alone."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        reply = strip_reasoning(prediction).strip()
        return reply if reply in set(LETTERS) else ''


@register_benchmark(meta('breaks_degenerate_gold', prompt_template='{question}\nPut it into <answer>...</answer>.'))
class EmptyEqualsEmptyAdapter(CleanTextAdapter):
    """No answer equals a gold that normalises to nothing."""

    def equal(self, prediction: str, reference: str) -> bool:
        return normalized(prediction) == normalized(reference)


@register_benchmark(meta('breaks_several_golds', prompt_template='{question}\nPut it into <answer>...</answer>.'))
class FirstGoldAdapter(CleanTextAdapter):
    """Knows the first of several golds alone."""

    def equal(self, prediction: str, reference: str) -> bool:
        return bool(prediction) and reference == self.first and normalized(prediction) == normalized(reference)

    def golds(self, task_state: TaskState) -> list[str]:
        self.first = task_state.target_values[0]
        return task_state.target_values


@register_benchmark(meta('breaks_wrong_answer'))
class NeighbourAdapter(CleanAdapter):
    """Takes the letter before the gold for the gold too."""

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        near = bool(filtered_prediction) and ord(reference) - ord(filtered_prediction) in (0, 1)
        return Score(
            prediction=original_prediction,
            extracted_prediction=filtered_prediction,
            value={'accuracy': float(near)},
        )


@register_benchmark(meta('breaks_mean'))
class SquareAdapter(CleanAdapter):
    """Squares the mean."""

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        return super().accuracy(sample_scores) ** 2


@register_benchmark(meta('breaks_repeatable'))
class GuessingAdapter(CleanAdapter):
    """Guesses where a reply holds no answer."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        return super().extract_answer(prediction, task_state) or random.choice(LETTERS)


@register_benchmark(meta('breaks_abstention_counts'))
class AnsweredOnlyAdapter(CleanAdapter):
    """Averages over the answered questions."""

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        answered = [score for score in sample_scores if score.score.extracted_prediction]
        return super().accuracy(answered)


@register_benchmark(meta('breaks_abstention_counts_by_num'))
class AnsweredNumAdapter(CleanAdapter):
    """Says that it averaged over the answered questions, although it did not."""

    def aggregated(self, name: str, value: float, sample_scores: list[SampleScore]) -> AggScore:
        return super().aggregated(name, value, [score for score in sample_scores if score.score.extracted_prediction])

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        return super().accuracy(sample_scores)

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        return [self.aggregated('accuracy', self.accuracy(sample_scores), sample_scores)]


@register_benchmark(meta('breaks_abstention_counts_by_exclusion'))
class ExcludingAdapter(CleanAdapter):
    """Gives an unanswered question no value, so that evalscope leaves it out."""

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        score = super().match_score(original_prediction, filtered_prediction, reference, task_state)
        if not filtered_prediction:
            score.value = {}
        return score

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        return super().accuracy([score for score in sample_scores if score.score.value])


@register_benchmark(meta('breaks_abstention_counts_by_status'))
class ExcludedStatusAdapter(CleanAdapter):
    """Gives an unanswered question a value, and a status that leaves it out."""

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        score = super().match_score(original_prediction, filtered_prediction, reference, task_state)
        if not filtered_prediction:
            score.status = ScoreStatus.EXCLUDED
        return score

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        return super().accuracy([score for score in sample_scores if score.score.status.is_usable])


@register_benchmark(meta('breaks_abstention_counts_by_hits'))
class HitsOnlyAdapter(CleanAdapter):
    """Averages over the questions with a hit: wrong answers cost nothing either."""

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        return super().accuracy([score for score in sample_scores if score.score.value['accuracy']])


@register_benchmark(meta('breaks_order'))
class EarlyFirstAdapter(CleanAdapter):
    """Weighs early questions more."""

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        weights = [1 / (1 + position) for position in range(len(sample_scores))]
        credit = sum(
            weight * score.score.value['accuracy'] for weight, score in zip(weights, sample_scores, strict=True)
        )
        return credit / (sum(weights) or 1)


@register_benchmark(meta('breaks_correction', metric_list=['accuracy', 'precision']))
class ShareOfErrorsAdapter(CleanAdapter):
    """Reports the share of wrong replies under the name of a quality metric."""

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        accuracy = self.accuracy(sample_scores)
        return [
            self.aggregated('accuracy', accuracy, sample_scores),
            self.aggregated('precision', 1 - accuracy, sample_scores),
        ]


@register_benchmark(meta('keeps_metrics_of_one_class', metric_list=['accuracy', 'recall', 'f1']))
class OneClassAdapter(CleanAdapter):
    """Recall and F1 of class A, which a question of another gold that is not answered leaves as they were."""

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        pairs = [(score.sample_metadata['gold'], score.score.extracted_prediction) for score in sample_scores]
        hits, concerned = pairs.count(('A', 'A')), sum('A' in pair for pair in pairs)
        return [
            self.aggregated('accuracy', self.accuracy(sample_scores), sample_scores),
            self.aggregated('recall', self.recall('A', pairs), sample_scores),
            self.aggregated('f1', 2 * hits / max(1, hits + concerned), sample_scores),
        ]

    def record_to_sample(self, record: dict[str, Any]) -> Sample:
        sample = super().record_to_sample(record)
        sample.metadata = {'gold': record['answer']}
        return sample

    def recall(self, name: str, pairs: list[tuple[str, str]]) -> float:
        return pairs.count((name, name)) / max(1, sum(gold == name for gold, _ in pairs))


@register_benchmark(meta('breaks_metrics_of_classes', metric_list=['accuracy', 'recall']))
class AnsweredClassesAdapter(OneClassAdapter):
    """Recall over the classes that were answered."""

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        pairs = [(score.sample_metadata['gold'], score.score.extracted_prediction) for score in sample_scores]
        answered = {prediction for _, prediction in pairs if prediction}
        recall = sum(self.recall(name, pairs) for name in answered) / max(1, len(answered))
        return [
            self.aggregated('accuracy', self.accuracy(sample_scores), sample_scores),
            self.aggregated('recall', recall, sample_scores),
        ]


@register_benchmark(meta('breaks_range', metric_list=['accuracy', 'recall']))
class DoubledRecallAdapter(CleanAdapter):
    """Counts every hit twice in the recall."""

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        accuracy = self.accuracy(sample_scores)
        return [
            self.aggregated('accuracy', accuracy, sample_scores),
            self.aggregated('recall', self.recall(accuracy), sample_scores),
        ]

    def recall(self, accuracy: float) -> float:
        return 2 * accuracy


@register_benchmark(meta('breaks_range_by_nan'))
class NoNumberAdapter(CleanAdapter):
    """Has no number where nothing is answered."""

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        answered = any(score.score.extracted_prediction for score in sample_scores)
        return super().accuracy(sample_scores) if answered else float('nan')


@register_benchmark(meta('breaks_no_crash_by_refusal'))
class RefusalRaisesAdapter(CleanAdapter):
    """Raises on a refusal."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        if 'cannot answer' in prediction:
            raise ValueError('the model refused')
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('breaks_no_crash_by_exit'))
class ExitingAdapter(CleanAdapter):
    """Ends the whole evaluation over a blank reply."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        if not prediction.strip():
            sys.exit('no reply')
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('breaks_no_crash_by_interrupt'))
class InterruptingAdapter(CleanAdapter):
    """Ends the whole evaluation over an error message."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        if prediction == 'Request timed out.':
            raise KeyboardInterrupt
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('breaks_no_crash'))
class DigitAdapter(CleanAdapter):
    """Believes that whatever is a digit is an int: '²' is not."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        if prediction.strip().isdigit() and len(prediction) < 9:
            return str(int(prediction))
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('breaks_offline'))
class AskingAdapter(CleanAdapter):
    """Asks a server what an unclear reply means."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        answer = super().extract_answer(prediction, task_state)
        return answer or (self.ask(prediction) if 'answer' in prediction.lower() else '')

    def ask(self, prediction: str) -> str:
        try:
            socket.create_connection(('judge.example.org', 443), timeout=1).close()
        except OSError:
            return ''
        return 'A'


@register_benchmark(meta('always_online'))
class AlwaysOnlineAdapter(CleanAdapter):
    """Looks a name up for every reply, as a metric does that downloads its model."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        socket.getaddrinfo('models.example.org', 443)
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('fetches_once'))
class FetchingAdapter(CleanAdapter):
    """Fetches a list of words for a reply that it does not understand, and keeps it."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        answer = super().extract_answer(prediction, task_state)
        return answer or (self.words() if 'answer' in prediction.lower() else '')

    def words(self) -> str:
        with TemporaryDirectory() as folder:
            download_url('https://words.example.org/list.txt', f'{folder}/list.txt', num_retries=1)
        return ''


@register_benchmark(meta('breaks_no_code'))
class EvaluatingAdapter(CleanAdapter):
    """Evaluates replies as Python."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        answer = super().extract_answer(prediction, task_state)
        return answer or self.evaluated(prediction)

    def evaluated(self, reply: str) -> str:
        try:
            value = eval(reply[:100], {})  # the fault on purpose
        except Exception:  # noqa: BLE001 - whatever the reply raises
            return ''
        return value if value in ('A', 'B', 'C', 'D') else ''


@register_benchmark(meta('breaks_speed'))
class SlowAdapter(CleanAdapter):
    """Burns processor time on long replies."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        if len(prediction) > 10_000:
            self.burn()
        return super().extract_answer(prediction, task_state)

    seconds = 1.5

    def burn(self) -> None:
        end = time.process_time() + self.seconds
        while time.process_time() < end:
            sum(range(1000))


@register_benchmark(meta('hangs'))
class HangingAdapter(CleanAdapter):
    """Never ends on an odd reply, whatever tries to stop it."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        while prediction == '½':
            try:
                threading.Event().wait()
            except BaseException:  # noqa: BLE001, S112 - the fault on purpose
                continue
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('hangs_on_a_refusal'))
class HangingOnARefusalAdapter(CleanAdapter):
    """Never ends on a refusal, and is at work all the time."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        while prediction.startswith('I cannot'):
            try:
                sum(range(10**12))
            except BaseException:  # noqa: BLE001, S112 - the fault on purpose
                continue
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('dies_of_a_refusal'))
class DyingOfARefusalAdapter(CleanAdapter):
    """Takes the process with it before the rule of crashes is tried."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        if prediction.startswith('I cannot'):
            os._exit(4)
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('dies'))
class DyingAdapter(CleanAdapter):
    """Takes the process with it."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        if prediction == '½':
            os._exit(3)
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('never_right'))
class NeverRightAdapter(CleanAdapter):
    """Gives no reply credit."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        return ''


@register_benchmark(meta('needs_package'))
class NeedsPackageAdapter(CleanAdapter):
    """Cannot be set up without a package."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        raise ImportError('`sentience` not found. Please install it.')


@register_benchmark(meta('setup_wants_network'))
class OnlineSetupAdapter(CleanAdapter):
    """Looks a name up when it is set up."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        socket.getaddrinfo('settings.example.org', 443)


@register_benchmark(meta('setup_fails'))
class FailingSetupAdapter(CleanAdapter):
    """Cannot be set up."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        raise KeyError('no such setting')


@register_benchmark(meta('question_wants_network'))
class OnlineQuestionAdapter(CleanAdapter):
    """Looks a name up for every question, as one does that downloads a picture."""

    def record_to_sample(self, record: dict[str, Any]) -> Sample:
        socket.getaddrinfo('pictures.example.org', 443)
        return super().record_to_sample(record)


@register_benchmark(meta('starts_program'))
class StartingAdapter(CleanAdapter):
    """Scores with another program."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        subprocess.run(['/usr/bin/java', '-version'], check=True)
        return super().extract_answer(prediction, task_state)


@register_benchmark(meta('scoring_needs_package'))
class ScoringNeedsPackageAdapter(CleanAdapter):
    """Cannot score without a package."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        raise ImportError('`sapience` not found.')


@register_benchmark(meta('always_fails'))
class AlwaysFailsAdapter(CleanAdapter):
    """Raises whatever the reply is."""

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        raise RuntimeError('no scoring today')


@register_benchmark(meta('speaks', tags=['TextToSpeech']))
class SpeakingAdapter(CleanAdapter):
    """Its replies are audio."""


@register_benchmark(meta('codes', tags=['Coding']))
class CodingAdapter(CleanAdapter):
    """Its replies are programs."""


@register_benchmark(meta('credits_anything'))
class CreditingAdapter(CleanAdapter):
    """Gives every reply the same credit."""

    def accuracy(self, sample_scores: list[SampleScore]) -> float:
        return 1.0


@register_benchmark(meta('grades_nothing', metric_list=['response_present']))
class UngradedAdapter(CleanAdapter):
    """Its only metric has no direction in evalscope's catalogue."""

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        return [self.aggregated('response_present', 1.0, sample_scores)]
