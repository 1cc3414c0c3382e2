"""How numbers and judgements of a comparison are put into words and digits, the same in text, Markdown and HTML."""

from ..scores import PERCENT
from .intervals import LEVEL, Interval
from .results import ALPHA, BenchmarkResult, Comparison, ModelResult, PairResult, VersionResult

MODEL_HEADERS = ('rank', 'model', 'value', f'{LEVEL:.0%} interval', 'questions', 'unanswered')
PAIR_HEADERS = (
    'first',
    'second',
    'difference',
    f'{LEVEL:.0%} interval',
    'unpaired',
    'p',
    'p (Holm)',
    'right alone',
    'unanswered alone',
    'pairs',
    'left out',
)


def heading(result: BenchmarkResult) -> str:
    """Return a benchmark's title."""
    direction = {True: '', False: ', lower is better', None: ', not ranked: it only describes'}[result.higher_is_better]
    return f'{result.benchmark}: {result.metric}{" (%)" if result.scale == PERCENT else ""}{direction}'


def version_name(version: VersionResult) -> str:
    """Return the name of a version of the scoring."""
    return f'evaluation version {version.version}' if version.version else 'evaluation version not recorded'


def number(value: float | None, scale: float) -> str:
    """Return a value in the unit that is shown."""
    return '-' if value is None else f'{value * scale:.2f}'


def difference(value: float | None, scale: float) -> str:
    """Return a difference with its sign."""
    return '-' if value is None else f'{value * scale:+.2f}'


def interval(found: Interval | None, scale: float, *, signed: bool = False) -> str:
    """Return the ends of an interval; ``-`` where there is none."""
    if found is None or found.low is None or found.high is None:
        return '-'
    show = difference if signed else number
    return f'[{show(found.low, scale)}, {show(found.high, scale)}]'


def p_value(value: float) -> str:
    """Return a p value."""
    return '1' if value == 1 else f'{value:.3g}' if value >= 0.0001 else '<0.0001'


def counts(by_reason: dict[str, int]) -> str:
    """Return a number with its reasons: ``3 (2 empty, 1 refused)``."""
    total = sum(by_reason.values())
    reasons = ', '.join(f'{count} {reason}' for reason, count in by_reason.items())
    return f'{total} ({reasons})' if total else '0'


def ranks(result: ModelResult, benchmark: BenchmarkResult) -> str:
    """Return a model's ranks; ``-`` for a metric that only describes."""
    return '-' if benchmark.higher_is_better is None else str(result.ranks)


def model_row(result: ModelResult, benchmark: BenchmarkResult) -> tuple[str, ...]:
    """Return one row under ``MODEL_HEADERS``."""
    scale = benchmark.scale
    return (
        ranks(result, benchmark),
        result.model,
        number(result.interval.value, scale),
        interval(result.interval, scale),
        str(result.questions) + (f' x {result.repeats}' if result.repeats > 1 else ''),
        counts(result.unanswered_by_reason),
    )


def pair_row(result: PairResult, benchmark: BenchmarkResult) -> tuple[str, ...]:
    """Return one row under ``PAIR_HEADERS``."""
    scale = benchmark.scale
    return (
        result.first,
        result.second,
        difference(result.interval.value, scale) + (' *' if result.separated else ''),
        interval(result.interval, scale, signed=True),
        interval(result.unpaired, scale, signed=True),
        p_value(result.test.p),
        p_value(result.corrected_p),
        f'{result.first_alone} : {result.second_alone}',
        f'{counts(result.first_unanswered_alone)} : {counts(result.second_unanswered_alone)}',
        str(result.questions),
        str(result.left_out),
    )


def methods(version: VersionResult, comparison: Comparison) -> str:
    """Return one line on how intervals and tests were made, with the seed."""
    of_models = dict.fromkeys(result.interval.method for result in version.models)
    of_pairs = dict.fromkeys(result.interval.method for result in version.pairs)
    tests = dict.fromkeys(result.test.method for result in version.pairs)
    parts = [f'intervals: {", ".join(of_models)}']
    if version.pairs:
        parts += [f'of differences: {", ".join(of_pairs)}', f'tests: {", ".join(tests)}, Holm over {_pairs(version)}']
    return f'{"; ".join(parts)}; seed {comparison.options.seed}'


def conclusion(version: VersionResult, benchmark: BenchmarkResult) -> str:
    """Return what is known, in one sentence."""
    if benchmark.higher_is_better is None:
        return 'This metric only describes the replies; no model is better for it.'
    if not version.pairs:
        return 'There is no pair of models to compare by this version.'
    separated = [result for result in version.pairs if result.separated]
    if not separated:
        tied = 'Both models' if len(version.models) == 2 else f'All {len(version.models)} models'
        uncorrected = sum(result.test.p < ALPHA for result in version.pairs)
        without = f'; without correction {uncorrected} of {_pairs(version)} would differ' if uncorrected else ''
        return f'{tied} are tied: no difference is known at {ALPHA:g}{without}.'
    if len(separated) == len(version.pairs):
        return f'Every model is separated from every other at {ALPHA:g}.'
    return f'{len(separated)} of {_pairs(version)} differ at {ALPHA:g} after correction; the others are tied.'


def notes(version: VersionResult) -> list[str]:
    """Return what a reader has to know of single models."""
    return [f'{result.model}: {result.note}.' for result in version.models if result.note]


def reversal_sentences(result: BenchmarkResult) -> list[str]:
    """Return a sentence for each pair that two versions of the scoring have in another order."""
    first, last = result.versions[0], result.versions[-1]
    return [
        f'{ahead} is ahead of {behind} by {version_name(first)}, behind it by {version_name(last)}.'
        for ahead, behind in result.reversals
    ]


def ranking_rows(result: BenchmarkResult) -> list[tuple[str, ...]]:
    """Return a row a model with its value and ranks in each version, marked where a pair of its reverses."""
    marked = {model for found in result.reversals for model in found}
    rows = []
    for model in dict.fromkeys(found.model for version in result.versions for found in version.models):
        cells = [model + (' !' if model in marked else '')]
        for version in result.versions:
            found = next((candidate for candidate in version.models if candidate.model == model), None)
            cells.append(
                '-' if found is None else f'{number(found.interval.value, result.scale)} (rank {ranks(found, result)})'
            )
        rows.append(tuple(cells))
    return rows


def _pairs(version: VersionResult) -> str:
    return f'{len(version.pairs)} pair{"" if len(version.pairs) == 1 else "s"}'
