"""Prints the tables of the patches' messages from real replies, or checks that the messages hold them.

    EVALSCOPE_QA_DATA=DIR python patches/evidence.py
    EVALSCOPE_QA_DATA=DIR python patches/evidence.py --check
    python patches/evidence.py --audit [--check]

The replies are read by the released evalscope and by the one with the patch alone. What each file of the folder is:
its README. ``--audit`` is slower and needs no data: the audit of the released evalscope, and of the one with 0001 and
0002, by the package installed in the running environment.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from upstream.release import (
    CommandError,
    child_environment,
    default_cache,
    fetch_release,
    run,
    unpack_release,
)
from upstream.series import environment_of, series_folder
from upstream.tree import PatchError, Tree

VERSION = '1.14.1'
DATA_VARIABLE = 'EVALSCOPE_QA_DATA'


def _rows(title: str, rows: Sequence[tuple[str, Any, Any]]) -> list[str]:
    width = max(len(name) for name, _, _ in rows)
    head = [title, f'  {"":{width}}  before   after']
    return head + [f'  {name:{width}}  {before:>6}  {after:>6}' for name, before, after in rows]


def _counts(before: Mapping[str, int], after: Mapping[str, int], *kinds: tuple[str, str]) -> list[tuple[str, int, int]]:
    return [(name, before.get(kind, 0), after.get(kind, 0)) for name, kind in kinds]


def choice_table(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """The labelled MMLU-Pro replies."""
    stated, none, several = (sum(n for kind, n in before.items() if kind.startswith(of)) for of in ('st', 'no', 'se'))
    kinds = [('read', 'stated: right'), ('misread', 'stated: misread'), ('lost', 'stated: lost')]
    return [
        *_rows(f'{stated} replies that state one answer', _counts(before, after, *kinds)),
        *_rows(f'{none} that state none', _counts(before, after, ('given a letter all the same', 'none: invented'))),
        *_rows(f'{several} that state several', _counts(before, after, ('given one of them', 'several: invented'))),
    ]


def runs_table(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The genuine runs."""
    changed = [
        f'  {name}: {before[name] or "-"} -> {after[name] or "-"}' for name in before if before[name] != after[name]
    ]
    return [f'genuine runs: {len(changed)} of {len(before)} readings change', *changed]


