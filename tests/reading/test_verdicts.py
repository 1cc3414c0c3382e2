"""The verdict of a reply, rule by rule. A misread reply is silent: it is scored as another answer or as none."""

import re
from typing import Callable

import pytest
from evalscope_qa.reading import read_verdict
from hypothesis import example, given
from hypothesis import strategies as st

YES, NO, MAYBE, NONE = 'YES', 'NO', 'MAYBE', None

BARE = [
    ('YES', YES), ('NO', NO), ('MAYBE', MAYBE), ('yes', YES), ('no', NO), ('maybe', MAYBE), ('Yes', YES), ('yEs', YES),
    ('nO', NO), ('mayBe', MAYBE), ('Yes.', YES), ('no!', NO), ('Maybe...', MAYBE), ('  no  ', NO), ('\n\nYes\n', YES),
    ('\tmaybe\t', MAYBE), ('no,', NO), ('yes;', YES), ('', NONE), (' ', NONE), ('\n', NONE), ('.', NONE),
    ('perhaps', NONE), ('unclear', NONE), ('true', NONE), ('N/A', NONE), ('may be', NONE), ('y', NONE), ('n', NONE),
    ('nope', NONE), ('yeah', NONE),
]  # fmt: skip

MARKUP = [
    ('*yes*', YES), ('**Maybe**', MAYBE), ('***NO***', NO), ('_no_', NO), ('__Yes__', YES), ('`no`', NO),
    ('```\nmaybe\n```', MAYBE), ('```text\nYES\n```', YES), ('# Yes', YES), ('### maybe', MAYBE), ('##no', NO),
    ('## NO ##', NO), ('> no', NO), ('>> **yes**', YES), ('- Maybe', MAYBE), ('* no', NO), ('+ yes', YES), ('• no', NO),
    ('1. Yes', YES), ('2) no', NO), ('(3) maybe', MAYBE), ('a) no', NO), ('B. Yes', YES),
    ('1. **No**, it did not.', NO), ("'yes'", YES), ('"NO"', NO), ('“maybe”', MAYBE), ('‘no’', NO), ('«yes»', YES),
    ('„no“', NO), ('「YES」', YES), ('**"Yes."**', YES), ('"**no**"', NO), ('\\boxed{no}', NO),
    ('\\boxed{\\text{yes}}', YES), ('$\\boxed{\\text{ Maybe }}$', MAYBE), ('$$\\boxed{NO}$$', NO),
    ('\\boxed{\\textbf{Yes}}', YES), ('\\(\\boxed{\\mathrm{no}}\\)', NO), ('\\text{maybe}', MAYBE),
    ('\\boxed{yes', YES), ('ＮＯ', NO), ('ｙｅｓ。', YES), ('𝐌𝐀𝐘𝐁𝐄', MAYBE), ('Ⓨⓔⓢ', YES), ('\ufeffYES', YES),
    ('Y\u200bES', YES), ('no\u00a0', NO), ('(no)', NO), ('✅ Yes', YES), ('{yes}', YES), ('no\r\n', NO),
]  # fmt: skip

MARKED_LISTS = [
    ('<answer>YES / NO</answer>', NONE), ('<answer>no/yes</answer>', NONE), ('\\boxed{YES, NO}', NONE),
    ('{"answer": "yes or no"}', NONE), ('<answer>maybe, no</answer>', NONE), ('<answer>no, no</answer>', NO),
]  # fmt: skip

WHOLE_WORDS = [
    ('Yesterday', NONE), ('Nobody knows', NONE), ('Note the dose', NONE), ('NOT significant', NONE), ('noes', NONE),
    ('no-one improved', NONE), ('No-effect levels', NONE), ('a YES-man', NONE), ('a yes-no question', NONE),
    ('non-NO donors', NONE), ('no\u2011one', NONE), ('NO2 rose', NONE), ('NO₂ rose', NONE), ('eNOS and iNOS', NONE),
    ('YES_1', NONE), ('_NO_effect', NONE), ("the NO's", NONE), ('YES\u0301', NONE), ('NOé', NONE), ('Maybes', NONE),
    ('答案是NO', NO), ('结论：YES。', YES), ('是YES吗', NONE),
]  # fmt: skip

