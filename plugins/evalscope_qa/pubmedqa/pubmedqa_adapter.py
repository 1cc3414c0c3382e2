"""The benchmarks ``pubmedqa`` (which replaces evalscope's built-in of that name) and ``pubmedqa_official``."""

from pathlib import Path
from typing import Any, Dict, List, Type

from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import DataLoader, Dataset, DatasetHub, Sample
from evalscope.api.dataset import loader as dataset_loader
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import AggScore, SampleScore, Score
from evalscope.api.registry import register_benchmark

from ..records import RecordChecker, build_dataset
from .local_files import read_local_split
from .official_split import select_official_test
from .questions import read_question
from .scoring import METRICS, aggregate_verdicts, score_verdict
from .verdict import extract_verdict

PAPER = 'https://arxiv.org/abs/1909.06146'
REQUEST = 'Please answer YES or NO or MAYBE without an explanation.'
PROMPT_TEMPLATE = f'{{question}}\n{REQUEST}'
FEW_SHOT_PROMPT_TEMPLATE = f'Here are questions with their answers.\n\n{{fewshot}}\n\n{{question}}\n{REQUEST}'

_HUGGING_FACE = 'huggingface'  # evalscope.constants.HubType.HUGGINGFACE

_EVALUATION_NOTES = """
## Evaluation Notes

- Primary metric: **accuracy** over every question asked
- Macro **precision**, **recall** and **F1** over YES, NO and MAYBE; an unanswered question is a miss of its gold class
- `yes_ratio`, `no_ratio`, `maybe_ratio` and `unanswered_ratio` are shares of the replies and sum to 1
- The verdict is read from prose, markup and JSON alike; a reply that commits to no label or to several is unanswered
"""

DESCRIPTION = f"""
## Overview

PubMedQA (Jin et al., 2019) asks yes/no/maybe research questions that the abstract of a biomedical paper answers.

## Task Description

- **Task Type**: Biomedical question answering (yes/no/maybe)
- **Input**: A PubMed abstract without its conclusion, and a research question
- **Output**: YES, NO or MAYBE

## Key Features

- The 1,000 expert-labelled questions (552 yes, 338 no, 110 maybe)
- Reads the hub dataset, the official `ori_pqal.json` and `qiaojin/PubMedQA`, from a hub or from `local_path`
- Malformed records and repeated ids stop the run before any request
{_EVALUATION_NOTES}"""

OFFICIAL_DESCRIPTION = f"""
## Overview

PubMedQA (Jin et al., 2019) on its official 500-question test split, the one that the PubMedQA leaderboard reports.

## Task Description

- **Task Type**: Biomedical question answering (yes/no/maybe)
- **Input**: A PubMed abstract without its conclusion, and a research question
- **Output**: YES, NO or MAYBE

## Key Features

- 500 questions (276 yes, 169 no, 55 maybe), chosen by PubMed id
- Reads `qiaojin/PubMedQA` (from Hugging Face unless `dataset_hub` is set) or the official `ori_pqal.json`
- A source that lacks some of the 500 is an error, unless `extra_params.allow_partial` is true
{_EVALUATION_NOTES}"""


