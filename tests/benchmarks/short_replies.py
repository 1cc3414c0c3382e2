"""Makes any number of short replies and their records, the same ones every time, for the benchmarks of scale.

    python tests/benchmarks/short_replies.py BENCHMARK COUNT FOLDER

Writes FOLDER/records.jsonl and FOLDER/replies.jsonl: the benchmark's sample over and over, each record with an id of
its own, and replies drawn from its canned ones and from short answers.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies
from evalscope_qa.replay.samples import sample_files

ID_FIELDS = {'searchqa': 'key', 'pubmedqa': 'id', 'rjua_qa': 'id', 'selqa_selection': 'id'}
SHORT = {
    'pubmedqa': ['YES', 'NO', 'MAYBE', 'The answer is no.', '<answer>yes</answer>', 'Yes, it does.', 'Not sure.'],
    'searchqa': ['<answer>Oslo</answer>', 'Oslo', 'The answer is Bergen.', "I don't know.", '{"answer": "Oslo"}'],
    'selqa_selection': ['[2] > [1] > [3]', '[1]', '2, 1, 3', '1. [3]\n2. [1]', 'none of them'],
    'rjua_qa': ['诊断：肾结石\n建议：复查', '多饮水。\n诊断：肾结石、肾积水\n建议：无', '无法确定'],
}
LONGEST = 300
"""Characters of a canned reply that is still short."""


def pairs(benchmark: str, count: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield so many records, each with an id of its own, and their replies."""
    files = sample_files(benchmark)
    records = read_records(files.records)
    canned = [reply for reply in read_replies(files.replies) if isinstance(reply, str) and len(reply) <= LONGEST]
    replies = [*canned, *SHORT[benchmark]]
    draw = random.Random(17)
    field = ID_FIELDS[benchmark]
    for number in range(count):
        yield {**records[number % len(records)], field: f'{number:09d}'}, draw.choice(replies)


def write(benchmark: str, count: int, folder: Path) -> None:
    """Write both files."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        (folder / 'records.jsonl').open('w', encoding='utf-8') as records,
        (folder / 'replies.jsonl').open('w', encoding='utf-8') as replies,
    ):
        for record, reply in pairs(benchmark, count):
            records.write(json.dumps(record, ensure_ascii=False) + '\n')
            replies.write(json.dumps(reply, ensure_ascii=False) + '\n')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('benchmark', choices=list(SHORT))
    parser.add_argument('count', type=int)
    parser.add_argument('folder', type=Path)
    options = parser.parse_args()
    write(options.benchmark, options.count, options.folder)
