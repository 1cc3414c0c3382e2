"""The adapter of `pubmedqa`: loading, prompts, few-shot examples, scores, judges and aggregation, over evalscope."""

import csv
import json
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest
from evalscope.api.dataset import Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import SampleScore, Score
from evalscope.api.model import ModelOutput
from evalscope_qa.pubmedqa.scoring import METRICS
from evalscope_qa.records import RecordError
from openai_server import serve
from pubmedqa.published import flat, labelled, load, make_adapter, official, prompt, write_jsonl

INSTRUCTION = 'Please answer YES or NO or MAYBE without an explanation.'

# -- prompts ----------------------------------------------------------------------------------------------------------


def test_the_prompt_is_a_plain_string_of_abstract_question_and_instruction(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / 'r.jsonl', [flat(7, context='It {rose} 5 %.', question='Did {it} rise?')])
    (sample,) = load('pubmedqa', path)
    assert [message.role for message in sample.input] == ['user']
    assert prompt(sample) == f'Abstract: It {{rose}} 5 %.\n\nQuestion: Did {{it}} rise?\n{INSTRUCTION}'


def test_the_users_prompt_template_and_system_prompt_apply(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / 'r.jsonl', [flat(7)])
    settings = {'prompt_template': 'Read.\n{question}\nOne word.', 'system_prompt': 'Be brief.'}
    (sample,) = load('pubmedqa', path, settings)
    assert [(message.role, message.content) for message in sample.input] == [
        ('system', 'Be brief.'),
        ('user', 'Read.\nAbstract: Abstract 7.\n\nQuestion: Does it work 7?\nOne word.'),
    ]


def test_few_shot_examples_of_a_folder_come_from_its_training_file(tmp_path: Path) -> None:
    write_jsonl(tmp_path / 'train.jsonl', [flat(number, 'no') for number in range(10, 15)])
    write_jsonl(tmp_path / 'test.jsonl', [flat(1)])
    (sample,) = load('pubmedqa', tmp_path, {'few_shot_num': 2, 'train_split': 'train'})
    assert prompt(sample) == (
        'Here are questions with their answers.\n\n'
        'Abstract: Abstract 10.\n\nQuestion: Does it work 10?\nNO\n\n'
        'Abstract: Abstract 11.\n\nQuestion: Does it work 11?\nNO\n\n'
        f'Abstract: Abstract 1.\n\nQuestion: Does it work 1?\n{INSTRUCTION}'
    )
    own = {'few_shot_num': 1, 'train_split': 'train', 'few_shot_prompt_template': 'F {fewshot} Q {question}'}
    (sample,) = load('pubmedqa', tmp_path, own)
    assert prompt(sample).startswith('F Abstract: Abstract 10.')
    assert prompt(sample).endswith('\nNO Q Abstract: Abstract 1.\n\nQuestion: Does it work 1?')


def test_few_shot_examples_are_never_the_questions_themselves(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / 'records.jsonl', [flat(1), flat(2)])
    for local_path in (path, tmp_path):
        with pytest.raises(ValueError, match=r"few-shot examples .* split 'train', but .* holds the questions"):
            load('pubmedqa', local_path, {'few_shot_num': 1, 'train_split': 'train'})


def test_the_dataset_has_no_few_shot_examples_of_its_own() -> None:
    with pytest.raises(ValueError, match='few-shot'):
        make_adapter('pubmedqa', {'few_shot_num': 1})


# -- local files ------------------------------------------------------------------------------------------------------


def _official_file(path: Path) -> Path:
    path.write_text(json.dumps({'11': official(1), '12': official(2, 'no'), '13': official(3, 'maybe')}), 'utf-8')
    return path


def _csv(path: Path) -> Path:
    with path.open('w', newline='', encoding='utf-8') as stream:
        writer = csv.DictWriter(stream, ['context', 'question', 'answer'])
        writer.writeheader()
        writer.writerows([flat(1), flat(2, 'no'), flat(3, 'maybe')])
    return path


def _parquet(path: Path) -> Path:
    import pyarrow
    import pyarrow.parquet

    rows = [labelled(1), labelled(2, 'no'), labelled(3, 'maybe')]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def _array(path: Path) -> Path:
    path.write_text(json.dumps([labelled(1), labelled(2, 'no'), labelled(3, 'maybe')]), 'utf-8')
    return path


