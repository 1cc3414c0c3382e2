"""How a reply is read: one core for every benchmark. ``docs/reading.md`` has the rules."""

from .echo import Prompt
from .labelled import read_label, read_letter, read_verdict
from .letter_sets import read_letters
from .proper import Proper, reply_proper
from .reasoning import strip_reasoning
from .result import Reading
from .sentence_numbers import read_listing, read_ranking
from .short_text import read_short_text

__all__ = [
    'Prompt',
    'Proper',
    'Reading',
    'read_label',
    'read_letter',
    'read_letters',
    'read_listing',
    'read_ranking',
    'read_short_text',
    'read_verdict',
    'reply_proper',
    'strip_reasoning',
]
