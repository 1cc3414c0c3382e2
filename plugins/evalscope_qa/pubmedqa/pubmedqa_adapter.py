"""PubMedQA: answer a research question with yes, no or maybe from its abstract.

Registers ``pubmedqa``, which replaces evalscope's built-in of that name, and ``pubmedqa_official``.
"""

from pathlib import Path
from typing import Any, ClassVar, Dict, Iterable, List, Optional, Sequence, Tuple, Type

from evalscope.api.benchmark import BenchmarkMeta
from evalscope.api.dataset import DataLoader, Dataset, Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import Score
from evalscope.api.registry import register_benchmark

from ..benchmark_base import HUGGING_FACE, QuestionAnsweringAdapter
from ..reading import Reading, read_verdict
from ..records import RecordChecker, build_dataset, matching_files, names_split
from .local_files import SPLIT_FILES
from .official_split import official_test_ids
from .questions import read_question
from .scoring import METRICS, aggregate_verdicts, score_verdict

_PAPER = 'https://arxiv.org/abs/1909.06146'

_INSTRUCTION = 'Please answer YES or NO or MAYBE without an explanation.'
PROMPT_TEMPLATE = f'{{question}}\n{_INSTRUCTION}'
FEW_SHOT_PROMPT_TEMPLATE = f'Here are questions with their answers.\n\n{{fewshot}}\n\n{{question}}\n{_INSTRUCTION}'

_DESCRIPTION = """
## Overview

PubMedQA (Jin et al., 2019) asks whether the abstract of a biomedical article, without its conclusion, answers the
question in the article's title with yes, no or maybe. {which}

## Task Description

- **Task Type**: Biomedical question answering over one abstract
- **Input**: The abstract and the question
- **Output**: YES, NO or MAYBE

## Key Features

- {questions}
- {source}
- `local_path` takes the official `ori_pqal.json`, JSON Lines, JSON, CSV or parquet, a file or a folder

## Evaluation Notes

- Primary metric: **accuracy**, over every question asked
- **Precision**, **recall** and **F1** are unweighted means over YES, NO and MAYBE
- An unanswered reply (empty, cut off, naming several labels or none) counts as a miss in accuracy, recall and F1
- `yes_ratio`, `no_ratio`, `maybe_ratio` and `unanswered_ratio` are shares of the questions and add up to 1
- A reply is read by what it commits itself to: a marked answer, a stated one ("Answer: no"), a label at its start or
  on its last line; a template that letters the labels may be answered by letters
"""


@register_benchmark(
    BenchmarkMeta(
        name='pubmedqa',
        evaluation_version='v1.4',
        pretty_name='PubMedQA',
        tags=['Knowledge', 'Medical', 'Yes/No'],
        description=_DESCRIPTION.format(
            which='This benchmark asks all the labelled questions.',
            questions='1,000 expert-labelled questions: 552 yes, 338 no, 110 maybe',
            source='For numbers to compare with published ones, which are on 500 of them, use `pubmedqa_official`',
        ),
        paper_url=_PAPER,
        dataset_id='extraordinarylab/pubmed-qa',
        metric_list=list(METRICS),
        primary_metric='accuracy',
        few_shot_num=0,
        eval_split='test',
        prompt_template=PROMPT_TEMPLATE,
        few_shot_prompt_template=FEW_SHOT_PROMPT_TEMPLATE,
    )
)
class PubMedQAAdapter(QuestionAnsweringAdapter):
    """Reads PubMedQA's records in each published form and scores replies to its questions."""

    split_files = SPLIT_FILES
    score_fields_aggregated = ('value', 'metadata', 'extracted_prediction')
    judge_metric_name = 'accuracy'
    question_metrics: ClassVar[Dict[str, str]] = {'accuracy': 'accuracy'}
    _needs_id = False

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.add_overall_metric = False  # an average over subsets is no macro average

    def find_files(self, split: str, few_shot: bool = False) -> Optional[List[Path]]:
        """Return the one file that holds a split; every other layout is for evalscope's loader to read."""
        path = Path(self.dataset_id)
        files = matching_files(self.split_files, path, split)
        # A shuffled run of the built-in was made in the order of evalscope's loader; rescoring it needs the same.
        in_loaders_order = self.shuffle and not few_shot and path not in files
        if len(files) != 1 or (in_loaders_order and names_split(files[0], split)):
            return None
        return files

    def record_to_sample(self, record: Dict[str, Any]) -> Sample:
        """Convert a record of any published form.

        Raises:
            RecordError: If the record is malformed.
        """
        question = read_question(self._checker, record, self._needs_id)
        return Sample(
            input=f'Abstract: {question.abstract}\n\nQuestion: {question.question}',
            target=question.gold,
            metadata={'pubmed_id': question.pubmed_id, 'reasoning': question.reasoning},
        )

    def sample_to_fewshot(self, sample: Sample) -> str:
        """Show a question with its gold verdict."""
        return f'{sample.input}\n{sample.target}'

    def question_of(self, sample: Sample) -> str:
        """The question alone: the abstract is put together in another way in each published form."""
        return str(sample.input).rpartition('\n\nQuestion: ')[2]

    def read_reply(self, text: str, task_state: TaskState) -> Reading:
        """Read the verdict of a reply: YES, NO or MAYBE."""
        return read_verdict(text, self.prompt_of(task_state))

    def score_reading(self, reading: Reading, task_state: TaskState) -> Tuple[Dict[str, float], Dict[str, Any]]:
        """Score a verdict against the gold label."""
        return {'accuracy': score_verdict(task_state.target, reading.answer)}, {'gold': task_state.target}

    def aggregate_questions(self, scores: Sequence[Score]) -> Dict[str, float]:
        """Compute every metric over the questions asked, answered or not."""
        return aggregate_verdicts(
            golds=[score.metadata['gold'] for score in scores],
            predictions=[score.extracted_prediction or None for score in scores],
            correct=[score.value['accuracy'] for score in scores],
        )


