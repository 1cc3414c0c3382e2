"""Measures what the audit finds: of the faults injected into clean benchmarks, and of those known in evalscope.

    python tests/audit/measure.py [--later] [FAULT ...]
    python tests/audit/measure.py --report FIRST.json [SECOND.json]

Without a report, every fault of ``injected`` is audited, and it is printed whether it is found, by a rule that it may
be found by, naming the function at fault; then the same of the clean benchmarks, where nothing may be found. With the
JSON report of ``EVALSCOPE_PLUGINS=off evalscope-qa audit --all``, it is printed how many of ``known_faults`` are in
it; with a second, whether both have the same findings.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from audit.clean_adapters import CLEAN, name_of
from audit.injected import FAULTS, Fault
from audit.injected_later import LATER, SAMPLES, records_of
from audit.known_faults import KNOWN_FAULTS, KnownFault
from evalscope_qa.audit.parallel import Options, audit
from evalscope_qa.audit.results import BenchmarkResult
from evalscope_qa.audit.rules.table import RULES

ALL = {**FAULTS, **LATER}


@dataclass(frozen=True)
class Row:
    """What the audit made of one fault."""

    fault: Fault
    result: BenchmarkResult

    @property
    def found(self) -> bool:
        return bool(self.result.findings)

    @property
    def by_its_rule(self) -> bool:
        return any(finding.rule in self.fault.rules for finding in self.result.findings)

    @property
    def right_function(self) -> bool:
        """Whether every finding of the fault's rules names the function at fault."""
        causes = {f.cause.rpartition('.')[2] for f in self.result.findings if f.rule in self.fault.rules}
        return causes == {self.fault.function}


def run(names: Sequence[str], workers: int = 2) -> dict[str, BenchmarkResult]:
    """Audit injected faults and clean benchmarks by name."""
    bases: dict[str, type] = {name_of(base): base for base in CLEAN}
    bases.update({name: fault.base for name, fault in ALL.items()})
    with tempfile.TemporaryDirectory() as folder:
        files = {base: Path(folder) / f'{base.__name__}.json' for base in CLEAN}
        for base, file in files.items():
            file.write_text(json.dumps(base.records), encoding='utf-8')
        files.update({base: records_of(base) for base in SAMPLES})
        options = Options(
            rules=[rule.id for rule in RULES],
            modules=['audit.injected_later' if any(name in LATER for name in names) else 'audit.injected'],
            records={name: files[bases[name]] for name in names},
            time_limit=120,
        )
        return {result.benchmark: result for result in audit(list(names), options, workers=workers).results}


def show(rows: Iterable[Row]) -> None:
    """Print a line a fault, and totals."""
    rows = list(rows)
    for row in rows:
        marks = [('yes' if mark else 'NO') for mark in (row.found, row.by_its_rule, row.right_function)]
        rules = ', '.join(dict.fromkeys(finding.rule for finding in row.result.findings))
        causes = ', '.join(dict.fromkeys(f.cause.rpartition('.')[2] for f in row.result.findings))
        wanted = row.fault.rules[0] if row.fault.rules else '(outside the contract)'
        note = '' if row.by_its_rule and row.right_function else f' {rules} {causes} {row.result.reason}'.rstrip()
        print(f'{row.fault.name:46} {wanted:22} {marks[0]:4}{marks[1]:4}{marks[2]:4}{note}')
    within = [row for row in rows if row.fault.rules]
    print(f'\n{len(rows)} faults: {sum(row.found for row in rows)} found')
    print(
        f'{len(within)} within the contract: {sum(row.found for row in within)} found, '
        f'{sum(row.by_its_rule for row in within)} by the right rule, '
        f'{sum(row.by_its_rule and row.right_function for row in within)} naming the function at fault alone'
    )


def compare_with_known(report: dict[str, Any], again: dict[str, Any] | None = None) -> None:
    """Print how many of the known faults a report has, and how much of it a second one repeats."""
    found = {one for result in report['results'] for one in findings_of(result)}
    flagged = {benchmark for benchmark, _, _ in found}
    names = list(dict.fromkeys(known.benchmark for known in KNOWN_FAULTS))
    missed = [known for known in KNOWN_FAULTS if not is_found(known, found)]
    audited = {result['benchmark']: result for result in report['results']}
    print(f'{len(names)} benchmarks with {len(KNOWN_FAULTS)} known faults: {len(flagged & set(names))} flagged')
    print(f'{len(KNOWN_FAULTS) - len(missed)} faults by the right rule in the right function; the others:')
    for known in missed:
        result = audited.get(known.benchmark, {'reason': 'not in the report'})
        others = sorted({f'{rule} {cause}' for name, rule, cause in found if name == known.benchmark})
        print(f'  {known.benchmark}: {known.rule} {known.function} | {result["reason"]} {"; ".join(others)}'.rstrip())
    print('for the right reason:', len({known.benchmark for known in KNOWN_FAULTS} - {one.benchmark for one in missed}))
    if again is not None:
        repeated = {one for result in again['results'] for one in findings_of(result)}
        causes, causes_again = ({cause for _, _, cause in both} for both in (found, repeated))
        for noun, first, second in (('causes', causes, causes_again), ('findings', found, repeated)):
            print(f'{len(first)} {noun}, {len(first & second)} of them in the second report, which has {len(second)}')
        for sign, only in (('-', found - repeated), ('+', repeated - found)):
            for one in sorted(only):
                print(f'  {sign} {" ".join(one)}')


def findings_of(result: dict[str, Any]) -> set[tuple[str, str, str]]:
    """Return benchmark, rule and function of each finding."""
    return {(result['benchmark'], finding['rule'], finding['cause']) for finding in result['findings']}


def is_found(known: KnownFault, found: set[tuple[str, str, str]]) -> bool:
    """Whether a fault is among findings, by its rule and function."""
    return any(
        (known.benchmark, known.rule) == (benchmark, rule) and known.function in ('', cause)
        for benchmark, rule, cause in found
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description='Measure what the audit finds.')
    parser.add_argument('faults', nargs='*', metavar='FAULT', help='only these')
    parser.add_argument('--later', action='store_true', help='those in the benchmarks of the package')
    parser.add_argument('--report', nargs='+', metavar='F', help='JSON reports of a whole audit of evalscope')
    options = parser.parse_args(arguments)
    if options.report:
        compare_with_known(*(json.loads(Path(file).read_text(encoding='utf-8')) for file in options.report))
        return 0
    names = options.faults or list(LATER if options.later else FAULTS)
    clean = [] if options.faults or options.later else [name_of(base) for base in CLEAN]
    results = run([*names, *clean])
    show(Row(ALL[name], results[name]) for name in names)
    for name in clean:
        result: Any = results[name]
        found = [f'{finding.rule}: {finding.cause}' for finding in result.findings]
        print(f'{name}: {result.status}, {len(found)} findings {found or ""}{result.reason}')
    for name, result in results.items():
        for rule, outcome in result.rules.items():
            if outcome.reason.startswith('could not be tried'):
                print(f'{name}: {rule} {outcome.reason}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
