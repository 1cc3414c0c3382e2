"""Times PubMedQA's extraction of a verdict on megabytes of one thing, and on replies of ordinary length.

Run `python tests/benchmarks/pubmedqa_extraction.py` (about a minute). For each megabyte it prints the seconds of CPU
(best of three), alone and with labels and a statement after it, and how they compare to Python's own
`text.casefold().split()` of the same text; then whether ten times the text takes ten times as long. Last, the time of a
short reply beside evalscope's built-in pattern, which finds capitalised labels and nothing else.
"""

import re
import time
from typing import Callable

from evalscope_qa.pubmedqa.verdict import extract_verdict

MEGABYTE = 1_000_000
LABELS_AFTER = ' MAYBE the answer is yes, not no.'
UNITS = [
    'NO ', '<think>', 'answer is ', '([{', '[', '\\boxed{', '**', '"', 'Yes/No ', 'x Yes/No ', 'NO, ', 'no ',
    'answer is no ', 'The answer is not YES ', 'answer to the question of ', 'answer (', "answer's ", 'I would say ',
    '_', 'a_', ' " ', '\n', 'a\n', '> ', '1. ', '\\', 'é a ', 'ＮＯ ', '答案是NO', '\u0301\u0316', 'ﷺ', '“',
]  # fmt: skip
SHORT = [
    'YES', 'The answer is no.', '**Maybe**; the sample was small.', 'No conclusion can be drawn from this abstract.',
    '{"answer": "yes", "confidence": 0.9}', 'The arms differed on each outcome.\n\nYes', 'Insufficient evidence.',
]  # fmt: skip
BUILT_IN = re.compile(r'\b(YES|Yes|NO|No|MAYBE|Maybe)\b')  # evalscope 1.14.1, pubmed_qa_adapter.py


def seconds(function: Callable[[], object], times: int = 3) -> float:
    best = float('inf')
    for _ in range(times):
        start = time.process_time()
        function()
        best = min(best, time.process_time() - start)
    return best


def megabyte_of(unit: str, size: int = MEGABYTE) -> str:
    return unit * (size // len(unit.encode()))


def main() -> None:
    print(f'{"1 MB of":30s}{"alone":>8s}{"+ labels":>10s}{"/ split":>9s}{"10 MB / 1 MB":>14s}')
    for unit in UNITS:
        text, large = megabyte_of(unit), megabyte_of(unit, 10 * MEGABYTE)
        alone = seconds(lambda text=text: extract_verdict(text))
        labelled = seconds(lambda text=text: extract_verdict(text + LABELS_AFTER))
        peer = seconds(lambda text=text: text.casefold().split())
        growth = seconds(lambda large=large: extract_verdict(large + LABELS_AFTER), times=1) / labelled
        print(f'{unit!r:30s}{alone:8.3f}{labelled:10.3f}{labelled / peer:9.1f}{growth:14.1f}')
    replies = SHORT * 1000
    ours = seconds(lambda: [extract_verdict(reply) for reply in replies])
    theirs = seconds(lambda: [set(BUILT_IN.findall(reply)) for reply in replies])
    print(f'\nA short reply: {ours / len(replies) * 1e6:.1f} µs, {ours / theirs:.0f} times the built-in pattern')


if __name__ == '__main__':
    main()
