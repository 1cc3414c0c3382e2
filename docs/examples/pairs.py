"""Writes records and replies as Parquet files, one row a question, for any framework that scores them in parallel.

    python pairs.py RECORDS REPLIES FOLDER [ROWS_A_FILE]

The columns are ``index`` (the order of the questions), ``record`` (a published record as JSON, which no framework's
schema can change) and ``reply`` (text, or null). Both files are read as `evalscope-qa replay` reads them, replies in
the order of the records.
"""

import json
import sys
from itertools import islice
from pathlib import Path

import pyarrow
import pyarrow.parquet
from evalscope_qa.records import iterate_records
from evalscope_qa.replay import SpooledReplies

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


if __name__ == '__main__':
    print(write_pairs(*sys.argv[1:4], *map(int, sys.argv[4:])), 'questions')
