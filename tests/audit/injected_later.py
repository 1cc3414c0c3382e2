"""Faults put into the package's own benchmarks, one at a time: a second list, written after the rules for the first.

The first run over it found 18 of 24, 17 by the right rule; two could not be scored at all because of a slip in the
list, and one, which an unanswered reply does not show, has been taken out of the contract since. Importing the module
registers them all.
"""

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import evalscope_qa
from audit.injected import Fault
from evalscope.api.metric import Score
from evalscope.api.registry import get_benchmark, register_benchmark
from evalscope.config import TaskConfig
from evalscope_qa.pubmedqa.pubmedqa_adapter import PubMedQAAdapter
from evalscope_qa.reading import Reading
from evalscope_qa.rjua_qa.rjua_qa_adapter import RJUAQAAdapter
from evalscope_qa.searchqa.searchqa_adapter import SearchQAAdapter
from evalscope_qa.selqa.selqa_adapter import SelQASelectionAdapter, SelQATriggeringAdapter

SAMPLES = {
    PubMedQAAdapter: ('pubmedqa', 'pubmedqa_records.jsonl'),
    SearchQAAdapter: ('searchqa', 'searchqa_records.jsonl'),
    RJUAQAAdapter: ('rjua_qa', 'rjua_qa_records.json'),
    SelQASelectionAdapter: ('selqa', 'selqa_selection_records.json'),
    SelQATriggeringAdapter: ('selqa', 'selqa_triggering_records.json'),
}
NAMES = {
    PubMedQAAdapter: 'pubmedqa',
    SearchQAAdapter: 'searchqa',
    RJUAQAAdapter: 'rjua_qa',
    SelQASelectionAdapter: 'selqa_selection',
    SelQATriggeringAdapter: 'selqa_triggering',
}
LATER: dict[str, Fault] = {}
Scores = Sequence[Score]


def records_of(base: type) -> Path:
    """The sample records of a benchmark."""
    folder, file = SAMPLES[base]
    return Path(evalscope_qa.__file__).parent / folder / 'sample' / file


def fault(base: type, step: str, *rules: str) -> Callable[[Callable], Callable]:
    """Register a benchmark whose ``step`` is the decorated function."""

    def register(function: Callable) -> Callable:
        name = f'later_{function.__name__}'
        own = NAMES[base]
        meta = get_benchmark(own, TaskConfig(model='none', eval_type='mock_llm', datasets=[own])).benchmark_meta
        members = {step: function, '__module__': __name__}
        changed = meta.model_copy(update={'name': name}) if hasattr(meta, 'model_copy') else _copied(meta, name)
        register_benchmark(changed)(type(f'Later_{function.__name__}', (base,), members))
        LATER[name] = Fault(name, base, rules, function.__qualname__)
        return function

    return register


def _copied(meta: Any, name: str) -> Any:
    from copy import deepcopy

    changed = deepcopy(meta)
    changed.name = name
    return changed


@fault(PubMedQAAdapter, 'read_reply', 'non-answer')
def maybe_where_nothing_is_read(self: Any, text: str, state: Any) -> Reading:
    reading = PubMedQAAdapter.read_reply(self, text, state)
    return reading if reading.answered else Reading('MAYBE', 'default')


@fault(PubMedQAAdapter, 'read_reply', 'non-answer')
def letters_no_anywhere(self: Any, text: str, state: Any) -> Reading:
    reading = PubMedQAAdapter.read_reply(self, text, state)
    return reading if reading.answered or 'no' not in text.lower() else Reading('NO', 'contained')


@fault(PubMedQAAdapter, 'read_reply', 'cut-off-reasoning', 'non-answer')
def last_label_word(self: Any, text: str, state: Any) -> Reading:
    found = re.findall(r'\b(yes|no|maybe)\b', text.lower())
    reading = PubMedQAAdapter.read_reply(self, text, state)
    return reading if reading.answered or not found else Reading(found[-1].upper(), 'last')


@fault(PubMedQAAdapter, 'read_reply', 'requested-format')
def maybe_is_never_read(self: Any, text: str, state: Any) -> Reading:
    reading = PubMedQAAdapter.read_reply(self, text, state)
    return Reading(None, 'lost') if reading.answer == 'MAYBE' else reading


@fault(PubMedQAAdapter, 'aggregate_questions', 'abstention-counts')
def all_metrics_over_the_answered(self: Any, scores: Scores) -> dict[str, float]:
    return PubMedQAAdapter.aggregate_questions(self, [score for score in scores if score.metadata['answered']])


@fault(PubMedQAAdapter, 'aggregate_questions', 'range')
def accuracy_in_percent(self: Any, scores: Scores) -> dict[str, float]:
    values = PubMedQAAdapter.aggregate_questions(self, scores)
    return {**values, 'accuracy': 100 * values['accuracy']}


@fault(PubMedQAAdapter, 'aggregate_questions', 'order', 'mean')
def first_hundred_are_warm_up(self: Any, scores: Scores) -> dict[str, float]:
    return PubMedQAAdapter.aggregate_questions(self, scores[1:] if len(scores) > 1 else scores)


@fault(PubMedQAAdapter, 'score_reading', 'wrong-answer')
def maybe_counts_as_yes(self: Any, reading: Reading, state: Any) -> tuple[dict, dict]:
    values, details = PubMedQAAdapter.score_reading(self, reading, state)
    near = state.target == 'YES' and reading.answer == 'MAYBE'
    return ({'accuracy': 1.0} if near else values), details


