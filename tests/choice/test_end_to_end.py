"""One run of `evalscope eval` on mmlu, arc and coin_flip with the strict readings on, against a server on 127.0.0.1."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Sequence

import pytest
import yaml
from openai_server import Messages, serve

pytestmark = pytest.mark.loopback

Run = Callable[..., 'subprocess.CompletedProcess[str]']

EVALSCOPE = ('evalscope', 'eval')
OPTIONS = ['lime', 'basalt', 'slate', 'chalk']
CHOICE_REPLIES = ['ANSWER: B', 'The answer is C.', "Don't know.", 'A, D', '<think>ANSWER: D']
"""To questions of which B, C, D, D and D are right: two are right, three answer nothing (evalscope: four are right)."""
GOLDS = [1, 2, 3, 3, 3]
COIN_REPLIES = ['ANSWER: YES', 'ANSWER: NO', 'No answer.', '']
COINS = ['yes', 'yes', 'no', 'yes']
FILES = {
    'mmlu': ('all', [('test', 'mmlu'), ('dev', 'example')]),
    'arc': ('ARC-Easy', [('test', 'arc')]),
    'coin_flip': ('default', [('test', 'coin')]),
}


def records(benchmark: str, kind: str) -> list[dict[str, Any]]:
    if benchmark == 'mmlu':
        return [
            {'question': f'{kind} question {number}?', 'choices': OPTIONS, 'answer': gold, 'subject': 'anatomy'}
            for number, gold in enumerate(GOLDS)
        ]
    if benchmark == 'arc':
        choices = {'text': OPTIONS, 'label': list('ABCD')}
        return [
            {'id': str(number), 'question': f'{kind} question {number}?', 'choices': choices, 'answerKey': 'ABCD'[gold]}
            for number, gold in enumerate(GOLDS)
        ]
    return [{'question': f'{kind} question {number}?', 'answer': answer} for number, answer in enumerate(COINS)]


def write_dataset(folder: Path, benchmark: str) -> None:
    """Write the records as a dataset of the hub lies on a disk."""
    config, files = FILES[benchmark]
    folder.mkdir()
    for split, kind in files:
        lines = [json.dumps(record) for record in records(benchmark, kind)]
        (folder / f'{split}.jsonl').write_text('\n'.join(lines), encoding='utf-8')
    data_files = [{'split': split, 'path': f'{split}.jsonl'} for split, _ in files]
    card = yaml.safe_dump({'configs': [{'config_name': config, 'data_files': data_files}]})
    (folder / 'README.md').write_text(f'---\n{card}---\n', encoding='utf-8')


def answer(messages: Messages) -> str:
    content = messages[-1]['content']
    prompt = content if isinstance(content, str) else '\n'.join(part.get('text', '') for part in content)
    kind, number = re.findall(r'(mmlu|arc|coin) question (\d)', prompt)[-1]
    return (COIN_REPLIES if kind == 'coin' else CHOICE_REPLIES)[int(number)]


@dataclass
class Reports:
    """What a run reported."""

    values: dict[str, dict[str, float]]
    """By benchmark and metric."""
    config: Any
    reasons: dict[str, list[str]]
    """By benchmark, why replies count as unanswered."""


def evaluate(run: Run, folder: Path, url: str, command: Sequence[object], *benchmarks: str, **settings: Any) -> Reports:
    out = folder / f'run{len(list(folder.iterdir()))}'
    arguments = {
        'mmlu': {'local_path': str(folder / 'mmlu'), 'subset_list': ['anatomy']},
        'arc': {'local_path': str(folder / 'arc'), 'subset_list': ['ARC-Easy']},
        'coin_flip': {'local_path': str(folder / 'coin_flip')},
    }
    arguments = {name: arguments[name] for name in benchmarks}
    process = run(
        *command, '--model', 'canned', '--api-url', url, '--api-key', 'EMPTY',
        '--eval-type', 'openai_api', '--datasets', *arguments, '--dataset-args', json.dumps(arguments),
        '--work-dir', out, '--no-timestamp', loopback=True, **settings,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr[-3000:]
    values: dict[str, dict[str, float]] = {}
    reasons: dict[str, list[str]] = {}
    for benchmark in arguments:
        report = json.loads((out / 'reports' / 'canned' / f'{benchmark}.json').read_text(encoding='utf-8'))
        values[benchmark] = {metric['identity']['name']: metric['score'] for metric in report['metrics']}
        for file in sorted((out / 'reviews' / 'canned').glob(f'{benchmark}_*.jsonl')):
            rows = [json.loads(line) for line in file.read_text(encoding='utf-8').splitlines()]
            metadata = [row['sample_score']['score']['metadata'] or {} for row in rows]
            reasons[benchmark] = [found['reading'] for found in metadata if found.get('answered') is False]
    return Reports(values, yaml.safe_load((out / 'configs' / 'task_config.yaml').read_text(encoding='utf-8')), reasons)


@pytest.fixture(scope='module')
def runs(
    run_in: Callable[[Path], Run], open_loopback: Any, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Reports]:
    folder = tmp_path_factory.mktemp('strict')
    run = run_in(folder)
    for benchmark in FILES:
        write_dataset(folder / benchmark, benchmark)
    with open_loopback(), serve(answer, accept_parts=True) as server:
        by_command = (sys.executable, '-m', 'evalscope_qa', 'eval', '--strict')
        return {
            'strict': evaluate(run, folder, server.url, EVALSCOPE, *FILES, EVALSCOPE_PLUGINS='strict'),
            'eval --strict': evaluate(run, folder, server.url, by_command, 'arc', fresh=True),
            'default': evaluate(run, folder, server.url, EVALSCOPE, *FILES),
        }


@pytest.mark.parametrize(('how', 'benchmark'), [('strict', 'mmlu'), ('strict', 'arc'), ('eval --strict', 'arc')])
def test_a_choice_question_counts_what_its_reply_states(runs: dict[str, Reports], how: str, benchmark: str) -> None:
    assert runs[how].values[benchmark] == pytest.approx({'accuracy': 2 / 5, 'unanswered_ratio': 3 / 5}, abs=1e-4)
    assert sorted(runs[how].reasons[benchmark]) == ['cut off', 'nothing stated', 'refused']


def test_every_coin_flip_stays_in_the_denominator(runs: dict[str, Reports]) -> None:
    # One of three YES is found, and one reply says YES: precision 1, recall 1/3, F1 1/2.
    assert runs['strict'].values['coin_flip'] == pytest.approx(
        {
            'accuracy': 1 / 4,
            'precision': 1.0,
            'recall': 1 / 3,
            'f1': 1 / 2,
            'yes_ratio': 1 / 4,
            'unanswered_ratio': 2 / 4,
        },
        abs=1e-4,
    )


def test_without_them_nothing_is_counted_as_unanswered(runs: dict[str, Reports]) -> None:
    for benchmark, values in runs['default'].values.items():
        assert 'unanswered_ratio' not in values
        assert not runs['default'].reasons[benchmark]
    assert runs['default'].values['mmlu']['accuracy'] > 2 / 5


def _find(tree: Any, key: str) -> list[Any]:
    if isinstance(tree, dict):
        return [value for name, value in tree.items() if name == key] + [
            found for value in tree.values() for found in _find(value, key)
        ]
    return [found for value in tree for found in _find(value, key)] if isinstance(tree, list) else []


def test_the_configuration_says_which_reading_was_used(runs: dict[str, Reports]) -> None:
    strict, default = runs['strict'].config, runs['default'].config
    assert {str(value) for value in _find(strict, 'reading')} == {'evalscope-qa v1.0'}
    assert _find(default, 'reading') == []
    versions = [(_find(config, 'evaluation_version')) for config in (default, strict)]
    assert [_next_minor(version) for version in versions[0]] == versions[1]


def _next_minor(version: str) -> str:
    major, minor = version[1:].split('.')
    return f'v{major}.{int(minor) + 1}'
