"""Times RJUA-QA's Rouge-L against rouge_chinese and a plain-Python LCS in the same run, and checks that they agree.

Run `python tests/benchmarks/rjua_qa_rouge_l.py`. Pairs are Chinese texts of about 250 characters: 213, as in the test
split, and 10,000. All sides compare characters. The two slow ones are timed on the first `--slow-pairs` pairs of each
set, since 10,000 pairs would take rouge_chinese minutes; the ratios are per pair, in CPU time.
"""

import argparse
import random
import time
from typing import Callable, List, Sequence, Tuple

from evalscope_qa.rjua_qa.rouge_l import rouge_l
from rouge_chinese import Rouge

Pair = Tuple[str, str]
SETS = (213, 10_000)
LENGTH = 250
# fmt: off
PHRASES = [
    '您好', '根据您的描述', '考虑', '左侧', '右侧', '肾结石', '输尿管结石', '前列腺增生', '尿路感染', '肾积水',
    '膀胱肿瘤', '建议', '尽快', '完善', '泌尿系超声', '尿常规', 'CT检查', '体外冲击波碎石术', '输尿管镜碎石术',
    '抗感染治疗', '多饮水', '适当运动', '定期复查', '，', '。', '；', '术后', '3个月', '如有发热',
    '及时就诊', '并', '、',
]
# fmt: on


def make_pairs(count: int, seed: int = 0) -> List[Pair]:
    """Return reply and answer of about :data:`LENGTH` characters each; they share some of their phrases."""
    rng = random.Random(seed)

    def text() -> str:
        phrases: List[str] = []
        while sum(map(len, phrases)) < LENGTH:
            phrases.append(rng.choice(PHRASES))
        return ''.join(phrases)

    return [(text(), text()) for _ in range(count)]


def plain_rouge_l(reply: str, answer: str) -> float:
    """The textbook's dynamic program, one row at a time."""
    row = [0] * (len(answer) + 1)
    for character in reply:
        diagonal = 0
        for column, other in enumerate(answer, start=1):
            above = row[column]
            row[column] = diagonal + 1 if character == other else max(above, row[column - 1])
            diagonal = above
    return 2 * row[-1] / (len(reply) + len(answer)) if reply or answer else 0.0


def chinese_rouge_l(reply: str, answer: str) -> float:
    """rouge_chinese on characters between spaces, as its documentation asks for."""
    return float(Rouge(metrics=['rouge-l']).get_scores(' '.join(reply), ' '.join(answer))[0]['rouge-l']['f'])


def per_pair(score: Callable[[str, str], float], pairs: Sequence[Pair]) -> Tuple[float, List[float]]:
    """Return microseconds a pair, and the scores."""
    start = time.process_time()
    scores = [score(reply, answer) for reply, answer in pairs]
    return (time.process_time() - start) / len(pairs) * 1e6, scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--slow-pairs', type=int, default=213, help='pairs for the slow sides (default: %(default)s)')
    options = parser.parse_args()
    for count in SETS:
        pairs = make_pairs(count)
        mean_length = sum(len(text) for pair in pairs for text in pair) / (2 * count)
        some = pairs[: options.slow_pairs]
        ours, scores = per_pair(rouge_l, pairs)
        plain, plain_scores = per_pair(plain_rouge_l, some)
        chinese, chinese_scores = per_pair(chinese_rouge_l, some)
        for score, plain_score, chinese_score in zip(scores, plain_scores, chinese_scores, strict=False):
            if score != plain_score or abs(score - chinese_score) > 1e-7:  # theirs adds 1e-8 to the denominator
                raise SystemExit(f'the sides disagree: {score}, {plain_score}, {chinese_score}')
        print(
            f'{count:>6,} pairs of {mean_length:.0f} characters   ours {ours:6.1f} µs a pair   '
            f'plain Python {plain:7.0f} µs, {plain / ours:5.0f} times   '
            f'rouge_chinese {chinese:7.0f} µs, {chinese / ours:5.0f} times   (slow sides on {len(some)} pairs)'
        )
    for name, score in (('ours', rouge_l), ('rouge_chinese', chinese_rouge_l)):
        try:
            outcome = str(score('', '肾结石'))
        except ValueError as error:
            outcome = f'{type(error).__name__}: {error}'
        print(f'an empty prediction, {name}: {outcome}')


if __name__ == '__main__':
    main()
