"""The example of docs/pubmedqa.md in which a wrong recall denominator reverses the ranking of two models.

Ten questions of each class. Model A answers eight of each right and abstains on two; model B answers nine of each right
and one wrong. Run as a module, it prints the metrics of both as JSON, by whichever ``pubmedqa`` is registered.
"""

import json

from ..records import read_records
from .replies import read_replies
from .results import ReplayResult
from .samples import PACKAGE
from .scoring import replay

_FOLDER = PACKAGE / 'pubmedqa' / 'sample'


def ranking_example() -> dict[str, ReplayResult]:
    """Replay both models through the registered ``pubmedqa``; keys ``A`` and ``B``."""
    records = read_records(_FOLDER / 'ranking_records.jsonl')
    return {
        model: replay('pubmedqa', records, read_replies(_FOLDER / f'ranking_replies_{model.lower()}.jsonl'))
        for model in ('A', 'B')
    }


def main() -> None:
    results = ranking_example()
    version = results['A'].evaluation_version
    print(json.dumps({'evaluation_version': version, **{model: result.metrics for model, result in results.items()}}))


if __name__ == '__main__':
    main()
