"""The three published forms of a PubMedQA record, and the one question that each becomes."""

from dataclasses import dataclass
from typing import Annotated, Any, Dict, List, Optional, Tuple, Type, Union

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from ..records import RecordChecker
from .scoring import CLASSES


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError('is blank')
    return text


def _passages(texts: List[str]) -> List[str]:
    if not ''.join(texts).strip():
        raise ValueError('holds no text')
    return texts


def _label(text: str) -> str:
    label = text.strip().upper()
    if label not in CLASSES:
        raise ValueError('must be yes, no or maybe')
    return label


def _identifier(value: Any) -> Any:
    """PubMed ids come as numbers in one form and as strings in the other."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_Text = Annotated[str, AfterValidator(_not_blank)]
_Passages = Annotated[List[str], AfterValidator(_passages)]
_Label = Annotated[str, AfterValidator(_label)]
_PubMedId = Annotated[str, BeforeValidator(_identifier), AfterValidator(_not_blank)]


@dataclass(frozen=True)
class Question:
    """One PubMedQA question."""

    pubmed_id: Optional[str]
    """None where the record has none, as in the hub dataset of the built-in benchmark."""
    abstract: str
    """Without its conclusion; passages are joined by one space."""
    question: str
    gold: str
    """YES, NO or MAYBE."""
    reasoning: str
    """The annotators' or authors' conclusion; empty where the record has none."""


class HubRecord(BaseModel):
    """A row of ``extraordinarylab/pubmed-qa``, the hub dataset of evalscope's built-in benchmark."""

    model_config = ConfigDict(strict=True)

    context: _Text
    question: _Text
    answer: _Label
    reasoning: Optional[str] = None
    id: Optional[_PubMedId] = None

    def to_question(self) -> Question:
        """Return what the benchmark needs of the record."""
        return Question(self.id, self.context, self.question, self.answer, self.reasoning or '')


class OfficialRecord(BaseModel):
    """An entry of ``ori_pqal.json`` of https://github.com/pubmedqa/pubmedqa, with its key as ``id``."""

    model_config = ConfigDict(strict=True)

    id: Optional[_PubMedId] = None
    QUESTION: _Text
    CONTEXTS: _Passages
    final_decision: _Label
    LONG_ANSWER: Optional[str] = None

    def to_question(self) -> Question:
        """Return what the benchmark needs of the record."""
        return Question(self.id, ' '.join(self.CONTEXTS), self.QUESTION, self.final_decision, self.LONG_ANSWER or '')


class _LabelledContext(BaseModel):
    model_config = ConfigDict(strict=True)

    contexts: _Passages


class LabelledRecord(BaseModel):
    """A row of ``qiaojin/PubMedQA``, configuration ``pqa_labeled``."""

    model_config = ConfigDict(strict=True)

    pubid: _PubMedId
    question: _Text
    context: _LabelledContext
    final_decision: _Label
    long_answer: Optional[str] = None

    def to_question(self) -> Question:
        """Return what the benchmark needs of the record."""
        abstract = ' '.join(self.context.contexts)
        return Question(self.pubid, abstract, self.question, self.final_decision, self.long_answer or '')


class IdentifiedHubRecord(HubRecord):
    """:class:`HubRecord` where the id decides whether a question is asked."""

    id: _PubMedId


class IdentifiedOfficialRecord(OfficialRecord):
    """:class:`OfficialRecord` where the id decides whether a question is asked."""

    id: _PubMedId


PublishedRecord = Union[HubRecord, OfficialRecord, LabelledRecord]


_OFFICIAL_FIELDS = frozenset({'QUESTION', 'CONTEXTS', 'LABELS', 'MESHES', 'YEAR', 'LONG_ANSWER'})


def _form(record: Any, needs_id: bool) -> Tuple[Type[PublishedRecord], str]:
    """Tell the form of a record from the fields that no other form has; return its schema and the name of its id."""
    fields = record if isinstance(record, dict) else {}
    if not _OFFICIAL_FIELDS.isdisjoint(fields):
        return (IdentifiedOfficialRecord if needs_id else OfficialRecord), 'id'
    if 'pubid' in fields or 'final_decision' in fields or isinstance(fields.get('context'), dict):
        return LabelledRecord, 'pubid'
    return (IdentifiedHubRecord if needs_id else HubRecord), 'id'


def read_question(checker: RecordChecker, record: Dict[str, Any], needs_id: bool = False) -> Question:
    """Convert a record of any of the three forms.

    Args:
        checker: The checker of the load that the record belongs to.
        record: The record as published.
        needs_id: Whether a record without a PubMed id is malformed.

    Raises:
        RecordError: If a field is missing, blank or of the wrong type, the label is none of the three, or the PubMed id
            came before.
    """
    schema, id_field = _form(record, needs_id)
    return checker.check(schema, record, id_field=id_field).to_question()
