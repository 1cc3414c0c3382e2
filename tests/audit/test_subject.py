"""What cannot be audited, and the reason that is given."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable

import pytest
from evalscope_qa.audit.cases.non_answers import DENIAL
from evalscope_qa.audit.cases.questions import TEXT, Question
from evalscope_qa.audit.measures import Metric
from evalscope_qa.audit.results import NOT_AUDITED
from evalscope_qa.audit.rules.table import RULES, Rule, rule
from evalscope_qa.audit.subject import Subject

NEED_A_WORKER = {
    'setup_wants_network': 'setting it up needs the network (socket.getaddrinfo',
    'question_wants_network': 'making a question needs the network (socket.getaddrinfo',
    'starts_program': 'its scoring starts another program (java)',
}
"""What only the audit hook of a worker sees."""


@pytest.fixture(scope='module')
def report(audit_in_workers: Callable[..., Any]) -> Any:
    return audit_in_workers(list(NEED_A_WORKER), workers=1, rules=['order'])


@pytest.mark.parametrize(('name', 'reason'), NEED_A_WORKER.items())
def test_what_reaches_out_of_the_process_is_the_reason(report: Any, name: str, reason: str) -> None:
    (result,) = [result for result in report.results if result.benchmark == name]
    assert (result.status, result.findings) == (NOT_AUDITED, [])
    assert reason in result.reason


@pytest.mark.parametrize(
    ('name', 'reason'),
    [
        ('setup_fails', "it cannot be set up: KeyError: 'no such setting'"),
        ('needs_package', 'it needs a package that is not installed: ImportError: `sentience` not found.'),
        ('scoring_needs_package', 'scoring needs a package that is not installed (ImportError: `sapience` not found.)'),
        ('always_fails', 'no reply could be shown to be right: RuntimeError: no scoring today'),
        ('never_right', 'no reply could be shown to be right: no reply tried scored clearly better'),
        ('credits_anything', 'no reply could be shown to be right: no reply tried scored clearly better'),
        ('grades_nothing', 'none of its metrics has a direction'),
        ('speaks', 'its replies are audio'),
        ('codes', 'its scoring runs the reply as code'),
    ],
)
def test_the_reason_says_what_is_missing(audit_here: Callable[..., Any], name: str, reason: str) -> None:
    result = audit_here(name, rules=[rule('order'), rule('no-crash')])
    assert result.status == NOT_AUDITED
    assert reason in result.reason
    assert not result.findings


def test_a_gold_outside_the_target_is_the_reason(audit_here: Callable[..., Any], tmp_path: Path) -> None:
    records = tmp_path / 'records.json'
    records.write_text('[{"question": "Which?", "choices": ["Oslo", "Lima"], "answer": ""}]')
    assert 'its gold is not in the target' in audit_here('contract_clean', records=records, rules=[]).reason


@pytest.mark.parametrize(
    ('example', 'reason'),
    [
        ({}, 'evalscope ships no example question'),
        ({'data': {'input': 3}}, 'its example gives no question: ValidationError'),
        ({'record': {'question': 'Which?'}}, "its example gives no question: KeyError: 'choices'"),
        (
            {'data': {'input': 'Which?', 'target': 'the fi… [TRUNCATED 30 more characters] …est'}},
            'the gold, or what scoring needs beside it, is cut in the example',
        ),
    ],
)
def test_an_example_that_gives_no_question_is_the_reason(
    audit_here: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, example: dict, reason: str
) -> None:
    from evalscope_qa.audit.cases import examples

    monkeypatch.setattr(examples, '_shipped_example', lambda name: example)
    result = audit_here('contract_clean', records=None, rules=[])
    assert (result.status, reason in result.reason) == (NOT_AUDITED, True), result.reason


def test_a_module_that_cannot_be_imported_is_the_reason(
    audit_here: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from evalscope.api import registry

    class Broken(dict):
        def get(self, name: str, default: Any = None) -> Any:
            raise SyntaxError('invalid syntax')

    monkeypatch.setattr(registry, 'BENCHMARK_REGISTRY', Broken())
    assert 'its module cannot be imported: SyntaxError: invalid syntax' in audit_here('broken', records=None).reason


def test_an_unknown_benchmark_is_an_error(audit_here: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match='no_such_benchmark: no benchmark of that name'):
        audit_here('no_such_benchmark', records=None)


def test_the_trouble_of_one_rule_does_not_hide_the_others(audit_here: Callable[..., Any]) -> None:
    from evalscope_qa.audit.scoring.guard import NetworkAttempt

    def raising(error: BaseException) -> Callable[..., Any]:
        def check(subject: Any) -> Any:
            raise error

        return check

    broken = [
        Rule('one', 'demand', 'fault', raising(NetworkAttempt('socket.connect refused'))),
        Rule('two', 'demand', 'fault', raising(KeyError('key'))),
    ]
    result = audit_here('breaks_non_answer', rules=[*broken, RULES[0]])
    assert result.rules['one'].reason == 'could not be tried: socket.connect refused'
    assert result.rules['two'].reason == "could not be tried: KeyError: 'key'"
    assert [finding.rule for finding in result.findings] == ['non-answer']


@pytest.mark.parametrize(('semantics', 'kinds'), [('accuracy', [DENIAL]), ('f1', [DENIAL]), ('mer', []), ('rouge', [])])
def test_a_refusal_that_names_the_gold_is_tried_but_where_whole_texts_are_compared(
    semantics: str, kinds: list[str]
) -> None:
    """An error rate finds the words of the gold in it, as it should."""
    metric = Metric('score', f'quality.{semantics}.ratio', True, True, 1.0)
    sample: Any = SimpleNamespace(choices=None)
    question = Question(sample, 'Lima', TEXT, ['Lima'], [], judged=[metric], prompt='Which?')
    adapter: Any = SimpleNamespace(prompt_template='{question}')
    scorer: Any = None
    subject = Subject('capitals', adapter, scorer, '', [question], [question], [])
    assert [canned.kind for canned in subject.non_answers(question) if 'Lima' in canned.text] == kinds
