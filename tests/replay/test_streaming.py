"""A replay reads once, keeps long texts on disk, and in memory what aggregation needs: the result is the same."""

import csv
import io
import json
import pickle
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from evalscope.api.dataset import Sample
from evalscope.api.messages import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
from evalscope.api.model import ModelOutput
from evalscope_qa import engine
from evalscope_qa.records import iterate_records, read_records
from evalscope_qa.replay import ReplayedSample, SpooledReplies, read_reply_file, replay
from evalscope_qa.replay.kept_scores import KeptScore, ScoreKeeper
from evalscope_qa.replay.packing import packed, unpacked
from evalscope_qa.replay.questions import Questions, read_questions
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks
from evalscope_qa.replay.spool import Spool
from evalscope_qa.replay.tables import JsonSamples, SampleFile

RECORD = {'question': 'Q?', 'context': 'It rose.', 'answer': 'yes'}


@pytest.mark.parametrize('benchmark', shipped_benchmarks())
def test_files_that_are_streamed_give_the_result_of_lists_in_memory(benchmark: str) -> None:
    files = sample_files(benchmark)
    records, replies = read_records(files.records), read_reply_file(files.replies)
    expected = replay(benchmark, records, replies, files.dataset_args)
    rows: list[ReplayedSample] = []
    found = replay(
        benchmark,
        iterate_records(files.records, benchmark),
        SpooledReplies(files.replies),
        files.dataset_args,
        on_sample=rows.append,
        keep_samples=False,
    )
    assert found.samples == []
    assert rows == expected.samples
    assert found.summary() == expected.summary()
    assert list(found.unanswered().items()) == list(expected.unanswered().items())


def test_the_memory_of_a_replay_grows_by_scores_and_not_by_texts(tmp_path: Path) -> None:
    text = 'The arms did not differ in any outcome. ' * 50

    def records(count: int) -> Iterator[dict[str, Any]]:
        return ({**RECORD, 'context': f'{number} {text}', 'reasoning': text} for number in range(count))

    def peak(count: int) -> int:
        file = tmp_path / f'{count}.jsonl'
        file.write_text(''.join(json.dumps(f'{number} {text} YES') + '\n' for number in range(count)), encoding='utf-8')
        tracemalloc.start()
        rows = SampleFile(str(tmp_path / 'rows.csv'))
        result = replay('pubmedqa', records(count), SpooledReplies(file), on_sample=rows.write, keep_samples=False)
        rows.close()
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert result.num == count
        return found

    peak(50)  # what is loaded at first use
    few, many = peak(600), peak(1_600)  # blocks of 256 questions are read at a time
    assert (many - few) / 1_000 < 100  # bytes a reply; its texts have 6,000


@pytest.mark.parametrize('block', [1, 7, 256])
def test_a_spool_gives_back_what_it_was_given_in_any_order(block: int) -> None:
    spool = Spool(block)
    values: list[Any] = [None, '', '\ud800', 'x' * 100_000, {'a': [1, 2.5]}, *range(700)]
    for value in values:
        spool.append(value)
    function = lambda: 'not to be pickled'  # noqa: E731
    spool.append(function)
    spool.flush()
    assert len(spool) == len(values) + 1
    assert list(spool.iterate(0, len(values))) == values
    assert list(spool.iterate(250, 520)) == values[250:520]
    assert [spool[number] for number in (3, 0, 700)] == [values[3], None, values[700]]
    assert spool[len(values)] is function
    assert list(spool.iterate(4, 4)) == []


def test_a_spool_that_cannot_be_written_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path('/dev/full')
    name = 'evalscope_qa.replay.spool.tempfile.TemporaryFile'
    monkeypatch.setattr(name, lambda buffering: full.open('rb+', buffering=buffering))
    spool = Spool()
    with pytest.raises(OSError, match='the folder that TMPDIR names, cannot be written: No space left on device'):
        for _ in range(100):
            spool.append('x' * 10_000)
        spool.flush()
    spool = Spool()
    spool.append('x')
    with pytest.raises(OSError, match='No space left'):
        spool.flush()


def _fields(sample: Sample) -> dict[str, Any]:
    fields = sample.model_dump()
    if isinstance(sample.input, list):
        for message in fields['input']:
            message.pop('id')
    return fields


