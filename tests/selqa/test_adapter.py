"""The adapters: samples, prompts, loading, judges and aggregation, over evalscope's own machinery."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import SampleScore
from evalscope.api.model import ModelOutput
from evalscope.constants import JudgeStrategy
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import sample_files
from evalscope_qa.selqa.download import COMMIT
from selqa.adapters import adapter_of, load, prompt
from selqa.rankings import gold_ranking

BENCHMARKS = ('selqa_selection', 'selqa_triggering')
RECORDS = {benchmark: read_records(sample_files(benchmark).records) for benchmark in BENCHMARKS}
REPLIES = {benchmark: read_replies(sample_files(benchmark).replies) for benchmark in BENCHMARKS}
QUALITY = {
    'selqa_selection': {'map', 'mrr', 'precision_at_1'},
    'selqa_triggering': {
        'f1', 'precision', 'recall', 'section_f1', 'section_precision', 'section_recall', 'trigger_accuracy',
    },
}  # fmt: skip
UNANSWERED = ['', ' \n', '?', 'I cannot say.', '<think>[1]', '[0]', '[99]', None]

benchmarks = pytest.mark.parametrize('benchmark', BENCHMARKS)


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps(records), encoding='utf-8')
    return path


def gold_replies(benchmark: str) -> list[str]:
    if benchmark == 'selqa_selection':
        return [gold_ranking(record) for record in RECORDS[benchmark]]
    golds = [sample.gold for sample in replay(benchmark, RECORDS[benchmark], [None] * len(RECORDS[benchmark])).samples]
    return [' > '.join(f'[{number}]' for number in json.loads(gold)['answers']) or 'NONE' for gold in golds]


# The samples


@benchmarks
def test_the_question_s_properties_are_in_the_sample_metadata(benchmark: str) -> None:
    for record, sample in zip(RECORDS[benchmark], load(benchmark, sample_files(benchmark).records), strict=True):
        for name in ('topic', 'q_types', 'is_paraphrase', 'article', 'section'):
            assert sample.metadata[name] == record[name]


@benchmarks
def test_the_prompt_is_plain_text_with_every_sentence_that_is_not_empty(benchmark: str) -> None:
    for record, sample in zip(RECORDS[benchmark], load(benchmark, sample_files(benchmark).records), strict=True):
        lists = [record] if benchmark == 'selqa_selection' else record['candidate_list']
        shown = [text for each in lists for text in each['candidates'] if text]
        text = prompt(sample)
        assert isinstance(text, str)
        assert [f'[{number}] {sentence}' for number, sentence in enumerate(shown, start=1)] == [
            line for line in text.split('\n') if line.startswith('[')
        ]
        assert f'Question: {record["question"]}' in text


@benchmarks
def test_prompt_overrides_reach_the_model(benchmark: str) -> None:
    arguments = {'prompt_template': 'XX {question} YY', 'system_prompt': 'Be brief.'}
    sample = load(benchmark, sample_files(benchmark).records, dataset_args=arguments)[0]
    system, user = sample.input
    assert system.content == 'Be brief.'
    assert user.content.startswith('XX ')
    assert user.content.endswith(' YY')


def test_the_samples_cover_what_they_should() -> None:
    selection, triggering = RECORDS['selqa_selection'], RECORDS['selqa_triggering']
    assert any('' in record['candidates'] for record in selection)
    assert any(len(record['answers']) > 1 for record in selection)
    sections = [sum(bool(section['answers']) for section in record['candidate_list']) for record in triggering]
    assert {0, 1, 2} <= set(sections)
    assert any('' in section['candidates'] for record in triggering for section in record['candidate_list'])


# Loading


def records_of(*topics: str) -> list[dict[str, Any]]:
    first = RECORDS['selqa_selection'][0]
    return [{**first, 'topic': topic, 'question': f'Question {index}?'} for index, topic in enumerate(topics)]


@pytest.mark.parametrize(
    ('topics', 'limit', 'questions'),
    [
        (None, None, [0, 1, 2, 3, 4]),
        ([], None, [0, 1, 2, 3, 4]),
        (['MUSIC'], None, [1, 3]),
        (['music'], None, [1, 3]),
        ('TV', None, [2, 4]),
        (['MUSIC', 'ART'], None, [0, 1, 3]),
        (['MUSIC'], 1, [1]),
        (['TV'], 2, [2, 4]),
        (['MUSIC', 'TV'], 3, [1, 2, 3]),
        (['TV'], 0.5, [2]),
    ],
)
def test_topics_restrict_the_questions_before_the_limit(
    tmp_path: Path, topics: Any, limit: Any, questions: list[int]
) -> None:
    path = write(tmp_path / 'records.json', records_of('ART', 'MUSIC', 'TV', 'MUSIC', 'TV'))
    dataset = load('selqa_selection', path, dataset_args={'extra_params': {'topics': topics}}, limit=limit)
    assert [int(prompt(sample).split('Question: Question ')[1][0]) for sample in dataset] == questions
    assert [sample.id for sample in dataset] == list(range(len(questions)))


def test_an_unknown_topic_is_refused_with_those_there_are(tmp_path: Path) -> None:
    path = write(tmp_path / 'records.json', records_of('ART', 'TV'))
    with pytest.raises(ValueError, match='has the topic OPERA; its topics are ART, TV'):
        load('selqa_selection', path, dataset_args={'extra_params': {'topics': ['ART', 'opera']}})


@pytest.mark.parametrize('topics', [7, {'ART': True}, [1], [['ART']]])
def test_topics_that_are_no_list_of_names_are_refused(topics: Any) -> None:
    with pytest.raises(ValueError, match='must be a list of topic names'):
        adapter_of('selqa_selection', dataset_args={'extra_params': {'topics': topics}})


def test_a_replay_is_restricted_to_the_topics_too() -> None:
    arguments = {'extra_params': {'topics': ['TV']}}
    assert replay('selqa_selection', records_of('ART', 'TV'), ['[3]'], arguments).num == 1


def test_eval_split_chooses_the_file_of_a_folder(tmp_path: Path) -> None:
    for split, topic in (('train', 'ART'), ('dev', 'TV'), ('test', 'FOOD')):
        write(tmp_path / f'selqa-ass-{split}.json', records_of(topic))
    chosen = {
        split: load('selqa_selection', tmp_path, dataset_args={'eval_split': split})[0].metadata['topic']
        for split in ('train', 'dev', 'test')
    }
    assert chosen == {'train': 'ART', 'dev': 'TV', 'test': 'FOOD'}
    assert load('selqa_selection', tmp_path)[0].metadata['topic'] == 'FOOD'


@benchmarks
def test_a_missing_path_says_what_to_pass(benchmark: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=f'{benchmark}: .*no such file or folder'):
        load(benchmark, tmp_path / 'typo')
    with pytest.raises(FileNotFoundError, match=f'{benchmark}: .*no such file or folder'):
        adapter_of(benchmark, dataset_args={'dataset_id': str(tmp_path / 'typo')}).load_dataset()


@benchmarks
def test_few_shot_examples_come_from_train_and_show_the_gold_answer(benchmark: str, tmp_path: Path) -> None:
    task = 'ass' if benchmark == 'selqa_selection' else 'at'
    records = RECORDS[benchmark]
    write(tmp_path / f'selqa-{task}-train.json', records[:3])
    test_file = write(tmp_path / f'selqa-{task}-test.json', records[3:])
    for path in (tmp_path, test_file):
        text = prompt(load(benchmark, path, dataset_args={'few_shot_num': 2})[0])
        order = [text.index(record['question']) for record in (*records[:2], records[3])]
        assert order == sorted(order)
        for record, gold in zip(records[:2], gold_replies(benchmark), strict=False):
            assert f'Question: {record["question"]}\n\n{gold}\n' in text
        assert records[2]['question'] not in text


def test_the_file_evaluated_gives_no_few_shot_examples(tmp_path: Path) -> None:
    file = write(tmp_path / 'selqa-ass-train.json', RECORDS['selqa_selection'])
    arguments = {'few_shot_num': 1, 'eval_split': 'train'}
    for path in (tmp_path, file):
        with pytest.raises(ValueError, match='would give answers away'):
            load('selqa_selection', path, dataset_args=arguments)


def test_few_shot_examples_need_a_train_file(tmp_path: Path) -> None:
    file = write(tmp_path / 'mine.json', RECORDS['selqa_selection'])
    with pytest.raises(FileNotFoundError, match="no file of the split 'train'; looked for selqa-ass-train"):
        load('selqa_selection', file, dataset_args={'few_shot_num': 1})


# Scores


@benchmarks
def test_the_gold_answer_scores_exactly_1(benchmark: str) -> None:
    metrics = replay(benchmark, RECORDS[benchmark], gold_replies(benchmark)).metrics
    assert metrics == {**dict.fromkeys(QUALITY[benchmark], 1.0), 'unanswered_ratio': 0.0}


@benchmarks
@pytest.mark.parametrize('reply', [*UNANSWERED, ModelOutput(model='m', choices=[])], ids=repr)
def test_an_unanswered_reply_scores_0_and_is_counted(benchmark: str, reply: Any) -> None:
    records = RECORDS[benchmark]
    result = replay(benchmark, records, [reply] * len(records))
    assert result.metrics == {**dict.fromkeys(QUALITY[benchmark], 0.0), 'unanswered_ratio': 1.0}
    assert result.num == len(records)
    assert {(sample.extracted, sample.answered) for sample in result.samples} == {('', False)}
    assert {value for sample in result.samples for value in sample.scores.values()} == {0.0}


@benchmarks
def test_every_metric_declared_is_reported_for_all_questions(benchmark: str) -> None:
    adapter = adapter_of(benchmark)
    scores = score_samples(adapter, benchmark)
    aggregated = adapter.aggregate_scores(sample_scores=scores)
    assert [score.metric_name for score in aggregated] == adapter.metric_list
    assert {score.num for score in aggregated} == {len(scores)}
    none = adapter.aggregate_scores(sample_scores=[])
    assert [(each.metric_name, each.score, each.num) for each in none] == [
        (name, 0.0, 0) for name in adapter.metric_list
    ]


def score_samples(adapter: Any, benchmark: str, replies: list[Any] | None = None) -> list[SampleScore]:
    samples = [adapter.record_to_sample(record) for record in RECORDS[benchmark]]
    states = []
    for number, (sample, reply) in enumerate(zip(samples, replies or REPLIES[benchmark], strict=True)):
        sample.id, sample.group_id = number, number
        state = TaskState(model='m', sample=sample, completed=True)
        state.output = None if reply is None else ModelOutput.from_content(model='m', content=reply)
        states.append(state)
    return [adapter.calculate_metrics(state) for state in states]


def aggregate(adapter: Any, scores: list[SampleScore]) -> dict[str, float]:
    return {score.metric_name: score.score for score in adapter.aggregate_scores(sample_scores=scores)}


@benchmarks
def test_scores_survive_the_review_cache_and_any_order_and_repetition(benchmark: str) -> None:
    adapter = adapter_of(benchmark)
    scores = score_samples(adapter, benchmark)
    expected = aggregate(adapter, scores)
    cached = [SampleScore.model_validate_json(score.model_dump_json()) for score in scores] * 3
    random.Random(7).shuffle(cached)
    for score in cached:
        score.sample_metadata = None
    assert aggregate(adapter, cached) == expected


@benchmarks
def test_filters_run_before_the_extraction(benchmark: str) -> None:
    adapter = adapter_of(benchmark, dataset_args={'filters': {'remove_until': 'FINAL'}})
    [score, *_] = score_samples(adapter, benchmark, ['[1]\nFINAL\n[2]'] * len(RECORDS[benchmark]))
    assert score.score.extracted_prediction == '[2]'
    assert score.score.prediction == '[1]\nFINAL\n[2]'


@benchmarks
def test_stale_metadata_of_a_cached_run_changes_no_score(benchmark: str) -> None:
    adapter = adapter_of(benchmark)
    sample = adapter.record_to_sample(RECORDS[benchmark][1])
    sample.id = 0
    sample.metadata.update(answers=[1], sentences=1, section_sizes=[1], topic=None, target='[1]', answered=True)
    state = TaskState(model='m', sample=sample, completed=True)
    state.output = ModelOutput.from_content(model='m', content=gold_replies(benchmark)[1])
    assert adapter.calculate_metrics(state).score.main_value == 1.0


class Judge:
    """Stands in for a judge model: gives every reply the same credit on the metric that judges score."""

    def __init__(self, adapter: Any, monkeypatch: pytest.MonkeyPatch, credit: float, strategy: str) -> None:
        monkeypatch.setattr(type(adapter), 'judge_strategy', strategy)
        monkeypatch.setattr(adapter, 'score_with_judge_contracts', self.score)
        self.metric = adapter.judge_metric_name
        self.credit = credit

    def score(self, original_prediction: str, filtered_prediction: str, **_: Any) -> Any:
        from evalscope.api.metric import Score

        return Score(
            value={self.metric: self.credit},
            prediction=original_prediction,
            extracted_prediction=filtered_prediction,
            main_score_name=self.metric,
        )


@benchmarks
@pytest.mark.parametrize('strategy', [JudgeStrategy.LLM, JudgeStrategy.LLM_RECALL])
def test_a_judge_sets_the_primary_score_of_answered_replies_alone(
    benchmark: str, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter = adapter_of(benchmark)
    ours = score_samples(adapter, benchmark)
    Judge(adapter, monkeypatch, credit=1.0, strategy=strategy)
    judged = score_samples(adapter, benchmark)
    for own, score in zip(ours, judged, strict=True):
        answered = own.score.metadata['answered']
        assert score.score.main_value == (1.0 if answered else 0.0)
        assert score.score.main_score_name == own.score.main_score_name
        assert score.score.value.keys() == own.score.value.keys()
        assert score.score.metadata['answered'] == answered
        others = own.score.value.keys() - {own.score.main_score_name}
        assert {name: score.score.value[name] for name in others} == {name: own.score.value[name] for name in others}
    before, after = aggregate(adapter, ours), aggregate(adapter, judged)
    primary = adapter.primary_metric.name
    assert before[primary] < after[primary] <= 1.0
    assert after['unanswered_ratio'] == before['unanswered_ratio'] > 0


@benchmarks
def test_a_judge_that_credits_nothing_leaves_the_other_metrics(benchmark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = adapter_of(benchmark)
    expected = aggregate(adapter, score_samples(adapter, benchmark))
    Judge(adapter, monkeypatch, credit=0.0, strategy=JudgeStrategy.LLM)
    got = aggregate(adapter, score_samples(adapter, benchmark))
    for name in ('map', 'f1', 'precision', 'recall'):
        if name in got:
            assert got.pop(name) == 0.0 < expected.pop(name)
    assert got == expected


# The benchmarks' own description


@benchmarks
def test_the_benchmark_describes_itself(benchmark: str) -> None:
    meta = adapter_of(benchmark).benchmark_meta
    assert meta.evaluation_version == 'v1.0'
    assert meta.paper_url == 'https://arxiv.org/abs/1606.08513'
    assert (meta.train_split, meta.eval_split, meta.dataset_revision) == ('train', 'test', COMMIT)
    assert meta.primary_metric.name == {'selqa_selection': 'map', 'selqa_triggering': 'f1'}[benchmark]
    for heading in ('## Overview', '## Task Description', '## Key Features', '## Evaluation Notes'):
        assert f'{heading}\n' in meta.description
