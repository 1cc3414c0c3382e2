"""The series: which patches there are for which release, and what fails before each."""

from . import entry_points, recall
from .definition import Patch, Series

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

_BENCHMARKS = Series(
    '1.14.1',
    (
        Patch(
            'entry_points',
            edits=entry_points.EDITS,
            tests=(_ENTRY_POINTS_TEST,),
            failing_before=(_ENTRY_POINTS_TEST,),
        ),
    ),
)

SERIES = {series.version: series for series in (_FIRST_FIX, _BENCHMARKS)}
"""Release to series."""
