"""The context is cut at passage boundaries to a budget of characters."""

from typing import Any, List

import pytest
from evalscope_qa.searchqa.context import check_max_context_chars, cut_context
from hypothesis import example, given
from hypothesis import strategies as st

A = '[DOC] [TLE] one [PAR] aaaa'  # 26 characters
B = '[DOC] [TLE] two [PAR] bbbb'
C = '[DOC] [TLE] six [PAR] cccc'


@pytest.mark.parametrize(
    ('context', 'limit', 'expected'),
    [
        pytest.param(f'{A} {B} {C}', 0, f'{A} {B} {C}', id='0 keeps everything'),
        pytest.param(f'{A} {B}', 53, f'{A} {B}', id='a context of exactly the limit fits'),
        pytest.param(f'{A} {B}', 52, A, id='one character too many costs the whole last passage'),
        pytest.param(f'{A} {B} {C}', 53, f'{A} {B}', id='passages that fill the limit exactly are kept'),
        pytest.param(f'{A} {B} {C}', 54, f'{A} {B}', id='the limit falls before a marker'),
        pytest.param(f'{A} {B} {C}', 56, f'{A} {B}', id='the limit cuts a marker in two'),
        pytest.param(f'{A} {B} {C}', 79, f'{A} {B}', id='the limit falls inside the last passage'),
        pytest.param(f'{A} {B}', 26, A, id='the first passage fills the limit exactly'),
        pytest.param(f'{A} {B}', 25, A[:25], id='a first passage longer than the limit is cut at the limit'),
        pytest.param(A * 3, 1, '[', id='a limit of one character'),
        pytest.param('x' * 40, 7, 'x' * 7, id='no marker: one passage, cut at the limit'),
        pytest.param(f'lead {A} {B}', 33, f'lead {A}', id='text before the first marker is a passage of its own'),
        pytest.param(f'lead {A} {B}', 20, 'lead', id='text before the first marker fits alone'),
        pytest.param(f' {A} {B}', 20, f' {A}'[:20], id='white space before the first marker is no passage'),
        pytest.param(f'[DOC] [DOC] {"x" * 40}', 20, f'[DOC] [DOC] {"x" * 8}', id='empty passages are no context'),
        pytest.param(f'{A}   ', 26, A, id='white space at the end does not count'),
        pytest.param(f'{A} \n\t {B}', 27, A, id='white space between passages does not count'),
        pytest.param(f'{A}{B}', 26, A, id='no white space between passages'),
        pytest.param(f'{A} [doc] {"x" * 9}', 30, f'{A} [do', id='the marker is upper case'),
        pytest.param('', 10, '', id='an empty context'),
        pytest.param('é' * 9, 4, 'éééé', id='the limit counts characters, not bytes'),
    ],
)
def test_the_cut(context: str, limit: int, expected: str) -> None:
    assert cut_context(context, limit) == expected


def slow_cut(context: str, limit: int) -> str:
    """The rule word for word: add one passage after another until the next one is too much."""
    pieces = context.split('[DOC]')
    passages = [pieces[0], *(f'[DOC]{piece}' for piece in pieces[1:])]
    best = ''
    for count in range(1, len(passages) + 1):
        candidate = ''.join(passages[:count]).rstrip()
        if len(candidate) > limit:
            break
        best = candidate
    return best if best.replace('[DOC]', '').strip() else context[:limit]


@given(
    st.lists(st.sampled_from(['[DOC]', ' ', 'a', 'bc', '\n', '[', 'DOC]', '[TLE]']), max_size=25), st.integers(1, 60)
)
@example(['[DOC]', 'a', '[DOC]', 'a'], 6)
def test_the_cut_keeps_the_most_whole_passages_that_fit(parts: List[str], limit: int) -> None:
    context = ''.join(parts)
    cut = cut_context(context, limit)
    assert context.startswith(cut)
    assert len(cut) <= limit
    if len(context) > limit:
        assert cut == slow_cut(context, limit)
    else:
        assert cut == context


@pytest.mark.parametrize('value', [0, 1, 6000, 10**9])
def test_a_number_of_characters_is_a_budget(value: int) -> None:
    assert check_max_context_chars(value) == value


@pytest.mark.parametrize('value', [-1, 6000.0, '6000', None, True, [6000]])
def test_anything_else_is_refused_by_name(value: Any) -> None:
    with pytest.raises(ValueError, match='max_context_chars') as error:
        check_max_context_chars(value)
    assert repr(value) in str(error.value)
