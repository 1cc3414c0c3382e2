"""Times a replay of short replies beside a bare loop over the adapter, in one run and in CPU time.

    python tests/benchmarks/replay_cost.py [--benchmark pubmedqa] [--count 20000] [--rounds 3]

The bare loop does what no scoring of records and replies by the adapter can leave out, on lists in memory: convert the
record, build the prompt, make the task's state, ``calculate_metrics``; and aggregate. The replay reads both files,
checks all of it, pairs, scores, aggregates and digests; then the same with a row a question written to a CSV file. Each
is the best of the rounds.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

from evalscope_qa import engine
from evalscope_qa.records import iterate_records
from evalscope_qa.replay import SpooledReplies, replay
from evalscope_qa.replay.tables import SampleFile
from short_replies import SHORT, write


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def bare_loop(benchmark: str, records: list[Any], replies: list[str]) -> dict[str, float]:
    adapter = engine.configured_adapter(benchmark)
    scores = []
    for record, reply in zip(records, replies, strict=True):
        sample = adapter.record_to_sample(record)
        sample.input = engine.messages_as_sent(adapter, sample)
        scores.append(adapter.calculate_metrics(engine.task_state(sample, reply)))
    return {name: each.score for name, each in engine.aggregate(adapter, scores).items()}


def scoring_alone(benchmark: str, records: list[Any], replies: list[str]) -> float:
    adapter = engine.configured_adapter(benchmark)
    states = [
        engine.task_state(sample, reply)
        for sample, reply in zip(engine.questions(adapter, records), replies, strict=True)
    ]
    return seconds(lambda: [adapter.calculate_metrics(state) for state in states])[0]


def from_files(benchmark: str, folder: Path, table: Path | None) -> dict[str, float]:
    rows = SampleFile(str(table)) if table is not None else None
    result = replay(
        benchmark,
        iterate_records(folder / 'records.jsonl', benchmark),
        SpooledReplies(folder / 'replies.jsonl'),
        on_sample=rows.write if rows is not None else None,
        keep_samples=False,
    )
    if rows is not None:
        rows.close()
    return result.metrics


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument('--benchmark', default='pubmedqa', choices=list(SHORT))
    parser.add_argument('--count', type=int, default=20_000)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    benchmark, count = options.benchmark, options.count
    best: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(benchmark, count, folder)
        records = list(iterate_records(folder / 'records.jsonl'))
        replies = [json.loads(line) for line in (folder / 'replies.jsonl').read_text(encoding='utf-8').split('\n')[:-1]]
        from_files(benchmark, folder, None)  # what is loaded at first use
        for _ in range(options.rounds):
            taken = {'calculate_metrics alone': scoring_alone(benchmark, records, replies)}
            taken['bare loop'], expected = seconds(lambda: bare_loop(benchmark, records, replies))
            taken['replay'], found = seconds(lambda: from_files(benchmark, folder, None))
            taken['replay with rows'], again = seconds(lambda: from_files(benchmark, folder, folder / 'rows.csv'))
            assert found == again == expected, 'the metrics differ'
            best = {name: min(value, best.get(name, value)) for name, value in taken.items()}
    print(f'{benchmark}, {count:,} replies, CPU time, best of {options.rounds}; the metrics are equal')
    for name, value in best.items():
        print(f'{name:24} {value / count * 1e6:7.1f} µs a reply {value / best["bare loop"]:6.2f} times the bare loop')


if __name__ == '__main__':
    main()
