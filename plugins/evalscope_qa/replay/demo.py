"""Runs evalscope's own evaluation on the shipped samples with canned replies: no model, no network.

Then shows what the evalscope installed and this package make of the same replies to PubMedQA.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from functools import partialmethod
from pathlib import Path
from typing import Any, Iterator

from ..command_line import check_output_folder
from ..engine import MODEL, model_output, prompt_text, task_config
from ..records import read_records
from ..signature import records_digest, signature
from .demo_examples import MODELS, REPLIES, Examples, score_examples
from .replies import read_replies
from .samples import SampleFiles, sample_files, shipped_benchmarks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument('--work-dir', default='outputs/evalscope-qa-demo', help='where evalscope writes (%(default)s)')


def run(options: argparse.Namespace) -> int:
    """Run the demo."""
    check_output_folder('--work-dir', options.work_dir)
    run_demo(Path(options.work_dir), verbose=options.verbose)
    return 0


def run_demo(work_dir: Path, verbose: bool = False) -> None:
    """Evaluate every shipped sample with evalscope's ``run_task`` and print what came out.

    Args:
        work_dir: evalscope writes predictions, reviews and reports to a new folder in this one.
        verbose: Show evalscope's own progress bars too, some two dozen.

    Raises:
        RuntimeError: If one of the package's benchmarks is not the one that evalscope would run.
    """
    samples = [sample_files(benchmark) for benchmark in shipped_benchmarks()]
    _require_active(samples)
    print(f'Evaluating the shipped samples of {len(samples)} benchmarks with canned replies ...', flush=True)
    with nullcontext() if verbose else _no_bars_but_ours():
        outputs = _evaluate(samples, work_dir)
    _print_reports(outputs)
    print('\n'.join(_signature(sample, outputs) for sample in samples))
    _print_examples()
    _print_next_command()


def _require_active(samples: list[SampleFiles]) -> None:
    from .. import discovery

    discovery.load_plugins()
    status = {decision.benchmark: decision for decision in discovery.decisions()}
    for sample in samples:
        decision = status.get(sample.benchmark)
        if decision is None or decision.status != 'active':
            why = f'{decision.status}: {decision.reason}' if decision else 'not found'
            raise RuntimeError(f'{sample.benchmark} is not active ({why}); see `evalscope-qa list`.')


def _evaluate(samples: list[SampleFiles], work_dir: Path) -> Path:
    """Run evalscope and return the folder that it wrote to."""
    from evalscope import run_task
    from tqdm import tqdm

    dataset_args = {sample.benchmark: {'local_path': str(sample.records), **sample.dataset_args} for sample in samples}
    settings: dict[str, Any] = {'model_id': MODEL, 'work_dir': str(work_dir), 'eval_batch_size': 1}
    replies = _replies_by_prompt(samples, task_config(dataset_args, **settings))
    with tqdm(total=len(replies), desc='Replies', delay=0) as bar:
        config = task_config(dataset_args, model=_canned_model(replies, bar), **settings)
        run_task(config)
    return Path(config.work_dir)


def _replies_by_prompt(samples: list[SampleFiles], config: Any) -> dict[str, str]:
    """Map the prompt that evalscope will send for each sample question to its canned reply."""
    from evalscope.api.registry import get_benchmark

    replies: dict[str, str] = {}
    for sample in samples:
        questions = [
            question
            for subset in get_benchmark(sample.benchmark, config).load_dataset().values()
            for question in subset
        ]
        # A served model returns some text for every request, so a missing reply becomes an empty one here.
        texts = [reply or '' for reply in read_replies(sample.replies)]
        replies.update((prompt_text(question.input), text) for question, text in zip(questions, texts, strict=True))
    return replies


@contextmanager
def _no_bars_but_ours() -> Iterator[None]:
    """Keep back every progress bar that does not set its delay, for a run of evalscope fails if they are disabled."""
    from tqdm import tqdm

    original = vars(tqdm)['__init__']
    tqdm.__init__ = partialmethod(original, delay=float('inf'))
    try:
        yield
    finally:
        tqdm.__init__ = original


def _canned_model(replies: dict[str, str], bar: Any) -> Any:
    from evalscope.api.model import GenerateConfig, Model, ModelAPI, ModelOutput

    class CannedReplies(ModelAPI):
        """A model that looks its replies up."""

        def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
            bar.update()
            return model_output(replies[prompt_text(input)])

    return Model(CannedReplies(model_name=MODEL), GenerateConfig())


def _print_reports(outputs: Path) -> None:
    from evalscope.report import gen_table

    print(gen_table(reports_path_list=[str(outputs / 'reports')], add_overall_metric=True))
    pages = sorted(outputs.glob('reports/**/*.html'))
    if not pages:
        raise RuntimeError(f'evalscope wrote no HTML report below {outputs}.')
    print(f'HTML report: {pages[0].resolve()}')


def _signature(sample: SampleFiles, outputs: Path) -> str:
    from evalscope.api.registry import get_benchmark
    from evalscope.report import Report

    report = Report.from_json(str(outputs / 'reports' / MODEL / f'{sample.benchmark}.json'))
    return signature(
        benchmark=sample.benchmark,
        version=get_benchmark(sample.benchmark).benchmark_meta.evaluation_version,
        metric='+'.join(metric.identity.name for metric in report.metrics),
        questions=report.num,
        data=records_digest(read_records(sample.records)),
        settings=sample.dataset_args,
    )


def _print_examples() -> None:
    from evalscope import __version__

    environment = {**os.environ, 'EVALSCOPE_PLUGINS': 'off'}
    command = [sys.executable, '-m', f'{__package__}.demo_examples']
    built_in = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout
    scorers = {f'evalscope {__version__} built-in': Examples(**json.loads(built_in)), 'evalscope-qa': score_examples()}
    _print_ranking(scorers)
    _print_replies(scorers)


def _print_ranking(scorers: dict[str, Examples]) -> None:
    from tabulate import tabulate

    metrics = ('accuracy', 'precision', 'recall', 'f1')
    rows = [
        [scorer, examples.evaluation_version, f'{model}: {told}', *map(examples.ranking[model].get, metrics)]
        for scorer, examples in scorers.items()
        for model, told in MODELS.items()
    ]
    print('\nPubMedQA, ten questions a class: which of two models is better?')
    headers = ['scored by', 'version', 'model', 'accuracy', 'precision', 'recall', 'F1']
    print(tabulate(rows, headers=headers, floatfmt='.4f', tablefmt='simple_grid'))
    print('The better one by F1: ' + '; '.join(f'{each.best} by {scorer}' for scorer, each in scorers.items()) + '.')
    print(scorers['evalscope-qa'].signature)


def _print_replies(scorers: dict[str, Examples]) -> None:
    from tabulate import tabulate

    columns = [examples.credited for examples in scorers.values()]
    rows = [
        [reply.text, reply.says or 'nothing', reply.gold, *('credit' if credited else '-' for credited in credits)]
        for reply, *credits in zip(REPLIES, *columns, strict=True)
    ]
    print('\nPubMedQA, one reply a row: which of them earn credit?')
    headers = ['reply', 'it says', 'gold', *scorers]
    print(tabulate(rows, headers=headers, tablefmt='simple_grid', disable_numparse=True))
    said = sum(bool(reply.says) for reply in REPLIES)
    print(
        f'Of {len(REPLIES) - said} replies that say nothing and {said} that say the gold label, '
        + '; '.join(
            f'{scorer} credits {examples.credited_without_answer} and loses {examples.lost}'
            for scorer, examples in scorers.items()
        )
        + '.'
    )


def _print_next_command() -> None:
    """Name a command that works as it stands, by the name or the path that this one was called by."""
    called = sys.argv[0]
    if Path(called).name != 'evalscope-qa' or shutil.which('evalscope-qa') == called:
        called = 'evalscope-qa'
    print('\nNext, whether the benchmarks that you use credit replies that answer nothing, offline:')
    print(f'  {shlex.quote(called)} audit pubmedqa mmlu')
