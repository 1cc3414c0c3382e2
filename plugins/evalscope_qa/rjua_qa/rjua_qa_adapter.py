"""RJUA-QA: answer Chinese urology consultations, with diagnosis and advice scored as sets and the answer by Rouge-L."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Dict, List, Optional, Sequence, Tuple

from evalscope.api.benchmark import BenchmarkMeta
from evalscope.api.dataset import Sample
from evalscope.api.evaluator import TaskState
from evalscope.api.metric import Score
from evalscope.api.registry import register_benchmark

from ..benchmark_base import QuestionAnsweringAdapter
from ..reading import Reading
from .items import EMPTY, read_items
from .local_files import DATASET_PAGE, HOW_TO_GET_IT, SPLIT_FILES
from .rouge_l import TOKENIZERS
from .schema import Gold, RJUAQARecord
from .scoring import METRICS, SECTION_METRICS, ReplyCounts, aggregate_replies, count_reply, score_reply
from .sections import ADVICE, DISEASE, ParsedReply, read_reply

_REQUEST = f"""请根据参考资料，先用一段话回答患者，然后另起两行，分别写出诊断和建议。
同一行内的各项之间用“、”分隔；没有则写“{EMPTY}”。格式如下：

（给患者的回答）
{DISEASE}：疾病1、疾病2
{ADVICE}：检查或治疗1、检查或治疗2"""

_PASSAGES = '\n\n参考资料：\n'
"""Stands between the question and the passages."""

PROMPT_TEMPLATE = f"""你是一名泌尿外科医生，正在回答患者的咨询。

{{question}}

{_REQUEST}"""

FEW_SHOT_PROMPT_TEMPLATE = f"""你是一名泌尿外科医生，正在回答患者的咨询。下面是一些咨询及其回答。

{{fewshot}}

现在请回答这位患者的咨询。

{{question}}

{_REQUEST}"""

DESCRIPTION = """
## Overview

RJUA-QA (Lyu et al., 2023) holds Chinese urology consultations: a patient's question, passages of clinical guidelines,
and a doctor's answer with the diagnosed diseases and the advised examinations and treatments.

## Task Description

- **Task Type**: Medical question answering over given passages, in Chinese
- **Input**: The question and the reference passages
- **Output**: An answer to the patient, then one line with the diagnosis and one with the advice

## Key Features

- 213 test questions, about a quarter of them with several diseases
- No hub holds the data: download it from OpenKG and pass `local_path`, a folder or a file
- `train` and `valid` can be evaluated by `eval_split`; few-shot examples come from `train`
- Replies are read as lines, lists or JSON, with full-width or half-width punctuation

## Evaluation Notes

- Primary metric: **final accuracy**, the mean of (2 F1 of the diseases + F1 of the advice) / 3 over the questions
- Also the mean and the micro **F1** of diseases and of advice, and **Rouge-L** of the answer, over characters or, by
  `rouge_tokenizer`, over jieba's words
- A reply with neither section is unanswered: it has F1 0, stays in every denominator, and is counted in
  `unanswered_ratio`
"""


@register_benchmark(
    BenchmarkMeta(
        name='rjua_qa',
        evaluation_version='v1.0',
        pretty_name='RJUA-QA',
        tags=['QA', 'Medical', 'Chinese', 'ReadingComprehension'],
        description=DESCRIPTION,
        paper_url='https://arxiv.org/abs/2312.09785',
        dataset_id=DATASET_PAGE,
        metric_list=[*METRICS, 'f1_disease_micro', 'f1_advice_micro', 'unanswered_ratio'],
        primary_metric='final_accuracy',
        few_shot_num=0,
        train_split='train',
        eval_split='test',
        prompt_template=PROMPT_TEMPLATE,
        few_shot_prompt_template=FEW_SHOT_PROMPT_TEMPLATE,
        extra_params={
            'rouge_tokenizer': {
                'type': 'str',
                'description': 'What Rouge-L compares: characters (char) or the words that jieba finds (jieba).',
                'value': 'char',
                'choices': list(TOKENIZERS),
            }
        },
    )
)
class RJUAQAAdapter(QuestionAnsweringAdapter):
    """Reads RJUA-QA's records and scores replies to its questions."""

    split_files = SPLIT_FILES
    score_fields_aggregated = ('value', 'metadata')
    judge_metric_name = METRICS[0]
    question_metrics: ClassVar[Dict[str, str]] = dict(zip(METRICS, METRICS, strict=True))
    how_to_get_the_data = HOW_TO_GET_IT
    metrics_without_answer = frozenset(METRICS) - frozenset(SECTION_METRICS)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._rouge_tokenizer: str = self.extra_params.get('rouge_tokenizer', 'char')

    def find_files(self, split: str, few_shot: bool = False) -> Optional[List[Path]]:
        """Return the file of a split, in ``local_path`` or, for few-shot examples, beside it where that is a file.

        Raises:
            FileNotFoundError: If there is none; says where to download the dataset.
        """
        files = super().find_files(split, few_shot)
        if files is None:
            raise FileNotFoundError(
                f'{self.name}: no hub holds this dataset, so local_path is required. {HOW_TO_GET_IT}'
            )
        return files

    def record_to_sample(self, record: Dict[str, Any]) -> Sample:
        """Convert a published record.

        Raises:
            RecordError: If the record is malformed.
        """
        checked = self._checker.check(RJUAQARecord, record, id_field='id', unique_id=False)
        passages = '\n\n'.join(passage.strip() for passage in checked.context)
        gold = Gold(answer=checked.answer, disease=read_items(checked.disease), advice=read_items(checked.advice))
        return Sample(
            input=f'患者的问题：{checked.question.strip()}{_PASSAGES}{passages.strip() or EMPTY}',
            target=gold.model_dump_json(),
            metadata={'id': checked.id},
        )

    def sample_to_fewshot(self, sample: Sample) -> str:
        """Show a question with its answer, diagnosis and advice."""
        gold = Gold.model_validate_json(sample.target)
        disease, advice = ('、'.join(items) or EMPTY for items in (gold.disease, gold.advice))
        return f'{sample.input}\n\n{gold.answer.strip()}\n{DISEASE}：{disease}\n{ADVICE}：{advice}'

    def question_of(self, sample: Sample) -> str:
        """What the patient asks, whatever the passages."""
        return str(sample.input).partition(_PASSAGES)[0]

    def read_reply(self, text: str, task_state: TaskState) -> 'ConsultationReading':
        """Read the sections of a reply; it is unanswered where it has neither."""
        reply = read_reply(text, self.prompt_of(task_state))
        return ConsultationReading(reply.summary() or None, reply.reading, reply=reply)

    def score_reading(self, reading: Reading, task_state: TaskState) -> Tuple[Dict[str, float], Dict[str, Any]]:
        """Score a reply against the gold sections and answer."""
        assert isinstance(reading, ConsultationReading)
        gold = Gold.model_validate_json(task_state.target)
        counts = count_reply(reading.reply, gold).to_json()
        return score_reply(reading.reply, gold, self._rouge_tokenizer), {'counts': counts}

    def aggregate_questions(self, scores: Sequence[Score]) -> Dict[str, float]:
        """Aggregate over every question asked, answered or not."""
        return aggregate_replies(
            values=[score.value for score in scores],
            counts=[ReplyCounts.of(score.metadata['counts']) for score in scores],
            answered=[score.metadata['answered'] for score in scores],
        )


@dataclass(frozen=True)
class ConsultationReading(Reading[str]):
    """A reading whose answer is the sections as shown, with all that the reply says beside them."""

    reply: ParsedReply = field(kw_only=True)
