"""Times the reading of megabyte replies against a scan of the same text for digits, in one run.

    python tests/benchmarks/selqa_extraction.py

Prints, slowest first, seconds and the ratio to ``re.findall("[0-9]+", reply)``. A text that is read in more than linear
time would stand out by orders of magnitude.
"""

import re
import time
from typing import Callable

from evalscope_qa.selqa.replies import read_listing, read_ranking

MEGABYTE = 1_000_000
PIECES = (
    '[', ']', '[1', '[1,', '[1] > ', '[1]\n', '[1]\n\n', '1', '1 ', '1.', '1\n', '1\n\n', '1 > ', 'a1\n', '\n', ' ',
    '\r', '"', '*', '.', '. ', ':*', '>', '> ', '- ', '->', 'none ', 'NONE ', 'no ', 'none of the ', 'sentence ',
    'or none ', 'answer is ', 'answer: ', 'ranking: ', '<think', '<think>', '</think>', 'é', '１',
    '1-\n', '1.\n', '\n 1', '1.1\n', '-1\n', '1->',
)  # fmt: skip
RUNS = {
    'one bracket, then digits': '[' + '9' * MEGABYTE,
    'none, then spaces': 'none' + ' ' * MEGABYTE,
    'none of the, then spaces': 'none of the' + ' ' * MEGABYTE,
    'no, then spaces': 'no' + ' ' * MEGABYTE,
    'stop, then spaces': '.' + ' ' * MEGABYTE,
    'label, then spaces': 'answer:' + ' ' * MEGABYTE + 'x',
    'a number line with a bad end': '1 ' * (MEGABYTE // 2) + 'x',
    'markup before a number': ('>' + ' ' * 38 + 'x1\n') * (MEGABYTE // 42),
}


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    replies = {repr(piece): piece * (MEGABYTE // len(piece)) for piece in PIECES} | RUNS
    rows = []
    for name, reply in replies.items():
        scan = seconds(lambda reply=reply: re.findall('[0-9]+', reply))
        for read in (read_ranking, read_listing):
            taken = min(seconds(lambda read=read, reply=reply: read(reply, 30)) for _ in range(2))
            rows.append((taken, taken / scan, read.__name__, name))
    for taken, ratio, reader, name in sorted(rows, reverse=True)[:15]:
        print(f'{taken:6.3f} s  {ratio:6.1f} x a scan for digits  {reader:12}  {name}')


if __name__ == '__main__':
    main()
