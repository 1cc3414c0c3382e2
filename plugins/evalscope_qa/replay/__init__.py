"""Replays replies that are already there: scores them offline, and shows it on the samples that the package ships."""

from .replies import read_replies
from .results import ReplayedSample, ReplayResult
from .scoring import ReplayInterrupted, Reply, replay

__all__ = ['ReplayInterrupted', 'ReplayResult', 'ReplayedSample', 'Reply', 'read_replies', 'replay']