LISTS = [
    ('Yes or no', NONE), ('yes/no', NONE), ('YES / NO', NONE), ('Yes, no', NONE), ('no and yes', NONE),
    ('YES, NO and MAYBE', NONE), ('YES, NO, or MAYBE?', NONE), ('yes and/or no', NONE), ('No or maybe.', NONE),
    ('"yes" or "no"', NONE), ("'YES'/'NO'", NONE), ('**Yes** or **no**', NONE), ('`yes`, `no`', NONE),
    ('"Yes," "no," or "maybe"', NONE), ('- YES/NO', NONE), ('> YES or NO?', NONE), ('1. Yes and no.', NONE),
    ('YES|NO|MAYBE', NONE), ('YES (or NO)', NONE),
    ('Yes, no, yes', NONE), ('yes,\nno', NONE), ('Maybe/Yes', NONE), ('["YES", "NO"]', NONE),
    # A stated list conflicts with another statement, a list that is asked or labelled does not.
    ('Yes and no. The answer is yes.', NONE), ('YES/NO: NO', NO), ('YES or NO or MAYBE\n\nNO', NONE),
    ('Yes or no questions cannot be settled so. Final answer: no', NO),
    # No member of a list is a statement.
    ('It could be YES or NO.', NONE), ('Answer: yes or no', NONE), ('Answer: YES/NO', NONE),
    ('I would say yes or no', NONE), ('A simple Yes or No answer is not possible.', NONE),
    ('The answer is "yes" and "no".', NONE), ('The trial ended.\nYes/No', NONE),
    ('Options are YES, NO, MAYBE. I pick NO', NO), ('YES or NO? The data say "no".', NONE),
    ('Choose YES or NO. The data point to YES.', YES), ('Was it YES or NO? Answer: no', NO),
    ('Please answer YES or NO or MAYBE without an explanation.\nNO', NO), ('Answer (YES/NO/MAYBE): maybe', MAYBE),
    ('Between YES and NO, I would say MAYBE.', MAYBE),
    ('NO, ' * 40 + 'YES', NONE), ('Yes, ' * 31 + 'no.', NONE),
    # The keys of JSON are no members.
    ('{"answer": "no", "yes": 0.1, "maybe": 0.2}', NO), ('{"answer": "yes", "no": false}', YES),
    ("{'answer': 'maybe', 'yes': 0}", MAYBE),
    # Labels that do not differ are no list.
    ('No, no, no.', NO), ('YES, YES', YES), ('yes and yes', YES),
    # After a comma a determiner or an adverb is no label.
    ('Yes, no difference was seen in the other arm.', YES), ('No, maybe the dose was too low.', NO),
    ('Yes, and no adverse events occurred.', YES), ('Yes, no or maybe', NONE), ('Maybe, no data were shown.', MAYBE),
]  # fmt: skip

OPENING = [
    ('Yes, it did.', YES), ('yes it did', YES), ('Yes it did', YES), ('YES it did', YES), ('yes (p < 0.05)', YES),
    ('No, it did not.', NO), ('no. It did not.', NO), ('No; it did not', NO), ('No: it did not', NO), ('No! Never', NO),
    ('No - it did not', NO), ('No – it did not', NO), ('No—it did not', NO), ('no … never', NO), ('no , never', NO),
    ('No because it did not', NO), ('no since it did not', NO), ('No as it did not', NO), ('Maybe because', MAYBE),
    ('maybe since both fell', MAYBE), ('Maybe, both fell', MAYBE), ('maybe\nboth fell', MAYBE), ('No\nNo arm fell', NO),
    ('NO arm fell', NONE),
    ('NO the arm fell', NO), ('MAYBE the dose was low', MAYBE), ('NO evidence', NONE), ('**No**, it did not', NO),
    ('"No," it said', NO), ('No\u2028It did not', NO), ('Yes: no harm was seen', YES), ('YES. No harm was seen.', YES),
    ('No conclusion can be drawn.', NONE), ('no significant difference was seen', NONE),
    ('**No** significant effect', NONE), ('Maybe the dose was too low.', NONE), ('maybe it did', NONE),
    ('Maybe not.', NONE), ('No one knows', NONE), ('No 5 of the arms', NONE), ('Maybe yes, maybe no', NONE),
    ('# No conclusion', NONE), ('No asthma was seen', NONE), ('No as-treated analysis was made', NONE),
    ('Maybe as-needed dosing hid it', NONE), ('Yes, no as-treated analysis changes that.', YES),
    ('\\[\\boxed{\\text{no}}\\]\n\nThe arms did not differ.', NO),
    ('\\(\\boxed{no}\\), as the arms did not differ', NO),
]  # fmt: skip

