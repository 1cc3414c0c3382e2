"""Where the questions of an audit come from."""

import json
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.audit.cases import examples
from evalscope_qa.audit.cases.examples import MAX_QUESTIONS, NoExample, find_examples
from evalscope_qa.audit.cases.made_examples import MADE_EXAMPLES
from evalscope_qa.audit.cases.questions import gold_values


def adapter_of(name: str) -> Any:
    from evalscope.api.registry import get_benchmark
    from evalscope.config import TaskConfig

    return get_benchmark(name, TaskConfig(model='none', eval_type='mock_llm', datasets=[name]))


def test_the_users_records_come_first(tmp_path: Path) -> None:
    records = tmp_path / 'mine.jsonl'
    rows = [{'context': 'c', 'question': f'q{number}?', 'answer': 'yes'} for number in range(MAX_QUESTIONS + 3)]
    records.write_text('\n'.join(json.dumps(row) for row in rows))
    found = find_examples(adapter_of('pubmedqa'), records)
    assert found.source == 'records of mine.jsonl'
    assert len(found.samples) == len(found.demonstrations) == MAX_QUESTIONS
    assert [sample.id for sample in found.samples] == list(range(MAX_QUESTIONS))


def test_then_the_sample_folder_beside_the_adapter_with_its_replies() -> None:
    found = find_examples(adapter_of('searchqa'))
    assert found.source == 'sample records (searchqa_records.jsonl)'
    assert any('<answer>' in reply for replies in found.demonstrations for reply in replies)


def test_then_the_example_that_evalscope_ships() -> None:
    found = find_examples(adapter_of('mmlu'))
    assert found.source == "evalscope's shipped example"
    (sample,) = found.samples
    assert sample.target in 'ABCD' and len(sample.choices) == 4
    assert any(reply.endswith(f'ANSWER: {sample.target}') for reply in found.demonstrations[0])


@pytest.mark.parametrize('kept', [[], ['Oslo'], ['Oslo', 'Lima', 'Quito']])
def test_options_that_an_example_lacks_are_restored_from_its_prompt(
    monkeypatch: pytest.MonkeyPatch, kept: list[str]
) -> None:
    prompt = (
        "The form is 'ANSWER: [LETTER]' where [LETTER] is one of A,B,C.\n\nWhich?\n\nA) Oslo\nB) Lima ... [TRUNCATED]"
    )
    data = {'input': [{'role': 'user', 'content': prompt}], 'choices': kept or None, 'target': 'B'}
    monkeypatch.setattr(examples, '_shipped_example', lambda name: {'data': data})
    (sample,) = find_examples(adapter_of('mmlu')).samples
    assert sample.choices[0] == 'Oslo' and sample.choices[1].startswith('Lima')
    assert sample.choices[2] == ('Quito' if len(kept) == 3 else 'option C')


def test_a_benchmark_without_an_example_says_what_to_do() -> None:
    with pytest.raises(NoExample, match='--records'):
        find_examples(adapter_of('general_qa'))


@pytest.mark.parametrize('name', MADE_EXAMPLES)
def test_an_example_is_made_up_where_none_is_shipped_or_it_hides_other_scoring(name: str) -> None:
    examples = find_examples(adapter_of(name))
    assert 'a made-up' in examples.source
    assert [sample.id for sample in examples.samples] == list(range(len(examples.samples)))
    assert gold_values(examples.samples[-1].target) in (['B'], ['no'])
    assert len(examples.demonstrations) == len(examples.samples)


def test_a_plugin_without_a_sample_folder_says_what_to_do(registered: None) -> None:
    with pytest.raises(NoExample, match='--records'):
        find_examples(adapter_of('contract_clean'))
