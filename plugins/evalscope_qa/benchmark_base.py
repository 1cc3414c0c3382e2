"""What every adapter of this package shares, above all its one rule.

An unanswered reply earns nothing, whatever a judge says, and is counted. Adapters say how a record becomes a question,
how a reply is read, what a reading scores, and how scores aggregate; everything else is here.

Everything of evalscope that is not public and that adapters need is used in this module alone. Seen in 1.12.0, 1.13.0,
1.14.0 and 1.14.1: ``_task_config`` and ``_temporary_attribute`` of ``DataAdapter``, and ``api.dataset.loader``. From
1.14.0 on: ``repeat_samples`` of the latter, and ``BenchmarkMeta.hf_dataset_id``. From 1.14.1 on: ``bayes_at_n``.
"""

from pathlib import Path
from typing import Any, ClassVar, Mapping, Sequence

from evalscope.api.benchmark import DefaultDataAdapter
from evalscope.api.dataset import DataLoader, Dataset, Sample
from evalscope.api.dataset import loader as dataset_loader
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import AggScore, MetricSelector, SampleScore, Score
from evalscope.api.registry import get_aggregation

from .reading import Reading
from .records import (
    Record,
    RecordChecker,
    SplitFiles,
    build_dataset,
    find_file_beside,
    find_split_files,
    read_files,
)

UNANSWERED_RATIO = 'unanswered_ratio'
"""Share of the questions asked whose reply holds no answer; every benchmark reports it."""
HUGGING_FACE = 'huggingface'
"""evalscope.constants.HubType.HUGGINGFACE"""

_BAYES = 'bayes_at_n'
_BAYES_METRICS = ('accuracy', 'exact_match')
"""Those that the aggregation ``bayes_at_n`` of evalscope 1.14.1 takes."""