EXPLICIT = [
    ('The answer is no.', NO), ('the final answer is maybe', MAYBE), ('My correct answer is: yes', YES),
    ('The answer would be no', NO), ('The verdict should be yes', YES), ('The conclusion is maybe.', MAYBE),
    ('Decision: no', NO), ('conclusion = yes', YES), ('Answer: maybe', MAYBE), ('Answer - no', NO), ('Answer – no', NO),
    ('Answer — no', NO), ('ANSWER IS NO', NO), ('Answer:no', NO), ('Answer-NO', NO), ('Answer : yes', YES),
    ('**Answer:** no', NO), ('**Answer**: no', NO), ('### Answer: maybe', MAYBE),
    ('Answer:\n\nno more could be learnt', NONE), ('Answer:\n- no\n- see the table', NO),
    ('Answer:\n> *maybe*\n\nas the trial was small', MAYBE), ('The answer is "no", they write', NO),
    ("The answer is 'maybe', they write", MAYBE), ('The answer is “no”, so', NO), ('the answer is `no`, so', NO),
    ('The answer is \\boxed{no} as shown', NO), ('The answer’s no, sadly', NO), ('Answer: (no) as shown', NO),
    ('Ａｎｓｗｅｒ：ｎｏ, as shown', NO), ('The answer is:\nyes, it did', YES), ('{"answer": "no"}', NO),
    ("{'answer': 'Maybe'}", MAYBE), ('{"final_answer":"yes"}', YES), ('{"verdict" : "NO"}', NO),
    ('{"finalAnswer": "no"}', NO), ('{"final_decision": "maybe", "note": "YES and more"}', MAYBE),
    ('{"answer": ["no"]}', NO), ('{\\"answer\\": \\"no\\"}', NO),
    ('```json\n{"reason": "NO effect", "answer": "yes"}\n```', YES), ('{"conclusion": "No, it did not", "n": 3}', NO),
    ('{"answer": null}', NONE), ('{"answers": "no data"}', NONE), ('I would say no, on balance', NO),
    ("I'd say maybe, on balance", MAYBE), ('I’d say yes, on balance', YES), ('i would say "no"; so', NO),
    ('I would say: no; so', NO), ('I WOULD SAY YES', YES), ('The answer to the question is yes.', YES),
    ('Our answer to this question, given the data, is no.', NO), ('The conclusion of the trial: no', NO),
    ('The answer is yes to the question', YES), ('The answer is no to the question', NO),
    ('The answer is maybe in this cohort', MAYBE), ('Answer: no because it fell', NO),
    # An answer that is a determiner or an adverb is none.
    ('The answer is no longer clear.', NONE), ('Answer: No conclusion can be drawn.', NONE),
    ('I would say no difference was seen.', NONE), ('Conclusion: Maybe the dose was too low.', NONE),
    ('Conclusion: NO difference', NONE), ('Conclusion: no in-hospital deaths occurred.', NONE),
    ('Conclusion: no at-risk group was named.', NONE), ('Conclusion: no i.v. therapy was given.', NONE),
    ('Conclusion: no in vivo effect was seen.', NONE), ('The conclusion is no a priori hypothesis held.', NONE),
    ('The answer is no in most arms.', NO), ('The answer is no after adjustment.', NO),
    ('The answer is no among women.', NO), ('The answer is maybe depending on dose.', MAYBE),
    # Other words, other verbs, nothing that introduces.
    ('Unanswered: yes here', NONE), ('In conclusion, yes it fell', NONE),
    ('The answer may be yes here', NONE), ('They say yes here', NONE), ('You would say yes here', NONE),
    ('They answer yes here', NONE), ('The answers are: yes here', YES), ('We answer yes here', YES),
    # Statements decide together or not at all, but for corrections.
    ('At first NO, then YES. Final answer: no', NO), ('The data point to YES. I would say maybe.', NONE),
    ('Answer: yes. On reflection, answer: no', NO), ('Yes. The answer is no.', NONE), ('Answer: no\n\nYes', NONE),
    ('NO. Final answer: NO.\n\n**NO**', NO), ('Yes, it fell.\n\nNo', NONE),
]  # fmt: skip

NEGATED = [
    ('The answer is not yes.', NONE), ('The answer is not YES.', NONE), ("The answer isn't yes.", NONE),
    ('The answer isn’t "yes".', NONE), ('The answer cannot be YES', NONE), ("The answer can't be NO", NONE),
    ('The answer can not be NO', NONE), ('The answer would not be MAYBE', NONE), ("The verdict shouldn't be YES", NONE),
    ('The answer is never YES', NONE), ('The answer is not a clear "yes"', NONE), ('Answer: not YES', NONE),
    ('The answer is certainly not YES', NONE), ('The answer to this is not YES', NONE), ('I would not say YES', NONE),
    ("I wouldn't say 'no'", NONE), ('The answer is not NO but YES', YES), ('The answer is not yes. Answer: no', NO),
    ('The answer is neither yes nor no', NONE), ('Not yes. The answer is maybe', MAYBE),
]  # fmt: skip

