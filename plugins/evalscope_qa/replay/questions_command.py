"""The ``evalscope-qa questions`` command: what any system has to answer, for ``replay`` to score."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..command_line import add_dataset_args, add_imports, check_outputs, is_unicode, module_files, parse_dataset_args
from ..wording import counted
from .questions import Question


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument('benchmark', metavar='BENCHMARK', help='any benchmark registered with evalscope')
    parser.add_argument('--records', required=True, metavar='F', help='records: JSON, JSON Lines, CSV or parquet')
    parser.add_argument('--id-field', metavar='FIELD', help='the field that identifies a record')
    add_dataset_args(parser)
    add_imports(parser)
    parser.add_argument('-o', '--output', metavar='F.jsonl', help='write to this file instead of the standard output')


def run(options: argparse.Namespace) -> int:
    """Write the questions, one JSON object a line.

    Raises:
        ValueError, OSError: For input that cannot be used, or a file that cannot be written.
    """
    from .. import engine
    from ..importing import import_all
    from ..records import iterate_records
    from .questions import few_shot_examples_left_out, read_questions

    check_outputs({'--output': options.output}, inputs=[options.records, *module_files(options.modules)])
    settings = parse_dataset_args(options.dataset_args, [options.benchmark]).get(options.benchmark, {})
    import_all(options.modules)
    with engine.failing_step(f'{options.benchmark}: setting up the adapter', ValueError):
        adapter = engine.configured_adapter(options.benchmark, settings)
    questions = read_questions(adapter, iterate_records(options.records, options.benchmark), options.id_field)
    if not len(questions):
        raise ValueError(f'{options.benchmark}: no question in {counted(questions.records, "record")}.')
    ascii_only = options.output is None and not is_unicode(sys.stdout)
    lines = (json.dumps(_row(question), ensure_ascii=ascii_only) + '\n' for question in questions.iterate())
    if options.output is None:
        sys.stdout.writelines(lines)
    else:
        # A lone surrogate comes from a JSON escape, and its replacement is such an escape again.
        with Path(options.output).open('w', encoding='utf-8', errors='backslashreplace') as stream:
            stream.writelines(lines)
    left_out = few_shot_examples_left_out(adapter)
    if left_out:
        print(f'{options.benchmark}: without the {counted(left_out, "example")} of a run.', file=sys.stderr)
    return 0


def _row(question: Question) -> dict[str, Any]:
    """Return a question as a row: the whole prompt as text, and as messages where it is more than one user's text."""
    from ..engine import prompt_text

    messages = question.sample.input
    row: dict[str, Any] = {'id': question.id, 'prompt': prompt_text(messages)}
    if not isinstance(messages, str) and not (
        len(messages) == 1 and messages[0].role == 'user' and isinstance(messages[0].content, str)
    ):
        row['messages'] = [message.model_dump(mode='json', include={'role', 'content'}) for message in messages]
    return row
