"""The `evalscope` command itself on every benchmark of the package, against a chat server on 127.0.0.1.

A run costs seconds whatever it evaluates, so one run evaluates all benchmarks; each is then looked at by itself.
"""

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

import pytest
import yaml
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks
from openai_server import Messages, serve
from selqa.rankings import shown_positions, word_overlap

pytestmark = pytest.mark.loopback

Record = dict[str, Any]
Report = dict[str, tuple[float, int]]
Run = Callable[..., 'subprocess.CompletedProcess[str]']


@dataclass(frozen=True)
class Benchmark:
    """What a run of a benchmark is held against, besides the replay of the same replies."""

    name: str
    file: str
    """Name of the file of the evaluated split in a folder given as ``local_path``."""
    shown: Callable[[Record], tuple[str, ...]]
    """What its prompt shows of a record, and of no other record together; the last, the question, stands last."""
    once: tuple[str, ...]
    """What stands once in every prompt without examples."""
    counted: dict[str, float]
    """Metrics of the sample, counted by hand."""
    correct: Callable[[Record], Record]
    """Gold by which other replies are right."""
    described: tuple[str, ...]
    """What `evalscope benchmark-info` says of it."""

    @property
    def dataset_args(self) -> Record:
        return sample_files(self.name).dataset_args

    @property
    def records(self) -> list[Record]:
        return read_records(sample_files(self.name).records)

    @property
    def replies(self) -> list[str]:
        """The sample's replies; a server returns some text for every request."""
        return [reply or '' for reply in read_replies(sample_files(self.name).replies)]

    def write(self, folder: Path, records: list[Record]) -> None:
        """Write records as the split that is evaluated, in the form that the dataset is published in."""
        folder.mkdir(exist_ok=True)
        content: Any = records
        if self.name == 'pubmedqa_official':
            content = {record['id']: {key: record[key] for key in record if key != 'id'} for record in records}
        write_records(folder / self.file, content)

    def expected(self, records: list[Record], replies: list[str], **settings: Any) -> Report:
        """The metrics of a replay as a report has them, to four decimals, with the number of questions of each."""
        result = replay(self.name, records, replies, {**self.dataset_args, **settings})
        return {name: (pytest.approx(value, abs=1e-4), result.num) for name, value in result.metrics.items()}


def write_records(file: Path, records: Any) -> None:
    lines = map(_json, records) if file.suffix == '.jsonl' else [_json(records)]
    file.write_text('\n'.join(lines), encoding='utf-8')


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


BENCHMARKS = {
    row.name: row
    for row in [
        Benchmark(
            'pubmedqa',
            'test.jsonl',
            lambda record: (f'Abstract: {record["context"]}\n', f'Question: {record["question"]}\n'),
            ('Abstract: ', 'Question: '),
            {'accuracy': 16 / 24, 'unanswered_ratio': 6 / 24},
            lambda record: {'answer': 'no'},
            ('PubMedQA', 'unanswered_ratio'),
        ),
        Benchmark(
            'pubmedqa_official',
            'ori_pqal.json',
            lambda record: (f'Abstract: {" ".join(record["CONTEXTS"])}\n', f'Question: {record["QUESTION"]}\n'),
            ('Abstract: ', 'Question: '),
            {'accuracy': 4 / 6, 'unanswered_ratio': 1 / 6},
            lambda record: {'final_decision': 'no'},
            ('PubMedQA-Official', 'allow_partial', 'unanswered_ratio'),
        ),
        Benchmark(
            'searchqa',
            'validation.jsonl',
            lambda record: (f'Question: {record["question"]}\n',),
            ('Context:\n', 'Question: '),
            {'exact_match': 3 / 9, 'sub_em': 3 / 9, 'unanswered_ratio': 3 / 9},
            lambda record: {'answers': ['Lise Meitner']},
            ('SearchQA', 'max_context_chars', '6000', 'lucadiliello/searchqa', 'exact_match', 'unanswered_ratio'),
        ),
        Benchmark(
            'rjua_qa',
            'RJUA_test.json',
            lambda record: (f'患者的问题：{record["question"]}\n',),
            ('患者的问题：', '参考资料：'),
            {'f1_disease': 14 / 30, 'f1_disease_micro': 12 / 17, 'unanswered_ratio': 3 / 6},
            lambda record: {'disease': '左肾结石', 'advice': '抗感染治疗'},
            ('RJUA-QA', 'rouge_tokenizer', 'rjua-qadatasets', 'final_accuracy', 'f1_advice_micro', 'rouge_l'),
        ),
        Benchmark(
            'selqa_selection',
            'selqa-ass-test.json',
            lambda record: (f'Question: {record["question"]}\n', 'Rank the numbered sentences'),
            ('Sentences:\n', 'Question: '),
            {'precision_at_1': 2 / 6, 'unanswered_ratio': 2 / 6},
            lambda record: {'answers': shown_positions(record)[-1:]},
            ('SelQA-Selection', 'precision_at_1', 'unanswered_ratio'),
        ),
        Benchmark(
            'selqa_triggering',
            'selqa-at-test.json',
            lambda record: (f'Question: {record["question"]}\n', 'Which of the numbered sentences'),
            ('Question: ',),
            {'trigger_accuracy': 7 / 11, 'unanswered_ratio': 3 / 11},
            lambda record: {'candidate_list': [{**section, 'answers': []} for section in record['candidate_list']]},
            ('SelQA-Triggering', 'trigger_accuracy', 'unanswered_ratio'),
        ),
    ]
}
EACH = pytest.mark.parametrize('benchmark', BENCHMARKS.values(), ids=BENCHMARKS.keys())
KNOWN = [(row, number, record) for row in BENCHMARKS.values() for number, record in enumerate(row.records)]
REPLIES = {row.name: row.replies for row in BENCHMARKS.values()}


