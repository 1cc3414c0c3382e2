"""Writes an audit's report as JSON, and reads it back."""

import json
from pathlib import Path

from ..results import AuditReport, BenchmarkResult, RuleDescription
from .causes import sections

FORMAT_VERSION = 4


def write_json(report: AuditReport, path: Path) -> None:
    """Write the report as JSON: everything, with the causes by section in the order of their weight."""
    document = {
        'format': FORMAT_VERSION,
        **{name: value for name, value in report.to_dict().items() if name != 'rules'},
        'causes': [
            {
                'section': section.id,
                'weight': card.weight,
                'rules': [rule.id for rule in card.group.rules],
                'cause': card.group.cause,
                'location': card.group.location,
                'call': card.call,
                'official': [row.source or row.text for _, row in card.explained],
                'conditions': card.conditions,
                'benchmarks': card.group.benchmarks,
            }
            for section in sections(report)
            for card in section.cards
        ],
        'rules': {
            known.id: {'demand': known.demand, 'fault': known.fault, 'page': known.page} for known in report.rules
        },
    }
    path.write_text(json.dumps(document, ensure_ascii=True, indent=1) + '\n', encoding='utf-8')


def read_json(path: Path) -> AuditReport:
    """Return the report that a file holds.

    Raises:
        ValueError: If the file is none that :func:`write_json` of this version wrote.
        OSError: If it cannot be read.
    """
    try:
        document = json.loads(path.read_text(encoding='utf-8'))
    except ValueError as error:
        raise ValueError(f'{path}: not JSON: {error}') from error
    if not isinstance(document, dict) or document.get('format') != FORMAT_VERSION:
        raise ValueError(f'{path}: not an audit as --json writes it, format {FORMAT_VERSION}; write it anew')
    rules = [RuleDescription(name, rule['demand'], rule['fault']) for name, rule in document['rules'].items()]
    fields = {name: document[name] for name in AuditReport.__dataclass_fields__ if name not in ('rules', 'results')}
    return AuditReport(
        rules=rules, results=[BenchmarkResult.from_dict(result) for result in document['results']], **fields
    )
