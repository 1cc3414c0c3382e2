"""Replies with their right readings, kept beside the real data: every row is read as a person reads it."""

from typing import Any, Callable

import pytest
from evalscope_qa.reading import read_listing, read_ranking, read_short_text, read_verdict
from evalscope_qa.searchqa.scoring import score_answer

Cases = Callable[[str], list[dict[str, Any]]]


@pytest.mark.parametrize('name', ['reading_pubmedqa', 'pubmedqa_verdicts'])
def test_the_verdicts_of_the_cases(cases: Cases, name: str) -> None:
    rows = cases(name)
    assert [row['reply'] for row in rows if read_verdict(row['reply']).answer != row['label']] == []
    assert len(rows) >= 50


@pytest.mark.parametrize('name', ['reading_selqa_rankings', 'selqa_rankings'])
def test_the_rankings_of_the_cases(cases: Cases, name: str) -> None:
    misread = []
    for row in cases(name):
        answer = read_ranking(row['reply'], row['candidates']).answer
        if (None if answer is None else list(answer)) != row['ranking']:
            misread.append(row['reply'])
    assert misread == []


@pytest.mark.parametrize('name', ['reading_selqa_triggering', 'selqa_triggering'])
def test_the_listings_of_the_cases(cases: Cases, name: str) -> None:
    misread = []
    for row in cases(name):
        answer = read_listing(row['reply'], row['candidates']).answer
        if (None if answer is None else list(answer)) != row['sentences']:
            misread.append(row['reply'])
    assert misread == []


@pytest.mark.parametrize('name', ['reading_searchqa', 'searchqa_replies'])
def test_the_scores_of_the_cases_of_searchqa(cases: Cases, name: str) -> None:
    misread = []
    for row in cases(name):
        answer = read_short_text(row['reply'], golds=row['answers']).answer or ''
        scores = score_answer(answer, row['answers'])
        wrong = [metric for metric in scores if metric in row and scores[metric] != pytest.approx(row[metric])]
        if wrong or row.get('extracted', answer) != answer:
            misread.append(row['reply'])
    assert misread == []
