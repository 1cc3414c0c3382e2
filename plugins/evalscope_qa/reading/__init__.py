"""How a reply is read: one core for every benchmark. ``docs/reading.md`` has the rules."""

from .echo import Prompt
from .proper import Proper, reply_proper
from .reasoning import strip_reasoning
from .result import Reading

__all__ = ['Prompt', 'Proper', 'Reading', 'reply_proper', 'strip_reasoning']
