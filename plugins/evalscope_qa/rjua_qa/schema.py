"""The published record of RJUA-QA, and the part of it that a reply is scored against."""

from typing import Annotated, Any, List, Optional, Union

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError('is blank')
    return text


def _utf8(text: str) -> str:
    if not text.isascii():
        try:
            text.encode('utf-8')
        except UnicodeEncodeError as error:
            raise ValueError('holds half a surrogate pair, which is no character') from error
    return text


Text = Annotated[str, AfterValidator(_utf8)]
Filled = Annotated[Text, AfterValidator(_not_blank)]


def _as_list(passages: Any) -> Any:
    return [passages] if isinstance(passages, str) else passages


class RJUAQARecord(BaseModel):
    """One consultation; further fields are not read."""

    model_config = ConfigDict(strict=True, frozen=True)

    id: Optional[Union[str, int]] = None
    """The dataset's name for the consultation, for messages."""
    question: Filled
    """What the patient asks."""
    context: Annotated[List[Text], BeforeValidator(_as_list)]
    """Passages of clinical guidelines; one passage may come as a string."""
    answer: Filled
    """The doctor's answer to the patient."""
    disease: Text
    """Diagnosed diseases, between ``、``, ``，`` or ``；``; blank or ``无`` for none."""
    advice: Text
    """Advised examinations and treatments, in the same form."""


class Gold(BaseModel):
    """What a reply is scored against; a sample's target is this as JSON."""

    model_config = ConfigDict(strict=True, frozen=True)

    answer: str
    disease: List[str]
    advice: List[str]
