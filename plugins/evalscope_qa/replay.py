"""Scores canned replies through any benchmark registered with evalscope: no model, no dataset download, no network.

The records are converted and the replies scored by the adapter itself, so a replayed number is the number a run would
report for the same replies.
"""

import csv
import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, TextIO, Type, Union

from pydantic import ValidationError

from .records import Record, RecordError, build_dataset, parse_csv_rows, parse_json_items, read_records, read_text

if TYPE_CHECKING:
    from evalscope.api.benchmark import DefaultDataAdapter
    from evalscope.api.dataset import Sample
    from evalscope.api.metric import SampleScore
    from evalscope.api.model import ModelOutput

Reply = Union[str, 'ModelOutput', None]

_MODEL = 'replay'


@dataclass(frozen=True)
class ReplayedSample:
    """One question of a replay."""

    index: int
    """Position of the question, from 0."""
    gold: str
    """The gold answer as evalscope shows it; several are on one line each."""
    reply: Optional[str]
    """The reply's text; None where there was none."""
    extracted: str
    """What the adapter took for the answer; empty where it found none."""
    scores: dict[str, float]
    """The question's value of each per-question metric."""
    answered: bool
    """Whether the reply holds an answer: as the adapter says, else whether anything was extracted."""


@dataclass(frozen=True)
class ReplayResult:
    """What a benchmark makes of the replies."""

    benchmark: str
    evaluation_version: str
    num: int
    """Number of questions asked."""
    metrics: dict[str, float]
    """Each aggregated metric by its name in evalscope's report."""
    excluded: int
    """Questions that the benchmark itself could not score and left out; none for the benchmarks of this package."""
    samples: list[ReplayedSample] = field(repr=False)

    def to_json(self) -> str:
        """Return the result, samples included, as a JSON object that can be written as UTF-8."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=2)
        # Lone surrogates come from JSON escapes, and the replacement is such an escape again: nothing is lost.
        return text.encode('utf-8', 'backslashreplace').decode('utf-8')

    def write_samples_csv(self, stream: TextIO) -> None:
        """Write one row a question.

        Args:
            stream: Opened with ``newline=''``, and with ``errors='backslashreplace'`` where replies may hold characters
                that the encoding lacks, such as lone surrogates.
        """
        names = list(dict.fromkeys(name for sample in self.samples for name in sample.scores))
        writer = csv.writer(stream)
        writer.writerow(['index', 'gold', 'reply', 'extracted', 'answered', *names])
        for sample in self.samples:
            scores = [sample.scores.get(name, '') for name in names]
            writer.writerow([sample.index, sample.gold, sample.reply, sample.extracted, sample.answered, *scores])


def replay(
    benchmark: str,
    records: Iterable[Record],
    replies: Sequence[Reply],
    dataset_args: Optional[Mapping[str, Any]] = None,
    *,
    progress: bool = False,
) -> ReplayResult:
    """Score canned replies to published records.

    Args:
        benchmark: Name of any benchmark registered with evalscope, of a plugin or built in.
        records: Records in the dataset's published form, in the order of the replies.
        replies: One reply a question: text, evalscope's ``ModelOutput``, or None for a request that brought nothing.
        dataset_args: What ``--dataset-args`` would hold for this benchmark. ``shuffle`` and ``shuffle_choices`` do not
            apply: the replies are in the order of the records, and to their choices as published.
        progress: Show a progress bar on stderr.

    Returns:
        The aggregated metrics and one row a question.

    Raises:
        ValueError: If the benchmark is unknown, its score needs a judge model, there is no question, or replies and
            questions differ in number, where the message gives both counts; and if the adapter fails in any way over
            its settings, a record or a reply: the message names the step, and the adapter's exception is the cause.
        RecordError: If a record is malformed.
    """
    from evalscope.api.registry import get_benchmark
    from evalscope.config import TaskConfig
    from tqdm import tqdm

    from . import discovery

    discovery.load_plugins()
    settings = dict(dataset_args or {})
    with _step(
        f'{benchmark}: setting up the adapter' + (f' with dataset_args {", ".join(settings)}' if settings else ''),
        ValueError,
    ):
        config = TaskConfig(
            model=_MODEL, eval_type='mock_llm', datasets=[benchmark], dataset_args={benchmark: settings}
        )
        adapter = get_benchmark(benchmark, config)
        adapter.validate_judge_strategy()
    _check_names(benchmark, settings, adapter)
    adapter.shuffle = False
    records = list(records)
    with _step(f'{benchmark}: converting the records', ValueError):
        convert = _converter(benchmark, adapter)
        samples = list(build_dataset(adapter, records, subset=adapter.default_subset, record_to_sample=convert))
    if len(samples) != len(replies):
        raise ValueError(
            f'{benchmark}: {len(samples)} questions (from {len(records)} records) but {len(replies)} replies. Pass one '
            'reply a question in the same order, null where there was none.'
        )
    if not samples:
        raise ValueError(
            f'{benchmark}: there is nothing to score: no question (from {len(records)} records), no reply.'
        )
    states, scores = [], []
    pairs = zip(samples, replies, strict=True)
    with tqdm(pairs, total=len(samples), desc='Scoring', unit='reply', disable=not progress) as bar:
        for index, (sample, reply) in enumerate(bar):
            with _step(f'{benchmark}: scoring the reply to question {index}'):
                states.append(_task_state(sample, reply))
                scores.append(adapter.calculate_metrics(states[-1]))
    with _step(f'{benchmark}: aggregating the scores'):
        if adapter.use_batch_scoring:
            scores = adapter.batch_calculate_metrics(states, scores)
        metrics = _aggregate(adapter, scores)
    return ReplayResult(
        benchmark=benchmark,
        evaluation_version=adapter.benchmark_meta.evaluation_version,
        num=len(samples),
        metrics=metrics,
        excluded=sum(not score.score.status.is_usable for score in scores),
        samples=[
            _replayed_sample(index, state.target, _text(reply), score.score)
            for index, (state, reply, score) in enumerate(zip(states, replies, scores, strict=True))
        ],
    )


@contextmanager
def _step(name: str, *clear: Type[Exception]) -> Iterator[None]:
    """Say in one line what an adapter was doing when it failed.

    Args:
        name: The benchmark and the step.
        clear: Exceptions that speak for themselves; pydantic's many-lined ones never do.

    Raises:
        ValueError: In the place of any other exception, which is its cause.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, clear) and not isinstance(error, ValidationError):
            raise
        raise ValueError(f'{name}: {_cause(error)}') from error


