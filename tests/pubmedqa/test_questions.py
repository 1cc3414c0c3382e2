"""Records of the three published forms become the same question; a malformed one is an error that names it."""

from typing import Any, Dict

import pytest
from evalscope_qa.pubmedqa.questions import Question, read_question
from evalscope_qa.records import RecordChecker, RecordError
from pubmedqa.published import flat, labelled, official

TWO_PASSAGES = 'Abstract 7 of two passages.'


@pytest.mark.parametrize(
    ('record', 'question'),
    [
        (flat(7), Question(None, 'Abstract 7.', 'Does it work 7?', 'YES', '')),
        (flat(7, reasoning='Since it did.'), Question(None, 'Abstract 7.', 'Does it work 7?', 'YES', 'Since it did.')),
        (flat(7, reasoning='', extra=1), Question(None, 'Abstract 7.', 'Does it work 7?', 'YES', '')),
        (flat(7, reasoning=None), Question(None, 'Abstract 7.', 'Does it work 7?', 'YES', '')),
        (official(7), Question(None, TWO_PASSAGES, 'Does it work 7?', 'YES', 'It does.')),
        (official(7, id='7'), Question('7', TWO_PASSAGES, 'Does it work 7?', 'YES', 'It does.')),
        (official(7, id=7), Question('7', TWO_PASSAGES, 'Does it work 7?', 'YES', 'It does.')),
        (labelled(7), Question('7', TWO_PASSAGES, 'Does it work 7?', 'YES', 'It does.')),
        (labelled(7, pubid='7'), Question('7', TWO_PASSAGES, 'Does it work 7?', 'YES', 'It does.')),
        (labelled(7, long_answer=None), Question('7', TWO_PASSAGES, 'Does it work 7?', 'YES', '')),
    ],
)
def test_each_form_becomes_a_question(record: Dict[str, Any], question: Question) -> None:
    assert read_question(RecordChecker('pubmedqa'), record) == question


@pytest.mark.parametrize('form', [flat, official, labelled])
@pytest.mark.parametrize(
    ('label', 'gold'), [('yes', 'YES'), ('NO', 'NO'), ('Maybe', 'MAYBE'), (' no ', 'NO'), ('mAyBe\n', 'MAYBE')]
)
def test_the_gold_label_may_have_any_case_and_space_around_it(form: Any, label: str, gold: str) -> None:
    assert read_question(RecordChecker('pubmedqa'), form(7, label)).gold == gold


LABELS = {flat: 'answer', official: 'final_decision', labelled: 'final_decision'}


@pytest.mark.parametrize('form', LABELS)
@pytest.mark.parametrize('label', ['perhaps', '', 'yes.', 'y', 'yes no', 1, True, None, ['yes']])
def test_any_other_label_is_an_error(form: Any, label: Any) -> None:
    with pytest.raises(RecordError, match=f"^pubmedqa: record .*: field '{LABELS[form]}': "):
        read_question(RecordChecker('pubmedqa'), form(7, label))


def without(record: Dict[str, Any], field: str) -> Dict[str, Any]:
    return {name: value for name, value in record.items() if name != field}


@pytest.mark.parametrize(
    ('record', 'field'),
    [(flat(7), field) for field in ('context', 'question', 'answer')]
    + [(official(7), field) for field in ('QUESTION', 'CONTEXTS', 'final_decision')]
    + [(labelled(7), field) for field in ('pubid', 'context', 'question', 'final_decision')],
)
def test_a_missing_field_is_an_error(record: Dict[str, Any], field: str) -> None:
    with pytest.raises(RecordError, match=f"field '{field}': is missing"):
        read_question(RecordChecker('pubmedqa'), without(record, field))


