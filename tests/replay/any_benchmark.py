"""Records, replies and settings of each shipped benchmark, and of one of evalscope's, whose scores are kept whole."""

from typing import Any

from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks

BENCHMARKS = [*shipped_benchmarks(), 'arc']
CHOICES = {
    'choices': {'text': ['iron', 'oxygen'], 'label': ['A', 'B']},
    'answerKey': 'A',
    'question': 'Which is a metal?',
}


def inputs_of(benchmark: str) -> tuple[list[Any], list[Any], dict[str, Any]]:
    """Return records, replies and the settings that ``--dataset-args`` would hold."""
    if benchmark == 'arc':
        return (
            [{**CHOICES, 'id': str(number)} for number in range(10)],
            ['ANSWER: A', 'ANSWER: B', None, '', 'oxygen'] * 2,
            {},
        )
    files = sample_files(benchmark)
    return read_records(files.records), read_replies(files.replies), files.dataset_args