WRITERS = {
    'ori_pqal.json': _official_file, 'test.csv': _csv, 'test.parquet': _parquet, 'test.json': _array,
    'test.jsonl': lambda path: write_jsonl(path, [flat(1), flat(2, 'no'), flat(3, 'maybe')]),
}  # fmt: skip


@pytest.mark.parametrize('name', WRITERS)
def test_each_form_is_read_from_a_file_and_from_its_folder(tmp_path: Path, name: str) -> None:
    file = WRITERS[name](tmp_path / name)
    for path in (file, tmp_path):
        samples = load('pubmedqa', path)
        assert [sample.target for sample in samples] == ['YES', 'NO', 'MAYBE']
        assert [f'Question: Does it work {number}?' in prompt(sample) for number, sample in enumerate(samples, 1)] == [
            True, True, True,
        ]  # fmt: skip


def test_what_is_not_one_file_is_left_to_evalscopes_loader(tmp_path: Path) -> None:
    for shard in range(2):
        name = f'test-{shard:05d}-of-00002.jsonl'
        write_jsonl(tmp_path / 'data' / name, [flat(2 * shard), flat(2 * shard + 1, 'no')])
    samples = load('pubmedqa', tmp_path, repeats=2, limit=3, dataset_dir=str(tmp_path / 'cache'))
    assert [(sample.group_id, sample.target) for sample in samples] == [
        (0, 'YES'), (0, 'YES'), (1, 'NO'), (1, 'NO'), (2, 'YES'), (2, 'YES'),
    ]  # fmt: skip


def test_a_bad_record_in_such_a_folder_is_named_by_its_place(tmp_path: Path) -> None:
    records = [labelled(1), labelled(2), labelled(1)]
    for shard in range(2):
        write_jsonl(tmp_path / f'test-{shard:05d}-of-00002.jsonl', records[:2] if shard == 0 else records[2:])
    with pytest.raises(RecordError, match=r"record 1 \(index 2\): field 'pubid': the id was already used by record 0"):
        load('pubmedqa', tmp_path, repeats=3)


def test_shuffled_questions_of_a_folder_come_in_the_order_of_evalscopes_loader(tmp_path: Path) -> None:
    """A run of the built-in has been made in that order; rescoring pairs its replies by position."""
    import datasets

    write_jsonl(tmp_path / 'test.jsonl', [flat(number) for number in range(20)])
    order = datasets.Dataset.from_list([{'number': number} for number in range(20)]).shuffle(seed=3)['number']
    prompts = [prompt(sample) for sample in load('pubmedqa', tmp_path, {'shuffle': True}, seed=3)]
    assert [f'Abstract: Abstract {number}.' for number in order] == [text.split('\n')[0] for text in prompts]


def test_a_shuffled_file_holds_the_same_questions(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / 'test.jsonl', [flat(number) for number in range(20)])
    plain, shuffled = load('pubmedqa', path), load('pubmedqa', path, {'shuffle': True}, seed=3)
    assert sorted(map(prompt, plain)) == sorted(map(prompt, shuffled))
    assert list(map(prompt, plain)) != list(map(prompt, shuffled))


def test_a_local_path_that_is_not_there_is_no_dataset_id(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match='nowhere: no such file or folder'):
        load('pubmedqa', tmp_path / 'nowhere')


def test_limit_and_repeats_apply_to_a_local_file(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / 'r.jsonl', [labelled(number) for number in range(5)])
    samples = load('pubmedqa', path, limit=2, repeats=3)
    assert [(sample.group_id, sample.metadata['pubmed_id']) for sample in samples] == [
        (0, '0'), (0, '0'), (0, '0'), (1, '1'), (1, '1'), (1, '1'),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ('records', 'message'),
    [
        ([flat(1), flat(2, 'perhaps')], "record 1: field 'answer'"),
        ([flat(1), flat(2, context='')], "record 1: field 'context'"),
        ([flat(1), {'question': 'Why?', 'answer': 'no'}], "record 1: field 'context': is missing"),
        ([labelled(1), labelled(1)], r"record 1 \(index 1\): field 'pubid': the id was already used"),
        ([official(1, id='8'), official(2, id='8')], r"record '8' \(index 1\): field 'id': the id was already used"),
    ],
)
def test_a_malformed_record_stops_the_load(tmp_path: Path, records: List[Dict[str, Any]], message: str) -> None:
    with pytest.raises(RecordError, match=f'^pubmedqa: {message}'):
        load('pubmedqa', write_jsonl(tmp_path / 'r.jsonl', records))