@pytest.mark.parametrize(
    ('sample', 'is_plain'),
    [
        (Sample(input='asked', target='x'), True),
        (Sample(input=[ChatMessageUser(content='asked')], target=['x', 'y'], choices=['a'], metadata={'k': [1]}), True),
        (Sample(input=[ChatMessageSystem(content='be brief'), ChatMessageUser(content='é\ud800')], id=3), True),
        (Sample(input=[ChatMessageUser(content='asked', metadata={'a': 1})]), False),
        (Sample(input=[ChatMessageUser(content=[{'type': 'text', 'text': 'asked'}])]), False),
        (Sample(input=[ChatMessageUser(content='asked'), ChatMessageAssistant(content='said')]), False),
    ],
)
def test_a_question_is_the_same_after_it_was_packed(sample: Sample, is_plain: bool) -> None:
    data = packed(sample)
    assert isinstance(data, dict) is is_plain
    found = unpacked(pickle.loads(pickle.dumps(data)))
    assert _fields(found) == _fields(sample)
    assert [type(message) for message in found.input] == [type(message) for message in sample.input]
    found.metadata['more'] = 1
    assert 'more' not in unpacked(packed(Sample(input='another'))).metadata


class OwnSample(Sample):
    more: int = 1


def test_a_question_of_another_class_is_kept_whole() -> None:
    assert type(unpacked(pickle.loads(pickle.dumps(packed(OwnSample(input='x')))))) is OwnSample


def test_ids_that_only_share_their_hash_tell_questions_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('evalscope_qa.replay.questions.hash', lambda text: len(text), raising=False)
    adapter = engine.configured_adapter('pubmedqa')
    records = [{**RECORD, 'question': f'{name}?', 'key': name} for name in ('a', 'b', 'cc')]
    assert list(read_questions(adapter, records).ids()) == ['a', 'b', 'cc']
    adapter = engine.configured_adapter('pubmedqa')
    records[1]['key'] = 'a'
    assert list(read_questions(adapter, records).ids()) == ['0', '1', '2']


def test_an_id_is_that_of_the_first_field_that_all_records_have() -> None:
    questions = Questions()
    for number, record in enumerate(
        [{'key': 1, 'uid': 'a', 'id': ''}, {'key': 2, 'uid': 'b'}, {'uid': 'c', 'id': True}]
    ):
        questions.add(questions.ids_of(record), Sample(input=str(number)), '')
    questions.finish()
    assert list(questions.ids()) == ['a', 'b', 'c']
    assert [question.id for question in questions.iterate(1, 3)] == ['b', 'c']


def test_scores_that_are_alike_are_kept_once_and_others_in_few_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('evalscope_qa.replay.kept_scores._MOST_SHARED', 2)
    files = sample_files('rjua_qa')
    adapter = engine.configured_adapter('rjua_qa')
    samples = list(engine.questions(adapter, read_records(files.records)))
    scores = [
        engine.score(adapter, engine.task_state(sample, reply))
        for sample, reply in zip(samples, read_reply_file(files.replies).values, strict=True)
    ]
    keeper = ScoreKeeper(adapter)
    for score in [*scores, *scores]:
        keeper.add(keeper.packed(score))
    assert keeper.scores[0] is keeper.scores[len(scores)]
    assert engine.aggregate(adapter, keeper.scores) == engine.aggregate(adapter, [*scores, *scores])
    kept = keeper.scores[-1]
    assert isinstance(kept, KeptScore) and kept.score is kept
    assert (kept.value, kept.metadata) == (scores[-1].score.value, scores[-1].score.metadata)
    with pytest.raises(AttributeError, match="'prediction' is not kept of a score; name it"):
        _ = kept.prediction


@pytest.mark.parametrize(('benchmark', 'settings'), [('arc', {}), ('pubmedqa', {'aggregation': 'mean_and_pass_at_k'})])
def test_scores_of_which_anything_may_be_aggregated_are_kept_whole(benchmark: str, settings: dict[str, Any]) -> None:
    adapter = engine.configured_adapter(benchmark, settings)
    keeper = ScoreKeeper(adapter)
    score: Any = object()
    keeper.add(keeper.packed(score))
    assert keeper.scores == [score]


def _sample(index: int, scores: dict[str, float], reply: str | None = 'r') -> ReplayedSample:
    return ReplayedSample(index, str(index), 'g', reply, '', scores, bool(scores))


