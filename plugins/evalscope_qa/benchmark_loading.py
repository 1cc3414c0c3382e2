"""How every adapter of this package loads its questions and its few-shot examples, which are never among them.

What adapters need of evalscope that is not public is used in this module alone. Seen in 1.12.0, 1.13.0, 1.14.0 and
1.14.1: ``_task_config`` and ``_temporary_attribute`` of ``DataAdapter``, and the module ``api.dataset.loader``. From
1.14.0 on: ``repeat_samples`` of that module, and ``BenchmarkMeta.hf_dataset_id``.
"""

from pathlib import Path
from typing import Any, ClassVar, Iterable, Sequence

from evalscope.api.benchmark import DefaultDataAdapter
from evalscope.api.dataset import DataLoader, Dataset, Sample
from evalscope.api.dataset import loader as dataset_loader

from .records import (
    Record,
    RecordChecker,
    SplitFiles,
    build_dataset,
    find_file_beside,
    find_split_files,
    read_files,
)

HUGGING_FACE = 'huggingface'
"""evalscope.constants.HubType.HUGGINGFACE"""


class QuestionLoadingAdapter(DefaultDataAdapter):
    """Loads questions from local files or from a hub.

    A subclass sets the class attributes and converts records (``record_to_sample``, ``sample_to_fewshot``), checking
    each with ``self._checker``.
    """

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

    def check_questions(self, samples: Iterable[Sample], source: str = 'the source') -> None:
        """Refuse a source that lacks questions which the benchmark is defined by; here there are none.

        Args:
            samples: Every question of the source, before limit and repeats; may be read once, or not to its end.
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