def test_a_key_that_stands_twice_in_the_official_file_is_an_error(tmp_path: Path) -> None:
    entry = json.dumps(official(1))
    (tmp_path / 'ori_pqal.json').write_text(f'{{"11": {entry}, "11": {entry}}}', encoding='utf-8')
    with pytest.raises(ValueError, match="'11' stands twice"):
        load('pubmedqa', tmp_path)


def test_an_adapter_can_load_again(tmp_path: Path) -> None:
    adapter = make_adapter('pubmedqa', {'local_path': str(write_jsonl(tmp_path / 'r.jsonl', [labelled(1)]))})
    assert len(adapter.load_dataset()['default']) == len(adapter.load_dataset()['default']) == 1


# -- scores -----------------------------------------------------------------------------------------------------------


def state(reply: Optional[str], gold: str, metadata: Optional[Dict[str, Any]] = None) -> TaskState:
    sample = Sample(input='Question: y', target=gold, id=0, group_id=0, metadata=metadata or {})
    output = None if reply is None else ModelOutput.from_content(model='canned', content=reply)
    task_state = TaskState(model='canned', sample=sample, output=output, completed=True)
    task_state.output = output  # type: ignore[assignment]
    return task_state


@pytest.mark.parametrize(
    ('reply', 'gold', 'extracted', 'accuracy', 'reading'),
    [
        ('The answer is yes.', 'YES', 'YES', 1.0, 'said'),
        ('no', 'YES', 'NO', 0.0, 'standing'),
        ('I think not.</think>**maybe**', 'MAYBE', 'MAYBE', 1.0, 'standing'),
        ('YES or NO', 'YES', '', 0.0, 'nothing stated'),
        ('', 'NO', '', 0.0, 'empty'),
        ('<think>The answer is no', 'NO', '', 0.0, 'cut off'),
        (None, 'MAYBE', '', 0.0, 'empty'),
    ],
)
def test_a_reply_is_scored_by_its_verdict(
    reply: Optional[str], gold: str, extracted: str, accuracy: float, reading: str
) -> None:
    score = make_adapter('pubmedqa').calculate_metrics(state(reply, gold)).score
    assert score.value == {'accuracy': accuracy}
    assert score.main_value == accuracy
    assert score.extracted_prediction == extracted
    assert score.prediction == (reply or '')
    assert score.metadata == {'gold': gold, 'answered': bool(extracted), 'reading': reading}


def test_an_output_without_choices_is_unanswered() -> None:
    task_state = state('yes', 'YES')
    task_state.output = ModelOutput(model='canned', choices=[])
    score = make_adapter('pubmedqa').calculate_metrics(task_state).score
    assert (score.value, score.metadata['answered']) == ({'accuracy': 0.0}, False)


def test_the_users_filters_run_first() -> None:
    adapter = make_adapter('pubmedqa', {'filters': {'remove_until': '###'}})
    score = adapter.calculate_metrics(state('Final answer: no ### yes', 'YES')).score
    assert (score.extracted_prediction, score.value) == ('YES', {'accuracy': 1.0})


def test_the_gold_label_is_the_current_datasets_whatever_a_cached_run_holds() -> None:
    stale = {'answer': 'no', 'reasoning': 'old', 'gold': 'NO', 'pubmed_id': '1'}
    score = make_adapter('pubmedqa').calculate_metrics(state('yes', 'YES', stale)).score
    assert (score.value, score.metadata['gold']) == ({'accuracy': 1.0}, 'YES')


# -- judges -----------------------------------------------------------------------------------------------------------


def _judged(url: str, strategy: str, reply: Optional[str], gold: str) -> Score:
    judge = {'strategy': strategy, 'models': [{'model_id': 'judge', 'api_url': url, 'api_key': 'EMPTY'}]}
    return make_adapter('pubmedqa', judge=judge).calculate_metrics(state(reply, gold)).score


def _verdict(letter: str) -> str:
    return json.dumps({'reasoning': 'seen', 'verdict': letter})


