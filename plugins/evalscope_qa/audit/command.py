"""The ``evalscope-qa audit`` command."""

import argparse
import json
from pathlib import Path
from typing import Any

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
    parser.add_argument(
        '--dataset-args', default='{}', metavar='JSON', help="evalscope's settings by benchmark, as for evalscope eval"
    )
    parser.add_argument(
        '--import',
        dest='modules',
        action='append',
        default=[],
        metavar='MODULE',
        help='import this module, or .py file, first: it registers benchmarks; may be repeated',
    )
    parser.add_argument('--rule', dest='rules', action='append', default=[], metavar='ID', help='try only this rule')
    parser.add_argument('--list-rules', action='store_true', help='show the rules and stop')
    parser.add_argument('--json', metavar='F', help='also write the report as JSON')
    parser.add_argument('--html', metavar='F', help='also write the report as one HTML file')
    parser.add_argument('--markdown', metavar='F', help='also write the report as Markdown')
    parser.add_argument('--workers', type=int, metavar='N', help='processes (default: one a processor)')
    parser.add_argument(
        '--time-limit',
        type=float,
        default=DEFAULT_TIME_LIMIT,
        metavar='S',
        help='seconds a benchmark may take before its process is replaced (default: %(default)g)',
    )


def run(options: argparse.Namespace) -> int:
    """Audit what is asked for and print the report.

    Returns:
        0 where nothing was found, 1 for findings, 130 after an interruption.

    Raises:
        ValueError: For arguments that do not fit together; for an unknown benchmark, rule or record file.
    """
    from .parallel import Options, audit
    from .report.json_file import write_json
    from .report.text import write_text
    from .rules.table import RULES, rule

    if options.list_rules:
        for known in RULES:
            print(f'{known.id:20} {known.demand}')
        return 0
    benchmarks = _benchmarks(options)
    rules = [rule(rule_id).id for rule_id in options.rules] or [known.id for known in RULES]
    report = audit(
        benchmarks,
        Options(
            rules=rules,
            dataset_args=_dataset_args(options.dataset_args),
            records={options.benchmarks[0]: Path(options.records)} if options.records else {},
            modules=options.modules,
            time_limit=options.time_limit,
            verbose=getattr(options, 'verbose', False),
        ),
        workers=options.workers,
        progress=True,
    )
    if options.json:
        write_json(report, Path(options.json))
    if options.html:
        from .report.html import write_html

        write_html(report, Path(options.html))
    if options.markdown:
        from .report.markdown import write_markdown

        write_markdown(report, Path(options.markdown))
    write_text(report)
    if report.interrupted:
        return 130
    return 1 if report.findings else 0


def _benchmarks(options: argparse.Namespace) -> Any:
    if options.all == bool(options.benchmarks):
        raise ValueError('name the benchmarks to audit, or pass --all')
    if options.records:
        if len(options.benchmarks) != 1:
            raise ValueError('--records goes with exactly one benchmark')
        if not Path(options.records).is_file():
            raise ValueError(f'{options.records}: no such file')
    if options.time_limit <= 0 or (options.workers is not None and options.workers < 1):
        raise ValueError('--time-limit must be positive and --workers at least 1')
    return None if options.all else options.benchmarks


def _dataset_args(text: str) -> dict[str, dict[str, Any]]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f'--dataset-args is not valid JSON: {error}') from error
    if not isinstance(value, dict) or not all(isinstance(item, dict) for item in value.values()):
        raise ValueError('--dataset-args must map benchmark names to objects, as in \'{"mmlu": {"limit": 5}}\'')
    return value
