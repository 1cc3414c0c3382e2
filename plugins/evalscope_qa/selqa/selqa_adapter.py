"""The benchmarks `selqa_selection` and `selqa_triggering`.

Paper: Jurczyk et al., 2016, https://arxiv.org/abs/1606.08513. Data: https://github.com/emorynlp/selqa (Apache-2.0).
"""

from pathlib import Path
from typing import Any, Dict, List, Optional, Type, Union

from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import DataLoader, Dataset, Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import AggScore, SampleScore, Score
from evalscope.api.registry import register_benchmark

from ..records import Record, RecordChecker, build_dataset, read_records
from .download import COMMIT, download_file
from .local_files import find_local_file
from .prompts import (
    FEW_SHOT_PREFIX,
    SELECTION_PROMPT,
    TRIGGERING_PROMPT,
    format_listing,
    format_ranking,
    selection_question,
    triggering_question,
)
from .ranking_metrics import average_precision, mean_over_questions, precision_at_1, reciprocal_rank
from .replies import read_listing, read_ranking
from .schemas import SelectionGold, SelectionRecord, TriggeringGold, TriggeringRecord
from .triggering_metrics import TriggeringOutcome, answer_correct, triggering_metrics, triggering_outcome

REPOSITORY = 'https://github.com/emorynlp/selqa'
PAPER = 'https://arxiv.org/abs/1606.08513'

TOPICS_PARAMETER = {
    'type': 'list',
    'description': 'Ask only the questions of these topics, such as ["MUSIC", "TV"]; null asks all.',
    'value': None,
}

SELECTION_DESCRIPTION = """
## Overview

SelQA (Jurczyk et al., 2016) holds questions about sections of Wikipedia articles on ten topics, written by crowd
workers and partly paraphrased so that they share fewer words with their answers.

## Task Description

- **Task Type**: Answer sentence selection
- **Input**: The numbered sentences of one section, and a question
- **Output**: A ranking of the sentences, as in `[2] > [1] > [3]`
- **Domain**: Wikipedia

## Key Features

- 1,590 test questions with 3 to 33 candidate sentences, at least one of which is an answer (train 5,529, dev 785)
- Ten topics; `extra_params.topics` restricts the questions
- Read from a pinned commit of the official repository, or from `local_path`

## Evaluation Notes

- `map` (primary), `mrr` and `precision_at_1` are means over **all** questions; an unanswered question counts 0
- Sentences that a ranking leaves out are not retrieved; repeated and unknown numbers are left out
- Figure to beat: ranking by the number of words shared with the question scores MAP 0.8017 on the test split
- `unanswered_ratio` is the share of replies that hold no ranking
"""

TRIGGERING_DESCRIPTION = """
## Overview

SelQA (Jurczyk et al., 2016) holds questions about sections of Wikipedia articles on ten topics. In answer triggering, a
model must find the sentences that answer a question in five sections, or see that there are none.

## Task Description

- **Task Type**: Answer triggering
- **Input**: The sentences of five sections, numbered through, and a question
- **Output**: The numbers of the sentences that answer the question, best first, or `NONE`
- **Domain**: Wikipedia

## Key Features

- 1,590 test questions with five sections each, some without any answer (train 5,529, dev 785)
- Ten topics; `extra_params.topics` restricts the questions
- Read from a pinned commit of the official repository, or from `local_path`

## Evaluation Notes

- Question level, as in WikiQA: `precision` = questions whose first listed sentence is an answer / questions with a
  sentence listed; `recall` = the same / questions that have an answer; `f1` (primary) is their harmonic mean
- Section level: `section_precision`, `section_recall` and `section_f1` of whether a listed sentence lies in a section
- `trigger_accuracy` is the share of questions where listing or declining was right
- A reply that neither lists nor declines, or does both, is unanswered and right nowhere; `unanswered_ratio` counts it
"""


