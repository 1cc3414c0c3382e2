"""The series: which patches there are for which release, and what fails before each."""

from typing import Sequence

from . import entry_points, recall
from .definition import Benchmark, Patch, Series
from .edit import Edit

_RECALL_TEST = 'tests/benchmark/test_pubmedqa_recall.py'
_ENTRY_POINTS_TEST = 'tests/benchmark/test_entry_points.py'

_FIRST_FIX = Series(
    '1.12.0',
    (
        Patch(
            'recall',
            edits=recall.EDITS,
            tests=(_RECALL_TEST,),
            failing_before=(
                f'{_RECALL_TEST}::test_macro_averages_count_every_question[empty replies]',
                f'{_RECALL_TEST}::test_macro_averages_count_every_question[abstention: unsure]',
                f'{_RECALL_TEST}::test_macro_averages_count_every_question[abstention: unclear]',
                f'{_RECALL_TEST}::test_macro_averages_count_every_question[ranking example]',
                f'{_RECALL_TEST}::test_macro_averages_count_every_question[uneven support]',
                f'{_RECALL_TEST}::test_the_better_model_ranks_first',
                f'{_RECALL_TEST}::test_evaluation_version_tells_the_scores_apart',
            ),
        ),
    ),
)

_ENTRY_POINTS = Patch(
    'entry_points',
    edits=entry_points.EDITS,
    tests=(_ENTRY_POINTS_TEST,),
    failing_before=tuple(
        f'{_ENTRY_POINTS_TEST}::test_{name}'
        for name in (
            'group_has_a_public_name',
            'resolving_one_name_imports_one_module',
            'lookups_of_declared_names_never_scan_the_shipped_modules',
            'higher_version_replaces_a_shipped_benchmark',
            'new_name_beside_a_shipped_one_in_one_module',
            'lower_or_equal_version_leaves_the_shipped_benchmark',
            'shipped_sibling_imported_earlier_is_still_replaced',
            'shipped_benchmark_survives_a_broken_replacement',
            'tie_of_two_distributions_leaves_the_shipped_benchmark',
            'versions_are_compared_as_numbers',
            'registration_by_a_helper_module_counts',
            'benchmark_info_shows_the_replacement',
            'full_scan_includes_declared_benchmarks',
            'full_scan_and_lookups_choose_the_same',
            'bad_declarations_are_warnings_and_unknown_names',
            'undeclared_names_are_ignored',
            'import_order_does_not_matter',
            'switch_names_the_benchmarks_to_use',
        )
    ),
)


def _benchmark_patch(benchmark: Benchmark, edits: Sequence[Edit] = (), oracles: Sequence[str] = ()) -> Patch:
    """The patch of a benchmark that evalscope does not have: before it, all of its tests fail."""
    tests = (*(benchmark.test_path(name) for name in benchmark.tests), benchmark.sample_test_path)
    return Patch(
        benchmark.source,
        edits=(*edits, *_development_requirements(oracles)),
        benchmark=benchmark,
        tests=tests,
        failing_before=tests,
    )


def _development_requirements(names: Sequence[str]) -> Sequence[Edit]:
    """What the tests compare with; evalscope itself never imports it."""
    anchor = 'python-dotenv\n'
    return [Edit('requirements/dev.txt', anchor, anchor + ''.join(f'{name}\n' for name in names))] if names else []


_PUBMEDQA = Benchmark(
    title='PubMedQA',
    source='pubmedqa',
    target='pumed_qa',
    renamed={'pubmedqa_adapter': 'pubmed_qa_adapter'},
    names=('pubmedqa', 'pubmedqa_official'),
    documented=('pubmedqa_official',),
    tests=('test_scoring.py', 'test_verdict.py'),
    metrics=('no_ratio', 'unanswered_ratio'),
    metrics_comment='Shares of the replies, as yes_ratio and maybe_ratio above.',
    wording={
        'pubmedqa_adapter': {
            "``pubmedqa``, which replaces evalscope's built-in of that name, and ``pubmedqa_official``": (
                '``pubmedqa`` and ``pubmedqa_official``'
            ),
            'A shuffled run of the built-in was made': 'A shuffled run of an earlier version was made',
        },
        'questions': {
            'the hub dataset of the built-in benchmark': 'the hub dataset of ``pubmedqa``',
            "the hub dataset of evalscope's built-in benchmark": 'the hub dataset of ``pubmedqa``',
        },
        'verdict': {"The rules here are this package's,\nin the order": 'The rules here are stated\nin the order'},
    },
    sample_arguments={'pubmedqa_official': {'extra_params': {'allow_partial': True}}},
)