CLOSING = [
    ('The arms differed.\nyes', YES), ('The arms differed.\n\n**No.**', NO), ('The arms differed.\n> maybe', MAYBE),
    ('The arms differed.\n- no', NO), ('The arms differed.\n"No"', NO), ('The arms differed.\nno\n\n\n', NO),
    ('The arms differed.\n\nYes\n---', YES), ('The arms differed.\nno\n```', NO), ('The arms differed.\r\nno', NO),
    ('The arms differed.\n\\boxed{maybe}', MAYBE), ('The arms differed.\n# no', NO), ('The arms differed. no', NONE),
    ('The arms differed.\nno effect', NONE), ('The arms differed.\nis it no', NONE), ('It fell.\nNo?', NONE),
    ('- [x] Yes\n- [ ] No', YES), ('- [ ] Yes\n- [x] No\n- [ ] Maybe', NO), ('- [ ] Yes\n- [ ] No', NONE),
    ('☐ Yes\n☑ Maybe', MAYBE), ('* [X] no\n* [ ] yes', NO),
    ('It fell.\nno\nIt fell.', NONE), ('It fell.\nYes/No', NONE), ('Was it so?\nNO\nYES', NONE),
]  # fmt: skip

IN_PROSE = [
    ('The data point to YES.', YES), ('So it is NO then', NO), ('It is a MAYBE at best', MAYBE), ('Clearly Yes', YES),
    ('It says Yes here', NONE), ('a "no" from us', NONE), ('they said ‘maybe’ to it', NONE), ('«yes» they said', NONE),
    ('they wrote "No."', NONE), ('they wrote `maybe` there', NONE), ('"NO," they said', NO),
    ('It is YES, clearly YES', YES), ('It is YES for men, NO for women', NONE), ('a "yes" and then a "no"', NONE),
    ('Yes here, it is NO', NONE), ('There is no evidence', NONE), ('it said yes', NONE), ('I lean to No', NO),
    ('Perhaps Maybe', NONE), ('*no* evidence was **no**', NONE), ("the patients' no votes' sum", NONE),
    ('"no difference" was seen', NONE), ('the "first." no "second"', NONE), ('a yes vote', NONE),
]  # fmt: skip

REASONING = [
    ('<think>NO</think>yes', YES), ('<think>YES or NO</think>\n\nNO', NO), ('It is NO.</think>maybe', MAYBE),
    ('<think>The answer is yes', NONE), ('<THINK type="x">no</THINK>YES', YES), ('<reasoning>NO</reasoning> Yes', YES),
    ('<thinking>no</thinking>', NONE), ('YES<think>but NO', YES), ('<think></think>no', NO),
]  # fmt: skip


@pytest.mark.parametrize(
    ('reply', 'verdict'),
    [
        pytest.param(reply, verdict, id=f'{rule}-{index}-{reply[:30]!r}')
        for rule, cases in {
            'bare label': BARE,
            'markup does not matter': MARKUP,
            'whole words': WHOLE_WORDS,
            'a list in a place for the answer': MARKED_LISTS,
            'list': LISTS,
            'opening': OPENING,
            'explicit': EXPLICIT,
            'negated': NEGATED,
            'closing line': CLOSING,
            'a label in prose is no answer': IN_PROSE,
            'reasoning is no answer': REASONING,
        }.items()
        for index, (reply, verdict) in enumerate(cases)
    ],
)
def test_the_verdict(reply: str, verdict: str | None) -> None:
    assert read_verdict(reply).answer == verdict


LABELS = st.sampled_from(['yes', 'no', 'maybe'])
Case = Callable[[str], str]
CASES = st.sampled_from([str.upper, str.lower, str.capitalize])
INLINE = st.sampled_from(
    ['{}', '*{}*', '**{}**', '_{}_', '`{}`', '"{}"', "'{}'", '“{}”', '\\boxed{{{}}}', '\\text{{{}}}', '**"{}"**']
)
BEFORE_LINE = st.sampled_from(['', '# ', '### ', '> ', '>> ', '- ', '+ ', '* ', '1. ', '2) ', '> - '])


