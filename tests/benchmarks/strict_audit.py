"""Audits every benchmark of the table of docs/choice.md, as evalscope has it and read strictly, and counts the faults.

    python tests/benchmarks/strict_audit.py [BENCHMARK ...]

Prints a line for each rule: the number of benchmarks with findings without and with the strict reading; then what is
left. It takes minutes, and no network. Ends with 1 if a strict reading has a fault of the first three
rules.
"""

import argparse
import os
import sys
from typing import Any

from evalscope_qa.choice.table import BENCHMARKS

RULES = ['non-answer', 'cut-off-reasoning', 'repeatable', 'requested-format']
MUST_HOLD = RULES[:3]


def audited(names: list[str], switch: str) -> Any:
    from evalscope_qa.audit.parallel import Options, audit

    os.environ['EVALSCOPE_PLUGINS'] = switch
    return audit(names, Options(rules=RULES, time_limit=240), workers=2)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('benchmarks', nargs='*', default=sorted(BENCHMARKS))
    names = parser.parse_args().benchmarks
    found = {}
    for switch in ('off', 'strict'):
        report = audited(names, switch)
        found[switch] = {
            rule: {result.benchmark for result in report.results if any(item.rule == rule for item in result.findings)}
            for rule in RULES
        }
        for result in report.results:
            if result.status != 'audited':
                print(f'{switch}: {result.benchmark}: not audited: {result.reason}')
    print(f'\n{"rule":24}{"built-in":>10}{"strict":>10}')
    for rule in RULES:
        print(f'{rule:24}{len(found["off"][rule]):>10}{len(found["strict"][rule]):>10}')
    left = {rule: names for rule, names in found['strict'].items() if names}
    for rule, benchmarks in left.items():
        print(f'strict, {rule}: {", ".join(sorted(benchmarks))}')
    return int(any(rule in left for rule in MUST_HOLD))


if __name__ == '__main__':
    sys.exit(main())
