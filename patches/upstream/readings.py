"""What evalscope reads out of real replies, as JSON: run once on the released tree and once on a patched one.

Usage: ``python readings.py KIND DATA``, with the source tree first on ``PYTHONPATH``. It needs nothing of ours.
"""

import importlib.util
import json
import re
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple


def records(file: Path) -> List[Dict[str, Any]]:
    """Read a JSON-lines file."""
    with file.open(encoding='utf-8') as lines:
        return [json.loads(line) for line in lines]


def letters(reply: str, options: int) -> str:
    """Return the labels that the multiple-choice parser reads out of a reply to a question with so many options."""
    from evalscope.utils.multi_choices import parse_answers

    return ''.join(sorted(parse_answers(SimpleNamespace(choices=[None] * options), completion=reply)))


def verdict(reply: str) -> Optional[str]:
    """Return what pubmedqa reads out of a reply."""
    from evalscope.benchmarks.pumed_qa import pubmed_qa_adapter as adapter

    if hasattr(adapter, 'LABELS'):
        return adapter.extract_verdict(reply, allow_lowercase_exact=True, labels=adapter.LABELS)
    return adapter.extract_verdict(reply)


def outcome(read: Optional[str], label: Optional[str]) -> str:
    """Compare a reading with a label, either of them empty for no answer."""
    if read == label or not (read or label):
        return 'right'
    return 'invented' if not label else 'lost' if not read else 'misread'


def choice(data: Path) -> Dict[str, int]:
    """Count what becomes of the labelled MMLU-Pro replies."""
    counts: Counter = Counter()
    for record in records(data / 'replies' / 'choice_mmlu_pro.jsonl'):
        label = '' if record['label'] in ('none', 'several') else record['label']
        read = letters(record['reply'], len(record['options']))
        counts[f'{"stated" if label else record["label"]}: {outcome(read, label)}'] += 1
    return counts


def runs(data: Path) -> Dict[str, str]:
    """Return what is read out of the multiple-choice replies of genuine runs, by run and question."""
    from evalscope.utils.multi_choices import parse_answers, parse_answers_zh

    read = {}
    for file in sorted((data / 'runs' / 'evalscope-examples').glob('*/predictions/*/*.jsonl')):
        name = file.stem
        if not name.startswith(('gpqa_diamond', 'iquiz')):
            continue
        for record in records(file):
            state = SimpleNamespace(choices=[None] * 4)
            reply = record['model_output']['choices'][0]['message']['content']
            parse = parse_answers_zh if name.startswith('iquiz') else parse_answers
            read[f'{file.parent.name} {name} {record["index"]}'] = ''.join(sorted(parse(state, completion=reply)))
    return read


def verdicts(data: Path) -> Dict[str, int]:
    """Count what becomes of real replies to PubMedQA questions, those of GPT that hold a word and those labelled."""
    counts: Counter = Counter()
    for record in records(data / 'replies' / 'pubmedqa_gpt.jsonl'):
        if record['worded']:
            counts[f'gpt stated: {outcome(verdict(record["reply"]), record["worded"])}'] += 1
    for record in records(data / 'replies' / 'pubmedqa_instructgpt.jsonl'):
        label = None if record['label'] in ('none', 'several') else record['label']
        kind = 'stated' if label else 'silent'
        counts[f'instructgpt {kind}: {outcome(verdict(record["reply"]), label)}'] += 1
    return counts


def scores(benchmark: str, questions: Iterable[Tuple[Dict[str, Any], str]]) -> Dict[str, float]:
    """Score replies to records as a run of a benchmark."""
    from evalscope.api.evaluator import TaskState
    from evalscope.api.model import ModelOutput
    from evalscope.api.registry import get_benchmark
    from evalscope.config import TaskConfig

    adapter = get_benchmark(benchmark, TaskConfig(model='m', datasets=[benchmark]))
    scored = []
    for index, (record, reply) in enumerate(questions):
        sample = adapter.record_to_sample(record)
        sample.id = index
        output = ModelOutput.from_content('m', reply)
        scored.append(adapter.calculate_metrics(TaskState(model='m', sample=sample, output=output, completed=True)))
    return {score.metric_name: score.score for score in adapter.aggregate_scores(scored)}


def ratios(data: Path) -> Dict[str, Dict[str, float]]:
    """Score the GPT replies as runs of pubmedqa; model to metrics."""
    asked: Dict[str, List[Tuple[Dict[str, Any], str]]] = {}
    for record in records(data / 'replies' / 'pubmedqa_gpt.jsonl'):
        question = {'context': '', 'question': '', 'answer': record['gold'].lower(), 'reasoning': ''}
        asked.setdefault(record['model'], []).append((question, record['reply']))
    return {model: scores('pubmedqa', questions) for model, questions in asked.items()}


def selqa(data: Path) -> Dict[str, Dict[str, float]]:
    """Score two rankings of the test questions' sentences, by words shared with the question and as they stand."""
    if importlib.util.find_spec('evalscope.benchmarks.selqa') is None:
        return {}
    asked = json.loads((data / 'selqa' / 'selqa-ass-test.json').read_text(encoding='utf-8'))

    def words(text: str) -> set:
        return set(re.findall(r'\w+', text.lower()))

    def ranked(record: Dict[str, Any], shared: bool) -> str:
        sentences = [candidate for candidate in record['candidates'] if candidate.strip()]
        order = list(range(len(sentences)))
        if shared:
            order.sort(key=lambda place: -len(words(sentences[place]) & words(record['question'])))
        return ' > '.join(f'[{place + 1}]' for place in order)

    return {
        name: scores('selqa_selection', [(record, ranked(record, shared)) for record in asked])
        for name, shared in (('shared words', True), ('document order', False))
    }


def rjua(data: Path) -> Dict[str, Dict[str, float]]:
    """Score four replies to the published record."""
    if importlib.util.find_spec('evalscope.benchmarks.rjua_qa') is None:
        return {}
    (record,) = records(data / 'rjua_qa' / 'RJUA_example.json')
    diagnosis, advice = f'诊断：{record["disease"]}', f'建议：{record["advice"]}'
    first = record['disease'].split('、')[0]
    replies = {
        'gold answer, diagnosis and advice': f'{record["answer"]}\n{diagnosis}\n{advice}',
        'one of two diseases, no advice': f'您好。\n诊断：{first}\n建议：无',
        'gold answer, neither line': record['answer'],
        'empty': '',
    }
    return {name: scores('rjua_qa', [(record, reply)]) for name, reply in replies.items()}


def main(arguments: Iterable[str]) -> None:
    """Print the readings of a kind."""
    kind, data = arguments
    kinds: Dict[str, Callable[[Path], Any]] = {
        'choice': choice,
        'runs': runs,
        'verdicts': verdicts,
        'ratios': ratios,
        'selqa': selqa,
        'rjua': rjua,
    }
    print(json.dumps(kinds[kind](Path(data))))


if __name__ == '__main__':
    main(sys.argv[1:])
