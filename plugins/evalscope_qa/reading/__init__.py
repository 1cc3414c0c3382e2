"""How a reply is read: what a model wrote for itself, markup, and what a reading says."""

from .reasoning import strip_reasoning
from .result import Reading

__all__ = ['Reading', 'strip_reasoning']
