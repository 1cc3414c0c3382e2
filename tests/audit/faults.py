"""The benchmarks of ``adapters``: which rule each breaks, in which function, and the records to audit them with."""

from typing import Any

CHOICE_RECORDS = [
    {'question': f'Which of these is number {number}?', 'choices': ['Oslo', 'Lima', 'Quito', 'Hanoi'], 'answer': letter}
    for number, letter in enumerate('BADC', start=1)
]
TEXT_RECORDS = [
    {'question': 'What is the capital of Peru?', 'answer': 'Lima'},
    {'question': 'Which sea lies between Italy and Croatia?', 'answer': ['the Adriatic Sea', 'Adriatic']},
]

BROKEN_RULES: dict[str, str] = {
    'breaks_non_answer': 'non-answer',
    'breaks_non_answer_in_format': 'non-answer',
    'breaks_non_answer_by_denial': 'non-answer',
    'breaks_non_answer_by_prompt': 'non-answer',
    'breaks_cut_off_reasoning': 'cut-off-reasoning',
    'breaks_requested_format': 'requested-format',
    'breaks_degenerate_gold': 'degenerate-gold',
    'breaks_several_golds': 'several-golds',
    'breaks_wrong_answer': 'wrong-answer',
    'breaks_repeatable': 'repeatable',
    'breaks_abstention_counts': 'abstention-counts',
    'breaks_abstention_counts_by_num': 'abstention-counts',
    'breaks_abstention_counts_by_exclusion': 'abstention-counts',
    'breaks_abstention_counts_by_status': 'abstention-counts',
    'breaks_abstention_counts_by_hits': 'abstention-counts',
    'breaks_order': 'order',
    'breaks_correction': 'correction',
    'breaks_mean': 'mean',
    'breaks_range': 'range',
    'breaks_range_by_nan': 'range',
    'breaks_no_crash': 'no-crash',
    'breaks_no_crash_by_refusal': 'no-crash',
    'breaks_no_crash_by_exit': 'no-crash',
    'breaks_no_crash_by_interrupt': 'no-crash',
    'breaks_offline': 'offline',
    'breaks_no_code': 'no-code',
    'breaks_speed': 'speed',
}
"""Each faulty benchmark, and the one rule that it is made for."""
BROKEN_TOO: dict[str, str] = {'breaks_abstention_counts_by_hits': 'mean', 'breaks_order': 'mean'}
"""Another rule that a fault must break."""
CAUSES: dict[str, str] = {
    'breaks_non_answer': 'FirstLetterAdapter.first_letter',
    'breaks_non_answer_in_format': 'FirstLetterOfLineAdapter.extract_answer',
    'breaks_non_answer_by_denial': 'DeniedLetterAdapter.extract_answer',
    'breaks_non_answer_by_prompt': 'PromptReadingAdapter.extract_answer',
    'breaks_cut_off_reasoning': 'ReasoningAdapter.extract_answer',
    'breaks_requested_format': 'BareLetterAdapter.extract_answer',
    'breaks_degenerate_gold': 'EmptyEqualsEmptyAdapter.equal',
    'breaks_several_golds': 'FirstGoldAdapter.equal',
    'breaks_wrong_answer': 'NeighbourAdapter.match_score',
    'breaks_repeatable': 'GuessingAdapter.extract_answer',
    'breaks_abstention_counts': 'AnsweredOnlyAdapter.accuracy',
    'breaks_abstention_counts_by_num': 'AnsweredNumAdapter.aggregated',
    'breaks_abstention_counts_by_exclusion': 'ExcludingAdapter.match_score',
    'breaks_abstention_counts_by_hits': 'HitsOnlyAdapter.accuracy',
    'breaks_abstention_counts_by_status': 'ExcludedStatusAdapter.match_score',
    'breaks_order': 'EarlyFirstAdapter.accuracy',
    'breaks_correction': 'ShareOfErrorsAdapter.aggregate_scores',
    'breaks_range': 'DoubledRecallAdapter.recall',
    'breaks_mean': 'SquareAdapter.accuracy',
    'breaks_range_by_nan': 'NoNumberAdapter.accuracy',
    'breaks_no_crash': 'DigitAdapter.extract_answer',
    'breaks_no_crash_by_refusal': 'RefusalRaisesAdapter.extract_answer',
    'breaks_no_crash_by_exit': 'ExitingAdapter.extract_answer',
    'breaks_no_crash_by_interrupt': 'InterruptingAdapter.extract_answer',
    'breaks_offline': 'AskingAdapter.ask',
    'breaks_no_code': 'EvaluatingAdapter.evaluated',
    'breaks_speed': 'SlowAdapter.burn',
}
"""The function that each finding names, without its module."""


def records_of(name: str) -> list[dict[str, Any]]:
    """Return the records to audit a benchmark with."""
    of_text = ('contract_clean_text', 'breaks_degenerate_gold', 'breaks_several_golds')
    return TEXT_RECORDS if name in of_text else CHOICE_RECORDS
