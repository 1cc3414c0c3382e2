"""Times the reading of hostile replies of a megabyte, and of twice that: a ratio of about 2 means linear time.

Run `python tests/benchmarks/rjua_qa_replies.py`. Each reply repeats one piece of text, alone, inside a section and
below a heading; the slowest of the three counts, in CPU time. For comparison: `unicodedata.normalize` alone on the
combining characters, on a fortieth and a twentieth of the size, where its time grows with the square.
"""

import argparse
import time
import unicodedata
from typing import Callable

from evalscope_qa.rjua_qa.rouge_l import rouge_l
from evalscope_qa.rjua_qa.sections import read_reply

PIECES = {
    'prose': '您好，考虑为肾结石，建议多饮水。',
    'section names': '诊断',
    'headings': '诊断：\n',
    'filled headings': '诊断：肾结石\n',
    'headings in one line': '诊断：肾结石。',
    'list lines': '- 肾结石\n',
    'separators': '、',
    'numbers': '1、',
    'enclosed numbers': '①',
    'line ends': '\n',
    'spaces': ' ',
    'asterisks': '*',
    'backticks': '`',
    'quotes': '"',
    'colons': '：',
    'braces': '{',
    'unfinished objects': '{"',
    'nested objects': '{"a":',
    'objects': '{"诊断":"a"}',
    'brackets': '[',
    'backslashes': '\\',
    'reasoning tags': '<think',
    'answer tags': '<answer>',
    'answers': '<answer>诊断：a</answer>',
    'HTML tags': '<b>',
    'entities': '&amp;',
    'names behind sentences': '。诊断',
    'table rows': '| 诊断 | a |\n',
    'table heads': '| 诊断 |\n|---|\n',
    'escaped keys': '{"\\u8bca\\u65ad":"a"}',
    'numbers of lists': 'A.a',
    'struck out': '~~',
    'combining characters': '\u0315\u0300',
    'a ligature of 18 characters': '\ufdfa',
}


def seconds(function: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    function(text)
    return time.process_time() - start


def slowest(piece: str, size: int) -> float:
    """Seconds for a reply of ``size`` bytes in UTF-8."""
    text = piece * (size // len(piece.encode()))
    return max(seconds(read_reply, f'{before}{text}') for before in ('', '诊断：', '诊断：\n'))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--size', type=int, default=1_000_000, help='bytes of a reply (default: %(default)s)')
    size = parser.parse_args().size
    at_most = ''.join(f'诊断：1.病{number} 2.病\n' for number in range(4900))
    print(f'as many sections as are read: {seconds(read_reply, at_most + "。" * ((size - len(at_most)) // 3)):.3f} s')
    for name, piece in PIECES.items():
        once, twice = slowest(piece, size), slowest(piece, 2 * size)
        print(f'{name:28} {once * 1000:7.0f} ms   twice the size {twice * 1000:7.0f} ms   ratio {twice / once:4.1f}')
    answer = '您好，考虑为肾结石，建议多饮水。' * 16
    text = PIECES['prose'] * (size // len(PIECES['prose'].encode()))
    print(
        f'Rouge-L of the prose against {len(answer)} characters: {seconds(lambda it: rouge_l(it, answer), text):.3f} s'
    )
    for part in (40, 20):
        combining = PIECES['combining characters'] * (size // part // 4)
        plain = seconds(lambda it: unicodedata.normalize('NFKC', it), combining)
        print(f'unicodedata.normalize on 1/{part} of the combining characters: {plain:.2f} s')


if __name__ == '__main__':
    main()
