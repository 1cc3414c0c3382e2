"""SearchQA: answer Jeopardy! clues from search snippets, scored by exact match, token F1 and sub-EM."""

from pathlib import Path
from typing import Any, Dict, List, Type

from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import DataLoader, Dataset, Sample
from evalscope.api.dataset import loader as dataset_loader
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import AggScore, MetricSelector, SampleScore, Score
from evalscope.api.registry import register_benchmark

from ..records import RecordChecker, build_dataset
from .context import check_max_context_chars, cut_context
from .extraction import extract_answer
from .local_files import read_split
from .schema import SearchQARecord
from .scoring import METRICS, aggregate_answers, score_answer

DEFAULT_MAX_CONTEXT_CHARS = 6000

_HUGGING_FACE = 'huggingface'  # evalscope.constants.HubType.HUGGINGFACE

_REQUEST = (
    'Answer the question with the help of the context. '
    'Put the short answer, and nothing else, inside <answer></answer>.'
)

PROMPT_TEMPLATE = f"""{{question}}

{_REQUEST}"""

FEW_SHOT_PROMPT_TEMPLATE = f"""Here are questions with their answers.

{{fewshot}}

Now the question to answer.

{{question}}

{_REQUEST}"""

DESCRIPTION = """
## Overview

SearchQA (Dunn et al., 2017) pairs Jeopardy! clues with snippets that a search engine returned for them. It is used here
in the form of the MRQA 2019 shared task.

## Task Description

- **Task Type**: Open-domain question answering over retrieved passages
- **Input**: Search passages after `[DOC]` markers, then the clue
- **Output**: A short answer inside `<answer></answer>`

## Key Features

- 16,980 questions of the `validation` split; the dataset has no test split
- Loaded from Hugging Face unless `dataset_hub` is set; `local_path` takes JSONL or parquet, a file or a folder
- Context cut at a passage boundary to `max_context_chars` characters
- Few-shot examples come from the `train` split

## Evaluation Notes

- Primary metric: **exact match** after SQuAD normalisation; each metric is the best over the gold answers
- Also token **F1**, and **sub-EM**: one answer contains the other, which an empty text never does
- An unanswered reply scores 0 on every metric, stays in the denominator, and is counted in `unanswered_ratio`
"""