class QuestionAnsweringAdapter(DefaultDataAdapter):
    """A benchmark whose every question asked counts.

    A subclass sets the class attributes, converts records (``record_to_sample``, ``sample_to_fewshot``), checking each
    with ``self._checker``, and implements :meth:`read_reply`, :meth:`score_reading` and :meth:`aggregate_questions`.
    """

    judge_metric_name: str
    """The metric of a question that a judge decides; the main one."""
    question_metrics: ClassVar[Mapping[str, str]]
    """The metrics of one question, and the name of each in the report when it is averaged over the questions."""
    metrics_without_answer: ClassVar[frozenset[str]] = frozenset()
    """Those of them that an unanswered reply has too, because they compare texts and credit no answer."""
    split_files: ClassVar[SplitFiles]
    """How the files of a local folder are called."""
    home_hub: ClassVar[str | None] = None
    """The hub that the dataset is on, where it is on one only; taken unless the user sets ``dataset_hub``."""
    how_to_get_the_data: ClassVar[str] = 'Correct the path, or leave local_path out to load the dataset from its hub.'
    """What to do where ``local_path`` leads nowhere."""

    loading_examples = False
    """Whether few-shot examples are being loaded, for ``sample_filter``."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._checker = RecordChecker(self.name)
        self._evaluated_files: list[Path] | None = None
        self._asked: set[str] = set()
        config = self._task_config
        user_chose = config is not None and 'dataset_hub' in config.model_fields_set
        self._hub: str | None = None if user_chose else self.home_hub
        meta = self.benchmark_meta
        if meta.dataset_id.startswith('~'):
            meta.dataset_id = str(Path(meta.dataset_id).expanduser())
        if getattr(meta, 'hf_dataset_id', '') is None:
            # evalscope 1.14 warns that an id without a mapping may belong to ModelScope; none of ours does.
            meta.hf_dataset_id = meta.dataset_id
        self._check_aggregation()

    # -- loading ------------------------------------------------------------------------------------------------------

    @property
    def dataset_hub(self) -> str:
        """The hub the user set, else the one that the dataset is on, else evalscope's default."""
        return self._hub or super().dataset_hub

    @dataset_hub.setter
    def dataset_hub(self, value: str) -> None:
        if self.home_hub is None:
            DefaultDataAdapter.dataset_hub.fset(self, value)
        else:  # kept here, not in the task configuration: the other benchmarks of the run share that one
            self._hub = value

    def load(self) -> Any:
        """Load both splits; see ``DefaultDataAdapter``.

        Raises:
            FileNotFoundError: If ``local_path`` does not exist.
        """
        local_path = self._task_config.dataset_args.get(self.name, {}).get('local_path')
        if local_path and not Path(local_path).expanduser().exists():
            raise FileNotFoundError(
                f'{self.name}: local_path {local_path}: no such file or folder. {self.how_to_get_the_data}'
            )
        self._asked.clear()
        return super().load()

    def load_subset(self, subset: str, data_loader: type[DataLoader]) -> Dataset:
        """Load the questions."""
        dataset = self.load_questions(subset, data_loader)
        self._asked.update(map(self._identity, dataset))
        return dataset

    def load_fewshot_subset(self, subset: str, data_loader: type[DataLoader]) -> Dataset:
        """Load the few-shot examples.

        Raises:
            ValueError: If they would be among the questions: by split, by file, or one by one.
        """
        with self._temporary_attribute('loading_examples', True):
            examples = self.load_examples(subset, data_loader)
        for number, example in enumerate(examples, start=1):
            if self._identity(example) in self._asked:
                question = ' '.join(self.question_of(example).split())[:80]
                raise self._give_answers_away(f'number {number} is one of the questions evaluated ({question!r})')
        return examples

    def load_questions(self, subset: str, data_loader: type[DataLoader]) -> Dataset:
        """Load the questions from the files of the evaluated split, else by evalscope's loader."""
        files = self._evaluated_files = self.find_files(self.eval_split)
        if files is None:
            self._checker = RecordChecker(self.name, repeats=self._copies_of_a_record())
            return super().load_subset(subset, data_loader)
        self._checker = RecordChecker(self.name)
        return build_dataset(self, self.read_split(files), subset)

    def load_examples(self, subset: str, data_loader: type[DataLoader]) -> Dataset:
        """Load the few-shot examples from the files of the train split, else by evalscope's loader."""
        evaluated = self._evaluated_files
        if evaluated is None and self.train_split == self.eval_split:
            raise self._give_answers_away('that is the split evaluated')
        files = self.find_files(self.train_split, few_shot=True)
        self._checker = RecordChecker(self.name)
        if files is None:
            return super().load_fewshot_subset(subset, data_loader)
        shared = next((file for file in files for other in evaluated or () if file.samefile(other)), None)
        if shared is not None:
            raise self._give_answers_away(f'{shared} holds the questions')
        first = None if self.few_shot_random else self.few_shot_num
        return build_dataset(self, self.read_split(files, first), subset, few_shot=True)

    def find_files(self, split: str, few_shot: bool = False) -> list[Path] | None:
        """Return the files of a split; None where evalscope's loader is to load it, from a hub or a folder.

        Args:
            split: Name of the split.
            few_shot: Whether the split is that of the few-shot examples. A single file is the split evaluated.

        Raises:
            FileNotFoundError: If the split has no file.
            ValueError: If it cannot be told which files are of the split.
        """
        path = Path(self.dataset_id)
        if not path.exists():
            return None
        find = find_file_beside if few_shot and path.is_file() else find_split_files
        return find(self.split_files, path, split, self.name)

    def read_split(self, files: Sequence[Path], first: int | None = None) -> list[Record]:
        """Read the records of a split that may be asked.

        Args:
            files: The files of the split.
            first: How many are needed; None for all.

        Raises:
            ValueError: If a file cannot be parsed, or none holds a record.
        """
        return read_files(files, self.name, first)

    def load_everything(self, subset: str, data_loader: type[DataLoader], split: str | None) -> list[Sample]:
        """Load every record of a split that ``sample_filter`` keeps by evalscope's loader, once, whatever the limit."""
        # The loader leaves limit and repeats to others where subsets are to be made of what it loads.
        with self._temporary_attribute('reformat_subset', True), self._temporary_attribute('eval_split', split):
            return list(DefaultDataAdapter.load_subset(self, subset, data_loader))

    def check_questions(self, samples: Sequence[Sample], source: str = 'the source') -> None:
        """Refuse a source that lacks questions which the benchmark is defined by; here there are none.

        Args:
            samples: Every question of the source, before limit and repeats.
            source: What to call it in messages.

        Raises:
            ValueError: If questions are missing.
        """

    def question_of(self, sample: Sample) -> str:
        """Return the text by which a question is known to be the same in two files, from a sample as converted."""
        return str(sample.input)

    def _identity(self, sample: Sample) -> str:
        return ' '.join(self.question_of(sample).split()).casefold()

    def _give_answers_away(self, why: str) -> ValueError:
        names = ' and '.join(self.split_files.example_name(split) for split in (self.train_split, self.eval_split))
        return ValueError(
            f"{self.name}: few-shot examples come from the split '{self.train_split}', but {why}: the prompts would "
            f'give answers away. Set another train_split or eval_split, pass a folder with {names}, or set '
            'few_shot_num to 0.'
        )

    def _copies_of_a_record(self) -> int:
        """How often evalscope's loader hands over a record: up to 1.13 it repeats records, later it repeats samples."""
        return 1 if hasattr(dataset_loader, 'repeat_samples') else self.repeats

    # -- what a benchmark implements ----------------------------------------------------------------------------------

    def read_reply(self, text: str, task_state: TaskState) -> Reading:
        """Read a reply: its answer, or None where it is unanswered.

        Args:
            text: The reply after the user's filters; empty where there was none.
            task_state: The question.
        """
        raise NotImplementedError

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
        if self.aggregation == _BAYES:
            if primary not in _BAYES_METRICS:
                raise ValueError(
                    f'{self.name}: the aggregation {_BAYES!r} is of answers that are right or wrong, and {primary} can '
                    'lie between. Choose another aggregation.'
                )
            meta.metric_list = [primary]
            meta.primary_metric = MetricSelector(name=primary, aggregation=_BAYES)
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
        if others and self.aggregation == _BAYES:
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
            if self.aggregation != _BAYES or reported == self.primary_metric.name
        }
        renamed = []
        for sample_score in sample_scores:
            value = {reported: sample_score.score.value[name] for name, reported in names.items()}
            score = sample_score.score.model_copy(update={'value': value})
            renamed.append(sample_score.model_copy(update={'score': score}))
        return super().aggregate_scores(renamed)
