"""Shows replies and golds in a report: on one line, printable, and not longer than it helps."""

import json
import re

_RUN = re.compile(r'(.)\1{59,}', re.DOTALL)


def describe(reply: str | None, limit: int = 300) -> str:
    """Return a reply for a report: what it is where it cannot be shown, cut where it is long or repeats itself."""
    if reply is None:
        return '(no choice in the response)'
    if len(reply) > 50 and len(set(reply)) == 1:
        return f'{reply[0]!r} repeated {len(reply):,} times'
    reply = _RUN.sub(lambda run: f'{run[1] * 5}[… {len(run[0]):,} in all]', reply)
    return reply if len(reply) <= limit else f'{reply[:limit]}… ({len(reply):,} characters)'


def one_line(text: str) -> str:
    """Return text as one printable line: quoted, and escaped where it must be."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() or '\n' in text else ascii(text)
