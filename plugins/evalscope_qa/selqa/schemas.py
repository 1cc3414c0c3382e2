"""SelQA's published records, checked, and the gold answer of a question as the benchmarks carry it.

Data: https://github.com/emorynlp/selqa (Jurczyk et al., 2016, https://arxiv.org/abs/1606.08513).
"""

from typing import Annotated, Any, Sequence

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator

SECTIONS_PER_QUESTION = 5


def _require_text(value: str) -> str:
    if not value.strip():
        raise ValueError('is blank')
    return value


def _check_positions(answers: Sequence[int], candidates: Sequence[str]) -> None:
    for position in answers:
        if not 0 <= position < len(candidates):
            raise ValueError(f'position {position} is outside the {len(candidates)} candidates, which count from 0')
        if not candidates[position].strip():
            raise ValueError(f'position {position} is an empty candidate, which is never shown, so cannot be an answer')


class _Record(BaseModel):
    # Strict: '3' is no position and 1 is no truth value; a lenient reading would hide a broken file.
    model_config = ConfigDict(strict=True)


class _Candidates(_Record):
    candidates: list[str]
    answers: list[int]
    """Positions in ``candidates``, from 0."""

    @field_validator('answers')
    @classmethod
    def _answers_are_shown_candidates(cls, answers: list[int], info: ValidationInfo) -> list[int]:
        # Without 'candidates' that field is malformed itself, and reported first.
        if 'candidates' in info.data:
            _check_positions(answers, info.data['candidates'])
        return list(dict.fromkeys(answers))


class Section(_Candidates):
    """One of the sections of a triggering record."""

    article: str
    section: str


class _Question(_Record):
    question: Annotated[str, AfterValidator(_require_text)]
    article: str
    section: str
    topic: str
    q_types: list[str]
    is_paraphrase: bool

    def metadata(self) -> dict[str, Any]:
        """What a sample says about its question besides the answer."""
        return {name: getattr(self, name) for name in ('article', 'section', 'topic', 'q_types', 'is_paraphrase')}


class SelectionRecord(_Question, _Candidates):
    """A record of ``ass/selqa-ass-*.json``."""

    answers: list[int] = Field(min_length=1)


class TriggeringRecord(_Question):
    """A record of ``at/selqa-at-*.json``."""

    candidate_list: list[Section] = Field(min_length=SECTIONS_PER_QUESTION, max_length=SECTIONS_PER_QUESTION)


class SelectionGold(BaseModel):
    """The gold answer of a selection question, in the numbers the sentences are shown with."""

    answers: list[int]
    sentences: int
    """How many sentences are shown."""


class TriggeringGold(BaseModel):
    """The gold answer of a triggering question, in the numbers the sentences are shown with."""

    answers: list[int]
    section_sizes: list[int]
    """How many sentences are shown of each section; the numbers run through all of them."""

    @property
    def sentences(self) -> int:
        """How many sentences are shown."""
        return sum(self.section_sizes)
