"""SearchQA: answer Jeopardy! clues from search snippets, scored by exact match, token F1 and sub-EM."""

from typing import Any, ClassVar, Dict, List, Sequence, Tuple

from evalscope.api.benchmark import BenchmarkMeta
from evalscope.api.dataset import Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import Score
from evalscope.api.registry import register_benchmark

from ..benchmark_base import HUGGING_FACE, QuestionAnsweringAdapter
from ..reading import Reading, read_short_text
from .context import check_max_context_chars, cut_context
from .local_files import SPLIT_FILES
from .schema import SearchQARecord
from .scoring import METRICS, aggregate_answers, score_answer

DEFAULT_MAX_CONTEXT_CHARS = 6000

_REQUEST = (
    'Answer the question with the help of the context. '
    'Put the short answer, and nothing else, inside <answer></answer>.'
)

PROMPT_TEMPLATE = f"""{{question}}

{_REQUEST}"""

FEW_SHOT_PROMPT_TEMPLATE = f"""Here are questions with their answers.

{{fewshot}}

Now the question to answer.

{{question}}

{_REQUEST}"""

DESCRIPTION = """
## Overview

SearchQA (Dunn et al., 2017) pairs Jeopardy! clues with snippets that a search engine returned for them. It is used here
in the form of the MRQA 2019 shared task.

## Task Description

- **Task Type**: Open-domain question answering over retrieved passages
- **Input**: Search passages after `[DOC]` markers, then the clue
- **Output**: A short answer inside `<answer></answer>`

## Key Features

- 16,980 questions of the `validation` split; the dataset has no test split
- Loaded from Hugging Face unless `dataset_hub` is set; `local_path` takes JSONL or parquet, a file or a folder
- Context cut at a passage boundary to `max_context_chars` characters
- Few-shot examples come from the `train` split

## Evaluation Notes

- Primary metric: **exact match** after SQuAD normalisation; each metric is the best over the gold answers
- Also token **F1**, and **sub-EM**: one answer contains the other, which an empty text never does
- An unanswered reply scores 0 on every metric, stays in the denominator, and is counted in `unanswered_ratio`
"""


@register_benchmark(
    BenchmarkMeta(
        name='searchqa',
        evaluation_version='v1.0',
        pretty_name='SearchQA',
        tags=['QA', 'ReadingComprehension', 'Retrieval'],
        description=DESCRIPTION,
        paper_url='https://arxiv.org/abs/1704.05179',
        dataset_id='lucadiliello/searchqa',
        metric_list=[*METRICS, 'unanswered_ratio'],
        primary_metric='exact_match',
        few_shot_num=0,
        train_split='train',
        eval_split='validation',
        prompt_template=PROMPT_TEMPLATE,
        few_shot_prompt_template=FEW_SHOT_PROMPT_TEMPLATE,
        extra_params={
            'max_context_chars': {
                'type': 'int',
                'description': 'Most characters of context in a prompt; cut at a [DOC] boundary. 0 for no cut.',
                'value': DEFAULT_MAX_CONTEXT_CHARS,
            }
        },
    )
)
class SearchQAAdapter(QuestionAnsweringAdapter):
    """Reads SearchQA's records and scores replies to its questions."""

    split_files = SPLIT_FILES
    score_fields_aggregated = ('value', 'metadata')
    judge_metric_name = METRICS[0]
    question_metrics: ClassVar[Dict[str, str]] = dict(zip(METRICS, METRICS, strict=True))
    home_hub = HUGGING_FACE

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # An empty 'extra_params' of the user's replaces the declared ones.
        max_context_chars = self.extra_params.get('max_context_chars', DEFAULT_MAX_CONTEXT_CHARS)
        self._max_context_chars = check_max_context_chars(max_context_chars)

    def record_to_sample(self, record: Dict[str, Any]) -> Sample:
        """Convert a published record.

        Raises:
            RecordError: If the record is malformed.
        """
        checked = self._checker.check(SearchQARecord, record, id_field='key', unique_id=False)
        context = cut_context(checked.context, self._max_context_chars)
        return Sample(
            input=f'Context:\n{context}\n\nQuestion: {checked.question}',
            target=checked.answers,
            metadata={'key': checked.key, 'question': checked.question},
        )

    def sample_to_fewshot(self, sample: Sample) -> str:
        """Show a question with the first of its gold answers."""
        return f'{sample.input}\n<answer>{sample.target[0]}</answer>'

    def question_of(self, sample: Sample) -> str:
        """The clue, whatever the passages are cut to."""
        return str(sample.metadata['question'])

    def read_reply(self, text: str, task_state: TaskState) -> Reading:
        """Read the short answer of a reply."""
        return read_short_text(text, self.prompt_of(task_state), _golds(task_state))

    def score_reading(self, reading: Reading, task_state: TaskState) -> Tuple[Dict[str, float], Dict[str, Any]]:
        """Score an answer against the gold answers."""
        return score_answer(reading.answer or '', _golds(task_state)), {}

    def aggregate_questions(self, scores: Sequence[Score]) -> Dict[str, float]:
        """Average over every question asked, answered or not."""
        answered = [score.metadata['answered'] for score in scores]
        return aggregate_answers((score.value for score in scores), answered)


def _golds(task_state: TaskState) -> List[str]:
    """The gold answers. evalscope leaves blank ones out; where there is no other, one blank answer is the gold."""
    return task_state.target_values or ['']