class SelQAAdapter(DefaultDataAdapter):
    """What both benchmarks share: loading, and making scores complete whoever set the primary one."""

    task: str
    """SelQA's name of the task, which is also the folder of its files."""
    record_type: Type[Union[SelectionRecord, TriggeringRecord]]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._checker = RecordChecker(self.name)
        self._evaluated_file: Optional[Path] = None
        self._topics = self._requested_topics()

    def _requested_topics(self) -> List[str]:
        topics = self.extra_params.get('topics') or []
        topics = [topics] if isinstance(topics, str) else topics
        if not (isinstance(topics, list) and all(isinstance(topic, str) for topic in topics)):
            raise ValueError(f'{self.name}: extra_params.topics must be a list of topic names, not {topics!r}.')
        return [topic.upper() for topic in topics]

    def load_subset(self, subset: str, data_loader: Type[DataLoader]) -> Dataset:
        self._evaluated_file = self._file(self.eval_split)
        return build_dataset(self, self._read(self._evaluated_file), subset)

    def load_fewshot_subset(self, subset: str, data_loader: Type[DataLoader]) -> Dataset:
        file = self._file(self.train_split, few_shot=True)
        if self._evaluated_file is not None and file.samefile(self._evaluated_file):
            raise ValueError(
                f'{self.name}: the few-shot examples come from {file}, which is evaluated, and would give answers '
                "away. Set few_shot_num to 0, or evaluate the 'dev' or 'test' split."
            )
        return build_dataset(self, self._read(file), subset, few_shot=True)

    def _file(self, split: str, few_shot: bool = False) -> Path:
        """Return the file of a split, downloaded where the user gave no path."""
        if self.dataset_id == REPOSITORY:
            return download_file(self.task, split, force=self.force_redownload)
        path = Path(self.dataset_id).expanduser()
        if not path.exists():
            raise FileNotFoundError(
                f'{self.name}: {path}: no such file or folder. Pass a SelQA file, or a folder of them, as local_path; '
                'leave local_path out to download the official files.'
            )
        # A single file is the one evaluated; the examples are in the official file beside it.
        return find_local_file(path.parent if few_shot and path.is_file() else path, self.task, split)

    def _read(self, file: Path) -> List[Record]:
        """Read the questions of a file that are to be asked; all of its records are checked."""
        records = read_records(file, self.name)
        self._checker = RecordChecker(self.name)
        topics = [self._checker.check(self.record_type, record).topic.upper() for record in records]
        unknown = sorted(set(self._topics) - set(topics))
        if unknown:
            raise ValueError(
                f'{self.name}: no question of {file} has the topic {", ".join(unknown)}; '
                f'its topics are {", ".join(sorted(set(topics)))}. Correct extra_params.topics.'
            )
        # Here and not by sample_filter alone, which evalscope applies after the limit.
        return [record for record, topic in zip(records, topics, strict=True) if self._is_asked(topic)]

    def sample_filter(self, sample: Sample) -> bool:
        return self._is_asked(sample.metadata['topic'])

    def _is_asked(self, topic: str) -> bool:
        return not self._topics or topic.upper() in self._topics

    def calculate_metrics(self, task_state: TaskState) -> SampleScore:
        sample_score = super().calculate_metrics(task_state)
        score = sample_score.score
        # A judge sets the primary value alone; and no reply that holds no answer is ever credited.
        own = self.match_score(score.prediction or '', score.extracted_prediction or '', task_state.target, task_state)
        score.value = {**own.value, **score.value} if own.metadata['answered'] else own.value
        score.main_score_name = own.main_score_name
        score.metadata = {**(score.metadata or {}), **own.metadata}
        return sample_score


