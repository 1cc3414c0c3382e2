"""Says numbers of things, and shows replies on one line: printable, and not longer than it helps."""

import json
import re

_RUN = re.compile(r'(.)\1{59,}', re.DOTALL)


def counted(number: int, noun: str, plural: str = '') -> str:
    """Return a number of things in words.

    >>> counted(1, 'question'), counted(2, 'question'), counted(0, 'reply', 'replies')
    ('1 question', '2 questions', '0 replies')
    """
    return f'{number} {noun}' if number == 1 else f'{number} {plural or noun + "s"}'


def describe(reply: str | None, limit: int = 300) -> str:
    """Return a reply for a report: what it is where it cannot be shown, cut where it is long or repeats itself.

    >>> describe('9' * 5000)
    "'9' repeated 5,000 times"
    """
    if reply is None:
        return '(no choice in the response)'
    if len(reply) > 50 and len(set(reply)) == 1:
        return f'{reply[0]!r} repeated {len(reply):,} times'
    reply = _RUN.sub(lambda run: f'{run[1] * 5}[… {len(run[0]):,} in all]', reply)
    return reply if len(reply) <= limit else f'{reply[:limit]}… ({len(reply):,} characters)'


def one_line(text: str) -> str:
    """Return text as one printable line: quoted, and escaped where it must be."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() or '\n' in text else ascii(text)
