"""Writes records and replies as Parquet files, one row a question, for any framework that scores them in parallel.

    python pairs.py RECORDS REPLIES FOLDER [ROWS_A_FILE]

The columns are ``index`` (the order of the questions), ``record`` (a published record as JSON, which no framework's
schema can change) and ``reply`` (text, or null). Both files are read as `evalscope-qa replay` reads them, replies in
the order of the records.
"""

import argparse
import json
from itertools import islice
from pathlib import Path

import pyarrow
import pyarrow.parquet
from evalscope_qa.records import iterate_records
from evalscope_qa.replay import BatchScorer, SpooledReplies

SCHEMA = pyarrow.schema([('index', pyarrow.int64()), ('record', pyarrow.string()), ('reply', pyarrow.string())])


def write_pairs(records: str, replies: str, folder: str, rows: int = 20_000) -> int:
    """Write the files and return how many questions there are."""
    source = SpooledReplies(replies)
    Path(folder).mkdir(parents=True, exist_ok=True)
    numbered = enumerate(iterate_records(records))
    count = 0
    while part := list(islice(numbered, rows)):
        if count + len(part) > len(source):
            count += len(part) + sum(1 for _ in numbered)
            break
        columns = {
            'index': [index for index, _ in part],
            'record': [json.dumps(record) for _, record in part],
            'reply': list(source.iterate(count, count + len(part))),
        }
        table = pyarrow.table(columns, schema=SCHEMA)
        pyarrow.parquet.write_table(table, Path(folder) / f'pairs-{count:09d}.parquet')
        count += len(part)
    if count != len(source):
        raise ValueError(f'{count} records, but {len(source)} replies')
    return count


def scoring_arguments(description: str) -> tuple[str, list[str], int]:
    """Return the benchmark, the files and the workers that a script is given; end it where there are none of these."""
    parser = argparse.ArgumentParser(description=description.split('\n')[0])
    parser.add_argument('benchmark')
    parser.add_argument('folder', type=Path, help='files of pairs.py')
    parser.add_argument('workers', type=int, nargs='?', default=1)
    options = parser.parse_args()
    files = [str(path) for path in sorted(options.folder.glob('*.parquet'))]
    if not files:
        parser.error(f'no Parquet files in {options.folder}: pairs.py writes them')
    if options.workers < 1:
        parser.error(f'{options.workers} workers cannot score')
    try:
        BatchScorer(options.benchmark)({'record': [], 'reply': []})
    except ValueError as error:  # an unknown benchmark, or one that needs a judge
        parser.error(str(error))
    return options.benchmark, files, options.workers


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    for name in ('records', 'replies', 'folder'):
        parser.add_argument(name)
    parser.add_argument('rows', type=int, nargs='?', default=20_000, help='rows a file (%(default)s)')
    try:
        print(write_pairs(**vars(parser.parse_args())), 'questions')
    except (OSError, ValueError) as error:
        parser.error(str(error))