@register_benchmark(
    BenchmarkMeta(
        name='pubmedqa',
        evaluation_version='v1.3',
        pretty_name='PubMedQA',
        tags=['Knowledge', 'Yes/No', 'Medical'],
        description=DESCRIPTION.strip(),
        paper_url=PAPER,
        dataset_id='extraordinarylab/pubmed-qa',
        metric_list=list(METRICS),
        primary_metric='accuracy',
        few_shot_num=0,
        eval_split='test',
        prompt_template=PROMPT_TEMPLATE,
        few_shot_prompt_template=FEW_SHOT_PROMPT_TEMPLATE,
    )
)
class PubMedQAAdapter(DefaultDataAdapter):
    """Reads PubMedQA's records and scores verdicts."""

    judge_metric_name = 'accuracy'

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.add_overall_metric = False
        self._checker = RecordChecker(self.name)
        if getattr(self._benchmark_meta, 'hf_dataset_id', '') is None:
            # evalscope 1.14 warns that an id without a mapping may belong to ModelScope alone; these have the same id.
            self._benchmark_meta.hf_dataset_id = self._benchmark_meta.dataset_id

    def load(self) -> Any:
        """Load the questions and few-shot examples; see ``DefaultDataAdapter``.

        Raises:
            FileNotFoundError: If ``local_path`` does not exist.
        """
        local_path = self._task_config.dataset_args.get(self.name, {}).get('local_path')
        if local_path and not Path(local_path).exists():
            raise FileNotFoundError(f'{self.name}: local_path {local_path}: no such file or folder.')
        return super().load()

    def load_subset(self, subset: str, data_loader: Type[DataLoader]) -> Dataset:
        """Load the questions, from ``local_path`` where there is one."""
        records = self._local_records(self.eval_split)
        if records is not None:
            return build_dataset(self, records, subset)
        # Up to evalscope 1.13 the loader repeats records; later it repeats samples.
        repeats = 1 if hasattr(dataset_loader, 'repeat_samples') else self.repeats
        self._checker = RecordChecker(self.name, repeats=repeats)
        return super().load_subset(subset, data_loader)

    def load_fewshot_subset(self, subset: str, data_loader: Type[DataLoader]) -> Dataset:
        """Load the few-shot examples, from ``local_path`` where there is one.

        Raises:
            ValueError: If ``local_path`` is a file, which holds the questions and so cannot hold the examples.
        """
        if Path(self.dataset_id).is_file():
            raise ValueError(
                f"{self.name}: few-shot examples come from the split '{self.train_split}', and local_path is one file: "
                f'{self.dataset_id}. Pass a folder with {self.train_split}.jsonl and {self.eval_split}.jsonl, or set '
                'few_shot_num to 0.'
            )
        records = self._local_records(self.train_split)
        if records is not None:
            return build_dataset(self, records, subset, few_shot=True)
        return super().load_fewshot_subset(subset, data_loader)

    def _local_records(self, split: str) -> Any:
        """The records of a split below ``local_path``; None where evalscope's own loader is to look for them."""
        self._checker = RecordChecker(self.name)
        path = Path(self.dataset_id)
        return read_local_split(path, split) if path.exists() else None

    def record_to_sample(self, record: Dict[str, Any]) -> Sample:
        """Convert a published record of any of the three forms.

        Raises:
            RecordError: If the record is malformed.
        """
        question = read_question(self._checker, record)
        return Sample(
            input=f'Abstract: {question.abstract}\n\nQuestion: {question.question}',
            target=question.gold,
            metadata={'pubmed_id': question.pubmed_id, 'reasoning': question.reasoning},
        )

    def sample_to_fewshot(self, sample: Sample) -> str:
        """Show a question with its gold verdict."""
        return f'{sample.input}\n{sample.target}'

    def extract_answer(self, prediction: str, task_state: TaskState) -> str:
        """Take the verdict out of a reply that the user's filters have been applied to."""
        return extract_verdict(prediction) or ''

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: TaskState
    ) -> Score:
        """Score an extracted verdict against the gold one."""
        return Score(
            value={'accuracy': score_verdict(reference, filtered_prediction or None)},
            main_score_name='accuracy',
            extracted_prediction=filtered_prediction,
            prediction=original_prediction,
        )

    def calculate_metrics(self, task_state: TaskState) -> SampleScore:
        """Score a reply; a judge's score stands for accuracy, but never for a reply without a verdict."""
        sample_score = super().calculate_metrics(task_state)
        score = sample_score.score
        verdict = score.extracted_prediction or ''
        if not verdict:
            score.value = {'accuracy': 0.0}
        elif 'accuracy' not in score.value:
            score.value = {'accuracy': score_verdict(task_state.target, verdict), **score.value}
        score.metadata = {**(score.metadata or {}), 'answered': bool(verdict), 'gold': task_state.target}
        return sample_score

    def aggregate_scores(self, sample_scores: List[SampleScore]) -> List[AggScore]:
        """Aggregate over every question asked, answered or not."""
        if not sample_scores:
            return []
        scores = [sample_score.score for sample_score in sample_scores]
        metrics = aggregate_verdicts(
            golds=[score.metadata['gold'] for score in scores],
            predictions=[score.extracted_prediction or None for score in scores],
            correct=[score.value['accuracy'] for score in scores],
        )
        return [AggScore(metric_name=name, score=value, num=len(scores)) for name, value in metrics.items()]


@register_benchmark(
    BenchmarkMeta(
        name='pubmedqa_official',
        evaluation_version='v1.0',
        pretty_name='PubMedQA-Official',
        tags=['Knowledge', 'Yes/No', 'Medical'],
        description=OFFICIAL_DESCRIPTION.strip(),
        paper_url=PAPER,
        dataset_id='qiaojin/PubMedQA',
        subset_list=['pqa_labeled'],
        default_subset='pqa_labeled',
        metric_list=list(METRICS),
        primary_metric='accuracy',
        few_shot_num=0,
        eval_split='train',  # the hub dataset has this one split; the test questions are chosen from it by id
        prompt_template=PROMPT_TEMPLATE,
        few_shot_prompt_template=FEW_SHOT_PROMPT_TEMPLATE,
        extra_params={
            'allow_partial': {
                'type': 'bool',
                'description': 'Accept a source that lacks some of the 500 questions; the result is not official.',
                'value': False,
            }
        },
    )
)
class PubMedQAOfficialAdapter(PubMedQAAdapter):
    """The official test split, chosen by PubMed id."""

    def load_subset(self, subset: str, data_loader: Type[DataLoader]) -> Dataset:
        """Load the test questions. They are chosen before the run's ``limit`` applies."""
        records = self._local_records(self.eval_split)
        if records is None:
            records = list(self._hub().load(split=self.eval_split, subset=subset))
        allow_partial = bool(self.extra_params.get('allow_partial', False))
        return build_dataset(self, select_official_test(records, allow_partial), subset)

    def _hub(self) -> DatasetHub:
        """The hub the user set, else Hugging Face, where the dataset is."""
        chosen = 'dataset_hub' in self._task_config.model_fields_set
        return DatasetHub(
            data_id_or_path=self.dataset_id,
            data_source=self.dataset_hub if chosen else _HUGGING_FACE,
            revision=self.dataset_revision,
            force_redownload=self.force_redownload,
            cache_dir=self.dataset_dir,
        )
