"""Parts of the audit apart: how far a reply moves a score, how an example is told, what is named where no call is."""

from types import SimpleNamespace
from typing import Any

import pytest
from evalscope.api.dataset import Sample
from evalscope_qa.audit.cases.gold_sets import without_each_set
from evalscope_qa.audit.report.examples import example_text
from evalscope_qa.audit.results import Example
from evalscope_qa.audit.rules import ten_questions
from evalscope_qa.audit.rules.effects import effect
from evalscope_qa.audit.rules.robustness import check_no_code, check_speed
from evalscope_qa.audit.scoring import credit, reproduction
from evalscope_qa.audit.scoring.tracing import Cause

EXAMPLE = Example('silence', 'right', 'accuracy', 1.0, '0')
QUESTION: Any = SimpleNamespace(sample='sample', right='right', wrong='wrong', gold='right')


def subject(lost: str = '', metric: str = 'accuracy') -> Any:
    """A benchmark that credits every reply but the wrong one, and leaves one reply out."""

    def score(sample: str, reply: str) -> Any:
        return SimpleNamespace(score=None if reply == lost else float(reply != 'wrong'))

    def aggregate(scores: list[float]) -> dict[str, Any]:
        return {metric: SimpleNamespace(value=sum(scores) / len(scores))}

    scorer = SimpleNamespace(score=score, aggregate=aggregate, numbered=lambda score, number: score)
    return SimpleNamespace(scorer=scorer, questions=[QUESTION])


def test_an_effect_is_of_ten_replies_and_of_two_beside_eight_right_ones() -> None:
    found = effect(subject(), QUESTION, 'silence', EXAMPLE)
    assert found is not None
    assert list(vars(found.shown).values())[2:] == [1.0, 0.0, 1.0, 0.8, 'right', 1]
    assert found.share == pytest.approx(1.0)


def test_a_question_of_which_the_gold_was_made_up_is_among_the_ten() -> None:
    made_up: Any = SimpleNamespace(sample='The', right='The', wrong='wrong', gold='The')
    tried = subject()
    tried.scorer.score = lambda sample, reply: SimpleNamespace(score=float(reply == sample or sample == 'The'))
    found = effect(tried, made_up, 'silence', EXAMPLE)
    assert found is not None
    assert (found.shown.always, found.shown.always_wrong, found.shown.golds) == (0.5, 0.5, 2)
    assert found.share is None


@pytest.mark.parametrize('broken', [subject(lost='silence'), subject(metric='f1')])
def test_there_is_no_effect_where_a_question_is_lost_or_the_metric_is_not_reported(broken: Any) -> None:
    assert effect(broken, QUESTION, 'silence', EXAMPLE) is None


def test_what_any_rule_saw_started_or_stopped_is_found_by_the_rule_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('evalscope_qa.audit.rules.robustness.slow_replies', lambda *arguments: [])
    program = SimpleNamespace(cause=None, program='/usr/bin/latex', seconds=0.1)
    long = SimpleNamespace(cause=Cause('package.loop', 'file.py:1'), seconds=6.2)
    quiet = SimpleNamespace(ran_reply=False)
    scorer = SimpleNamespace(
        adapter=SimpleNamespace(name='bench'),
        programs=[('gold', 'a reply', program)],
        stops=[('gold', 'a long reply', long), ('gold', 'short', long)],
        scoring_owner=lambda: Cause('package.score', 'file.py:2'),
        score_as_run=lambda sample, reply: quiet,
        tracer=None,
    )
    tried: Any = SimpleNamespace(
        scorer=scorer, questions=[QUESTION], formats=[], progress=print, benchmark='bench', description=''
    )
    (started,) = check_no_code(tried)
    assert (started.cause, started.examples[0].reply) == ('package.score', 'a reply')
    (stopped,) = check_speed(tried)
    assert (stopped.cause, stopped.examples[0].reply) == ('package.loop', 'short')


@pytest.mark.parametrize(
    ('example', 'text'),
    [
        (EXAMPLE, '"silence" where the gold is "right" scores 1 on accuracy; allowed: 0'),
        (Example('x', '', 'seconds', 1.5, 'at most 1'), '"x" takes 1.5 s or more; allowed: at most 1'),
        (Example('x', '', '', None, 'a score'), '"x"; allowed: a score'),
    ],
)
def test_an_example_is_told_in_a_sentence(example: Example, text: str) -> None:
    assert example_text(example) == text


@pytest.mark.parametrize('target', ['{"answers": ["a"', '["a"]', 'text', ['a']])
def test_only_a_gold_that_is_a_json_object_has_sets_to_empty(target: Any) -> None:
    assert list(without_each_set(Sample(input='question', target=target))) == []


class Incomparable:
    """Something of another package whose comparison raises."""

    def __eq__(self, other: object) -> bool:
        raise TypeError

    __hash__ = None  # type: ignore[assignment]


def test_results_that_cannot_be_compared_are_not_the_same_and_unknown_functions_are_none() -> None:
    assert not reproduction._same(Incomparable(), Incomparable())
    assert reproduction._same([1], [1])
    assert reproduction._function('no_such_package.module.function') is None


def test_a_cause_that_no_call_shows_is_the_owner_of_the_aggregation() -> None:
    owner = Cause('package.aggregate', 'file.py:3')
    lost = SimpleNamespace(score=None)
    scorer = SimpleNamespace(score=lambda sample, reply: lost, aggregation_owner=lambda: owner)
    tried: Any = SimpleNamespace(scorer=scorer)
    assert ten_questions._owner(tried, [QUESTION], ['right'], 'accuracy', 0.5) == owner


def test_a_credit_that_no_call_gives_is_the_owners_of_scoring() -> None:
    owner = Cause('package.score', 'file.py:2')
    metric: Any = SimpleNamespace(name='accuracy')
    outcome: Any = SimpleNamespace(extracted='silence', metrics={'accuracy': SimpleNamespace(value=1.0)})
    scorer: Any = SimpleNamespace(
        trace=lambda sample, reply: ([], outcome), score=lambda sample, reply: outcome, scoring_owner=lambda: owner
    )
    question: Any = SimpleNamespace(sample='sample', right='right', wrong='wrong', answers=['right'])
    assert credit.credit_cause(scorer, question, 'silence', outcome, metric) == owner
