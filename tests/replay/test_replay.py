"""Replay scores canned replies as a run would: any benchmark, any form of reply, no model, nothing lost."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from evalscope.api.model import ModelOutput
from evalscope_qa.records import RecordError, read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import PACKAGE, sample_files, shipped_benchmarks

RANKING = PACKAGE / 'pubmedqa' / 'sample' / 'ranking_records.jsonl'
QUALITY = {
    'pubmedqa': ['accuracy', 'precision', 'recall', 'f1'],
    'searchqa': ['exact_match', 'f1', 'sub_em'],
    'rjua_qa': ['final_accuracy', 'f1_disease', 'f1_advice', 'f1_disease_micro', 'f1_advice_micro', 'rouge_l'],
    'selqa_selection': ['map', 'mrr', 'precision_at_1'],
    'selqa_triggering': ['f1', 'precision', 'recall', 'section_f1', 'trigger_accuracy'],
}
QUALITY['pubmedqa_official'] = QUALITY['pubmedqa']


def _shipped(benchmark: str) -> tuple[list[dict[str, Any]], list[Any], dict[str, Any]]:
    files = sample_files(benchmark)
    return read_records(files.records), read_replies(files.replies), files.dataset_args


@pytest.mark.parametrize('benchmark', shipped_benchmarks())
def test_no_reply_at_all_scores_0_everywhere_and_keeps_every_question(benchmark: str) -> None:
    records, _, dataset_args = _shipped(benchmark)
    for missing in (None, '', ModelOutput(model='m', choices=[])):
        result = replay(benchmark, records, [missing] * len(records), dataset_args)
        assert result.num == len(records)
        assert result.metrics['unanswered_ratio'] == 1.0
        assert {name: result.metrics[name] for name in QUALITY[benchmark]} == dict.fromkeys(QUALITY[benchmark], 0.0)
        assert not any(sample.answered for sample in result.samples)


@pytest.mark.parametrize('benchmark', shipped_benchmarks())
def test_order_and_repetition_do_not_change_a_number(benchmark: str) -> None:
    records, replies, dataset_args = _shipped(benchmark)
    metrics = replay(benchmark, records, replies, dataset_args).metrics
    assert replay(benchmark, records[::-1], replies[::-1], dataset_args).metrics == metrics


@pytest.mark.parametrize('benchmark', shipped_benchmarks())
def test_the_sample_has_answered_and_unanswered_replies(benchmark: str) -> None:
    result = replay(benchmark, *_shipped(benchmark))
    assert {sample.answered for sample in result.samples} == {True, False}
    assert 0 < result.metrics['unanswered_ratio'] < 1


def test_text_and_model_output_of_the_same_text_score_the_same() -> None:
    records = read_records(RANKING)
    texts = ['YES', '<think>YES</think>NO', ''] * 10
    outputs = [ModelOutput.from_content(model='m', content=text) for text in texts]
    assert replay('pubmedqa', records, texts).metrics == replay('pubmedqa', records, outputs).metrics
    assert replay('pubmedqa', records, texts).samples[1].reply == '<think>YES</think>NO'
    # evalscope itself takes closed reasoning out of a ModelOutput's text.
    assert replay('pubmedqa', records, outputs).samples[1].reply == 'NO'


CHOICE_RECORD = {
    'id': 'q1',
    'question': 'Which is a metal?',
    'choices': {'text': ['iron', 'oxygen'], 'label': ['A', 'B']},
    'answerKey': 'A',
}


def test_a_built_in_benchmark_replays_too() -> None:
    result = replay('arc', [CHOICE_RECORD] * 2, ['ANSWER: A', 'ANSWER: B'])
    assert result.num == 2
    assert result.metrics['accuracy'] == 0.5
    assert [sample.gold for sample in result.samples] == ['A', 'A']
    assert result.excluded == 0


def test_questions_that_a_benchmark_leaves_out_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalscope.api.metric import Score
    from evalscope.benchmarks.arc.arc_adapter import ARCAdapter

    monkeypatch.setattr(ARCAdapter, 'match_score', lambda self, **arguments: Score(status='excluded'))
    assert replay('arc', [CHOICE_RECORD], ['ANSWER: A']).excluded == 1


def test_filters_of_the_user_run_before_extraction() -> None:
    records = read_records(RANKING)[:1]
    reply = '<answer>MAYBE</answer> ### YES'
    assert replay('pubmedqa', records, [reply]).samples[0].extracted == 'MAYBE'
    filtered = replay('pubmedqa', records, [reply], {'filters': {'remove_until': '###'}})
    assert filtered.samples[0].extracted == 'YES'


@pytest.mark.parametrize('setting', ['shuffle', 'shuffle_choices'])
@pytest.mark.parametrize('benchmark', [*shipped_benchmarks(), 'arc'])
def test_a_shuffled_run_does_not_part_replies_from_their_records(benchmark: str, setting: str) -> None:
    if benchmark == 'arc':
        labels = ['A', 'B', 'B', 'A', 'A', 'B', 'A', 'B', 'B', 'B']
        records = [{**CHOICE_RECORD, 'id': str(index), 'answerKey': label} for index, label in enumerate(labels)]
        replies: list[Any] = [f'ANSWER: {label}' for label in labels]
        dataset_args = {}
    else:
        records, replies, dataset_args = _shipped(benchmark)
    result = replay(benchmark, records, replies, dataset_args)
    shuffled = replay(benchmark, records, replies, {**dataset_args, setting: True})
    assert (shuffled.metrics, shuffled.samples) == (result.metrics, result.samples)


def test_the_settings_of_few_shot_examples_stay_as_given(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalscope.benchmarks.arc.arc_adapter import ARCAdapter

    seen = []
    convert = ARCAdapter.record_to_sample

    def record_to_sample(self: Any, record: dict[str, Any]) -> Any:
        seen.append((self.shuffle, self.few_shot_random, self.few_shot_num))
        return convert(self, record)

    monkeypatch.setattr(ARCAdapter, 'record_to_sample', record_to_sample)
    replay('arc', [CHOICE_RECORD], ['A'], {'shuffle': True, 'few_shot_random': True, 'few_shot_num': 3})
    assert seen == [(False, True, 3)]


def test_a_part_of_the_official_questions_is_refused_unless_allowed() -> None:
    records, replies, dataset_args = _shipped('pubmedqa_official')
    with pytest.raises(ValueError, match=r'lacks \d+ of the 500 questions'):
        replay('pubmedqa_official', records, replies)
    assert replay('pubmedqa_official', records, replies, dataset_args).num == len(replies)


def test_a_benchmark_that_needs_a_judge_is_refused() -> None:
    with pytest.raises(ValueError, match='judge'):
        replay('simple_qa', [{}], ['x'])


def test_a_malformed_record_is_an_error_before_anything_is_scored() -> None:
    records = read_records(RANKING)[:2]
    records[1] = {**records[1], 'answer': 'perhaps'}
    with pytest.raises(RecordError, match=r"pubmedqa: record .*1.*: field 'answer'"):
        replay('pubmedqa', records, ['YES', 'YES'])


@pytest.mark.parametrize(
    ('settings', 'message'),
    [
        ({'extra_params': {'foo': 1}}, 'KeyError: .*foo'),
        ({'extra_params': 3}, 'AttributeError: '),
        ({'filters': 3}, 'TypeError: '),
        ({'metric_list': 3}, 'TypeError: '),
        ({'few_shot_num': 'x'}, 'TypeError: '),
    ],
)
def test_a_setting_that_the_adapter_cannot_use_is_one_line_with_its_name(
    settings: dict[str, Any], message: str
) -> None:
    (name,) = settings
    with pytest.raises(
        ValueError, match=f'^pubmedqa: setting up the adapter with dataset_args {name}: {message}'
    ) as caught:
        replay('pubmedqa', read_records(RANKING), ['YES'] * 30, settings)
    assert caught.value.__cause__ is not None
    assert '\n' not in str(caught.value)


@pytest.mark.parametrize(
    ('settings', 'message'),
    [
        ({'extra_param': {}}, "a benchmark has no setting 'extra_param'.$"),
        ({'pubmedqa': {'filters': {}}}, "no setting 'pubmedqa'. Pass the settings of the benchmark without its name"),
    ],
)
def test_a_setting_that_evalscope_would_pass_over_is_an_error(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f'^pubmedqa: dataset_args: .*{message}'):
        replay('pubmedqa', read_records(RANKING), ['YES'] * 30, settings)


def test_a_package_that_the_adapter_lacks_is_one_line_that_names_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalscope.benchmarks.arc.arc_adapter import ARCAdapter

    def needs_a_package(self: Any, **arguments: Any) -> None:
        raise ImportError('`langdetect` not found.\nPlease run `pip install langdetect`.')

    expected = 'ImportError: `langdetect` not found. Please run `pip install langdetect`.'
    monkeypatch.setattr(ARCAdapter, 'match_score', needs_a_package)
    with pytest.raises(ValueError, match=f'^arc: scoring the reply to question 0: {expected}'):
        replay('arc', [CHOICE_RECORD], ['A'])
    monkeypatch.setattr(ARCAdapter, '__init__', needs_a_package)
    with pytest.raises(ValueError, match=f'^arc: setting up the adapter: {expected}'):
        replay('arc', [CHOICE_RECORD], ['A'])


GSM8K_RECORD = {'question': '1 + 1?', 'answer': '1 + 1 = 2\n#### 2'}
GENERAL_QA_RECORD = {'query': 'q', 'response': 'r'}
MUSR_RECORD = {'narrative': 'n', 'question': 'q', 'choices': "['a', 'b']", 'answer_index': 0, 'answer_choice': 'a'}


@pytest.mark.parametrize(
    ('benchmark', 'good', 'bad', 'message'),
    [
        ('gsm8k', GSM8K_RECORD, {'question': 'q'}, "KeyError: 'answer'$"),
        ('gsm8k', GSM8K_RECORD, {'question': 'q', 'answer': 3}, 'AttributeError: .*split'),
        ('arc', CHOICE_RECORD, {**CHOICE_RECORD, 'choices': 3}, 'TypeError: '),
        ('musr', MUSR_RECORD, {**MUSR_RECORD, 'choices': 3}, 'ValueError: malformed node or string'),
        ('general_qa', GENERAL_QA_RECORD, {'a': 1}, r'ChatMessageUser\.content\.str: Input should be a valid string$'),
    ],
)
def test_a_record_that_a_built_in_cannot_convert_is_named_in_one_line(
    benchmark: str, good: dict[str, Any], bad: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=f'^{benchmark}: converting record 1: {message}') as caught:
        replay(benchmark, [good, bad], ['x', 'y'])
    assert caught.value.__cause__ is not None
    assert '\n' not in str(caught.value)


def test_no_question_and_no_reply_is_an_error() -> None:
    with pytest.raises(ValueError, match=r'^pubmedqa: there is nothing to score: no question \(from 0 records\)'):
        replay('pubmedqa', [], [])


@pytest.mark.parametrize(
    ('name', 'content'),
    [
        ('array.json', '["YES", null, ""]'),
        ('lines.jsonl', '"YES"\nnull\n""\n'),
        ('objects.jsonl', '{"reply": "YES"}\n{"reply": null}\n{"reply": ""}\n'),
        ('objects.json', '[{"reply": "YES"}, {"reply": null}, {"reply": ""}]'),
        ('rows_with_ids.json', '[{"reply": "YES", "id": 4}, {"reply": null, "id": 7}, {"reply": "", "id": 1}]'),
        ('ids.json', '{"4": "YES", "7": null, "1": ""}'),
    ],
)
def test_replies_are_read_from_every_json_form(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding='utf-8')
    assert read_replies(tmp_path / name) == ['YES', None, '']


def test_replies_are_read_from_csv(tmp_path: Path) -> None:
    (tmp_path / 'replies.csv').write_text('id,reply\n1,YES\n2,\n3,"a\nb"\n', encoding='utf-8')
    assert read_replies(tmp_path / 'replies.csv') == ['YES', '', 'a\nb']


@pytest.mark.parametrize(
    ('content', 'message'),
    [
        ('{"answer": "YES"}\n{"answer": "NO"}\n', "has no field 'reply'; it has \\['answer'\\]"),
        ('["YES", 3]', 'element 1: the reply is of type int'),
        ('[{"reply": ["YES"]}]', 'element 0: the reply is of type list'),
        ('["YES"', 'not valid JSON'),
    ],
)
def test_a_reply_that_is_neither_text_nor_null_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / 'replies.json').write_text(content, encoding='utf-8')
    with pytest.raises(ValueError, match=message):
        read_replies(tmp_path / 'replies.json')


@pytest.mark.parametrize(
    ('content', 'message'),
    [
        ('reply\n[2], [1], [3]\n', 'line 2: the row has 3 cells, the header 1 column'),
        ('answer\nx,y\n', 'line 2: the row has 2 cells, the header 1 column'),
        ('id,reply\n1,YES\n2\n', 'line 3: the row has 1 cell, the header 2 columns'),
        ('reply,reply\nYES,NO\n', "line 1: two columns are called 'reply'"),
        ('answer\nx\n', "line 2 has no field 'reply'; it has \\['answer'\\]"),
        ('', 'there is no header'),
    ],
)
def test_replies_of_a_table_that_does_not_fit_its_header_are_an_error(
    tmp_path: Path, content: str, message: str
) -> None:
    (tmp_path / 'replies.csv').write_text(content, encoding='utf-8')
    with pytest.raises(ValueError, match=rf'replies\.csv: {message}'):
        read_replies(tmp_path / 'replies.csv')


def test_replies_are_read_from_parquet(tmp_path: Path) -> None:
    import pyarrow.parquet

    table = pyarrow.table({'reply': ['YES', None, '']})
    pyarrow.parquet.write_table(table, tmp_path / 'replies.parquet')
    assert read_replies(tmp_path / 'replies.parquet') == ['YES', None, '']


def test_a_lone_surrogate_survives_json_as_the_escape_it_came_from() -> None:
    reply = json.loads('"\\ud800 YES \U0001f600"')
    text = replay('pubmedqa', read_records(RANKING)[:1], [reply]).to_json()
    assert text.encode('utf-8') and '\\ud800 YES \U0001f600' in text
    assert json.loads(text)['samples'][0]['reply'] == reply


def test_the_result_survives_json(tmp_path: Path) -> None:
    result = replay('pubmedqa', read_records(RANKING), ['YES'] * 30)
    document = json.loads(result.to_json())
    assert document['metrics'] == result.metrics
    assert len(document['samples']) == 30


def test_a_result_writes_a_row_a_question_with_a_column_a_metric() -> None:
    records, replies, _ = _shipped('pubmedqa')
    result = replay('pubmedqa', records, replies)
    stream = io.StringIO(newline='')
    result.write_samples_csv(stream)
    rows = list(csv.DictReader(io.StringIO(stream.getvalue())))
    assert [row['reply'] for row in rows] == [sample.reply or '' for sample in result.samples]
    scored = [float(row['accuracy']) for row in rows]
    assert scored == [sample.scores['accuracy'] for sample in result.samples]
