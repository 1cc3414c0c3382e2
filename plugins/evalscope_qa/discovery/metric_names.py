"""Declares the metric names of this package that evalscope's catalogue does not know.

An undeclared metric is shown without a direction, and an undeclared *primary* metric ends a run in an error after all
the model calls. ``discovery`` calls :func:`declare` before it loads any plugin.
"""

_SCORES = {
    # name: (baseline of evalscope.metrics.semantics.baselines, name in the report)
    'map': ('quality.score.ratio', 'MAP'),
    'mrr': ('quality.score.ratio', 'MRR'),
    'precision_at_1': ('quality.precision.ratio', 'Precision@1'),
    'sub_em': ('quality.exact_match.ratio', 'Sub-EM'),
    'f1_disease': ('quality.f1.ratio', 'F1 Disease'),
    'f1_advice': ('quality.f1.ratio', 'F1 Advice'),
    'f1_disease_micro': ('quality.f1.ratio', 'Micro F1 Disease'),
    'f1_advice_micro': ('quality.f1.ratio', 'Micro F1 Advice'),
    'final_accuracy': ('quality.accuracy.ratio', 'Final Accuracy'),
    'section_precision': ('quality.precision.ratio', 'Section Precision'),
    'section_recall': ('quality.recall.ratio', 'Section Recall'),
    'section_f1': ('quality.f1.ratio', 'Section F1'),
    'answer_correct': ('quality.accuracy.ratio', 'Answer Correct'),
    'trigger_accuracy': ('quality.accuracy.ratio', 'Trigger Accuracy'),
}
"""Graded metrics: higher is better, shown with an arrow."""

_SHARES = ('unanswered_ratio', 'yes_ratio', 'no_ratio', 'maybe_ratio')
"""Shares of the replies: neither good nor bad by themselves, shown as a percentage without an arrow."""


_SHOWN_OTHERWISE = {
    # (benchmark, name): (baseline, name in the report, name of a share in the report)
    ('rjua_qa', 'rouge_l'): ('quality.rouge.ratio', 'Rouge-L', None),  # the catalogue's: ROUGE
    **{
        (benchmark, name): ('diagnostic.parse_status.ratio', None, name)  # the catalogue's: yes_ratio:identity
        for benchmark in ('pubmedqa', 'pubmedqa_official')
        for name in ('yes_ratio', 'maybe_ratio')
    },
}
"""Names that evalscope's catalogue has, and shows less well, or unlike those beside them."""


def declare() -> None:
    """Add each name to evalscope's catalogue of metrics unless evalscope, or somebody else, already defines it."""
    from evalscope.metrics.semantics.catalog import BENCHMARK_METRIC_OVERRIDES, METRIC_DEFINITIONS
    from evalscope.metrics.semantics.entry import MetricEntry

    for name, (baseline, metric_name) in _SCORES.items():
        if name not in METRIC_DEFINITIONS:
            METRIC_DEFINITIONS[name] = MetricEntry(baseline=baseline, metric_name=metric_name)
    for name in _SHARES:
        if name not in METRIC_DEFINITIONS:
            METRIC_DEFINITIONS[name] = MetricEntry(baseline='diagnostic.parse_status.ratio', display_name=name)
    for key, (baseline, shown_score, shown_share) in _SHOWN_OTHERWISE.items():
        if key not in BENCHMARK_METRIC_OVERRIDES:
            BENCHMARK_METRIC_OVERRIDES[key] = MetricEntry(
                baseline=baseline, metric_name=shown_score, display_name=shown_share
            )