@register_benchmark(
    BenchmarkMeta(
        name='pubmedqa_official',
        evaluation_version='v1.0',
        pretty_name='PubMedQA-Official',
        tags=['Knowledge', 'Medical', 'Yes/No'],
        description=_DESCRIPTION.format(
            which='This benchmark asks the questions of the official test split, chosen by PubMed id.',
            questions='500 expert-labelled questions: 276 yes, 169 no, 55 maybe, as on the PubMedQA leaderboard',
            source='Loaded from Hugging Face unless `dataset_hub` is set; few-shot examples are from the other 500',
        ),
        paper_url=_PAPER,
        dataset_id='qiaojin/PubMedQA',
        subset_list=['pqa_labeled'],
        default_subset='pqa_labeled',
        metric_list=list(METRICS),
        primary_metric='accuracy',
        few_shot_num=0,
        # The one split of the hub's dataset, with all 1,000 questions.
        train_split='train',
        eval_split='train',
        prompt_template=PROMPT_TEMPLATE,
        few_shot_prompt_template=FEW_SHOT_PROMPT_TEMPLATE,
        extra_params={
            'allow_partial': {
                'type': 'bool',
                'description': 'Score the official questions that the source has, even if it lacks some of the 500.',
                'value': False,
            }
        },
    )
)
class PubMedQAOfficialAdapter(PubMedQAAdapter):
    """Asks the 500 questions of the official test split."""

    home_hub = HUGGING_FACE
    _needs_id = True

    def load_questions(self, subset: str, data_loader: Type[DataLoader]) -> Dataset:
        """Load the official test questions; ``limit`` applies to them, not to the source.

        Raises:
            ValueError: If the source lacks some of them and ``allow_partial`` is not set, or lacks all.
        """
        asked = self._load_source(subset, data_loader, self.eval_split, 'test', self.eval_split)
        self.check_questions(asked, self.dataset_id)
        return build_dataset(self, asked, subset, record_to_sample=_unchanged)

    def check_questions(self, samples: Iterable[Sample], source: str = 'the source') -> None:
        """Refuse a source that lacks some of the 500 questions, unless ``allow_partial`` is set, or lacks all."""
        official = official_test_ids()
        found = {sample.metadata['pubmed_id'] for sample in samples}
        missing = len(official - found)
        # An empty 'extra_params' of the user's replaces the declared ones.
        if missing and not (found and self.extra_params.get('allow_partial')):
            raise ValueError(
                f'{self.name}: {source}: lacks {missing} of the {len(official)} questions of the official test '
                'split. Use the whole dataset, or set extra_params to {"allow_partial": true} to ask those it has.'
            )

    def load_examples(self, subset: str, data_loader: Type[DataLoader]) -> Dataset:
        """Load the few-shot examples from the questions outside the test split."""
        examples = self._load_source(subset, data_loader, self.train_split, self.train_split, 'test')
        return build_dataset(self, examples, subset, few_shot=True, record_to_sample=_unchanged)

    def sample_filter(self, sample: Sample) -> bool:
        """Keep the questions of the test split, or where examples are loaded the others."""
        return (sample.metadata['pubmed_id'] in official_test_ids()) != self.loading_examples

    def _load_source(
        self, subset: str, data_loader: Type[DataLoader], split: Optional[str], *names: Optional[str]
    ) -> List[Sample]:
        """Load every record that ``sample_filter`` keeps, once and whatever the limit: they may stand anywhere.

        Args:
            subset: The dataset's configuration.
            data_loader: evalscope's loader, for what is not one local file.
            split: The dataset's split.
            names: What the split may be called in a local folder, the preferred name first.
        """
        self._checker = RecordChecker(self.name)
        files = matching_files(self.split_files, Path(self.dataset_id), *names)
        if len(files) != 1:
            return self.load_everything(subset, data_loader, split)
        return [sample for sample in map(self.record_to_sample, self.read_split(files)) if self.sample_filter(sample)]


def _unchanged(record: Any) -> Any:
    """Let ``build_dataset`` arrange samples that exist already."""
    return record
