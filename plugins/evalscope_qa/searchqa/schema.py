"""The published record of SearchQA in its MRQA 2019 form."""

from typing import Annotated, List, Optional

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError('is blank')
    return text


class SearchQARecord(BaseModel):
    """One clue with its search passages and gold answers; further fields, such as ``labels``, are not read."""

    model_config = ConfigDict(strict=True, frozen=True)

    context: str
    """Passages after ``[DOC]`` markers, with ``[TLE]`` (title) and ``[PAR]`` (paragraph) inside."""
    question: Annotated[str, AfterValidator(_not_blank)]
    """The clue."""
    answers: Annotated[List[str], Field(min_length=1)]
    """Gold answers, any of which is right."""
    key: Optional[str] = None
    """The dataset's name for the question, for messages."""
