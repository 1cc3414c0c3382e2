"""Times the reading of replies beside plain scans of the same texts, in one run.

    python tests/benchmarks/reading_speed.py

Prints, in CPU time: a short reply and one of 1,000 characters, by reader, beside a bare pattern; then, slowest first,
a megabyte of one thing, and whether twice the text takes twice the time, up to the longest that is read whole.
"""

import re
import time
from typing import Any, Callable

from evalscope_qa.reading import read_letter, read_listing, read_ranking, read_short_text, read_verdict
from evalscope_qa.reading.length import LONGEST_REPLY

MEGABYTE = 1_000_000
READERS: dict[str, Callable[[str], Any]] = {
    'verdict': read_verdict,
    'letter': lambda reply: read_letter(reply, 10),
    'short text': read_short_text,
    'ranking': lambda reply: read_ranking(reply, 30),
    'listing': lambda reply: read_listing(reply, 30),
}
BARE = {
    'verdict': re.compile(r'\b(YES|Yes|NO|No|MAYBE|Maybe)\b'),  # evalscope 1.14.1, pubmed_qa_adapter.py
    'letter': re.compile(r'\b[A-J]\b'),
    'short text': re.compile(r'<answer>(.*?)</answer>'),
    'ranking': re.compile(r'\[(\d+)\]'),
    'listing': re.compile(r'\[(\d+)\]'),
}
SHORT = {
    'verdict': ['YES', 'The answer is no.', '**Maybe**; the sample was small.', 'No conclusion can be drawn from this.',
                '{"answer": "yes", "confidence": 0.9}', 'The arms differed on each outcome.\n\nYes', 'Not sure.'],
    'letter': ['B', 'The answer is (C).', '**D**', 'ANSWER: A', '\\boxed{J}', 'I would choose option E.'],
    'short text': ['<answer>Oslo</answer>', 'Oslo', 'The answer is Oslo.', '{"answer": "Oslo"}'],
    'ranking': ['[2] > [1] > [3]', '2, 1, 3', 'Ranking: [4] > [2]', '1. [3]\n2. [1]'],
    'listing': ['[17]', 'NONE', 'Sentence [3] answers it.', 'None of the sentences answers it.'],
}  # fmt: skip
PROSE = (
    'The trial enrolled 240 patients in two arms, and no difference was seen in the first year [3]. A second study, '
    'which was larger, found that pain fell by a third; it may be that the dose was too low. '
) * 5
UNITS = [
    'no ', 'NO ', 'Yes/No ', 'NO, ', 'answer is yes. ', 'answer is ', 'The answer is not YES ', 'I would say ', 'if ',
    'A ', 'A) no\n', 'Yes: 0.5\n', '- [x] yes\n', '- [ ] no\n', '(a) yes ', 'yes\n', 'yes? ', 'wait ', 'final ',
    '<think>', '</think>', '<answer>', '</answer>', '<answer>x</answer>', '\\boxed{', '\\boxed{no}',
    '{"answer": "no"}\n', '"answer": ', '([{', '[', '**', '~~', '"', "'", '`', '|', '> ', '# ', '1. ', '\n', ' ',
    'a\n', 'é a ',
    '\u0301\u0316', 'ﷺ', 'ＮＯ ', '答案是NO', '选B', '&amp;', '&', '<', '\\', 'x', '_', '[1]\n',
    '[1] > ', '1, ', '1 ', '1\n', '1. 2\n',
    'none ', 'none of the ', 'no sentence ', 'sentence 1 answers ', 'ranking: ', 'Question: ', '\nQuestion:',
    '<|im_end|>',
    'analysis', 'assistantfinal', '<|channel|>final<|message|>', 'Explanation:\n', 'user: x\nassistant: ',
]  # fmt: skip


def seconds(call: Callable[[], object], times: int = 3) -> float:
    best = float('inf')
    for _ in range(times):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    print(f'{"reader":12}{"short reply":>14}{"/ bare":>8}{"1,000 chars":>14}{"/ bare":>8}')
    for name, read in READERS.items():
        pattern = BARE[name]
        cells = ''
        for replies in (SHORT[name] * 300, [PROSE[:980] + '\n' + SHORT[name][0]] * 300):
            ours = seconds(lambda replies=replies, read=read: [read(reply) for reply in replies])
            bare = seconds(lambda replies=replies, pattern=pattern: [set(pattern.findall(reply)) for reply in replies])
            cells += f'{ours / len(replies) * 1e6:11.1f} µs{ours / bare:8.1f}'
        print(f'{name:12}{cells}')
    found = []
    for unit in UNITS:
        text = unit * (MEGABYTE // len(unit.encode()))
        for name, read in READERS.items():
            megabyte = seconds(lambda read=read, text=text: read(text), times=2)
            whole = seconds(lambda read=read, text=text: read(text[:LONGEST_REPLY]), times=2)
            half = seconds(lambda read=read, text=text: read(text[: LONGEST_REPLY // 2]), times=2)
            found.append((megabyte, whole / half, name, unit))
    print(f'\n{"1 MB of":32}{"reader":12}{"ms":>9}{"longest read whole / half of it":>33}')
    for megabyte, growth, name, unit in sorted(found, reverse=True)[:20]:
        print(f'{unit!r:32}{name:12}{megabyte * 1e3:9.1f}{growth:33.1f}')
    print(f'Longest growth of what takes over 5 ms: {max(each[1] for each in found if each[0] > 0.005):.1f}')


if __name__ == '__main__':
    main()
