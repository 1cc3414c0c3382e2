"""Which credited replies become findings: of each kind, also beside others, and on what condition."""

from types import SimpleNamespace
from typing import Any

import pytest
from evalscope.api.dataset import Sample
from evalscope_qa.audit.cases.non_answers import BLANK, ECHO, HEDGE, REFUSAL, CannedReply
from evalscope_qa.audit.cases.questions import LETTER, Question
from evalscope_qa.audit.rules import findings
from evalscope_qa.audit.rules.effects import AmongTen
from evalscope_qa.audit.rules.findings import FailingCases
from evalscope_qa.audit.rules.single_replies import _REPEATED, _by_turns, _example_in
from evalscope_qa.audit.scoring.tracing import Cause

QUESTION = Question(Sample(input='question', target='A'), 'A (wool)', LETTER, ['A', 'wool'], ['B'])


def earning(kind: str, *texts: str) -> list[Any]:
    return [(CannedReply(text, kind), None, None) for text in texts]


def test_short_replies_of_each_kind_come_first() -> None:
    cases = [*earning(REFUSAL, 'I do not know.', 'No.'), *earning(BLANK, ' ', ''), *earning(HEDGE, 'A or B')]
    texts = [canned.text for canned, _, _ in _by_turns(cases)]
    assert texts == ['', 'No.', 'A or B', ' ', 'I do not know.']


@pytest.mark.parametrize(
    ('text', 'kind', 'condition'),
    [
        ('Choose one.\nExample:\n答：[A]\nNow yours:', ECHO, _REPEATED),
        ('Choose one.\nAnswer: wool', ECHO, _REPEATED),
        ('Choose one.\n(A)', ECHO, _REPEATED),
        ('Choose one.\nA. wool\nB. copper', ECHO, ''),
        ('Choose one.\nAnswer: B', ECHO, ''),
        ('The last line must be ANSWER: [LETTER].', ECHO, ''),
        ('Answer: A', REFUSAL, ''),
    ],
)
def test_a_prompt_with_an_example_that_answers_so_is_a_condition(text: str, kind: str, condition: str) -> None:
    assert _example_in(CannedReply(text, kind), QUESTION) == condition


@pytest.mark.parametrize(
    ('kind', 'share', 'found'),
    [
        (HEDGE, 0.49, False),
        (HEDGE, 0.5, True),
        (HEDGE, -0.2, False),
        (HEDGE, None, True),
        (HEDGE, float('nan'), True),
        (BLANK, 0.02, True),
        (BLANK, 0.0, False),
    ],
)
def test_a_reply_must_earn_beside_others_what_it_earns_alone(
    kind: str, share: float | None, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: Any = SimpleNamespace(reply='A, B')
    monkeypatch.setattr(findings, 'effect', lambda *arguments: AmongTen(shown, share))
    subject: Any = SimpleNamespace(benchmark='bench', description='')
    cases = FailingCases(subject, 'non-answer')
    cases.add(Cause('package.parse'), 'A, B', 'A', 'f1', 1.0, '0', kind=kind, question=QUESTION)
    assert [finding.effect for finding in cases] == ([shown] if found else [])
