"""What EVALSCOPE_PLUGINS lets in, as one table: claims of two distributions, one of a group that is off by default."""

import pytest
from evalscope_qa.discovery.policy import Claim
from evalscope_qa.discovery.selection import parse

CLAIMS = [
    Claim('searchqa', 'evalscope-qa', '0.1', 'm'),
    Claim('pubmedqa', 'evalscope-qa', '0.1', 'm'),
    Claim('pubmedqa_strict', 'evalscope-qa', '0.1', 'm', group='strict'),
    Claim('pubmedqa', 'acme_benchmarks', '3.0', 'm'),
]
QA = 'evalscope-qa/'
DEFAULT = [f'{QA}searchqa', f'{QA}pubmedqa', 'acme_benchmarks/pubmedqa']
STRICT = [f'{QA}pubmedqa_strict']

CASES = [
    # what the variable says, what it lets in, entries that match nothing
    ('', DEFAULT, []),
    ('  ', DEFAULT, []),
    (',', DEFAULT, []),
    ('default', DEFAULT, []),
    ('Default', DEFAULT, []),
    ('off', [], []),
    (' OFF ', [], []),
    ('0', [], []),
    ('all', DEFAULT + STRICT, []),
    ('strict', STRICT, []),
    ('default,strict', DEFAULT + STRICT, []),
    ('searchqa', [f'{QA}searchqa'], []),
    (' searchqa , searchqa,', [f'{QA}searchqa'], []),
    ('pubmedqa', [f'{QA}pubmedqa', 'acme_benchmarks/pubmedqa'], []),
    ('pubmedqa_strict', STRICT, []),
    ('searchqa,strict', [f'{QA}searchqa', *STRICT], []),
    ('SearchQA', [], ['SearchQA']),
    ('searchqa,typo,other', [f'{QA}searchqa'], ['typo', 'other']),
    ('searchqa,off', [f'{QA}searchqa'], ['off']),
    ('evalscope-qa:*', [f'{QA}searchqa', f'{QA}pubmedqa'], []),
    ('Evalscope_QA : *', [f'{QA}searchqa', f'{QA}pubmedqa'], []),
    ('evalscope-qa:default', [f'{QA}searchqa', f'{QA}pubmedqa'], []),
    ('evalscope-qa:strict', STRICT, []),
    ('evalscope-qa:all', [f'{QA}searchqa', f'{QA}pubmedqa', *STRICT], []),
    ('evalscope-qa:pubmedqa', [f'{QA}pubmedqa'], []),
    ('acme.benchmarks:pubmedqa', ['acme_benchmarks/pubmedqa'], []),
    ('acme-benchmarks:searchqa', [], ['acme-benchmarks:searchqa']),
    ('nobody:*,searchqa', [f'{QA}searchqa'], ['nobody:*']),
    ('*', [], ['*']),
    (':searchqa', [], [':searchqa']),
]


@pytest.mark.parametrize('text, included, unmatched', CASES, ids=[repr(case[0]) for case in CASES])
def test_the_variable_lets_in_what_it_names(text: str, included: list[str], unmatched: list[str]) -> None:
    selection = parse(text)
    covered = [f'{claim.distribution}/{claim.benchmark}' for claim in CLAIMS if selection.covers(claim)]
    assert sorted(covered) == sorted(included)
    assert selection.unmatched(CLAIMS) == unmatched


def test_default_and_all_are_no_mistake_where_no_plugin_is_installed() -> None:
    assert parse('default,all,strict').unmatched([]) == ['strict']