def text_of(messages: Messages) -> str:
    """The user's text, whether it came as a string or, from the built-in PubMedQA, as a list of parts."""
    content = messages[-1]['content']
    return content if isinstance(content, str) else '\n'.join(part['text'] for part in content)


def asked(messages: Messages) -> tuple[str, int]:
    """Benchmark and number of the sample's record that a prompt shows last."""
    prompt = text_of(messages)
    (_, name, number), *_ = sorted(
        (-max(prompt.rfind(text) for text in row.shown(record)), row.name, number)
        for row, number, record in KNOWN
        if all(text in prompt for text in row.shown(record))
    )
    return name, number


def sample_reply(messages: Messages) -> str:
    name, number = asked(messages)
    return REPLIES[name][number]


def evaluate(
    run: Run, url: str, out: Path, dataset_args: dict[str, Record], *options: object, **environment: str
) -> Any:
    return run(
        'evalscope', 'eval', '--model', 'canned', '--api-url', url, '--api-key', 'EMPTY', '--eval-type', 'openai_api',
        '--datasets', *dataset_args, '--dataset-args', json.dumps(dataset_args), '--work-dir', out, '--no-timestamp',
        *options, loopback=True, **environment,
    )  # fmt: skip


def succeeded(process: 'subprocess.CompletedProcess[str]') -> None:
    assert process.returncode == 0, process.stderr[-3000:]
    assert 'undeclared metric' not in process.stdout + process.stderr


def report_of(out: Path, name: str) -> Report:
    """A report's metrics by name, with the number of questions of each."""
    report = json.loads((out / 'reports' / 'canned' / f'{name}.json').read_text(encoding='utf-8'))
    return {metric['identity']['name']: (metric['score'], metric['num']) for metric in report['metrics']}


def reports_of(out: Path) -> dict[str, Report]:
    return {name: report_of(out, name) for name in BENCHMARKS}


def test_every_benchmark_of_the_package_has_its_row() -> None:
    assert sorted(BENCHMARKS) == sorted(shipped_benchmarks())


# The shipped samples.


@dataclass
class Runs:
    """A run on the samples, the same again from its cache, and a rescoring after the gold was corrected."""

    prompts: list[Messages]
    settings: Any
    """What evalscope wrote of the first run's configuration."""
    first: dict[str, Report]
    asked_again: int
    again: dict[str, Report] = field(default_factory=dict)
    rescored: dict[str, Report] = field(default_factory=dict)


def corrected(benchmark: Benchmark) -> list[Record]:
    return [{**record, **benchmark.correct(record)} for record in benchmark.records]


