"""What reading a reply gives: the answer, and the rule that found it or the reason why there is none."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Answer = TypeVar('Answer')


@dataclass(frozen=True)
class Reading(Generic[Answer]):
    """A reply as read."""

    answer: Answer | None
    """What the reply answers; None where it is unanswered."""
    rule: str = ''
    """Name of the rule that read the answer, or the reason why there is none; empty where the reader names none."""

    @property
    def answered(self) -> bool:
        """Whether the reply holds an answer."""
        return self.answer is not None
