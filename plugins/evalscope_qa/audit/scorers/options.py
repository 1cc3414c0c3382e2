"""What is asked of the audit of callables: plain data, before anything is imported."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT_SCORE_RANGE = (0.0, 1.0)


class ScorerError(ValueError):
    """A callable, or the file of its questions, cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class ScorerOptions:
    """Callables, and the questions that all of them are tried with."""

    scorers: Sequence[str]
    """``module:name`` or ``file.py:name`` each."""
    questions: Path
    form: str = ''
    """How they are called, a name of :data:`~.forms.FORMS`; empty to tell it from the signature."""
    score_range: tuple[float, float] = DEFAULT_SCORE_RANGE
    """The worst and the best score."""
    packages: Sequence[str] = ()
    """Packages whose functions may be named as a cause, besides that of the callable."""

    def __post_init__(self) -> None:
        for scorer in self.scorers:
            module, separator, name = scorer.rpartition(':')
            if not separator or not module or not name:
                raise ScorerError(
                    f'--scorer {scorer}: expected module:function or file.py:function, such as rewards:compute_score'
                )
            if module.endswith('.py') and not Path(module).is_file():
                raise ScorerError(f'--scorer {scorer}: there is no file {module}')
        repeated = [name for name in self.names if self.names.count(name) > 1]
        if repeated:
            raise ScorerError(f'--scorer: {repeated[0]} is named twice; name each once')
        if not self.score_range[0] < self.score_range[1]:
            least, greatest = self.score_range
            raise ScorerError(f'--score-range {least:g} {greatest:g}: expected the worst score, then the best one')

    @property
    def names(self) -> list[str]:
        """The names that the callables have as benchmarks: a file without its folder."""
        return [shown_name(scorer) for scorer in self.scorers]

    @property
    def records(self) -> dict[str, Path]:
        """The file of questions by the name of each callable."""
        return dict.fromkeys(self.names, self.questions)

    def to_dict(self) -> dict[str, Any]:
        """Return this for a process in another folder."""
        return {
            'scorers': [_absolute(scorer) for scorer in self.scorers],
            'questions': str(self.questions.resolve()),
            'form': self.form,
            'score_range': list(self.score_range),
            'packages': list(self.packages),
        }

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> 'ScorerOptions':
        return cls(**{**value, 'questions': Path(value['questions']), 'score_range': tuple(value['score_range'])})


def shown_name(scorer: str) -> str:
    """Return the name of a callable in reports.

    >>> shown_name('rewards.math:compute_score'), shown_name('src/rewards.py:compute_score')
    ('rewards.math:compute_score', 'rewards.py:compute_score')
    """
    module, separator, name = scorer.rpartition(':')
    return f'{Path(module).name}{separator}{name}'


def _absolute(scorer: str) -> str:
    module, _, name = scorer.rpartition(':')
    return f'{Path(module).resolve()}:{name}' if module.endswith('.py') else scorer
