"""What a replay gives, as plain data."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, TextIO

from .tables import SampleTable, json_text


@dataclass(frozen=True)
class ReplayedSample:
    """One question of a replay."""

    index: int
    """Position of the question, from 0."""
    id: str
    """The record's id; the question's number where the records have none that tells them apart."""
    gold: str
    """The gold answer as evalscope shows it; several are on one line each."""
    reply: str | None
    """The reply's text; None where there was none."""
    extracted: str
    """What the adapter took for the answer; empty where it found none."""
    scores: dict[str, float]
    """The question's value of each per-question metric."""
    answered: bool
    """Whether the reply holds an answer: as the adapter says, else whether anything was extracted."""
    reading: str = ''
    """The rule by which it was read, or the reason why it is unanswered; empty where the adapter names none."""

    @property
    def reason(self) -> str:
        """Why it is unanswered; empty where it is answered."""
        return '' if self.answered else self.reading or NOTHING_EXTRACTED


NOTHING_EXTRACTED = 'nothing extracted'
"""The reason why a reply is unanswered where the adapter names none."""


@dataclass(frozen=True)
class ReplayResult:
    """What a benchmark makes of the replies."""

    benchmark: str
    evaluation_version: str
    num: int
    """Number of questions asked."""
    metrics: dict[str, float]
    """Each aggregated metric by its name in evalscope's report."""
    primary: str
    """The metric that the benchmark is known by; empty where there is none."""
    signature: str
    """The line to cite with the numbers."""
    excluded: int
    """Questions that the benchmark itself could not score and left out; none for the benchmarks of this package."""
    samples: list[ReplayedSample] = field(repr=False)
    """One a question; empty where they were handed on instead of kept."""
    reasons: dict[str, int] | None = field(default=None, repr=False)
    """How many questions are unanswered for each reason, counted as they came; None to count the samples."""

    def unanswered(self) -> dict[str, int]:
        """Return how many questions are unanswered for each reason, the commonest first."""
        counted = self.reasons
        reasons = Counter(sample.reason for sample in self.samples if sample.reason) if counted is None else counted
        return dict(Counter(reasons).most_common())

    def summary(self) -> dict[str, Any]:
        """Return everything but the samples, ready for JSON."""
        names = ('benchmark', 'evaluation_version', 'num', 'metrics', 'primary', 'signature', 'excluded')
        return {name: getattr(self, name) for name in names}

    def to_json(self, ascii_only: bool = False) -> str:
        """Return the result, samples included, as a JSON object that can be written as UTF-8.

        Args:
            ascii_only: Write every other character as its JSON escape, for encodings that lack it.
        """
        samples = [asdict(sample) for sample in self.samples]
        document = {**self.summary(), 'samples': samples, 'unanswered': self.unanswered()}
        return json_text(document, ascii_only)

    def write_samples_csv(self, stream: TextIO) -> None:
        """Write one row a question.

        Args:
            stream: Opened with ``newline=''``, and with ``errors='backslashreplace'`` where replies may hold characters
                that the encoding lacks, such as lone surrogates.
        """
        names = list(dict.fromkeys(name for sample in self.samples for name in sample.scores))
        table = SampleTable(stream, names)
        for sample in self.samples:
            table.write(sample)
