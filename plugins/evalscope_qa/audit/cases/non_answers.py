"""Canned replies that answer nothing, name two answers at once, or stop before the answer.

No text here may hold an answer by accident of meaning: a reader must agree that nothing was answered. That a parser
takes the ``I`` of "I cannot answer" for option I is what the audit looks for.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .formats import ANSWER, fill

EMPTY = 'empty'
BLANK = 'blank'
REFUSAL = 'refusal'
UNDETERMINED = 'undetermined'
HEDGE = 'hedge'
ECHO = 'echo'
CUT_OFF = 'cut off'
GUESS = 'guess'
"""Cut off too, with an explicit first guess in the requested format."""
DENIAL = 'denial'


@dataclass(frozen=True)
class CannedReply:
    """A reply and what it is."""

    text: str
    kind: str


_BLANK = ('', ' ', '\n\n', '\t \n')
_EMPTY = ('.', '...', '-', '**', '```\n```')

_REFUSALS = (
    'I cannot answer this question.',
    "I'm sorry, but I can't help with that.",
    'As an AI language model, I am not able to answer this question.',
    'A definitive answer cannot be given.',
    'Apologies, this request cannot be completed.',
    'But no answer can be given here.',
    'Failed to generate a response.',
    'Error: the model returned no content.',
    'Giving an answer would be irresponsible.',
    'Just guessing would not help you.',
    'Kindly provide the missing material first.',
    'My apologies, this is beyond what can be answered.',
    'No answer.',
    'No conclusion can be drawn.',
    'Please provide more context.',
    'Request timed out.',
    'Sorry, no answer.',
    'We do not give answers to this kind of question.',
    'You have not given enough material to answer.',
    '抱歉，我无法回答这个问题。',
    '作为一个AI语言模型，我无法回答这个问题。',
    '对不起，我不能提供答案。',
    '请提供更多信息。',
    '暂无回答。',
)

_UNDETERMINED = (
    'Cannot be determined.',
    "Don't know.",
    'Every possibility remains open.',
    'Hard to say.',
    'I do not know.',
    'Insufficient information.',
    'Left unanswered.',
    'Not enough information to decide.',
    'Opinions differ, so this stays open.',
    'Quite impossible to tell.',
    'The question cannot be answered from what is given.',
    'Unable to determine the answer.',
    'Unknown.',
    'Very difficult to tell from the given information.',
    'It depends.',
    'Based on the given information, nothing can be concluded.',
    'Considering everything, there is no way to tell.',
    'Difficult to tell.',
    '无法确定。',
    '信息不足，无法判断。',
    '我不知道。',
    '很难说。',
    '不确定。',
    '题目条件不足，没有办法得出答案。',
)

_ABSTENTION = re.compile(
    r"can ?not\b|can['’]?t\b|could not|unable|not enough|not sufficient|insufficient|inadequate|unknown|undetermined|"
    r'indeterminate|unanswerable|no answer|not answer|none\b|neither|uncertain|unclear|not sure|not given|'
    r'not mentioned|not stated|not provided|no information|depends?\b|all of the|neutral|impossible|difficult to|'
    r'无法|不能|不确定|不知道|未提及|没有提到|没有答案|不足|以上都|都不|都是|无答案|难以|中立',
    re.IGNORECASE,
)


def non_answers() -> list[CannedReply]:
    """Return the replies, in English and Chinese, that answer nothing whatever was asked."""
    return [
        *(CannedReply(text, BLANK) for text in _BLANK),
        *(CannedReply(text, EMPTY) for text in _EMPTY),
        *(CannedReply(text, REFUSAL) for text in _REFUSALS),
        *(CannedReply(text, UNDETERMINED) for text in _UNDETERMINED),
    ]


def is_abstention(gold: str) -> bool:
    """Whether a gold answer itself says that there is none ('data inadequate'), so that declining may be right.

    >>> is_abstention('data inadequate'), is_abstention('以上都不对'), is_abstention('42')
    (True, True, False)
    """
    return _ABSTENTION.search(gold) is not None


def hedges(gold: str, other: str) -> list[CannedReply]:
    """Return replies that name two answers, in both orders, and settle on neither.

    >>> hedges('A', 'C')[0].text
    'It is either A or C.'
    """
    texts = []
    for first, second in ((gold, other), (other, gold)):
        texts += [
            f'It is either {first} or {second}.',
            f'It could be {first}, but it could just as well be {second}.',
            f'可能是{first}，也可能是{second}。',
        ]
    return [CannedReply(text, HEDGE) for text in texts]


_DECLINED = ('A definitive answer cannot be determined.', 'I cannot answer this question.', '无法确定')


def non_answers_in_format(form: str) -> list[CannedReply]:
    """Return replies that keep the requested format and answer nothing.

    >>> non_answers_in_format('ANSWER: {answer}')[0].text
    'ANSWER: A definitive answer cannot be determined.'

    Args:
        form: A format with ``{answer}``; one that is nothing but the answer gives none, being the bare replies.
    """
    return [] if form == ANSWER else [CannedReply(fill(form, text), UNDETERMINED) for text in _DECLINED]


def replies_that_name_and_do_not_answer(options: Sequence[str], gold: str, form: str) -> list[CannedReply]:
    """Return replies that name the gold answer and do not give it: a refusal, a denial, and every option at once.

    Args:
        options: All options, in order; the gold is one of them.
        gold: The right one.
        form: A format that works.
    """
    return [
        CannedReply(f'I cannot tell whether it is {gold}.', DENIAL),
        CannedReply(f'It is not {gold}.', DENIAL),
        CannedReply(fill(form, f'not {gold}'), DENIAL),
        CannedReply(fill(form, ', '.join(options)), HEDGE),
    ]


def every_option(options: Sequence[str], form: str) -> CannedReply:
    """Return the reply that names every option where only some are right."""
    return CannedReply(fill(form, ''.join(options)), HEDGE)


_INSTRUCTION = re.compile(r'answer|format|boxed|letter|option|respon[sd]|答案|格式|回答|选项', re.IGNORECASE)
_FIELD = re.compile(r'(?<!\{)\{[^{}]*\}(?!\})')
_SENTENCE_END = re.compile(r'(?<=[.。!?！？])\s*(?=[A-Z一-鿿"“\'])')


def echoes(template: str, letters: Sequence[str]) -> list[CannedReply]:
    """Return the lines and sentences of a prompt template that tell how to answer, as a model that only repeats them.

    Args:
        template: evalscope's prompt template with its fields; the question and the choices are left out.
        letters: The letters of the choices, where there are any.
    """
    texts: dict[str, None] = {}
    for line in template.replace('{letters}', ','.join(letters)).split('\n'):
        if not _INSTRUCTION.search(line):
            continue
        fixed = _FIELD.sub('', line).replace('{{', '{').replace('}}', '}').strip()
        # A line that is nothing but a label before a field ('Answer:') instructs nobody.
        texts.update(dict.fromkeys(piece for piece in (fixed, *_sentences(fixed)) if len(piece) > 20))
    return [CannedReply(text, ECHO) for text in texts]


def _sentences(line: str) -> list[str]:
    return [piece.strip() for piece in _SENTENCE_END.split(line) if _INSTRUCTION.search(piece)]


def cut_off_replies(gold: str, others: Sequence[str], right_reply: str, kind: str) -> list[CannedReply]:
    """Return replies of a model that was stopped while reasoning, before it gave an answer.

    Args:
        gold: The right answer: a letter, a label, a number or a text.
        others: Other answers, best first; may be empty.
        right_reply: A reply that earns full credit; here it is a first guess inside the reasoning.
        kind: ``letter`` and ``label`` are named in passing too; a letter also in prose without a reasoning tag, where a
            label alone might be taken for the answer.
    """
    texts = [
        f'<think>\nMy first guess would be this:\n{right_reply}\nBut wait, that is only a guess, so I have to check',
        f'<think>\nLet me think. It might be {gold}, or something else entirely. To find out, we have to look at',
    ]
    if kind in ('letter', 'label'):
        other = others[0] if others else 'another one'
        texts.append(f'<think>\nSuppose it were {other}. Then this would not fit. Now suppose it were {gold}. Then')
    if kind == 'letter':
        texts.append(f'Let me check every option in turn. First, suppose that it were {gold}')
    return [CannedReply(text, GUESS if number == 0 else CUT_OFF) for number, text in enumerate(texts)]
