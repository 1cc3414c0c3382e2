"""Audits what evalscope does with every reply, whatever the benchmark: it makes a model's output of it."""

import time
from collections.abc import Callable

from ..engine import MODEL
from .cases.long_replies import loops
from .results import AUDITED, FAILED, FRAMEWORK, PASSED, BenchmarkResult, Example, Finding, RuleOutcome
from .rules.robustness import describe_slow
from .scoring.growth import LIMIT
from .scoring.slow_replies import slow_replies
from .scoring.tracing import Tracer

RULE = 'speed'
"""The one rule that is tried."""


def audit_framework(step: Callable[[str, str], None] = lambda rule, reply: None) -> BenchmarkResult:
    """Time how evalscope makes a model's output of a reply, reasoning and answer.

    The other audits go round that, or they would all find the same.

    Args:
        step: Called with rule and reply before something is tried that may hang.
    """
    started = time.monotonic()
    result = BenchmarkResult(FRAMEWORK, AUDITED, source='replies on their way into evalscope, before any benchmark')
    step(RULE, '')
    for slow in slow_replies(_prepared, Tracer((FRAMEWORK,)), loops(), lambda name: step(RULE, name)):
        cause = slow.cause.name if slow.cause else 'evalscope.api.model.model_output.ModelOutput.from_content'
        location = slow.cause.location if slow.cause else ''
        detail = f'{describe_slow(slow)}. Every reply goes that way, before any benchmark scores it'
        finding = Finding(FRAMEWORK, RULE, cause, location, detail=detail, count=1)
        call = f'ModelOutput.from_content({MODEL!r}, {slow.loop.expression(slow.times)})\n# takes {LIMIT:g} s or more'
        call = f'from evalscope.api.model import ModelOutput\n{call}'
        shown = Example(slow.loop.name(slow.times), '', 'seconds', LIMIT, f'at most {LIMIT:g}', call=call)
        finding.examples = [shown]
        result.findings.append(finding)
    result.rules[RULE] = RuleOutcome(FAILED if result.findings else PASSED)
    result.seconds = round(time.monotonic() - started, 2)
    return result


def _prepared(reply: str) -> Callable[[], object]:
    from evalscope.api.model import ModelOutput

    return lambda: ModelOutput.from_content(model=MODEL, content=reply)
