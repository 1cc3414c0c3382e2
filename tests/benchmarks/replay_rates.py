"""Times the ways to score many short replies, with one worker and with two, each in processes of its own.

    python tests/benchmarks/replay_rates.py [--benchmark pubmedqa] [--count 20000] [--rounds 1]

The ways are `replay` without rows and with its `workers`, and the scripts of docs/examples with `Dataset.map` and Ray
Data; what is not installed is left out. A line has the replies a second by the clock, from the start of the program to
its end; and without its start, which a tenth of the replies needs as well: the other nine tenths by the seconds more
that all of them take. The files for the scripts are written before. All metrics must be equal.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from short_replies import SHORT, write

EXAMPLES = Path(__file__).parents[2] / 'docs' / 'examples'
REPLAY = 'replay --workers'
REPLAY_CODE = """
import json, sys
from evalscope_qa.records import iterate_records
from evalscope_qa.replay import SpooledReplies, replay
benchmark, records, replies, workers = sys.argv[1:]
result = replay(
    benchmark, iterate_records(records), SpooledReplies(replies), workers=int(workers), keep_samples=False
)
print(json.dumps({'metrics': result.metrics}))
"""
SCRIPTS = {'Dataset.map': ('datasets', 'score_with_datasets.py'), 'Ray Data': ('ray', 'score_with_ray.py')}
ENVIRONMENT = {**os.environ, 'HF_HUB_OFFLINE': '1', 'RAY_USAGE_STATS_ENABLED': '0'}


def prepared(benchmark: str, count: int, folder: Path) -> Path:
    """Write so many records and replies, and the files of pairs.py."""
    write(benchmark, count, folder)
    files = [folder / 'records.jsonl', folder / 'replies.jsonl', folder / 'pairs', max(1, count // 10)]
    subprocess.run([sys.executable, EXAMPLES / 'pairs.py', *map(str, files)], check=True, capture_output=True)
    return folder


def command(way: str, benchmark: str, folder: Path, workers: int) -> list[object]:
    if way == REPLAY:
        return ['-c', REPLAY_CODE, benchmark, folder / 'records.jsonl', folder / 'replies.jsonl', workers]
    return [EXAMPLES / SCRIPTS[way][1], benchmark, folder / 'pairs', workers]


def timed(way: str, benchmark: str, folder: Path, workers: int) -> tuple[float, dict[str, float]]:
    """Return the seconds that a program took, and its metrics."""
    words = [sys.executable, *map(str, command(way, benchmark, folder, workers))]
    start = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=ENVIRONMENT)
    seconds = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f'{way}, {workers} workers: {done.stderr[-3000:]}')
    return seconds, json.loads(done.stdout.splitlines()[-1])['metrics']


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument('--benchmark', default='pubmedqa', choices=list(SHORT))
    parser.add_argument('--count', type=int, default=20_000)
    parser.add_argument('--rounds', type=int, default=1, help='the best of so many runs (%(default)s)')
    options = parser.parse_args()
    benchmark, count = options.benchmark, options.count
    if count < 10:
        parser.error('--count is 10 or more')
    ways = [REPLAY]
    for way, (package, _) in SCRIPTS.items():
        if find_spec(package) is None:
            print(f'{way} is left out: {package} is not installed')
        else:
            ways.append(way)
    with tempfile.TemporaryDirectory() as name:
        whole = prepared(benchmark, count, Path(name) / 'whole')
        tenth = prepared(benchmark, count // 10, Path(name) / 'tenth')
        _, expected = timed(REPLAY, benchmark, whole, 1)  # also: what is written at first use, as bytecode
        print(
            f'{benchmark}, {count:,} replies, replies a second, best of {options.rounds}; load {os.getloadavg()[0]:.1f}'
        )
        for way in ways:
            for workers in (1, 2):
                best = {whole: float('inf'), tenth: float('inf')}
                for _ in range(options.rounds):
                    for folder in best:
                        seconds, metrics = timed(way, benchmark, folder, workers)
                        best[folder] = min(seconds, best[folder])
                        assert folder is tenth or metrics == expected, f'{way}: the metrics differ'
                rest = best[whole] - best[tenth]
                without = f'{(count - count // 10) / rest:8,.0f}' if rest > 0 else '       -'
                print(
                    f'{way:16} {workers} workers {count / best[whole]:8,.0f} with the start, {without} without it; '
                    f'{best[tenth]:6.1f} s for a tenth, {best[whole]:6.1f} s for all'
                )
    print('the metrics are equal')


if __name__ == '__main__':
    main()