def _cause(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = '.'.join(str(part) for part in (error.title, *first['loc']))
        return f'{place}: {first["msg"]}'
    return ' '.join(f'{type(error).__name__}: {error}'.split())


def _check_names(benchmark: str, settings: Mapping[str, Any], adapter: 'DefaultDataAdapter') -> None:
    """Refuse settings that evalscope would pass over in silence."""
    for name in settings:
        if name != 'local_path' and not hasattr(adapter.benchmark_meta, name):
            hint = ' Pass the settings of the benchmark without its name around them.' if name == benchmark else ''
            raise ValueError(f'{benchmark}: dataset_args: a benchmark has no setting {name!r}.{hint}')


def _converter(benchmark: str, adapter: 'DefaultDataAdapter') -> Callable[[Record], Any]:
    """Return the adapter's conversion, which then names the record that it fails over."""
    numbers = count()

    def convert(record: Record) -> Any:
        with _step(f'{benchmark}: converting record {next(numbers)}', RecordError):
            return adapter.record_to_sample(record)

    return convert


def _task_state(sample: 'Sample', reply: Reply) -> Any:
    from evalscope.api.evaluator import TaskState
    from evalscope.api.model import ModelOutput

    output = ModelOutput.from_content(model=_MODEL, content=reply) if isinstance(reply, str) else reply
    state = TaskState(model=_MODEL, sample=sample, output=output, completed=True)
    state.output = output  # the constructor puts an empty output in the place of None
    return state


def _aggregate(adapter: 'DefaultDataAdapter', scores: list['SampleScore']) -> dict[str, float]:
    aggregates = adapter.aggregate_scores(sample_scores=scores)
    names = [aggregate.metric_name for aggregate in aggregates]
    return {
        name if names.count(name) == 1 else aggregate.identity.key: aggregate.score
        for name, aggregate in zip(names, aggregates, strict=True)
    }


def _text(reply: Reply) -> Optional[str]:
    return reply if reply is None or isinstance(reply, str) else reply.completion


def _replayed_sample(index: int, gold: str, reply: Optional[str], score: Any) -> ReplayedSample:
    extracted = score.extracted_prediction or ''
    answered = (score.metadata or {}).get('answered', bool(extracted.strip()))
    return ReplayedSample(index, gold, reply, extracted, dict(score.value), answered)


def read_replies(path: Union[str, Path]) -> list[Optional[str]]:
    """Read replies from a JSON, JSON Lines or CSV file.

    Each is a string, null, or an object (a row) with a field ``reply`` that is one of the two.

    Args:
        path: The file.

    Returns:
        One reply an item, in file order; None for null.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is not a regular file, cannot be parsed, or a reply is neither text nor null; names file and
            place.
    """
    file = Path(path)
    source, suffix = str(file), file.suffix.lower()
    items: Sequence[tuple[str, Any]]
    if suffix == '.parquet':
        items = [(f'row {index}', row) for index, row in enumerate(read_records(file))]
    elif suffix in ('.csv', '.tsv'):
        items = parse_csv_rows(read_text(file), source, '\t' if suffix == '.tsv' else ',')
    else:
        items = parse_json_items(read_text(file), source)
    replies = []
    for place, item in items:
        if isinstance(item, dict):
            if 'reply' not in item:
                raise ValueError(f"{file}: {place} has no field 'reply'; it has {sorted(item)}.")
            item = item['reply']
        if item is not None and not isinstance(item, str):
            raise ValueError(f'{file}: {place}: the reply is a {type(item).__name__}; expected text or null.')
        replies.append(item)
    return replies
