"""Every metric of this package reaches evalscope's report table by name and direction, and none is undeclared."""

import logging

import pytest
from evalscope_qa import discovery
from evalscope_qa.discovery import metric_names

discovery.load_plugins()  # in a Python that does not read .pth files it has not happened yet

from evalscope.api.metric.scorer import AggScore  # noqa: E402
from evalscope.api.registry import get_benchmark  # noqa: E402
from evalscope.metrics.semantics.catalog import BENCHMARK_METRIC_OVERRIDES, METRIC_DEFINITIONS  # noqa: E402
from evalscope.metrics.semantics.entry import MetricEntry  # noqa: E402
from evalscope.report.combinator import gen_table  # noqa: E402
from evalscope.report.generator import ReportGenerator  # noqa: E402

PUBMEDQA = {
    'accuracy': 'Accuracy ↑',
    'precision': 'Precision ↑',
    'recall': 'Recall ↑',
    'f1_score': 'F1 ↑',
    'yes_ratio': 'yes_ratio',
    'no_ratio': 'no_ratio',
    'maybe_ratio': 'maybe_ratio',
    'unanswered_ratio': 'unanswered_ratio',
}
LABELS = {  # the primary metric first
    'pubmedqa': PUBMEDQA,
    'pubmedqa_official': PUBMEDQA,
    'searchqa': {
        'exact_match': 'Exact Match ↑',
        'f1': 'F1 ↑',
        'sub_em': 'Sub-EM ↑',
        'unanswered_ratio': 'unanswered_ratio',
    },
    'rjua_qa': {
        'final_accuracy': 'Final Accuracy ↑',
        'f1_disease': 'F1 Disease ↑',
        'f1_advice': 'F1 Advice ↑',
        'f1_disease_micro': 'Micro F1 Disease ↑',
        'f1_advice_micro': 'Micro F1 Advice ↑',
        'rouge_l': 'Rouge-L ↑',
        'unanswered_ratio': 'unanswered_ratio',
    },
    'selqa_selection': {
        'map': 'MAP ↑',
        'mrr': 'MRR ↑',
        'precision_at_1': 'Precision@1 ↑',
        'unanswered_ratio': 'unanswered_ratio',
    },
    'selqa_triggering': {
        'f1': 'F1 ↑',
        'precision': 'Precision ↑',
        'recall': 'Recall ↑',
        'section_precision': 'Section Precision ↑',
        'section_recall': 'Section Recall ↑',
        'section_f1': 'Section F1 ↑',
        'trigger_accuracy': 'Trigger Accuracy ↑',
        'unanswered_ratio': 'unanswered_ratio',
    },
}


@pytest.mark.parametrize('benchmark', LABELS)
def test_the_report_table_shows_every_metric_by_name_and_direction(benchmark: str) -> None:
    adapter = get_benchmark(benchmark)
    # evalscope spells f1_score its own way in the list of a benchmark's metrics, f1.
    assert {str(name) for name in adapter.metric_list} == {name.replace('f1_score', 'f1') for name in LABELS[benchmark]}

    warnings: list[logging.LogRecord] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = warnings.append  # type: ignore[method-assign]
    logger = logging.getLogger('evalscope')
    logger.addHandler(handler)
    try:
        scores = [AggScore(metric_name=name, score=0.25, num=4) for name in LABELS[benchmark]]
        report = ReportGenerator.generate_report({'default': scores}, 'a model', adapter)
        table = gen_table(report_list=[report])
    finally:
        logger.removeHandler(handler)

    assert [record.getMessage() for record in warnings] == []
    cells = [[cell.strip() for cell in line.split('│')] for line in table.splitlines()]
    for label in LABELS[benchmark].values():
        assert sum(label in row and '25%' in row for row in cells) == 1, table
    assert {metric.identity.name for metric in report.metrics} == {
        name.replace('f1_score', 'f1') for name in LABELS[benchmark]
    }
    assert report.primary_metric_identity is not None
    assert report.primary_metric_identity.name == next(iter(LABELS[benchmark]))


def test_a_name_that_evalscope_or_somebody_else_defined_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = MetricEntry(baseline='quality.score.ratio', metric_name='Their MAP')
    monkeypatch.setitem(METRIC_DEFINITIONS, 'map', theirs)
    monkeypatch.delitem(METRIC_DEFINITIONS, 'mrr')
    monkeypatch.setitem(BENCHMARK_METRIC_OVERRIDES, ('rjua_qa', 'rouge_l'), theirs)
    ratio = METRIC_DEFINITIONS['yes_ratio']
    metric_names.declare()
    assert METRIC_DEFINITIONS['map'] is theirs
    assert BENCHMARK_METRIC_OVERRIDES['rjua_qa', 'rouge_l'] is theirs
    assert METRIC_DEFINITIONS['yes_ratio'] is ratio
    assert METRIC_DEFINITIONS['mrr'].resolve('mrr').metric_name == 'MRR'