@given(LABELS, CASES, INLINE, INLINE, BEFORE_LINE, st.sampled_from(['', '.', '!', ' \n']))
def test_a_label_alone_is_the_verdict_in_any_case_and_markup(
    label: str, case: Case, inner: str, outer: str, before: str, end: str
) -> None:
    marked = outer.format(inner.format(case(label)))
    assert read_verdict(f'{before}{marked}{end}').answer == label.upper()
    assert read_verdict(f'The arms differed, they write.\n{before}{marked}{end}').answer == label.upper()


INTRODUCTIONS = st.sampled_from(['answer', 'Final answer', 'CORRECT ANSWER', 'conclusion', 'Verdict', 'decision'])
VERBS = st.sampled_from([' is ', ': ', ' = ', ' - ', ' would be ', ' should be ', ':\n', ' is:\n\n'])


@given(LABELS, CASES, INTRODUCTIONS, VERBS, INLINE, st.sampled_from(['', '.', ', they say.', ' because it fell.']))
def test_an_introduced_label_is_the_verdict_in_any_case_and_markup(
    label: str, case: Case, introduction: str, verb: str, markup: str, end: str
) -> None:
    reply = f'The arms differed. Our {introduction}{verb}{markup.format(case(label))}{end}'
    assert read_verdict(reply).answer == label.upper()


JOINTS = st.sampled_from([' and ', ' or ', '/', ', ', ' / ', ', or ', ' and/or '])


@given(st.permutations(['yes', 'no', 'maybe']), JOINTS, CASES, INLINE)
def test_labels_that_differ_and_are_joined_are_no_verdict(
    labels: list[str], joint: str, case: Case, markup: str
) -> None:
    some = joint.join(markup.format(case(label)) for label in labels[:2])
    for reply in (some, f'It could be {some}.', f'The answer is {some}', f'I would say {some}'):
        assert read_verdict(reply).answer is None


# fmt: off
PIECES = st.sampled_from([
    'yes', 'no', 'maybe', 'YES', 'NO', 'MAYBE', 'Yes', 'No', 'Maybe', 'answer', 'final answer', 'conclusion', 'is',
    'not', 'I would say', "I'd say", 'would be', 'and', 'or', 'because', 'the', 'to', ':', '=', '-', '/', ',', '.', '?',
    '"', "'", '`', '*', '**', '_', '#', '>', '(', ')', '[', ']', '{', '}', '\\boxed{', '\\text{', '\\', ' ', '  ', '\n',
    '“', '”', 'é', 'ＮＯ', '是', '<think>', '</think>',
])
# fmt: on
REPLIES = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=40).map(''.join), st.lists(PIECES).map(' '.join))


@given(REPLIES)
@example('\ud800 yes')
@example('\x00NO\x00')
@example('ꓐꓑꓒꓓꓔꓕꓖꓗꓘꓙ')
def test_any_reply_has_a_verdict_or_none(reply: str) -> None:
    assert read_verdict(reply).answer in (YES, NO, MAYBE, NONE)


@given(REPLIES)
def test_a_reply_without_a_label_has_no_verdict(reply: str) -> None:
    if not re.search('yes|no|maybe', reply, re.IGNORECASE) and reply.isascii():
        assert read_verdict(reply).answer is None


@given(st.text(alphabet='ꓐꓑꓒꓓꓔꓕꓖꓗꓘꓙ :\n"', max_size=20))
def test_letters_of_any_other_script_are_no_labels(reply: str) -> None:
    assert read_verdict(reply).answer is None


@given(REPLIES)
def test_space_around_a_reply_does_not_matter(reply: str) -> None:
    assert read_verdict(f' \n {reply} \n\n').answer == read_verdict(reply).answer


@pytest.mark.parametrize('end', ['', ' so the answer is no'])
@pytest.mark.parametrize(
    'unit',
    ['NO ', '<think>', 'answer is ', 'answer to the ', '([{', '\\boxed{', '**', '"', '" ', "' ", 'Yes/No ', 'no, ', '_',
     'a_', '\n', ' \n', '> ', '# ', '\u0301\u0316', 'ﷺ', 'ﷻ', '㌖', '- [ ] no\n', 'ＮＯ ', 'I would say '],
)  # fmt: skip
def test_a_long_reply_of_one_thing_is_read(unit: str, end: str) -> None:
    reply = unit * (200_000 // len(unit)) + end
    expected = NONE if unit == '<think>' else NO if end or unit in ('NO ', 'ＮＯ ', 'no, ') else NONE
    assert read_verdict(reply).answer == expected
