"""What evalscope reads out of real replies, as JSON: run once on the released tree and once on a patched one.

Usage: ``python readings.py KIND DATA``, with the source tree first on ``PYTHONPATH``. It needs nothing of ours.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, Iterable, List, Optional


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


def ratios(data: Path) -> Dict[str, Dict[str, float]]:
    """Score the GPT replies as a run of pubmedqa; model to metrics."""
    from evalscope.api.evaluator import TaskState
    from evalscope.api.model import ModelOutput
    from evalscope.api.registry import get_benchmark
    from evalscope.config import TaskConfig

    adapter = get_benchmark('pubmedqa', TaskConfig(model='m', datasets=['pubmedqa']))
    scores: Dict[str, List[Any]] = {}
    for record in records(data / 'replies' / 'pubmedqa_gpt.jsonl'):
        of_model = scores.setdefault(record['model'], [])
        gold = record['gold'].lower()
        sample = adapter.record_to_sample({'context': '', 'question': '', 'answer': gold, 'reasoning': ''})
        sample.id = len(of_model)
        output = ModelOutput.from_content('m', record['reply'])
        of_model.append(adapter.calculate_metrics(TaskState(model='m', sample=sample, output=output, completed=True)))
    return {
        model: {score.metric_name: score.score for score in adapter.aggregate_scores(of_model)}
        for model, of_model in scores.items()
    }


def main(arguments: Iterable[str]) -> None:
    """Print the readings of a kind."""
    kind, data = arguments
    print(json.dumps({'choice': choice, 'runs': runs, 'verdicts': verdicts, 'ratios': ratios}[kind](Path(data))))


if __name__ == '__main__':
    main(sys.argv[1:])
