"""Times SearchQA's scoring against a straightforward SQuAD-style loop in the same run, and checks that both agree.

Run `python tests/benchmarks/searchqa_scoring.py` (half a minute; `--questions 2000` for a quick look). It prints, for
short replies and for replies of 2,000 characters: the time of each side, how many times as fast ours is, and which
share of the adapter's `calculate_metrics` is evalscope's own work.
"""

import argparse
import random
import re
import string
import time
from collections import Counter
from typing import Any, Callable, Dict, List, Sequence, Tuple

from evalscope_qa.reading import read_short_text
from evalscope_qa.searchqa.scoring import METRICS, score_answer

Question = Tuple[str, List[str]]
QUESTIONS = 16_980  # the validation split
LONG_REPLY = 2_000
# fmt: off
WORDS = [
    'the', 'a', 'an', 'of', 'river', 'city', 'king', 'Vienna', 'Danube', 'Mozart', '"Figaro"', "O'Hara", '1815',
    '(born)', 'Napoleon', 'Bonaparte', 'U.S.', 'president,', 'novel;', 'Moby-Dick', 'whale:', 'element', 'mercury',
    'Hg;', 'capital', 'Ottawa', 'Canada.', 'first', 'woman', 'Nobel', 'prize', 'chemistry', 'Curie', 'museum',
]
FOREIGN_WORDS = ['café', 'Curaçao', 'naïve', 'Dvořák', 'Zürich', 'São', '“quoted”', 'it’s', '1914–1918', 'Œuvre']
# fmt: on


def make_questions(count: int, words_in_reply: Callable[[random.Random], int], seed: int) -> List[Question]:
    """Return replies with 1 to 5 gold answers of 1 to 4 words; 3 % of the words are not ASCII."""
    rng = random.Random(seed)

    def text(words: int) -> str:
        return ' '.join(rng.choice(FOREIGN_WORDS if rng.random() < 0.03 else WORDS) for _ in range(words))

    questions = []
    for _ in range(count):
        golds = [text(rng.randint(1, 4)) for _ in range(rng.randint(1, 5))]
        right = rng.random() < 1 / 3
        words = words_in_reply(rng)
        reply = rng.choice(golds) if right and words < 10 else text(words)
        questions.append((reply[:LONG_REPLY], golds))
    return questions


def extract_answer(reply: str, golds: Sequence[str] = ()) -> str:
    return read_short_text(reply, golds=golds).answer or ''


# -- the straightforward loop: each metric, for each gold answer, normalises both strings -----------------------------


def plain_normalize(text: str) -> str:
    def remove_articles(text: str) -> str:
        return re.sub(r'\b(a|an|the)\b', ' ', text)

    def remove_punctuation(text: str) -> str:
        excluded = set(string.punctuation)
        return ''.join(character for character in text if character not in excluded)

    return ' '.join(remove_articles(remove_punctuation(text.lower())).split())


def plain_exact_match(prediction: str, gold: str) -> float:
    return float(plain_normalize(prediction) == plain_normalize(gold))


def plain_f1(prediction: str, gold: str) -> float:
    left, right = plain_normalize(prediction).split(), plain_normalize(gold).split()
    if not left or not right:
        return float(left == right)
    shared = sum((Counter(left) & Counter(right)).values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(left), shared / len(right)
    return (2 * precision * recall) / (precision + recall)


def plain_sub_em(prediction: str, gold: str) -> float:
    left, right = plain_normalize(prediction), plain_normalize(gold)
    if not left or not right:
        return float(left == right)
    return float(left in right or right in left)


def plain_score(prediction: str, golds: Sequence[str]) -> Dict[str, float]:
    metrics = dict(zip(METRICS, (plain_exact_match, plain_f1, plain_sub_em), strict=True))
    if not prediction.strip():
        return dict.fromkeys(metrics, 0.0)
    return {name: max(metric(prediction, gold) for gold in golds) for name, metric in metrics.items()}


# -- timing -----------------------------------------------------------------------------------------------------------


def timed(score: Callable[..., Any], arguments: Sequence[Tuple[Any, ...]]) -> Tuple[float, List[Any]]:
    """Return seconds and results of one pass."""
    start = time.perf_counter()
    results = [score(*each) for each in arguments]
    return time.perf_counter() - start, results


def compare(name: str, questions: List[Question], rounds: int) -> None:
    predictions = [(extract_answer(reply, golds), golds) for reply, golds in questions]
    ours, plain = [], []
    for _ in range(rounds):
        seconds, results = timed(score_answer, predictions)
        ours.append(seconds)
        seconds, expected = timed(plain_score, predictions)
        plain.append(seconds)
        if results != expected:
            raise SystemExit(f'{name}: the two sides disagree')
    extraction, _ = timed(extract_answer, questions)
    print(
        f'{name:28} ours {min(ours) * 1000:9.0f} ms   plain loop {min(plain) * 1000:9.0f} ms   '
        f'{min(plain) / min(ours):5.1f} times as fast   (extraction {extraction * 1000:.0f} ms)'
    )


def framework_share(name: str, questions: List[Question]) -> None:
    """Print how much of `calculate_metrics` is left when extraction and scoring are taken off."""
    import evalscope
    from evalscope.api.dataset import Sample
    from evalscope.api.evaluator import TaskState
    from evalscope.api.model import ModelOutput
    from evalscope.api.registry import get_benchmark
    from evalscope.config import TaskConfig
    from evalscope_qa.discovery import load_plugins

    load_plugins()
    adapter = get_benchmark('searchqa', TaskConfig(model='canned', eval_type='mock_llm', datasets=['searchqa']))
    states = []
    for index, (reply, golds) in enumerate(questions):
        sample = Sample(input='question', target=golds, id=index, group_id=index)
        output = ModelOutput.from_content(model='canned', content=reply)
        states.append((TaskState(model='canned', sample=sample, output=output, completed=True),))
    total, scores = timed(adapter.calculate_metrics, states)
    own, _ = timed(lambda reply, golds: score_answer(extract_answer(reply, golds), golds), questions)
    start = time.perf_counter()
    adapter.aggregate_scores(sample_scores=scores)
    aggregation = time.perf_counter() - start
    print(
        f'{name:28} calculate_metrics {total * 1000:9.0f} ms, of which evalscope {evalscope.__version__} '
        f'{(total - own) / total:.0%}   (aggregate_scores {aggregation * 1000:.0f} ms)'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--questions', type=int, default=QUESTIONS, help='questions a set (default: %(default)s)')
    parser.add_argument('--rounds', type=int, default=1, help='passes over each set; the fastest counts')
    options = parser.parse_args()
    sets = {
        'short replies': make_questions(options.questions, lambda rng: rng.randint(1, 4), seed=1),
        '2,000-character replies': make_questions(options.questions, lambda rng: 500, seed=2),
    }
    print(f'{options.questions:,} questions with 1 to 5 gold answers each')
    for name, questions in sets.items():
        compare(name, questions, options.rounds)
    for name, questions in sets.items():
        framework_share(name, questions)


if __name__ == '__main__':
    main()