def test_a_metric_that_only_later_rows_have_gets_a_column_in_all(tmp_path: Path) -> None:
    table = SampleFile(str(tmp_path / 'rows.csv'))
    for sample in (
        _sample(0, {'a': 1.0}, 'x' * 200_000),
        _sample(1, {}),
        _sample(2, {'b': 2.0, 'a': 3.0}, 'é\ud800\n"'),
    ):
        table.write(sample)
    table.close()
    limit = csv.field_size_limit(1 << 20)
    with (tmp_path / 'rows.csv').open(encoding='utf-8', newline='') as stream:
        rows = list(csv.DictReader(stream))
    csv.field_size_limit(limit)
    assert [(row['index'], row['a'], row['b']) for row in rows] == [
        ('0', '1.0', ''),
        ('1', '', ''),
        ('2', '3.0', '2.0'),
    ]
    assert rows[2]['reply'] == 'é\\ud800\n"'
    assert [file.name for file in tmp_path.iterdir()] == ['rows.csv']


def test_a_file_of_rows_that_cannot_be_written_is_said_when_it_is_closed(tmp_path: Path) -> None:
    table = SampleFile(str(tmp_path / 'missing' / 'rows.csv'))
    table.write(_sample(0, {}))
    table.write(_sample(1, {}))
    with pytest.raises(OSError, match=r'rows\.csv was not written: No such file or directory'):
        table.close()
    full = SampleFile('/dev/full')
    full.write(_sample(0, {}))
    with pytest.raises(OSError, match='/dev/full was not written: No space left on device'):
        full.close()


@pytest.mark.parametrize('ascii_only', [False, True])
@pytest.mark.parametrize('count', [0, 1, 3])
def test_json_that_is_written_as_rows_come_is_that_of_the_whole_result(count: int, ascii_only: bool) -> None:
    records = [{**RECORD, 'question': f'{number}?'} for number in range(3)]
    result = replay('pubmedqa', records, ['YES', None, 'é\ud800 "答"\n'])
    object.__setattr__(result, 'samples', result.samples[:count])
    object.__setattr__(result, 'reasons', None)
    samples, stream = JsonSamples(ascii_only), io.StringIO()
    for sample in result.samples:
        samples.write(sample)
    samples.write_document(result, stream)
    assert stream.getvalue() == result.to_json(ascii_only) + '\n'


def test_records_and_replies_are_read_as_they_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / 'records.jsonl'
    file.write_text('{"a": 1}\n\n{"a": 2}\n{"a": 3, "a": 4}\n', encoding='utf-8')
    records = iterate_records(file, 'bench')
    assert [next(records), next(records)] == [{'a': 1}, {'a': 2}]
    with pytest.raises(ValueError, match=r"^bench: .*records\.jsonl: line 4: the key 'a' stands twice"):
        next(records)


def test_a_bad_reply_far_down_is_said_before_anything_is_scored(tmp_path: Path) -> None:
    file = tmp_path / 'replies.jsonl'
    file.write_text('"YES"\n' * 5_000 + '3\n' + '"NO"\n' * 10, encoding='utf-8')
    with pytest.raises(ValueError, match='line 5001: the reply is of type int; expected text or null'):
        SpooledReplies(file)


def test_predictions_that_are_streamed_are_those_in_memory(tmp_path: Path) -> None:
    output = ModelOutput.from_content(model='m', content='YES').model_dump(mode='json')
    rows = [
        {'index': 1, 'model_output': None, 'messages': []},
        {
            'index': 0,
            'model_output': output,
            'messages': [{'role': 'user', 'content': 'Abstract: It rose.\n\nQuestion: Q?'}],
        },
    ]
    file = tmp_path / 'predictions.jsonl'
    file.write_text('\n'.join(map(json.dumps, rows)), encoding='utf-8')
    streamed, read = SpooledReplies(file), read_reply_file(file)
    assert (
        (streamed.by, streamed.ids, len(streamed)) == (read.by, list(read.ids), len(read)) == ('index', ['1', '0'], 2)
    )
    assert [streamed.prompt(number) for number in (0, 1)] == list(read.prompts)
    assert list(streamed.iterate(0, 2)) == list(read.values)
    records = [RECORD, {**RECORD, 'question': 'Another?'}]
    results = [replay('pubmedqa', records, replies) for replies in (streamed, read)]
    assert results[0] == results[1]
    assert [sample.answered for sample in results[0].samples] == [True, False]