_PUBMEDQA_REPLIES = 'tests/benchmark/test_pubmedqa_replies.py'
_PUBMEDQA_NEW_TESTS = (
    *(_PUBMEDQA.test_path(name) for name in _PUBMEDQA.tests),
    _PUBMEDQA.sample_test_path,
    'tests/utils/test_reasoning.py',
    'tests/utils/test_records.py',
)
_PUBMEDQA_FAULTS = (
    'reply_is_credited_for_its_verdict_alone[explicit statement]',
    'reply_is_credited_for_its_verdict_alone[statement in markdown]',
    'reply_is_credited_for_its_verdict_alone[statement in JSON]',
    'reply_is_credited_for_its_verdict_alone[statement after mentions]',
    'reply_is_credited_for_its_verdict_alone[last line]',
    'reply_is_credited_for_its_verdict_alone[leading label, then a determiner]',
    'reply_is_credited_for_its_verdict_alone[determiner]',
    'reply_is_credited_for_its_verdict_alone[adverb]',
    'reply_is_credited_for_its_verdict_alone[reasoning]',
    'reply_is_credited_for_its_verdict_alone[reasoning cut off]',
    'missing_output_is_unanswered',
    'shares_of_the_replies_sum_to_one',
    'prompt_is_plain_text',
    'malformed_record_is_an_error_that_names_the_benchmark',
    'evaluation_version_tells_the_scores_apart',
)

_PUBMEDQA_PATCH = Patch(
    'pubmedqa',
    edits=_development_requirements(['scikit-learn']),
    shared_modules=True,
    benchmark=_PUBMEDQA,
    tests=(_PUBMEDQA_REPLIES, *_PUBMEDQA_NEW_TESTS),
    failing_before=(*_PUBMEDQA_NEW_TESTS, *(f'{_PUBMEDQA_REPLIES}::test_{name}' for name in _PUBMEDQA_FAULTS)),
)

_SEARCHQA = _benchmark_patch(
    Benchmark(
        title='SearchQA',
        source='searchqa',
        names=('searchqa',),
        documented=('searchqa',),
        tests=('test_context.py', 'test_extraction.py', 'test_local_files.py', 'test_scoring.py'),
        metrics=('sub_em',),
        metrics_comment='SearchQA: one normalised answer contains the other.',
    )
)

_RJUA_QA = _benchmark_patch(
    Benchmark(
        title='RJUA-QA',
        source='rjua_qa',
        names=('rjua_qa',),
        documented=('rjua_qa',),
        tests=(
            'test_items.py',
            'test_list_marks.py',
            'test_normalization.py',
            'test_rouge_l.py',
            'test_scoring.py',
            'test_sections.py',
        ),
        metrics=('final_accuracy', 'f1_disease', 'f1_advice', 'f1_disease_micro', 'f1_advice_micro'),
        metrics_comment='RJUA-QA: sets of diseases and of advice, and (2 F1_disease + F1_advice) / 3.',
    ),
    edits=[Edit('requirements/framework.txt', 'pyyaml>=5.1\n', 'pyyaml>=5.1\nrapidfuzz>=3.0\n')],
)

_SELQA = _benchmark_patch(
    Benchmark(
        title='SelQA',
        source='selqa',
        names=('selqa_selection', 'selqa_triggering'),
        documented=('selqa_selection', 'selqa_triggering'),
        tests=(
            'test_local_files.py',
            'test_prompts.py',
            'test_ranking_metrics.py',
            'test_replies.py',
            'test_triggering_metrics.py',
        ),
        metrics=(
            'map',
            'mrr',
            'precision_at_1',
            'section_precision',
            'section_recall',
            'section_f1',
            'trigger_accuracy',
        ),
        metrics_comment='SelQA: rankings of sentences, and whether a section holds an answer.',
    ),
    oracles=['pytrec-eval-terrier'],
)

_BENCHMARKS = Series('1.14.1', (_ENTRY_POINTS, _PUBMEDQA_PATCH, _SEARCHQA, _RJUA_QA, _SELQA))

SERIES = {series.version: series for series in (_FIRST_FIX, _BENCHMARKS)}
"""Release to series."""
