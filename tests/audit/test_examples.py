"""Where the questions of an audit come from."""

import json
from pathlib import Path
from typing import Any

import pytest
from evalscope_qa.audit.examples import MAX_QUESTIONS, NoExample, find_examples


def adapter_of(name: str) -> Any:
    from evalscope.api.registry import get_benchmark
    from evalscope.config import TaskConfig

    return get_benchmark(name, TaskConfig(model='none', eval_type='mock_llm', datasets=[name]))


def test_the_users_records_come_first(tmp_path: Path) -> None:
    records = tmp_path / 'mine.jsonl'
    rows = [{'context': 'c', 'question': f'q{number}?', 'answer': 'yes'} for number in range(MAX_QUESTIONS + 3)]
    records.write_text('\n'.join(json.dumps(row) for row in rows))
    examples = find_examples(adapter_of('pubmedqa'), records)
    assert examples.source == 'records of mine.jsonl'
    assert len(examples.samples) == len(examples.demonstrations) == MAX_QUESTIONS
    assert [sample.id for sample in examples.samples] == list(range(MAX_QUESTIONS))


def test_then_the_sample_folder_beside_the_adapter_with_its_replies() -> None:
    examples = find_examples(adapter_of('searchqa'))
    assert examples.source == 'sample records (searchqa_records.jsonl)'
    assert any('<answer>' in reply for replies in examples.demonstrations for reply in replies)


def test_then_the_example_that_evalscope_ships() -> None:
    examples = find_examples(adapter_of('mmlu'))
    assert examples.source == "evalscope's shipped example"
    (sample,) = examples.samples
    assert sample.target in 'ABCD' and len(sample.choices) == 4
    assert any(reply.endswith(f'ANSWER: {sample.target}') for reply in examples.demonstrations[0])


def test_options_that_an_example_lacks_are_restored_from_its_prompt() -> None:
    """The record of banking77 holds some of its 77 options."""
    (sample,) = find_examples(adapter_of('banking77')).samples
    assert len(sample.choices) > 26
    assert all(choice.strip() for choice in sample.choices)


def test_a_benchmark_without_an_example_says_what_to_do() -> None:
    with pytest.raises(NoExample, match='--records'):
        find_examples(adapter_of('general_mcq'))


def test_a_plugin_without_a_sample_folder_says_what_to_do(registered: None) -> None:
    with pytest.raises(NoExample, match='--records'):
        find_examples(adapter_of('contract_clean'))
