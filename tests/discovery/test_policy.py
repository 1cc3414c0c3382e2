"""The policy: which of several claims to a name is used, beside which built-in, and what is said about it."""

from itertools import permutations
from typing import Optional

import pytest
from evalscope_qa.discovery.policy import Claim, Decision, Offer, decide, version_key
from hypothesis import given
from hypothesis import strategies as st

BUILTIN = 'evalscope.benchmarks.x.x_adapter'


def offer(distribution: str, version: Optional[str], failure: Optional[str] = None) -> Offer:
    return Offer(Claim('x', distribution, '1.0', f'{distribution}_module'), version, failure)


def statuses(offers: list[Offer], builtin_version: Optional[str]) -> dict[str, str]:
    made = decide(offers, BUILTIN if builtin_version else None, builtin_version)
    return {decision.distribution: decision.status for decision in made}


CASES = [
    # a plugin and a built-in
    ('new name', {'a': 'v1.0'}, None, {'a': 'active'}),
    ('higher', {'a': 'v1.3'}, 'v1.2', {'a': 'active'}),
    ('equal', {'a': 'v1.2'}, 'v1.2', {'a': 'kept built-in'}),
    ('lower', {'a': 'v1.1'}, 'v1.2', {'a': 'kept built-in'}),
    ('minor versions are numbers', {'a': 'v1.10'}, 'v1.9', {'a': 'active'}),
    ('major before minor', {'a': 'v2.0'}, 'v1.99', {'a': 'active'}),
    ('major before minor, lower', {'a': 'v1.99'}, 'v2.0', {'a': 'kept built-in'}),
    # two plugins
    ('the higher of two', {'a': 'v1.0', 'b': 'v1.1'}, None, {'a': 'refused', 'b': 'active'}),
    ('the higher of two, above the built-in', {'a': 'v1.3', 'b': 'v1.4'}, 'v1.2', {'a': 'refused', 'b': 'active'}),
    (
        'the higher of two is still not above the built-in',
        {'a': 'v1.0', 'b': 'v1.1'},
        'v1.2',
        {'a': 'refused', 'b': 'kept built-in'},
    ),
    ('a tie', {'a': 'v1.1', 'b': 'v1.1'}, None, {'a': 'refused', 'b': 'refused'}),
    ('a tie above the built-in', {'a': 'v1.3', 'b': 'v1.3'}, 'v1.2', {'a': 'refused', 'b': 'refused'}),
    ('a third below decides no tie', {'a': 'v1.3', 'b': 'v1.3', 'c': 'v1.2'}, None, dict.fromkeys('abc', 'refused')),
    ('leading zeros do not make a version higher', {'a': 'v1.03', 'b': 'v1.3'}, None, dict.fromkeys('ab', 'refused')),
    # failures
    ('failed', {'a': None}, None, {'a': 'failed'}),
    ('failed beside a built-in', {'a': None}, 'v1.2', {'a': 'failed'}),
    ('a failed rival does not stand in the way', {'a': None, 'b': 'v1.3'}, 'v1.2', {'a': 'failed', 'b': 'active'}),
]  # fmt: skip


@pytest.mark.parametrize('versions, builtin, expected', [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_policy_and_that_no_order_matters(
    versions: dict[str, Optional[str]], builtin: Optional[str], expected: dict[str, str]
) -> None:
    offers = [offer(name, version, None if version else 'ImportError: no') for name, version in versions.items()]
    for order in permutations(offers):
        assert statuses(list(order), builtin) == expected


_VERSIONS = st.builds('v{}.{}'.format, st.integers(0, 3), st.integers(0, 12))


@given(st.lists(st.one_of(_VERSIONS, st.none()), max_size=5), st.one_of(_VERSIONS, st.none()))
def test_at_most_one_is_active_and_it_is_above_everything_else(
    versions: list[Optional[str]], builtin: Optional[str]
) -> None:
    offers = [offer(f'd{number}', version, None if version else 'no') for number, version in enumerate(versions)]
    made = decide(offers, BUILTIN if builtin else None, builtin)
    assert [decision.distribution for decision in made] == [item.claim.distribution for item in offers]
    active = [decision for decision in made if decision.status == 'active']
    assert len(active) <= 1
    rivals = [builtin, *versions]
    above_all = [version for version in versions if version and sum(
        version_key(rival) >= version_key(version) for rival in rivals if rival
    ) == 1]  # fmt: skip
    assert [decision.version for decision in active] == above_all


def test_a_tie_names_both_owners_and_what_to_do() -> None:
    for decision in decide([offer('one', 'v1.3'), offer('two', 'v1.3')], BUILTIN, 'v1.2'):
        assert (
            decision.reason == 'one 1.0 and two 1.0 claim the name with the same version; uninstall all but one of them'
        )


def test_the_loser_is_told_who_won() -> None:
    loser, _ = decide([offer('one', 'v1.2'), offer('two', 'v1.3')], None, None)
    assert loser.reason == 'v1.3 of two 1.0 is higher'


PLUGIN = Decision('x', 'acme', '2.5', 'acme.adapter', 'v1.3')
SENTENCES = [
    (
        PLUGIN,
        "Benchmark 'x': v1.3 of acme 2.5 (acme.adapter) is added; evalscope 1.14.1 has none.",
    ),
    (
        Decision('x', 'acme', '2.5', 'acme.adapter', 'v1.3', BUILTIN, 'v1.2'),
        "Benchmark 'x': v1.3 of acme 2.5 (acme.adapter) replaces "
        'v1.2 of evalscope 1.14.1 (evalscope.benchmarks.x.x_adapter).',
    ),
    (
        Decision('x', 'acme', '2.5', 'acme.adapter', 'v1.2', BUILTIN, 'v1.2', 'kept built-in', 'it is equal'),
        "Benchmark 'x': v1.2 of evalscope 1.14.1 (evalscope.benchmarks.x.x_adapter) is kept; "
        'v1.2 of acme 2.5 (acme.adapter) is not used: it is equal.',
    ),
    (
        Decision('x', 'acme', '2.5', 'acme.adapter', None, None, None, 'failed', 'ImportError: no'),
        "Benchmark 'x': acme 2.5 (acme.adapter) is not used: ImportError: no.",
    ),
    (
        Decision('x', 'acme', '2.5', 'acme.adapter', 'v1.3', BUILTIN, 'v1.2', 'refused', 'v1.4 of best 1.0 is higher'),
        "Benchmark 'x': v1.3 of acme 2.5 (acme.adapter) is not used: v1.4 of best 1.0 is higher; "
        'built in is v1.2 of evalscope 1.14.1 (evalscope.benchmarks.x.x_adapter).',
    ),
]


@pytest.mark.parametrize('decision, sentence', SENTENCES)
def test_one_line_names_both_versions_and_both_owners(decision: Decision, sentence: str) -> None:
    assert decision.sentence('1.14.1') == sentence


def test_a_reason_of_several_lines_stays_one_line() -> None:
    decision = Decision('x', 'acme', '2.5', 'm', None, None, None, 'failed', 'SyntaxError: first\n  second\n')
    assert decision.sentence('1.14.1').count('\n') == 0


@pytest.mark.parametrize('bad', ['1', 'v1', 'v1.x', ''])
def test_a_version_of_another_form_is_an_error(bad: str) -> None:
    with pytest.raises(ValueError):
        version_key(bad)
