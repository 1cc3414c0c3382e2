"""What a replay gives, as plain data."""

import csv
import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TextIO


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

    def unanswered(self) -> dict[str, int]:
        """Return how many questions are unanswered for each reason, the commonest first."""
        reasons = Counter(sample.reading or 'nothing extracted' for sample in self.samples if not sample.answered)
        return dict(reasons.most_common())

    def to_json(self, ascii_only: bool = False) -> str:
        """Return the result, samples included, as a JSON object that can be written as UTF-8.

        Args:
            ascii_only: Write every other character as its JSON escape, for encodings that lack it.
        """
        text = json.dumps({**asdict(self), 'unanswered': self.unanswered()}, ensure_ascii=ascii_only, indent=2)
        # Lone surrogates come from JSON escapes, and the replacement is such an escape again: nothing is lost.
        return text.encode('utf-8', 'backslashreplace').decode('utf-8')

    def write_samples_csv(self, stream: TextIO) -> None:
        """Write one row a question.

        Args:
            stream: Opened with ``newline=''``, and with ``errors='backslashreplace'`` where replies may hold characters
                that the encoding lacks, such as lone surrogates.
        """
        names = list(dict.fromkeys(name for sample in self.samples for name in sample.scores))
        writer = csv.writer(stream)
        writer.writerow(['index', 'id', 'gold', 'reply', 'extracted', 'answered', 'reading', *names])
        for sample in self.samples:
            scores = [sample.scores.get(name, '') for name in names]
            told = [sample.index, sample.id, sample.gold, sample.reply, sample.extracted, sample.answered]
            writer.writerow([*told, sample.reading, *scores])
