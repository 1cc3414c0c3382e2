"""Prints how often the 95 % intervals of `compare` hold the truth: python tests/benchmarks/coverage_of_intervals.py [N]

Yes/no scores of known probability are drawn N times (2,000) and the interval of each draw is made by the package's
formulas, which are checked against it on the first draws. Pairs are drawn as two models that are equally good: on a
share of the questions they agree by nature (agreement), on the others each is right or wrong for itself.

With 2,000 draws a printed share is itself known to 1.0 points, with 100,000 to 0.14. A count of 30 yes/no scores has
few values, and at p = 0.9 no interval of counts covers 93 to 97 % unless it leaves out a perfect score: 24 to 30 right
have probability 97.4 %, 25 to 30 have 92.7 %.
"""

import sys

import numpy as np
from evalscope_qa.runs.comparison.intervals import LEVEL, difference_interval, mean_interval
from scipy import stats

DRAWS = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
SIZES = (30, 200, 1_000, 5_000)
PROBABILITIES = (0.5, 0.9)
AGREEMENTS = (0.0, 0.5)


def wilson(right: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval for many counts at once."""
    z = stats.norm.ppf(0.5 + LEVEL / 2)
    share = right / count
    centre = (share + z * z / 2 / count) / (1 + z * z / count)
    half = z * np.sqrt(share * (1 - share) / count + z * z / 4 / count / count) / (1 + z * z / count)
    return centre - half, centre + half


def t_interval(mean: np.ndarray, squares: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The t interval for many samples at once, of their means and mean squares."""
    error = np.sqrt(np.maximum(squares - mean * mean, 0) / (count - 1))
    half = stats.t.ppf(0.5 + LEVEL / 2, count - 1) * error
    return mean - half, mean + half


def single(rng: np.random.Generator, probability: float, count: int) -> float:
    right = rng.binomial(count, probability, DRAWS)
    low, high = wilson(right, count)
    for draw in range(20):
        values = [1.0] * right[draw] + [0.0] * (count - right[draw])
        check(mean_interval(values), low[draw], high[draw])
    return float(np.mean((low <= probability) & (probability <= high)))


def paired(rng: np.random.Generator, probability: float, count: int, agreement: float) -> float:
    alone = probability * (1 - probability) * (1 - agreement)  # of the first, and as often of the second
    first, second, _ = rng.multinomial(count, [alone, alone, 1 - 2 * alone], DRAWS).T
    low, high = t_interval((first - second) / count, (first + second) / count, count)
    for draw in range(20):
        differences = [1.0] * first[draw] + [-1.0] * second[draw] + [0.0] * (count - first[draw] - second[draw])
        if any(differences):
            check(difference_interval(differences, [0.0] * count), low[draw], high[draw])
    return float(np.mean((low <= 1e-12) & (high >= -1e-12)))


def check(found, low: float, high: float) -> None:  # type: ignore[no-untyped-def]
    if not np.allclose((found.low, found.high), (low, high)):
        sys.exit(f'the formula here gives {low, high}, the package {found}')


def main() -> None:
    rng = np.random.default_rng(13)
    print(f'{DRAWS:,} draws each, nominal {LEVEL:.0%}')
    print(
        '    p      n   single   paired, agreement ' + ' '.join(f'{agreement:.0%}'.rjust(8) for agreement in AGREEMENTS)
    )
    for probability in PROBABILITIES:
        for count in SIZES:
            shares = [paired(rng, probability, count, agreement) for agreement in AGREEMENTS]
            print(
                f'{probability:5.1f} {count:6,} {single(rng, probability, count):8.1%}                    '
                + ' '.join(f'{share:8.1%}' for share in shares)
            )


if __name__ == '__main__':
    main()
