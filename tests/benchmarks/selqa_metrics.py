"""Times the metrics of selqa_selection against pytrec_eval's, in one run, on the same rankings.

    python tests/benchmarks/selqa_metrics.py

Each question has 20 candidates, of which one to three are relevant, and a ranking that omits some. Both sides get
rankings and judgements in their own form; making that form is not timed. trec_eval works on scores, so it sorts.
"""

import random
import statistics
import time
from typing import Callable

import pytrec_eval
from evalscope_qa.selqa.ranking_metrics import (
    average_precision,
    mean_over_questions,
    precision_at_1,
    reciprocal_rank,
)

CANDIDATES = 20
ROUNDS = 5
Question = tuple[list[int], list[int]]


def make_questions(number: int) -> list[Question]:
    """Relevant sentences and a ranking for each question, the same at every run."""
    chance = random.Random(number)
    sentences = range(1, CANDIDATES + 1)
    return [
        (chance.sample(sentences, chance.randint(1, 3)), chance.sample(sentences, chance.randint(1, CANDIDATES)))
        for _ in range(number)
    ]


def ours(questions: list[Question]) -> tuple[float, float]:
    mean_over_questions([precision_at_1(relevant, ranking) for relevant, ranking in questions])
    return (
        mean_over_questions([average_precision(relevant, ranking) for relevant, ranking in questions]),
        mean_over_questions([reciprocal_rank(relevant, ranking) for relevant, ranking in questions]),
    )


def trec_eval(questions: list[Question]) -> Callable[[], tuple[float, float]]:
    judgements = {
        str(number): {str(sentence): int(sentence in relevant) for sentence in range(1, CANDIDATES + 1)}
        for number, (relevant, _) in enumerate(questions)
    }
    run = {
        str(number): {str(sentence): float(-rank) for rank, sentence in enumerate(ranking)}
        for number, (_, ranking) in enumerate(questions)
    }

    def measure() -> tuple[float, float]:
        evaluator = pytrec_eval.RelevanceEvaluator(judgements, {'map', 'recip_rank', 'P_1'})
        values = evaluator.evaluate(run).values()
        return (
            statistics.fmean(value['map'] for value in values),
            statistics.fmean(value['recip_rank'] for value in values),
        )

    return measure


def fastest(measure: Callable[[], tuple[float, float]]) -> tuple[float, tuple[float, float]]:
    """Seconds of the fastest round, and the values."""
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        values = measure()
        seconds.append(time.perf_counter() - start)
    return min(seconds), values


def main() -> None:
    for number in (1_590, 100_000):
        questions = make_questions(number)
        our_seconds, our_values = fastest(lambda questions=questions: ours(questions))
        trec_seconds, trec_values = fastest(trec_eval(questions))
        difference = max(abs(one - other) for one, other in zip(our_values, trec_values, strict=True))
        print(
            f'{number:>7,} questions: ours {our_seconds:.3f} s, pytrec_eval {trec_seconds:.3f} s, '
            f'ratio {our_seconds / trec_seconds:.2f}, largest difference of MAP and MRR {difference:.1e}'
        )


if __name__ == '__main__':
    main()