@register_benchmark(
    BenchmarkMeta(
        name='searchqa',
        evaluation_version='v1.0',
        pretty_name='SearchQA',
        tags=['QA', 'ReadingComprehension', 'Retrieval'],
        description=DESCRIPTION,
        paper_url='https://arxiv.org/abs/1704.05179',
        dataset_id='lucadiliello/searchqa',
        metric_list=[*METRICS, 'unanswered_ratio'],
        primary_metric='exact_match',
        few_shot_num=0,
        train_split='train',
        eval_split='validation',
        prompt_template=PROMPT_TEMPLATE,
        few_shot_prompt_template=FEW_SHOT_PROMPT_TEMPLATE,
        extra_params={
            'max_context_chars': {
                'type': 'int',
                'description': 'Most characters of context in a prompt; cut at a [DOC] boundary. 0 for no cut.',
                'value': DEFAULT_MAX_CONTEXT_CHARS,
            }
        },
    )
)
class SearchQAAdapter(DefaultDataAdapter):
    """Reads SearchQA's records and scores replies to its questions."""

    judge_metric_name = 'exact_match'

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # An empty 'extra_params' of the user's replaces the declared ones.
        max_context_chars = self.extra_params.get('max_context_chars', DEFAULT_MAX_CONTEXT_CHARS)
        self._max_context_chars = check_max_context_chars(max_context_chars)
        self._checker = RecordChecker(self.name)
        config = self._task_config
        chosen = config is not None and 'dataset_hub' in config.model_fields_set
        self._dataset_hub = config.dataset_hub if chosen else _HUGGING_FACE
        if getattr(self._benchmark_meta, 'hf_dataset_id', '') is None:
            # evalscope 1.14 warns that an id without a mapping may belong to ModelScope; this one does not.
            self._benchmark_meta.hf_dataset_id = self._benchmark_meta.dataset_id
        if self.aggregation.startswith('mean_and_'):
            # These report the mean and values at each k under one name, and evalscope refuses to choose between them.
            self._benchmark_meta.primary_metric = MetricSelector(name=self.primary_metric.name, aggregation='mean')

    @property
    def dataset_hub(self) -> str:
        """The hub the user set, else Hugging Face, where the dataset is."""
        return self._dataset_hub

    @dataset_hub.setter
    def dataset_hub(self, value: str) -> None:
        # Kept here, not in the task configuration: the other benchmarks of the run share that one.
        self._dataset_hub = value

    def load(self) -> Any:
        """Load both splits; see ``DefaultDataAdapter``.

        Raises:
            FileNotFoundError: If ``local_path`` does not exist.
        """
        local_path = self._task_config.dataset_args.get(self.name, {}).get('local_path')
        if local_path and not Path(local_path).exists():
            raise FileNotFoundError(f'{self.name}: local_path {local_path}: no such file or folder.')
        return super().load()

    def load_subset(self, subset: str, data_loader: Type[DataLoader]) -> Dataset:
        """Load the questions, from ``local_path`` where there is one."""
        if Path(self.dataset_id).exists():
            self._checker = RecordChecker(self.name)
            return build_dataset(self, read_split(self.dataset_id, self.eval_split), subset)
        # Up to evalscope 1.13 the loader repeats records; later it repeats samples.
        repeats = 1 if hasattr(dataset_loader, 'repeat_samples') else self.repeats
        self._checker = RecordChecker(self.name, repeats=repeats)
        return super().load_subset(subset, data_loader)

    def load_fewshot_subset(self, subset: str, data_loader: Type[DataLoader]) -> Dataset:
        """Load the few-shot examples, from ``local_path`` where there is one.

        Raises:
            ValueError: If ``local_path`` is a file, which holds the questions and so cannot hold the examples.
        """
        self._checker = RecordChecker(self.name)
        if not Path(self.dataset_id).exists():
            return super().load_fewshot_subset(subset, data_loader)
        if Path(self.dataset_id).is_file():
            raise ValueError(
                f"{self.name}: few-shot examples come from the split '{self.train_split}', and local_path is one file: "
                f'{self.dataset_id}. Pass a folder with {self.train_split}.jsonl and {self.eval_split}.jsonl (or '
                'parquet files), or set few_shot_num to 0.'
            )
        first = None if self.few_shot_random else self.few_shot_num
        return build_dataset(self, read_split(self.dataset_id, self.train_split, first), subset, few_shot=True)

    def record_to_sample(self, record: Dict[str, Any]) -> Sample:
        """Convert a published record.

        Raises:
            RecordError: If the record is malformed.
        """
        checked = self._checker.check(SearchQARecord, record, id_field='key', unique_id=False)
        context = cut_context(checked.context, self._max_context_chars)
        return Sample(
            input=f'Context:\n{context}\n\nQuestion: {checked.question}',
            target=checked.answers,
            metadata={'key': checked.key, 'question': checked.question},
        )

    def sample_to_fewshot(self, sample: Sample) -> str:
        """Show a question with the first of its gold answers."""
        return f'{sample.input}\n<answer>{sample.target[0]}</answer>'

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        """Take the answer out of a reply that the user's filters have been applied to."""
        return extract_answer(prediction)

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        """Score an extracted answer against the gold answers."""
        return Score(
            value=score_answer(filtered_prediction, _golds(task_state)),
            main_score_name=METRICS[0],
            extracted_prediction=filtered_prediction,
            prediction=original_prediction,
        )

    def calculate_metrics(self, task_state: TaskState) -> SampleScore:
        """Score a reply; a judge's score stands for exact match, but never for a reply without an answer."""
        sample_score = super().calculate_metrics(task_state)
        score = sample_score.score
        answer = score.extracted_prediction or ''
        if not answer:
            score.value = dict.fromkeys(METRICS, 0.0)
        elif not score.value.keys() >= set(METRICS):
            score.value = {**score_answer(answer, _golds(task_state)), **score.value}
        score.metadata = {**(score.metadata or {}), 'answered': bool(answer)}
        return sample_score

    def aggregate_scores(self, sample_scores: List[SampleScore]) -> List[AggScore]:
        """Average over every question asked, answered or not."""
        if not sample_scores:
            return []
        scores = [sample_score.score for sample_score in sample_scores]
        answered = [score.metadata['answered'] for score in scores]
        metrics = aggregate_answers((score.value for score in scores), answered)
        aggregates = [AggScore(metric_name=name, score=value, num=len(scores)) for name, value in metrics.items()]
        if self.aggregation == 'mean':
            return aggregates
        # The user asks for another aggregation, such as pass@k, which is evalscope's to compute.
        return [*super().aggregate_scores(sample_scores), aggregates[-1]]


def _golds(task_state: TaskState) -> List[str]:
    """The gold answers. evalscope leaves blank ones out; where there is no other, one blank answer is the gold."""
    return task_state.target_values or ['']