def verdicts_table(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """The real replies to PubMedQA questions."""
    lines = []
    for title, source in (('GPT-3.5 and GPT-4', 'gpt stated'), ('InstructGPT', 'instructgpt stated')):
        total = sum(n for kind, n in before.items() if kind.startswith(source))
        kinds = [
            (what, f'{source}: {kind}') for what, kind in (('read', 'right'), ('misread', 'misread'), ('lost', 'lost'))
        ]
        lines += _rows(f'{title}: {total} replies that state a label in words', _counts(before, after, *kinds))
    silent = sum(n for kind, n in before.items() if kind.startswith('instructgpt silent'))
    kinds = [('given a label all the same', 'instructgpt silent: invented')]
    return lines + _rows(f'InstructGPT: {silent} replies that state none', _counts(before, after, *kinds))


def ratios_table(before: Mapping[str, Mapping[str, float]], after: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The GPT replies scored as runs of pubmedqa."""
    lines = []
    for model in before:
        metrics = ['accuracy', 'yes_ratio', 'no_ratio', 'maybe_ratio', 'unanswered_ratio']
        shown = [[f'{of[model][name]:.3f}' if name in of[model] else '-' for name in metrics] for of in (before, after)]
        lines += _rows(model, list(zip(metrics, *shown, strict=True)))
    return lines


def _columns(after: Mapping[str, Mapping[str, float]], metrics: Sequence[str]) -> list[str]:
    width = max(map(len, after))
    lines = ['  '.join([' ' * width, *(metric.rjust(6) for metric in metrics)])]
    for name, values in after.items():
        cells = [f'{values[metric]:.4f}'.rjust(max(6, len(metric))) for metric in metrics]
        lines.append('  '.join([name.ljust(width), *cells]))
    return lines


def selqa_table(before: Mapping[str, Any], after: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Two rankings of the 1,590 test questions of SelQA."""
    return _columns(after, ['map', 'mrr', 'precision_at_1', 'unanswered_ratio'])


def rjua_table(before: Mapping[str, Any], after: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Four replies to the published record of RJUA-QA."""
    return _columns(after, ['final_accuracy', 'rouge_l', 'unanswered_ratio'])


AUDITED = ['non-answer', 'cut-off-reasoning', 'abstention-counts']
"""Rules of the audit that speak of what 0001 and 0002 change."""

_LETTERS = 'evalscope.utils.multi_choices.'
_VERDICTS = tuple(
    f'evalscope.benchmarks.{name}.'
    for name in ('coin_flip', 'drivelology.drivelology_binary', 'hallusion_bench', 'halu_eval', 'pope', 'pumed_qa')
)


def audit_tables(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[str]]:
    """The audit's causes in the parsers that 0001 and 0002 change, with the benchmarks that each reaches."""

    def reached(report: Mapping[str, Any], of: str | tuple[str, ...]) -> dict[str, int]:
        causes = [cause for cause in report['causes'] if cause['cause'].startswith(of)]
        found: dict[str, int] = {}
        for cause in causes:
            name = cause['cause'].rpartition('.')[2] if of == _LETTERS else 'the six yes-no benchmarks'
            found[f'{cause["rule"]}, {name}'] = found.get(f'{cause["rule"]}, {name}', 0) + len(cause['benchmarks'])
        return found

    def clean(report: Mapping[str, Any]) -> int:
        audited = {result['benchmark'] for result in report['results'] if result['status'] == 'audited'}
        return len(audited - {name for cause in report['causes'] for name in cause['benchmarks']})

    tables = {}
    for number, of in (('0001', _LETTERS), ('0002', _VERDICTS)):
        counts = reached(before, of), reached(after, of)
        rows = [(name, *(count.get(name, 0) for count in counts)) for name in {**counts[0], **counts[1]}]
        rows.append(('benchmarks without a finding', clean(before), clean(after)))
        tables[number] = _rows('benchmarks that a cause reaches, before and with both patches', rows)
    return tables


def audits(cache: Path) -> dict[str, list[str]]:
    """Run the audit twice and return the lines of the tables, by the patch's number."""
    reports = []
    with tempfile.TemporaryDirectory(prefix='evalscope-evidence-') as name:
        scratch = Path(name)
        tree = Tree.of_release(unpack_release(fetch_release(VERSION, cache), scratch / 'release'))
        rules = [word for rule in AUDITED for word in ('--rule', rule)]
        for _ in range(2):
            command = [sys.executable, '-m', 'evalscope_qa', 'audit', '--all', *rules]
            run(
                [*command, '--json', scratch / 'report.json'],
                cwd=scratch,
                env=child_environment(PYTHONPATH=str(tree.folder)),
                check=False,
            )
            reports.append(json.loads((scratch / 'report.json').read_text(encoding='utf-8')))
            (scratch / 'report.json').unlink()
            if len(reports) == 1:
                for number in ('0001', '0002'):
                    (file,) = series_folder(VERSION).glob(f'{number}-*.patch')
                    tree.apply(file)
    return audit_tables(*reports)


TABLES: list[tuple[str, str, Callable[[Any, Any], list[str]]]] = [
    ('0001', 'choice', choice_table),
    ('0001', 'runs', runs_table),
    ('0002', 'verdicts', verdicts_table),
    ('0004', 'ratios', ratios_table),
    ('0007', 'selqa', selqa_table),
    ('0008', 'rjua', rjua_table),
]
"""Number of the patch, what is read, and how it is shown."""


def tables(data: Path, cache: Path) -> dict[str, list[str]]:
    """Return the lines of each patch's tables, by its number.

    Raises:
        PatchError: If a patch does not apply.
        CommandError: If evalscope could not read the replies.
    """
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix='evalscope-evidence-') as name:
        scratch = Path(name)
        release = Tree.of_release(unpack_release(fetch_release(VERSION, cache), scratch / 'release'))
        environment = environment_of(VERSION, release.folder, cache)

        def readings(tree: Tree, kind: str) -> Any:
            script = Path(__file__).with_name('upstream') / 'readings.py'
            variables = child_environment(PYTHONPATH=str(tree.folder))
            printed = run([environment.python, script, kind, data], cwd=scratch, env=variables).stdout
            return json.loads(printed.strip().splitlines()[-1])

        patched: dict[str, Tree] = {}
        for number, kind, table in TABLES:
            if number not in patched:
                patched[number] = release.worktree(scratch / number, release.head())
                (file,) = series_folder(VERSION).glob(f'{number}-*.patch')
                patched[number].apply(file)
            found.setdefault(number, []).extend(table(readings(release, kind), readings(patched[number], kind)))
    return found


def missing(number: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of a table that the patch's message does not hold, white space aside."""
    (file,) = series_folder(VERSION).glob(f'{number}-*.patch')
    message = file.read_text(encoding='utf-8').split('\ndiff --git ')[0]
    held = {' '.join(line.split()) for line in message.splitlines()}
    return [line for line in lines if ' '.join(line.split()) not in held]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print or check; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[0])
    parser.add_argument('--check', action='store_true', help='fail if a message lacks a line of its tables')
    parser.add_argument('--audit', action='store_true', help='the tables of the audit instead')
    parser.add_argument('--data', type=Path, default=os.environ.get(DATA_VARIABLE), help=f'default: ${DATA_VARIABLE}')
    parser.add_argument('--cache', type=Path, default=default_cache(), help='folder for sources and environments')
    options = parser.parse_args(arguments)
    if options.data is None and not options.audit:
        parser.error(f'name the folder of real replies: --data or ${DATA_VARIABLE}')
    lacking = 0
    found = audits(options.cache) if options.audit else tables(Path(options.data).resolve(), options.cache)
    for number, lines in found.items():
        print(f'-- {number}')
        print('\n'.join(lines), flush=True)
        if options.check and (absent := missing(number, lines)):
            lacking += len(absent)
            print(f'The message of {number} lacks {len(absent)} of these lines:', *absent, sep='\n', file=sys.stderr)
    return int(bool(lacking))


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (CommandError, PatchError) as error:
        sys.exit(str(error))