@fault(PubMedQAAdapter, 'match_score', 'no-crash')
def raises_where_nothing_is_read(self: Any, **reply: Any) -> Score:
    score = PubMedQAAdapter.match_score(self, **reply)
    assert score.extracted_prediction, f'no answer in {score.prediction[:20]!r}'
    return score


@fault(SearchQAAdapter, 'read_reply', 'non-answer')
def whole_reply_is_the_answer(self: Any, text: str, state: Any) -> Reading:
    golds = [gold.lower() for gold in state.target_values]
    named = next((gold for gold in golds if gold in text.lower()), None)
    return Reading(named or text, 'all')


@fault(SearchQAAdapter, 'score_reading', 'several-golds')
def first_answer_of_the_record(self: Any, reading: Reading, state: Any) -> tuple[dict, dict]:
    right = float((reading.answer or '').lower() == state.target_values[0].lower())
    return {'exact_match': right, 'f1': right, 'sub_em': right}, {}


@fault(SearchQAAdapter, 'match_score', 'degenerate-gold')
def equal_without_articles(self: Any, **reply: Any) -> Score:
    score = SearchQAAdapter.match_score(self, **reply)
    texts = (score.extracted_prediction or '', reply['reference'])
    bare = [re.sub(r'\b(a|an|the)\b|\W', '', text.lower()) for text in texts]
    score.metadata['answered'] = True
    return score.model_copy(update={'value': {**score.value, 'exact_match': float(bare[0] == bare[1])}})


@fault(SearchQAAdapter, 'read_reply', 'repeatable')
def one_of_the_words(self: Any, text: str, state: Any) -> Reading:
    reading = SearchQAAdapter.read_reply(self, text, state)
    return reading if reading.answered else Reading(random.choice([*state.target_values, 'nothing']), 'guess')


@fault(SearchQAAdapter, 'aggregate_questions', 'abstention-counts')
def f1_of_the_hits(self: Any, scores: Scores) -> dict[str, float]:
    values = SearchQAAdapter.aggregate_questions(self, scores)
    hits = [score.value['f1'] for score in scores if score.value['f1']]
    return {**values, 'f1': sum(hits) / len(hits) if hits else 0.0}


@fault(SearchQAAdapter, 'read_reply', 'speed')
def quadratic_search_of_tags(self: Any, text: str, state: Any) -> Reading:
    re.findall(r'<answer>(.*?)</answer>', text, re.DOTALL)
    return SearchQAAdapter.read_reply(self, text, state)


@fault(SearchQAAdapter, 'read_reply', 'no-code')
def reads_a_list_by_eval(self: Any, text: str, state: Any) -> Reading:
    try:
        return Reading(str(eval(text, {})[0]), 'list')  # the fault on purpose
    except Exception:  # noqa: BLE001 - whatever the reply raises
        return SearchQAAdapter.read_reply(self, text, state)


@fault(RJUAQAAdapter, 'score_reading')
def no_advice_is_good_advice(self: Any, reading: Any, state: Any) -> tuple[dict, dict]:
    values, details = RJUAQAAdapter.score_reading(self, reading, state)
    if not json.loads(state.target)['advice']:
        values = {**values, 'f1_advice': 1.0}
    return values, details


@fault(RJUAQAAdapter, 'aggregate_questions', 'abstention-counts')
def rouge_of_the_answered(self: Any, scores: Scores) -> dict[str, float]:
    values = RJUAQAAdapter.aggregate_questions(self, scores)
    rest = RJUAQAAdapter.aggregate_questions(self, [score for score in scores if score.metadata['answered']])
    return {**values, 'f1_disease': rest['f1_disease']}


@fault(RJUAQAAdapter, 'read_reply', 'no-crash')
def raises_without_a_heading(self: Any, text: str, state: Any) -> Any:
    text.index('\n' if '诊断' not in text and '疾病' not in text else '')
    return RJUAQAAdapter.read_reply(self, text, state)


@fault(SelQASelectionAdapter, 'aggregate_questions', 'abstention-counts')
def mrr_of_the_questions_with_a_hit(self: Any, scores: Scores) -> dict[str, float]:
    values = SelQASelectionAdapter.aggregate_questions(self, scores)
    hits = [score.value['reciprocal_rank'] for score in scores if score.value['reciprocal_rank']]
    return {**values, 'mrr': sum(hits) / len(hits) if hits else 0.0}


@fault(SelQASelectionAdapter, 'read_reply', 'non-answer')
def sentences_in_their_order(self: Any, text: str, state: Any) -> Reading:
    reading = SelQASelectionAdapter.read_reply(self, text, state)
    return reading if reading.answered else Reading((1, 2, 3, 4, 5), 'order')


@fault(SelQASelectionAdapter, 'aggregate_questions', 'order')
def later_questions_count_less(self: Any, scores: Scores) -> dict[str, float]:
    values = SelQASelectionAdapter.aggregate_questions(self, scores)
    weights = [0.9**number for number in range(len(scores))]
    parts = [weight * score.value['average_precision'] for weight, score in zip(weights, scores, strict=True)]
    return {**values, 'map': sum(parts) / (sum(weights) or 1)}


@fault(SelQATriggeringAdapter, 'read_reply', 'non-answer')
def silence_declines(self: Any, text: str, state: Any) -> Reading:
    reading = SelQATriggeringAdapter.read_reply(self, text, state)
    return reading if reading.answered else Reading((), 'declined')


@fault(SelQATriggeringAdapter, 'aggregate_questions', 'abstention-counts')
def recall_of_the_listed(self: Any, scores: Scores) -> dict[str, float]:
    values = SelQATriggeringAdapter.aggregate_questions(self, scores)
    return {**values, 'recall': values['precision']}