@pytest.mark.loopback
@pytest.mark.parametrize('strategy', ['llm', 'llm_recall'])
def test_a_judges_score_stands_for_accuracy(strategy: str) -> None:
    with serve(lambda messages: _verdict('A')) as server:
        score = _judged(server.url, strategy, 'no', 'YES')
    assert len(server.requests) == 1
    assert (score.value, score.main_score_name) == ({'accuracy': 1.0}, 'accuracy')
    assert (score.extracted_prediction, score.metadata['gold'], score.metadata['answered']) == ('NO', 'YES', True)


@pytest.mark.loopback
@pytest.mark.parametrize('reply', ['', 'It is unclear.', None])
@pytest.mark.parametrize('strategy', ['llm', 'llm_recall'])
def test_a_judge_never_credits_an_unanswered_reply(strategy: str, reply: Optional[str]) -> None:
    with serve(lambda messages: _verdict('A')) as server:
        score = _judged(server.url, strategy, reply, 'YES')
    assert score.value['accuracy'] == 0.0
    assert score.metadata['answered'] is False


@pytest.mark.loopback
def test_a_judge_that_fails_leaves_the_rules_score() -> None:
    with serve(lambda messages: 'no verdict at all') as server:
        score = _judged(server.url, 'llm', 'yes', 'YES')
    assert score.value == {'accuracy': 1.0}


# -- aggregation ------------------------------------------------------------------------------------------------------


def aggregate(pairs: List[tuple], **dataset_args: Any) -> Dict[str, float]:
    adapter = make_adapter('pubmedqa', dataset_args)
    scores = [adapter.calculate_metrics(state(reply, gold)) for reply, gold in pairs]
    # evalscope keeps scores in files between a run and its report.
    scores = [SampleScore.model_validate_json(score.model_dump_json()) for score in scores]
    aggregates = adapter.aggregate_scores(sample_scores=scores)
    assert {each.num for each in aggregates} == {len(pairs)}
    return {each.metric_name: each.score for each in aggregates}


def test_every_declared_metric_is_aggregated_under_its_name_in_the_report() -> None:
    adapter = make_adapter('pubmedqa')
    got = aggregate([('yes', 'YES'), ('no', 'NO'), (None, 'MAYBE')])
    assert list(got) == adapter.metric_list == ['f1' if name == 'f1_score' else name for name in METRICS]
    assert got == {
        'accuracy': 2 / 3, 'precision': 2 / 3, 'recall': 2 / 3, 'f1': 2 / 3, 'yes_ratio': 1 / 3, 'no_ratio': 1 / 3,
        'maybe_ratio': 0.0, 'unanswered_ratio': 1 / 3,
    }  # fmt: skip


def test_no_question_gives_zero_of_every_metric() -> None:
    adapter = make_adapter('pubmedqa')
    aggregates = adapter.aggregate_scores(sample_scores=[])
    assert [(each.metric_name, each.score, each.num) for each in aggregates] == [
        (name, 0.0, 0) for name in adapter.metric_list
    ]


def test_scores_of_another_version_are_refused() -> None:
    foreign = SampleScore(score=Score(value={'acc': 1}, extracted_prediction='YES'), sample_id=0)
    with pytest.raises(ValueError, match='--rerun-review'):
        make_adapter('pubmedqa').aggregate_scores(sample_scores=[foreign])


def test_another_aggregation_of_the_users_applies_to_accuracy(tmp_path: Path) -> None:
    adapter = make_adapter('pubmedqa', {'aggregation': 'mean_and_pass_at_k'}, repeats=2)
    scores = []
    for index, (reply, gold) in enumerate([('yes', 'YES'), ('no', 'YES'), ('no', 'NO'), ('no', 'NO')]):
        task_state = state(reply, gold)
        task_state._sample_id, task_state._group_id = index, index // 2
        scores.append(adapter.calculate_metrics(task_state))
    aggregates = adapter.aggregate_scores(sample_scores=scores)
    of_accuracy = {each.identity.key: each.score for each in aggregates if each.metric_name == 'accuracy'}
    assert set(of_accuracy.values()) == {0.75, 1.0}  # the mean, and either of two tries
    assert [each.metric_name for each in aggregates].count('recall') == 1
