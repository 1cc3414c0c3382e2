"""Tells which benchmarks of evalscope score more than the text of a reply: those no canned reply can be scored by."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta

_OTHER_REPLIES = {
    'ImageEditAdapter': 'its replies are images',
    'Text2ImageAdapter': 'its replies are images',
    'DecisionAdapter': "its replies are a decision service's probabilities",
    'AgentAdapter': 'its replies are the actions of an agent',
    'MultiTurnAdapter': 'its replies are a conversation of several turns',
}
"""evalscope's adapters of replies that are no text, by the names of their classes."""


def why_more_than_text(meta: 'BenchmarkMeta') -> str | None:
    """Return why a benchmark's score needs more than the text of a reply; None where it does not.

    Args:
        meta: evalscope's metadata of the benchmark.
    """
    bases = {cls.__name__ for cls in meta.data_adapter.__mro__}
    tags = {str(tag) for tag in meta.tags or []}
    policy = getattr(meta.data_adapter, 'scoring_policy', None)
    if policy is not None and not policy.rule_supported:
        return 'its score needs a judge model'
    if bases & {'CodeExecutionSandboxMixin', 'SandboxMixin'} or 'Coding' in tags or meta.sandbox_config:
        return 'its scoring runs the reply as code'
    for base, reason in _OTHER_REPLIES.items():
        if base in bases:
            return reason
    return 'its replies are audio' if 'TextToSpeech' in tags else None
