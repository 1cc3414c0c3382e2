"""Which of PubMedQA's 1,000 labelled questions are the official test split."""

from functools import lru_cache
from pathlib import Path
from typing import FrozenSet

_IDS = Path(__file__).with_name('official_test_ids.txt')


@lru_cache(maxsize=1)
def official_test_ids() -> FrozenSet[str]:
    """PubMed ids of the 500 test questions; the file names its source and licence."""
    lines = _IDS.read_text(encoding='utf-8').splitlines()
    return frozenset(line for line in lines if line and not line.startswith('#'))