@pytest.fixture(scope='module')
def runs(run_in: Callable[[Path], Run], open_loopback: Any, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp('samples')
    run, out = run_in(folder), folder / 'out'
    arguments = {name: {'local_path': str(folder / name), **row.dataset_args} for name, row in BENCHMARKS.items()}
    for name, row in BENCHMARKS.items():
        row.write(folder / name, row.records)
    with open_loopback(), serve(sample_reply) as server:
        succeeded(evaluate(run, server.url, out, arguments))
        prompts = [request['messages'] for request in server.requests]
        settings = yaml.safe_load((out / 'configs' / 'task_config.yaml').read_text(encoding='utf-8'))
        found = Runs(prompts, settings, reports_of(out), 0)
        succeeded(evaluate(run, server.url, out, arguments, '--use-cache', out))
        found.again = reports_of(out)
        for name, row in BENCHMARKS.items():
            row.write(folder / name, corrected(row))
        succeeded(evaluate(run, server.url, out, arguments, '--use-cache', out, '--rerun-review'))
        found.rescored = reports_of(out)
        found.asked_again = len(server.requests) - len(prompts)
    return found


@EACH
def test_every_question_is_asked_once(runs: Runs, benchmark: Benchmark) -> None:
    prompts = [messages for messages in runs.prompts if asked(messages)[0] == benchmark.name]
    assert sorted(asked(messages)[1] for messages in prompts) == [*range(len(benchmark.records))]
    for messages in prompts:
        assert len(messages) == 1
        assert {text: text_of(messages).count(text) for text in benchmark.once} == dict.fromkeys(benchmark.once, 1)


@EACH
def test_the_sample_scores_as_in_a_replay_and_counts_every_question(runs: Runs, benchmark: Benchmark) -> None:
    assert runs.first[benchmark.name] == benchmark.expected(benchmark.records, benchmark.replies)
    for name, value in benchmark.counted.items():
        assert runs.first[benchmark.name][name] == (pytest.approx(value, abs=1e-4), len(benchmark.records))


def test_the_run_names_the_version_of_every_score(runs: Runs) -> None:
    versions = {row.name: replay(row.name, row.records, row.replies, row.dataset_args) for row in BENCHMARKS.values()}
    found = _find(runs.settings, 'evaluation_version')
    assert sorted(found) == sorted(result.evaluation_version for result in versions.values())


def _find(tree: Any, key: str) -> list[Any]:
    if isinstance(tree, dict):
        return [value for name, value in tree.items() if name == key] + [
            found for value in tree.values() for found in _find(value, key)
        ]
    return [found for value in tree for found in _find(value, key)] if isinstance(tree, list) else []


@EACH
def test_the_same_run_again_takes_everything_from_its_cache(runs: Runs, benchmark: Benchmark) -> None:
    assert runs.asked_again == 0
    assert runs.again[benchmark.name] == runs.first[benchmark.name]


@EACH
def test_rescoring_after_a_correction_uses_the_corrected_gold(runs: Runs, benchmark: Benchmark) -> None:
    assert runs.asked_again == 0
    assert runs.rescored[benchmark.name] == benchmark.expected(corrected(benchmark), benchmark.replies)
    assert runs.rescored[benchmark.name] != runs.first[benchmark.name]


# Examples in the prompt.


@dataclass(frozen=True)
class FewShot:
    """A folder with a file of examples, the settings that show some of them, and how they are shown."""

    files: tuple[str, str]
    """Of the examples, and of the questions."""
    settings: Record
    example: str
    """What the prompt says of the first example's answer, once."""


FEW_SHOT = {
    'pubmedqa': FewShot(('train.jsonl', 'test.jsonl'), {'few_shot_num': 1, 'train_split': 'train'}, 'YES\n'),
    'searchqa': FewShot(('train.jsonl', 'validation.jsonl'), {'few_shot_num': 3}, '<answer>Danube</answer>'),
    'rjua_qa': FewShot(
        ('RJUA_train.json', 'RJUA_valid.json'),
        {'few_shot_num': 2, 'eval_split': 'valid', 'extra_params': {'rouge_tokenizer': 'jieba'}},
        '诊断：良性前列腺增生、膀胱结石\n',
    ),
    'selqa_selection': FewShot(('selqa-ass-train.json', 'selqa-ass-test.json'), {'few_shot_num': 2}, '\n[3]\n'),
}
EACH_FEW_SHOT = pytest.mark.parametrize('name', FEW_SHOT)
ASKED = 2


@pytest.fixture(scope='module')
def few_shot_run(
    run_in: Callable[[Path], Run], open_loopback: Any, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[str], dict[str, Report]]:
    """Prompts and reports of a run with examples."""
    folder = tmp_path_factory.mktemp('few_shot')
    for name, few_shot in FEW_SHOT.items():
        (folder / name).mkdir()
        records = BENCHMARKS[name].records
        write_records(
            folder / name / few_shot.files[0], [{**each, 'question': f'例 {each["question"]}'} for each in records]
        )
        write_records(folder / name / few_shot.files[1], records)
    arguments = {name: {'local_path': str(folder / name), **row.settings} for name, row in FEW_SHOT.items()}
    with open_loopback(), serve(sample_reply) as server:
        succeeded(evaluate(run_in(folder), server.url, folder / 'out', arguments, '--limit', ASKED))
        prompts = [request['messages'] for request in server.requests]
    assert len(prompts) == ASKED * len(FEW_SHOT)
    return prompts, {name: report_of(folder / 'out', name) for name in FEW_SHOT}


@EACH_FEW_SHOT
def test_the_first_examples_of_the_training_file_are_shown(few_shot_run: Any, name: str) -> None:
    prompts = [text_of(messages) for messages in few_shot_run[0] if asked(messages)[0] == name]
    assert len(prompts) == ASKED
    records, number = BENCHMARKS[name].records, FEW_SHOT[name].settings['few_shot_num']
    for prompt in prompts:
        shown = [prompt.count(f'例 {record["question"]}') for record in records]
        assert shown == [1] * number + [0] * (len(records) - number)
        assert prompt.count(FEW_SHOT[name].example) == 1


@EACH_FEW_SHOT
def test_examples_leave_the_scores_as_in_a_replay(few_shot_run: Any, name: str) -> None:
    row, settings = BENCHMARKS[name], FEW_SHOT[name].settings
    records, replies = row.records[:ASKED], row.replies[:ASKED]
    extra_params = settings.get('extra_params', {})
    assert few_shot_run[1][name] == row.expected(records, replies, extra_params=extra_params)
    if extra_params:
        assert few_shot_run[1][name]['rouge_l'] != row.expected(records, replies)['rouge_l']


# What is wrong is said before a model is asked.


BAD: list[tuple[str, Any, Record, str]] = [
    ('pubmedqa', (3, {'answer': 'perhaps'}), {}, "field 'answer'"),
    ('searchqa', None, {'extra_params': {'max_context_chars': -5}}, "'max_context_chars' is -5"),
    ('searchqa', None, {'few_shot_num': 3}, 'few-shot examples come from the split'),
    ('searchqa', (8, {'answers': []}), {}, "(index 8): field 'answers'"),
    ('rjua_qa', (0, {'disease': None}), {}, "record 'synthetic-1' (index 0): field 'disease'"),
    ('rjua_qa', (5, {'question': ...}), {}, "record 'synthetic-6' (index 5): field 'question': is missing"),
    ('rjua_qa', None, {'extra_params': {'rouge_tokenizer': 'word'}}, "not in choices ['char', 'jieba']"),
    ('rjua_qa', None, {'local_path': None}, 'http://data.openkg.cn/dataset/rjua-qadatasets'),
    ('rjua_qa', None, {'few_shot_num': 1}, "no file of the split 'train'"),
    ('selqa_selection', (2, {'answers': [99]}), {}, "record 2: field 'answers': position 99 is outside"),
]
"""Benchmark, change of one record or none (``...`` removes a field), settings, and what is said of it."""


@pytest.mark.parametrize(('name', 'change', 'settings', 'problem'), BAD, ids=[f'{row[0]}: {row[3]}' for row in BAD])
def test_a_bad_record_or_setting_ends_the_run_before_any_request(
    run_process: Run, tmp_path: Path, name: str, change: 'tuple[int, Record] | None', settings: Record, problem: str
) -> None:
    row, records = BENCHMARKS[name], BENCHMARKS[name].records
    if change:
        changed = {**records[change[0]], **change[1]}
        records[change[0]] = {key: value for key, value in changed.items() if value is not ...}
    row.write(tmp_path / 'data', records)
    folder = 'data' if name == 'rjua_qa' else f'data/{row.file}'
    with serve(sample_reply) as server:
        arguments = {name: {'local_path': str(tmp_path / folder), **settings}}
        process = evaluate(run_process, server.url, tmp_path / 'out', arguments)
    assert process.returncode != 0
    assert problem in process.stderr
    assert server.requests == []


@EACH
def test_benchmark_info_shows_the_dataset_its_metrics_and_its_parameters(
    run_process: Run, benchmark: Benchmark
) -> None:
    process = run_process('evalscope', 'benchmark-info', benchmark.name)
    assert process.returncode == 0, process.stderr[-3000:]
    assert [text for text in benchmark.described if text not in process.stdout] == []


# What one benchmark alone can show.


def test_a_run_of_the_built_in_is_rescored_from_its_own_predictions(run_process: Run, tmp_path: Path) -> None:
    row, out = BENCHMARKS['pubmedqa'], tmp_path / 'out'
    row.write(tmp_path / 'data', row.records)
    arguments = {'pubmedqa': {'local_path': str(tmp_path / 'data')}}
    with serve(sample_reply, accept_parts=True) as server:
        succeeded(evaluate(run_process, server.url, out, arguments, EVALSCOPE_PLUGINS='off'))
        number = len(server.requests)
        assert number == len(row.records)
        assert 'unanswered_ratio' not in report_of(out, 'pubmedqa')

        refused = evaluate(run_process, server.url, out, arguments, '--use-cache', out)
        assert refused.returncode != 0
        assert 'rerun_review' in refused.stderr

        succeeded(evaluate(run_process, server.url, out, arguments, '--use-cache', out, '--rerun-review'))
    assert len(server.requests) == number
    assert report_of(out, 'pubmedqa') == row.expected(row.records, row.replies)


def test_repeats_prompts_filters_and_system_prompt_work(run_process: Run, tmp_path: Path) -> None:
    row = BENCHMARKS['pubmedqa']
    settings = {
        'local_path': str(sample_files('pubmedqa').records),
        'prompt_template': 'Read this.\n{question}\nOne word.',
        'system_prompt': 'You are terse.',
        'filters': {'remove_until': '###'},
    }
    with serve(lambda messages: f'Final answer: MAYBE ### {sample_reply(messages)}') as server:
        process = evaluate(
            run_process, server.url, tmp_path / 'out', {'pubmedqa': settings}, '--limit', 5, '--repeats', 3
        )
    succeeded(process)
    assert len(server.requests) == 15
    for request in server.requests:
        system, user = request['messages']
        assert system == {'role': 'system', 'content': 'You are terse.'}
        assert user['content'].startswith('Read this.\nAbstract: ')
        assert user['content'].endswith('\nOne word.')
    report, expected = report_of(tmp_path / 'out', 'pubmedqa'), row.expected(row.records[:5], row.replies[:5])
    for name in ('accuracy', 'unanswered_ratio'):
        assert report[name] == (expected[name][0], 15)


def test_20_real_questions(run_process: Run, tmp_path: Path, data_dir: Path) -> None:
    row = BENCHMARKS['selqa_selection']
    records = read_records(data_dir / 'selqa' / 'selqa-ass-test.json')[:20]
    by_question = {record['question']: word_overlap(record) for record in records}
    assert len(by_question) == 20

    def answer(messages: Messages) -> str:
        return by_question[text_of(messages).split('Question: ')[-1].split('\n')[0]]

    arguments = {'selqa_selection': {'local_path': str(data_dir / 'selqa')}}
    with serve(answer) as server:
        succeeded(evaluate(run_process, server.url, tmp_path / 'out', arguments, '--limit', 20))
    assert report_of(tmp_path / 'out', 'selqa_selection') == row.expected(records, [*by_question.values()])
    assert len(server.requests) == 20
