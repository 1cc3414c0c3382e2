"""Options of choice questions, found again in metadata and prompts."""

from pathlib import Path

import pytest
from evalscope.utils.multi_choices import MultipleChoiceTemplate, prompt
from evalscope_qa.runs import read_runs
from evalscope_qa.runs.rescoring.choices import NoOptions, options_in_prompt, options_of
from hypothesis import given
from hypothesis import strategies as st

TEMPLATES = [
    getattr(MultipleChoiceTemplate, name)
    for name in dir(MultipleChoiceTemplate)
    if name.isupper() and 'FEW_SHOT' not in name
]
LINES = st.text(st.characters(exclude_categories=['Cs', 'Cc', 'Zl', 'Zp']), max_size=20).map(str.strip)
# No line of an option may look like an option itself, which no reader could tell.
OPTION = st.lists(LINES.filter(lambda line: ') ' not in line and 'of ' not in line), min_size=1, max_size=3).map(
    lambda lines: '\n'.join(lines).strip()
)


def test_the_templates_are_all_of_evalscopes() -> None:
    assert len(TEMPLATES) == 8


@given(st.sampled_from(TEMPLATES), LINES, st.lists(OPTION, min_size=2, max_size=28), st.booleans())
def test_what_evalscope_writes_is_read_again(template: str, question: str, options: list[str], example: bool) -> None:
    text = prompt(question, options, template)
    if example:
        text = 'Here are some examples.\n\nWhich?\nA) one\nB) two\nANSWER: A\n\n' + text
    assert options_in_prompt(text) == options


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('Which?\nA) one\nB) two', 'does not name its letters'),
        ('[LETTER] is one of A,B,C.\nWhich?\nA) one\nB) two', 'one option for each of the letters A,B,C'),
        ('[LETTER] is one of A,B.\nWhich?\nA) one\nB) two\nC) three', 'one option for each of the letters A,B'),
        ('[LETTER] is one of A,B.\nWhich?\nB) two\nA) one', 'one option for each of the letters A,B'),
        ('', 'does not name its letters'),
    ],
)
def test_what_is_not_as_evalscope_writes_it(text: str, message: str) -> None:
    with pytest.raises(NoOptions, match=message):
        options_in_prompt(text)


@pytest.mark.parametrize(
    'metadata', [{'choices': ['a', 'b']}, {'options': ['a', 'b']}, {'choices': {'A': 'a', 'B': 'b'}}]
)
def test_metadata_comes_first(metadata: dict) -> None:
    assert options_of(metadata, '[LETTER] is one of A,B,C.\nA) 1\nB) 2\nC) 3') == ['a', 'b']


@pytest.mark.parametrize('metadata', [None, {}, {'choices': []}, {'options': 'ab'}, {'choices': [1, 2]}])
def test_metadata_without_options_leaves_the_prompt(metadata: dict | None) -> None:
    assert options_of(metadata, '[LETTER] is one of A,B.\nA) 1\nB) 2') == ['1', '2']
    with pytest.raises(NoOptions, match='neither'):
        options_of(metadata, None)


def test_every_question_of_real_runs(data_dir: Path) -> None:
    """The published options of gpqa_diamond are in the metadata too, without their order."""
    checked = 0
    for scores in read_runs([data_dir / 'runs' / 'evalscope-examples'], datasets=['gpqa_diamond', 'iquiz']):
        for attempt in scores.attempts:
            options = options_of(None, attempt.prompt)
            assert len(options) >= 2 and attempt.target is not None
            assert attempt.target[0] in 'ABCDEFG'[: len(options)]
            # The metadata of question 8 spell two compounds in another way than its prompt does.
            if scores.benchmark == 'gpqa_diamond' and attempt.index != 8:
                metadata = attempt.row['sample_score']['sample_metadata']
                known = [metadata['correct_answer'], *metadata['incorrect_answers']]
                assert sorted(options) == sorted(option.strip() for option in known)
                assert options['ABCD'.index(attempt.target[0])] == metadata['correct_answer'].strip()
            checked += 1
    assert checked == 2 * (10 + 20)
