"""The shipped sample: every kind of reply, and the figures computed by hand."""

from fractions import Fraction

import pytest
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies, replay
from evalscope_qa.replay.samples import sample_files

SAMPLE = sample_files('rjua_qa')
RECORDS = read_records(SAMPLE.records)
REPLIES = read_replies(SAMPLE.replies)

# Perfect; 2 of 3 diseases, and 1 of 3 pieces of advice beside a wrong one; prose only; JSON with both diseases, and 2
# of 3 pieces of advice beside a wrong one; cut off while reasoning; empty.
F1_DISEASE = [Fraction(1), Fraction(4, 5), Fraction(0), Fraction(1), Fraction(0), Fraction(0)]
F1_ADVICE = [Fraction(1), Fraction(2, 5), Fraction(0), Fraction(2, 3), Fraction(0), Fraction(0)]
FINAL_ACCURACY = [(2 * disease + advice) / 3 for disease, advice in zip(F1_DISEASE, F1_ADVICE, strict=True)]


def test_the_scores_of_each_question() -> None:
    result = replay('rjua_qa', RECORDS, REPLIES)
    assert result.evaluation_version == 'v1.0'
    assert [sample.answered for sample in result.samples] == [True, True, False, True, False, False]
    for metric, expected in (('f1_disease', F1_DISEASE), ('f1_advice', F1_ADVICE), ('final_accuracy', FINAL_ACCURACY)):
        assert [sample.scores[metric] for sample in result.samples] == pytest.approx([float(each) for each in expected])
    # Reply and answer have 34 + 57, 55 + 44 and 65 + 62 characters, and LCS 22, 25 and 32, by the plain table.
    assert [sample.scores['rouge_l'] for sample in result.samples] == [1.0, 44 / 91, 50 / 99, 64 / 127, 0.0, 0.0]


def test_the_mean_and_the_micro_figures_are_those_computed_by_hand_and_differ() -> None:
    metrics = replay('rjua_qa', RECORDS, REPLIES).metrics
    assert metrics['f1_disease'] == pytest.approx(14 / 30)
    assert metrics['f1_disease_micro'] == pytest.approx(12 / 17)  # TP 2 + 2 + 2, FP 0, FN 1 + 1 + 1 + 2
    assert metrics['f1_advice'] == pytest.approx(31 / 90)
    assert metrics['f1_advice_micro'] == pytest.approx(12 / 25)  # TP 3 + 1 + 2, FP 1 + 1, FN 2 + 3 + 1 + 2 + 3
    assert metrics['final_accuracy'] == pytest.approx(float(sum(FINAL_ACCURACY) / 6)) == pytest.approx(23 / 54)
    assert metrics['unanswered_ratio'] == 0.5


def test_a_perfect_model_scores_exactly_one() -> None:
    replies = [f'{record["answer"]}\n诊断：{record["disease"]}\n建议：{record["advice"]}' for record in RECORDS]
    metrics = replay('rjua_qa', RECORDS, replies).metrics
    assert metrics.pop('unanswered_ratio') == 0.0
    assert set(metrics.values()) == {1.0}


def test_no_reply_at_all_scores_zero() -> None:
    metrics = replay('rjua_qa', RECORDS, [None] * 6).metrics
    assert metrics.pop('unanswered_ratio') == 1.0
    assert set(metrics.values()) == {0.0}


def test_several_diseases_are_among_the_records() -> None:
    assert sum('、' in record['disease'] or '；' in record['disease'] for record in RECORDS) >= 2
    assert {type(record['context']) for record in RECORDS} == {list, str}
    assert SAMPLE.records.read_text(encoding='utf-8').startswith('{"id"')  # JSON Lines, as published
