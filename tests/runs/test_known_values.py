"""The published values of real runs."""

import json
from pathlib import Path

import pytest
from evalscope_qa.cli import main
from evalscope_qa.runs import compare, read_runs, read_scores_csv
from evalscope_qa.runs.comparison.results import PairResult, VersionResult
from scipy import stats

_NORMAL = 1.96


def _only(sets: list) -> VersionResult:
    result = compare(sets)
    assert [len(found.versions) for found in result.benchmarks] == [1]
    return result.benchmarks[0].versions[0]


def _pair(found: VersionResult, first: str, second: str) -> PairResult:
    return next(pair for pair in found.pairs if (pair.first, pair.second) == (first, second))


def test_gpqa_pair_scores(data_dir: Path) -> None:
    """198 questions, 5 repeats, from stephlinds/evalconfidence, whose intervals have the normal quantile."""
    found = _only(read_scores_csv(data_dir / 'runs' / 'gpqa_pair_scores.csv'))
    pair = _pair(found, 'openai/gpt-5-nano-2025-08-07', 'openai/gpt-5.4-mini-2026-03-17')
    assert (pair.questions, pair.left_out, [model.repeats for model in found.models]) == (198, 0, [5, 5])
    assert round(100 * pair.interval.value, 2) == 5.86
    for interval, known in ((pair.interval, (0.41, 11.31)), (pair.unpaired, (-2.08, 13.79))):
        assert interval is not None and interval.standard_error is not None
        ends = (interval.value + sign * _NORMAL * interval.standard_error for sign in (-1, 1))
        assert tuple(round(100 * end, 2) for end in ends) == known
    # Ours have the quantile of t with 197 degrees of freedom.
    width = stats.t.ppf(0.975, 197) * pair.interval.standard_error
    assert (pair.interval.low, pair.interval.high) == pytest.approx(
        (pair.interval.value - width, pair.interval.value + width)
    )


def test_six_models_on_math_500(data_dir: Path) -> None:
    found = _only(read_runs([data_dir / 'runs' / 'six-models']))
    pair = _pair(found, 'deepseek-reasoner-v3.2-exp', 'doubao-seed-1-6-251015')
    assert (pair.questions, pair.first_alone, pair.second_alone) == (299, 11, 1)
    assert round(pair.interval.value, 4) == 0.0334
    assert round(pair.test.p, 5) == 0.00635
    assert len(found.pairs) == 15
    assert sum(pair.test.p < 0.05 for pair in found.pairs) == 3
    assert sum(pair.separated for pair in found.pairs) == 0
    assert pair.corrected_p == pytest.approx(15 * pair.test.p)
    assert {str(model.ranks) for model in found.models} == {'1-6'}


def test_ten_questions_of_gpqa_tell_nothing(data_dir: Path) -> None:
    found = _only(read_runs([data_dir / 'runs' / 'evalscope-examples'], datasets=['gpqa_diamond']))
    assert {model.model: round(10 * model.interval.value) for model in found.models} == {'qwen-plus': 8, 'qwen3-max': 9}
    assert [pair.test.p for pair in found.pairs] == [1.0]
    assert {str(model.ranks) for model in found.models} == {'1-2'}


def test_values_are_those_of_the_reports(data_dir: Path) -> None:
    """Every number of every report of the real runs, to the four digits that reports have."""
    checked = 0
    for folder in ('six-models', 'evalscope-examples'):
        for scores in read_runs([data_dir / 'runs' / folder]):
            for metric in scores.metrics:
                values = scores.question_values(metric.name)
                assert sum(values.values()) / len(values) == pytest.approx(metric.value, abs=1e-4), (scores, metric)
                checked += 1
    assert checked == 6 + 2 * (1 + 1 + 4 + 1)


def test_the_command_writes_text_json_html_and_markdown(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {kind: tmp_path / f'out.{kind}' for kind in ('json', 'html', 'markdown')}
    arguments = [word for kind, file in files.items() for word in (f'--{kind}', str(file))]
    assert main(['compare', str(data_dir / 'runs' / 'six-models'), *arguments]) == 0
    text = capsys.readouterr().out
    conclusion = 'All 6 models are tied: no difference is known at 0.05; without correction 3 of 15 pairs would differ.'
    assert conclusion in text
    assert '0.00635' in text and '11 : 1' in text and 'seed 0' in text
    document = json.loads(files['json'].read_text(encoding='utf-8'))
    version = document['benchmarks'][0]['versions'][0]
    assert [model['ranks'] for model in version['models']] == [{'best': 1, 'worst': 6}] * 6
    assert version['signature'] in text
    html = files['html'].read_text(encoding='utf-8')
    assert conclusion in html
    assert html.count('class="dot"') == 6
    assert '://' not in html and '<script' not in html and 'url(' not in html
    assert files['markdown'].read_text(encoding='utf-8').startswith('## math_500: accuracy (%)\n\n| rank ')


def test_the_worked_example_of_the_page(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What docs/compare.md shows of evalscope's own examples, but for the version of this package."""
    page = (Path(__file__).parents[2] / 'docs' / 'compare.md').read_text(encoding='utf-8')
    shown = page.partition('--datasets gpqa_diamond\n')[2].partition('```')[0]
    assert main(['compare', str(data_dir / 'runs' / 'evalscope-examples'), '--datasets', 'gpqa_diamond']) == 0
    assert shown.partition('|evalscope-qa:')[0] == capsys.readouterr().out.partition('|evalscope-qa:')[0]