@register_benchmark(
    BenchmarkMeta(
        name='selqa_selection',
        evaluation_version='v1.0',
        pretty_name='SelQA-Selection',
        description=SELECTION_DESCRIPTION,
        tags=['QA', 'Retrieval', 'ReadingComprehension'],
        paper_url=PAPER,
        dataset_id=REPOSITORY,
        dataset_revision=COMMIT,
        subset_list=['default'],
        train_split='train',
        eval_split='test',
        metric_list=['map', 'mrr', 'precision_at_1', 'unanswered_ratio'],
        primary_metric='map',
        prompt_template=SELECTION_PROMPT,
        few_shot_prompt_template=FEW_SHOT_PREFIX + SELECTION_PROMPT,
        extra_params={'topics': dict(TOPICS_PARAMETER)},
    )
)
class SelQASelectionAdapter(SelQAAdapter):
    """Ranks the sentences of a section by how well they answer a question."""

    task = 'ass'
    record_type = SelectionRecord
    judge_metric_name = 'average_precision'

    def record_to_sample(self, record: Dict[str, Any]) -> Sample:
        checked = self._checker.check(SelectionRecord, record)
        question, gold = selection_question(checked)
        return Sample(input=question, target=gold.model_dump_json(), metadata=checked.metadata())

    def sample_to_fewshot(self, sample: Sample) -> str:
        gold = SelectionGold.model_validate_json(sample.target)
        return f'{sample.input}\n\n{format_ranking(gold.answers)}'

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        gold = SelectionGold.model_validate_json(task_state.target)
        return format_ranking(read_ranking(prediction, gold.sentences) or ())

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        gold = SelectionGold.model_validate_json(reference)
        ranking = read_ranking(filtered_prediction, gold.sentences)
        return Score(
            prediction=original_prediction,
            extracted_prediction=filtered_prediction,
            value={
                'average_precision': average_precision(gold.answers, ranking or ()),
                'reciprocal_rank': reciprocal_rank(gold.answers, ranking or ()),
                'precision_at_1': precision_at_1(gold.answers, ranking or ()),
            },
            main_score_name='average_precision',
            metadata={'answered': ranking is not None},
        )

    def aggregate_scores(self, sample_scores: List[SampleScore]) -> List[AggScore]:
        if not sample_scores:
            return []
        scores = [sample_score.score for sample_score in sample_scores]
        metrics = {
            'map': mean_over_questions(score.value['average_precision'] for score in scores),
            'mrr': mean_over_questions(score.value['reciprocal_rank'] for score in scores),
            'precision_at_1': mean_over_questions(score.value['precision_at_1'] for score in scores),
            'unanswered_ratio': mean_over_questions(not score.metadata['answered'] for score in scores),
        }
        return [AggScore(metric_name=name, score=value, num=len(scores)) for name, value in metrics.items()]


@register_benchmark(
    BenchmarkMeta(
        name='selqa_triggering',
        evaluation_version='v1.0',
        pretty_name='SelQA-Triggering',
        description=TRIGGERING_DESCRIPTION,
        tags=['QA', 'Retrieval', 'ReadingComprehension'],
        paper_url=PAPER,
        dataset_id=REPOSITORY,
        dataset_revision=COMMIT,
        subset_list=['default'],
        train_split='train',
        eval_split='test',
        metric_list=[
            'f1',
            'precision',
            'recall',
            'section_f1',
            'section_precision',
            'section_recall',
            'trigger_accuracy',
            'unanswered_ratio',
        ],
        primary_metric='f1',
        prompt_template=TRIGGERING_PROMPT,
        few_shot_prompt_template=FEW_SHOT_PREFIX + TRIGGERING_PROMPT,
        extra_params={'topics': dict(TOPICS_PARAMETER)},
    )
)
class SelQATriggeringAdapter(SelQAAdapter):
    """Finds the sentences of five sections that answer a question, or declines."""

    task = 'at'
    record_type = TriggeringRecord
    judge_metric_name = 'answer_correct'

    def record_to_sample(self, record: Dict[str, Any]) -> Sample:
        checked = self._checker.check(TriggeringRecord, record)
        question, gold = triggering_question(checked)
        return Sample(input=question, target=gold.model_dump_json(), metadata=checked.metadata())

    def sample_to_fewshot(self, sample: Sample) -> str:
        gold = TriggeringGold.model_validate_json(sample.target)
        return f'{sample.input}\n\n{format_listing(gold.answers)}'

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        gold = TriggeringGold.model_validate_json(task_state.target)
        return format_listing(read_listing(prediction, gold.sentences))

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        gold = TriggeringGold.model_validate_json(reference)
        listing = read_listing(filtered_prediction, gold.sentences)
        outcome = triggering_outcome(gold.answers, gold.section_sizes, listing)
        return Score(
            prediction=original_prediction,
            extracted_prediction=filtered_prediction,
            value={
                'answer_correct': answer_correct(gold.answers, listing),
                'trigger_correct': float(outcome.trigger_correct),
            },
            main_score_name='answer_correct',
            metadata=outcome.to_dict(),
        )

    def aggregate_scores(self, sample_scores: List[SampleScore]) -> List[AggScore]:
        if not sample_scores:
            return []
        scores = [sample_score.score for sample_score in sample_scores]
        fields = TriggeringOutcome.__dataclass_fields__
        outcomes = [TriggeringOutcome(**{name: score.metadata[name] for name in fields}) for score in scores]
        metrics = triggering_metrics(outcomes, [score.value['answer_correct'] for score in scores])
        return [AggScore(metric_name=name, score=value, num=len(scores)) for name, value in metrics.items()]
