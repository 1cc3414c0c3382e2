"""The benchmarks `selqa_selection` and `selqa_triggering`.

Paper: Jurczyk et al., 2016, https://arxiv.org/abs/1606.08513. Data: https://github.com/emorynlp/selqa (Apache-2.0).
"""

from pathlib import Path
from typing import Any, ClassVar, Dict, List, Optional, Sequence, Tuple, Type, Union

from evalscope.api.benchmark import BenchmarkMeta
from evalscope.api.dataset import Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import Score
from evalscope.api.registry import register_benchmark

from ..benchmark_base import QuestionAnsweringAdapter
from ..reading import Reading, read_listing, read_ranking
from ..records import Record, RecordChecker, read_files
from .download import COMMIT, download_file
from .local_files import split_files
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


class SelQAAdapter(QuestionAnsweringAdapter):
    """What both benchmarks share: loading."""

    how_to_get_the_data = (
        'Pass a SelQA file, or a folder of them, as local_path; leave local_path out to download the official files.'
    )

    score_fields_aggregated = ('value', 'metadata')
    task: str
    """SelQA's name of the task, which is also the folder of its files."""
    record_type: Type[Union[SelectionRecord, TriggeringRecord]]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._topics = self._requested_topics()

    def _requested_topics(self) -> List[str]:
        topics = self.extra_params.get('topics') or []
        topics = [topics] if isinstance(topics, str) else topics
        if not (isinstance(topics, list) and all(isinstance(topic, str) for topic in topics)):
            raise ValueError(f'{self.name}: extra_params.topics must be a list of topic names, not {topics!r}.')
        return [topic.upper() for topic in topics]

    def find_files(self, split: str, few_shot: bool = False) -> Optional[List[Path]]:
        """Return the file of a split, downloaded where the user gave no path."""
        if self.dataset_id == REPOSITORY:
            return [download_file(self.task, split, force=self.force_redownload)]
        files = super().find_files(split, few_shot)
        if files is None:
            raise FileNotFoundError(
                f'{self.name}: {self.dataset_id}: no such file or folder. {self.how_to_get_the_data}'
            )
        return files

    def read_split(self, files: Sequence[Path], first: Optional[int] = None) -> List[Record]:
        """Read the questions of a file that are to be asked; all of its records are checked."""
        records = read_files(files, self.name)
        checker = RecordChecker(self.name)
        topics = [checker.check(self.record_type, record).topic.upper() for record in records]
        unknown = sorted(set(self._topics) - set(topics))
        if unknown:
            raise ValueError(
                f'{self.name}: no question of {files[0]} has the topic {", ".join(unknown)}; '
                f'its topics are {", ".join(sorted(set(topics)))}. Correct extra_params.topics.'
            )
        # Here and not by sample_filter alone, which evalscope applies after the limit.
        return [record for record, topic in zip(records, topics, strict=True) if self._is_asked(topic)]

    def sample_filter(self, sample: Sample) -> bool:
        return self._is_asked(sample.metadata['topic'])

    def _is_asked(self, topic: str) -> bool:
        return not self._topics or topic.upper() in self._topics


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
    split_files = split_files(task)
    record_type = SelectionRecord
    judge_metric_name = 'average_precision'
    question_metrics: ClassVar[Dict[str, str]] = {
        'average_precision': 'map',
        'reciprocal_rank': 'mrr',
        'precision_at_1': 'precision_at_1',
    }

    def record_to_sample(self, record: Dict[str, Any]) -> Sample:
        checked = self._checker.check(SelectionRecord, record)
        question, gold = selection_question(checked)
        return Sample(input=question, target=gold.model_dump_json(), metadata=checked.metadata())

    def sample_to_fewshot(self, sample: Sample) -> str:
        gold = SelectionGold.model_validate_json(sample.target)
        return f'{sample.input}\n\n{format_ranking(gold.answers)}'

    def read_reply(self, text: str, task_state: TaskState) -> Reading:
        gold = SelectionGold.model_validate_json(task_state.target)
        return read_ranking(text, gold.sentences, self.prompt_of(task_state))

    def show_answer(self, answer: Sequence[int]) -> str:
        return format_ranking(answer)

    def score_reading(self, reading: Reading, task_state: TaskState) -> Tuple[Dict[str, float], Dict[str, Any]]:
        gold = SelectionGold.model_validate_json(task_state.target)
        ranking = reading.answer or ()
        values = {
            'average_precision': average_precision(gold.answers, ranking),
            'reciprocal_rank': reciprocal_rank(gold.answers, ranking),
            'precision_at_1': precision_at_1(gold.answers, ranking),
        }
        return values, {}

    def aggregate_questions(self, scores: Sequence[Score]) -> Dict[str, float]:
        return {
            reported: mean_over_questions(score.value[name] for score in scores)
            for name, reported in self.question_metrics.items()
        }


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
    split_files = split_files(task)
    record_type = TriggeringRecord
    judge_metric_name = 'answer_correct'
    question_metrics: ClassVar[Dict[str, str]] = {
        'answer_correct': 'answer_correct',
        'trigger_correct': 'trigger_accuracy',
    }

    def record_to_sample(self, record: Dict[str, Any]) -> Sample:
        checked = self._checker.check(TriggeringRecord, record)
        question, gold = triggering_question(checked)
        return Sample(input=question, target=gold.model_dump_json(), metadata=checked.metadata())

    def sample_to_fewshot(self, sample: Sample) -> str:
        gold = TriggeringGold.model_validate_json(sample.target)
        return f'{sample.input}\n\n{format_listing(gold.answers)}'

    def read_reply(self, text: str, task_state: TaskState) -> Reading:
        gold = TriggeringGold.model_validate_json(task_state.target)
        return read_listing(text, gold.sentences, self.prompt_of(task_state))

    def show_answer(self, answer: Sequence[int]) -> str:
        return format_listing(answer)

    def score_reading(self, reading: Reading, task_state: TaskState) -> Tuple[Dict[str, float], Dict[str, Any]]:
        gold = TriggeringGold.model_validate_json(task_state.target)
        outcome = triggering_outcome(gold.answers, gold.section_sizes, reading.answer)
        values = {
            'answer_correct': answer_correct(gold.answers, reading.answer),
            'trigger_correct': float(outcome.trigger_correct),
        }
        return values, outcome.to_dict()

    def aggregate_questions(self, scores: Sequence[Score]) -> Dict[str, float]:
        fields = TriggeringOutcome.__dataclass_fields__
        outcomes = [TriggeringOutcome(**{name: score.metadata[name] for name in fields}) for score in scores]
        return triggering_metrics(outcomes, [score.value['answer_correct'] for score in scores])
