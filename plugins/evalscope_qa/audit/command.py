"""The ``evalscope-qa audit`` command."""

import argparse
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ..command_line import (
    INTERRUPTED,
    add_dataset_args,
    add_imports,
    check_outputs,
    module_files,
    parse_dataset_args,
    write_files,
)
from .results import AUDITED, AuditReport
from .scorers.options import DEFAULT_SCORE_RANGE, ScorerOptions

DEFAULT_TIME_LIMIT = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument('benchmarks', nargs='*', metavar='BENCHMARK', help='benchmarks registered with evalscope')
    parser.add_argument('--all', action='store_true', help='audit every registered benchmark')
    parser.add_argument(
        '--records',
        metavar='F',
        help='make questions of these records: JSON, JSON Lines, CSV or parquet; one BENCHMARK',
    )
    add_dataset_args(parser)
    add_imports(parser)
    _add_scorer_arguments(parser)
    parser.add_argument(
        '--rule',
        dest='rules',
        action='append',
        default=[],
        metavar='ID',
        help='try only this rule, such as non-answer; may be repeated; --list-rules shows them all',
    )
    parser.add_argument('--list-rules', action='store_true', help='show the rules and stop')
    parser.add_argument('--from', dest='source', metavar='F', help='audit nothing: show a report that --json wrote')
    parser.add_argument('--json', metavar='F', help='also write the report as JSON')
    parser.add_argument('--html', metavar='F', help='also write the report as one HTML file')
    parser.add_argument('--markdown', metavar='F', help='also write the report as Markdown')
    parser.add_argument('--workers', type=int, metavar='N', help='processes (default: one a processor)')
    parser.add_argument(
        '--time-limit',
        type=float,
        default=DEFAULT_TIME_LIMIT,
        metavar='S',
        help='seconds of processor time a benchmark may take before its process is replaced (default: %(default)g)',
    )


def run(options: argparse.Namespace) -> int:
    """Audit what is asked for and print the report.

    Returns:
        0 where nothing was found, 1 for findings, 2 where nothing could be audited, 130 after an interruption.

    Raises:
        ValueError: For arguments that do not fit together; for an unknown benchmark, rule or record file.
        OSError: If a report cannot be written; it is printed and the others are written all the same.
    """
    from .parallel import Options, audit
    from .report.json_file import read_json
    from .rules.table import RULES, rule

    if options.list_rules:
        for known in RULES:
            print(f'{known.id:20} {known.demand}')
        return 0
    files = {'--json': options.json, '--html': options.html, '--markdown': options.markdown}
    if options.source is not None:
        if options.all or options.benchmarks or options.scorers:
            raise ValueError('--from shows a report that was written; leave out what to audit')
        check_outputs(files, inputs=[options.source])
        return _written(read_json(Path(options.source)), files)
    scorers = _scorers(options)
    benchmarks = _benchmarks(options) if scorers is None else scorers.names
    rules = [rule(rule_id).id for rule_id in options.rules] or [known.id for known in RULES]
    check_outputs(files, inputs=[options.records, options.questions, *module_files(options.modules)])
    report = audit(
        benchmarks,
        Options(
            rules=rules,
            dataset_args=parse_dataset_args(options.dataset_args, benchmarks),
            records=_records(options) if scorers is None else scorers.records,
            modules=options.modules,
            time_limit=options.time_limit,
            verbose=getattr(options, 'verbose', False),
            scorers=scorers,
        ),
        workers=options.workers,
        progress=True,
    )
    return _written(report, files)


def _written(report: AuditReport, files: Mapping[str, str | None]) -> int:
    """Print a report, write its files, and return the exit status that it gives."""
    from .report.html import write_html
    from .report.json_file import write_json
    from .report.markdown import write_markdown
    from .report.text import write_text

    try:
        write_text(report)
    finally:
        writers = (write_json, write_html, write_markdown)
        write_files((path, partial(write, report)) for path, write in zip(files.values(), writers, strict=True))
    if report.interrupted:
        return INTERRUPTED
    if report.findings:
        return 1
    if not any(result.status == AUDITED for result in report.results):
        print('evalscope-qa audit: error: nothing could be audited; the report says why', file=sys.stderr)
        return 2
    return 0


def _add_scorer_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group('callables', 'what scores replies and is no benchmark, such as a reward function')
    group.add_argument(
        '--scorer',
        dest='scorers',
        action='append',
        default=[],
        metavar='MODULE:NAME',
        help='audit this callable, or that of a .py file, in the place of benchmarks; may be repeated',
    )
    group.add_argument('--questions', metavar='F', help='JSON Lines, one question an object: prompt, gold, options, …')
    group.add_argument(
        '--form', default='', metavar='FORM', help=f'how it is called, where its signature does not tell: {_FORMS}'
    )
    group.add_argument(
        '--score-range', nargs=2, type=float, metavar=('WORST', 'BEST'), help='of its scores (default: 0 1)'
    )
    group.add_argument(
        '--trace',
        dest='packages',
        action='append',
        default=[],
        metavar='PACKAGE',
        help='functions of this package may be named as the cause too; may be repeated',
    )


_FORMS = 'plain, record, verl, trl, inspect or lm-eval'


def _scorers(options: argparse.Namespace) -> ScorerOptions | None:
    if not options.scorers:
        given = {'--questions': options.questions, '--form': options.form, '--score-range': options.score_range}
        alone = next((option for option, value in {**given, '--trace': options.packages}.items() if value), None)
        if alone is not None:
            raise ValueError(f'{alone} goes with --scorer')
        return None
    if options.benchmarks or options.all or options.records or options.dataset_args != '{}':
        raise ValueError(
            '--scorer audits a callable with --questions; leave out benchmarks, --all, --records and --dataset-args'
        )
    if options.questions is None:
        raise ValueError('--scorer needs --questions F.jsonl, a line {"prompt": …, "gold": …} a question')
    _check_limits(options)
    scorers = ScorerOptions(
        options.scorers,
        Path(options.questions),
        form=options.form,
        score_range=tuple(options.score_range or DEFAULT_SCORE_RANGE),
        packages=options.packages,
    )
    from .scorers.question_file import read_questions

    read_questions(scorers.questions)  # what is wrong with it is said before anything is started
    return scorers


def _records(options: argparse.Namespace) -> dict[str, Path]:
    return {options.benchmarks[0]: Path(options.records)} if options.records else {}


def _benchmarks(options: argparse.Namespace) -> list[str] | None:
    if options.all and options.benchmarks:
        raise ValueError(
            f'--all audits every benchmark, so {", ".join(options.benchmarks)} is not to be named too; leave out one'
        )
    if not options.all and not options.benchmarks:
        raise ValueError('name the benchmarks to audit, or pass --all')
    if options.records:
        if len(options.benchmarks) != 1:
            raise ValueError('--records goes with exactly one benchmark')
        if not Path(options.records).is_file():
            raise ValueError(f'{options.records}: no such file')
    _check_limits(options)
    return None if options.all else options.benchmarks


def _check_limits(options: argparse.Namespace) -> None:
    if options.time_limit <= 0 or (options.workers is not None and options.workers < 1):
        raise ValueError('--time-limit must be positive and --workers at least 1')
