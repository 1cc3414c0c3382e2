"""Replays replies that are already there: scores them offline, and shows it on the samples that the package ships."""

from .replies import Replies, SpooledReplies, read_replies, read_reply_file
from .results import ReplayedSample, ReplayResult
from .scorer import BatchScorer
from .scoring import ReplayInterrupted, Reply, replay

__all__ = [
    'BatchScorer',
    'ReplayInterrupted',
    'ReplayResult',
    'ReplayedSample',
    'Replies',
    'Reply',
    'SpooledReplies',
    'read_replies',
    'read_reply_file',
    'replay',
]