@pytest.mark.parametrize(
    ('record', 'field'),
    [
        (flat(7, context=''), 'context'), (flat(7, context=' \n'), 'context'), (flat(7, context=None), 'context'),
        (flat(7, context=['a']), 'context'), (flat(7, context=3), 'context'), (flat(7, question=''), 'question'),
        (flat(7, question=3), 'question'), (flat(7, reasoning=3), 'reasoning'),
        (official(7, CONTEXTS=[]), 'CONTEXTS'), (official(7, CONTEXTS=['', ' ']), 'CONTEXTS'),
        (official(7, CONTEXTS='one text'), 'CONTEXTS'), (official(7, CONTEXTS=[1]), 'CONTEXTS.0'),
        (official(7, QUESTION=' '), 'QUESTION'), (official(7, LONG_ANSWER=3), 'LONG_ANSWER'),
        (official(7, id=''), 'id'), (official(7, id=True), 'id'), (official(7, id=['7']), 'id'),
        (labelled(7, context={}), 'context.contexts'), (labelled(7, context={'contexts': []}), 'context.contexts'),
        (labelled(7, context={'contexts': 'text'}), 'context.contexts'), (labelled(7, context='text'), 'context'),
        (labelled(7, pubid=None), 'pubid'), (labelled(7, pubid=7.5), 'pubid'), (labelled(7, question=''), 'question'),
    ],
)  # fmt: skip
def test_an_empty_field_or_a_wrong_type_is_an_error(record: Dict[str, Any], field: str) -> None:
    with pytest.raises(RecordError, match=f"^pubmedqa: record .*field '{field}': "):
        read_question(RecordChecker('pubmedqa'), record)


@pytest.mark.parametrize('record', [[], 'text', None, 3])
def test_something_other_than_an_object_is_an_error(record: Any) -> None:
    with pytest.raises(RecordError, match='the record itself'):
        read_question(RecordChecker('pubmedqa'), record)


def test_the_error_names_benchmark_record_and_field() -> None:
    checker = RecordChecker('pubmedqa')
    read_question(checker, flat(1))
    with pytest.raises(RecordError, match=r"^pubmedqa: record 1: field 'answer': must be yes, no or maybe \(got 'x'\)"):
        read_question(checker, flat(2, 'x'))
    with pytest.raises(RecordError, match=r"^pubmedqa: record '77' \(index 2\): field 'CONTEXTS': holds no text"):
        read_question(checker, official(3, id='77', CONTEXTS=[]))
    with pytest.raises(RecordError, match=r"^pubmedqa: record 78 \(index 3\): field 'question': is blank"):
        read_question(checker, labelled(78, question=''))


@pytest.mark.parametrize(
    ('record', 'field'), [(flat(7, id='7'), 'id'), (official(7, id='7'), 'id'), (labelled(7), 'pubid')]
)
def test_an_id_that_comes_twice_is_an_error(record: Dict[str, Any], field: str) -> None:
    checker = RecordChecker('pubmedqa')
    read_question(checker, record)
    with pytest.raises(RecordError, match=f"field '{field}': the id was already used by record 0"):
        read_question(checker, record)


def test_an_id_is_the_same_as_a_number_and_as_text() -> None:
    checker = RecordChecker('pubmedqa')
    read_question(checker, labelled(7))
    with pytest.raises(RecordError, match="field 'pubid': the id was already used by record 0"):
        read_question(checker, {**labelled(8), 'pubid': str(labelled(7)['pubid'])})


def test_an_official_record_is_told_by_any_of_its_own_fields() -> None:
    record = {'id': '7', 'final_decision': 'yes', 'LABELS': [], 'MESHES': []}
    with pytest.raises(RecordError, match=r"^pubmedqa: record '7' \(index 0\): field 'QUESTION': is missing"):
        read_question(RecordChecker('pubmedqa'), record)


def test_records_without_ids_may_be_alike() -> None:
    checker = RecordChecker('pubmedqa')
    assert read_question(checker, flat(7)) == read_question(checker, flat(7))


@pytest.mark.parametrize('record', [flat(7), official(7)])
def test_a_missing_id_is_an_error_where_ids_choose_the_questions(record: Dict[str, Any]) -> None:
    with pytest.raises(RecordError, match=r"^pubmedqa_official: record 0: field 'id': is missing"):
        read_question(RecordChecker('pubmedqa_official'), record, needs_id=True)


@pytest.mark.parametrize('record', [flat(7, id='7'), official(7, id='7'), labelled(7)])
def test_a_record_with_an_id_can_be_chosen(record: Dict[str, Any]) -> None:
    assert read_question(RecordChecker('pubmedqa_official'), record, needs_id=True).pubmed_id == '7'
