"""Writes an audit's report as JSON."""

import json
from pathlib import Path

from ..results import AuditReport

FORMAT_VERSION = 2


def write_json(report: AuditReport, path: Path) -> None:
    """Write the report as JSON: everything, with the groups as lists of names."""
    document = {
        'format': FORMAT_VERSION,
        **{name: value for name, value in report.to_dict().items() if name != 'rules'},
        'causes': [
            {
                'rules': [rule.id for rule in group.rules],
                'cause': group.cause,
                'location': group.location,
                'benchmarks': group.benchmarks,
            }
            for group in report.groups()
        ],
        'rules': {known.id: {'demand': known.demand, 'page': known.page} for known in report.rules},
    }
    path.write_text(json.dumps(document, ensure_ascii=True, indent=1) + '\n', encoding='utf-8')
