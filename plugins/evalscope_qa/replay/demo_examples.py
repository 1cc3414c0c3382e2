"""Two examples in which scorers of PubMedQA differ: which models they rank first, and which replies they credit.

Run as a module, it prints both as JSON, by whichever ``pubmedqa`` is registered.
"""

import json
from dataclasses import asdict, dataclass

from ..records import read_records
from .replies import read_replies
from .samples import PACKAGE
from .scoring import replay

_FOLDER = PACKAGE / 'pubmedqa' / 'sample'

MODELS = {'A': '8 of 10 right, abstains on 2', 'B': '9 of 10 right, 1 wrong'}
"""The models of the ranking example, whose replies are with the samples: ten questions of each class."""


@dataclass(frozen=True)
class ExampleReply:
    """A reply that any reader understands."""

    text: str
    says: str
    """The label that it commits itself to; empty for none."""
    gold: str
    """The gold label of its question; a reply that says one is right."""


REPLIES = (
    ExampleReply('No conclusion can be drawn from this abstract.', '', 'no'),
    ExampleReply('<think>At first sight YES, but I still have to check the', '', 'yes'),
    ExampleReply('YES or NO', '', 'no'),
    ExampleReply('YES', 'yes', 'yes'),
    ExampleReply('The answer is yes.', 'yes', 'yes'),
    ExampleReply('{"answer": "no"}', 'no', 'no'),
    ExampleReply('At first NO, but after adjustment it holds. Final answer: YES', 'yes', 'yes'),
)


@dataclass(frozen=True)
class Examples:
    """What the registered ``pubmedqa`` makes of the examples."""

    evaluation_version: str
    ranking: dict[str, dict[str, float]]
    """Metrics by model."""
    credited: list[bool]
    """Whether each of ``REPLIES`` is scored as right."""
    signature: str
    """The line to cite with the metrics of model A."""

    @property
    def best(self) -> str:
        """The model with the higher F1, or both."""
        highest = max(metrics['f1'] for metrics in self.ranking.values())
        return ' and '.join(model for model, metrics in self.ranking.items() if metrics['f1'] == highest)

    @property
    def credited_without_answer(self) -> int:
        """How many replies that say nothing are credited."""
        return sum(credited for credited, reply in zip(self.credited, REPLIES, strict=True) if not reply.says)

    @property
    def lost(self) -> int:
        """How many replies that say the gold label are not credited."""
        return sum(not credited for credited, reply in zip(self.credited, REPLIES, strict=True) if reply.says)


def score_examples() -> Examples:
    """Replay the examples through the registered ``pubmedqa``."""
    records = read_records(_FOLDER / 'ranking_records.jsonl')
    models = {
        model: replay('pubmedqa', records, read_replies(_FOLDER / f'ranking_replies_{model.lower()}.jsonl'))
        for model in MODELS
    }
    questions = [
        {'question': f'Question {number}?', 'context': 'An abstract.', 'answer': reply.gold, 'reasoning': ''}
        for number, reply in enumerate(REPLIES, start=1)
    ]
    replies = replay('pubmedqa', questions, [reply.text for reply in REPLIES])
    return Examples(
        evaluation_version=models['A'].evaluation_version,
        ranking={model: result.metrics for model, result in models.items()},
        credited=[next(iter(sample.scores.values())) == 1.0 for sample in replies.samples],
        signature=models['A'].signature,
    )


def main() -> None:
    print(json.dumps(asdict(score_examples())))


if __name__ == '__main__':
    main()
