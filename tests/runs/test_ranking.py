"""Ranks with ties and reversals."""

import pytest
from evalscope_qa.runs.comparison.ranking import rank_ranges, reversals


@pytest.mark.parametrize(
    ('better', 'ranks'),
    [
        ([], {'a': '1-3', 'b': '1-3', 'c': '1-3'}),
        ([('a', 'b'), ('a', 'c'), ('b', 'c')], {'a': '1', 'b': '2', 'c': '3'}),
        ([('a', 'c')], {'a': '1-2', 'b': '1-3', 'c': '2-3'}),
        ([('a', 'c'), ('b', 'c')], {'a': '1-2', 'b': '1-2', 'c': '3'}),
    ],
)
def test_what_no_test_separates_shares_its_ranks(better: list[tuple[str, str]], ranks: dict[str, str]) -> None:
    assert {model: str(found) for model, found in rank_ranges(['a', 'b', 'c'], better).items()} == ranks


def test_reversals_name_who_was_ahead_first() -> None:
    before = {'a': 0.9, 'b': 0.8, 'c': 0.8, 'only before': 1.0}
    after = {'a': 0.7, 'b': 0.8, 'c': 0.6, 'only after': 1.0}
    assert reversals(before, after) == [('a', 'b')]
