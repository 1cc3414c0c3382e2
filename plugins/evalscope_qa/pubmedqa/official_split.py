"""The official 500-question test split of PubMedQA, chosen by PubMed id."""

from pathlib import Path
from typing import Any, Dict, FrozenSet, List

from .questions import pubmed_id

_IDS = Path(__file__).with_name('official_test_ids.txt')


def official_test_ids() -> FrozenSet[str]:
    """PubMed ids of the 500 test questions; ``test_ground_truth.json`` of https://github.com/pubmedqa/pubmedqa."""
    lines = _IDS.read_text(encoding='utf-8').splitlines()
    return frozenset(line for line in lines if line and not line.startswith('#'))


def select_official_test(records: List[Dict[str, Any]], allow_partial: bool) -> List[Dict[str, Any]]:
    """Return the records of the official test split, in the order of the source.

    Args:
        records: Records with PubMed ids: the official file, or ``qiaojin/PubMedQA``.
        allow_partial: Accept a source that lacks some of the questions.

    Raises:
        ValueError: If the source lacks questions of the split, or, where that is allowed, has none of them.
    """
    ids = official_test_ids()
    selected = [record for record in records if pubmed_id(record) in ids]
    missing = len(ids - {pubmed_id(record) for record in selected})
    if missing and (not allow_partial or not selected):
        raise ValueError(
            f'pubmedqa_official: the source lacks {missing} of the {len(ids)} official test questions (it has '
            f'{len(records)} records). Pass the complete ori_pqal.json or qiaojin/PubMedQA (pqa_labeled) as '
            "local_path; for a part of it set extra_params to {'allow_partial': true} and do not call the result official."
        )
    return selected
