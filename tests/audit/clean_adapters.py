"""Small benchmarks that keep every rule of the audit, one a kind of answer, made to have a fault put into one step.

The steps are ``read`` (an answer out of a reply), ``credit`` (its metrics), ``scored`` (both in evalscope's terms),
``totals`` (metrics of many questions) and ``counted`` (of how many).
"""

import json
import re
from collections.abc import Sequence
from typing import Any, ClassVar

from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import Sample
from evalscope.api.metric import AggScore, SampleScore, Score
from evalscope_qa.reading import strip_reasoning

State = Any
Values = dict[str, float]


class Clean(DefaultDataAdapter):
    """What all share: a mean over every question asked."""

    prompt: ClassVar[str]
    metrics: ClassVar[tuple[str, ...]] = ('accuracy',)
    records: ClassVar[list[dict[str, Any]]]

    def record_to_sample(self, record: dict[str, Any]) -> Sample:
        return Sample(input=record['question'], target=record['answer'])

    def extract_answer(self, prediction: str, task_state: State) -> str:
        return self.read(prediction, task_state)

    def match_score(
        self, original_prediction: str, filtered_prediction: str, reference: str, task_state: State
    ) -> Score:
        return self.scored(filtered_prediction, original_prediction, task_state)

    def aggregate_scores(self, sample_scores: list[SampleScore]) -> list[AggScore]:
        return [
            AggScore(metric_name=name, aggregation='mean', score=value, num=self.counted(sample_scores))
            for name, value in self.totals(sample_scores).items()
        ]

    def read(self, reply: str, state: State) -> str:
        raise NotImplementedError

    def credit(self, answer: str, state: State) -> Values:
        raise NotImplementedError

    def scored(self, answer: str, reply: str, state: State) -> Score:
        return Score(prediction=reply, extracted_prediction=answer, value=self.credit(answer, state))

    def totals(self, scores: Sequence[SampleScore]) -> Values:
        return {name: mean([score.score.value[name] for score in scores]) for name in self.metrics}

    def counted(self, scores: Sequence[SampleScore]) -> int:
        return len(scores)


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def line_after(label: str, reply: str) -> str:
    """What stands after a label on the last line that has it, outside reasoning."""
    lines = [line for line in strip_reasoning(reply).split('\n') if line.startswith(label)]
    return lines[-1][len(label) :].strip() if lines else ''


def tagged(reply: str) -> str:
    """What stands in the last ``<answer>`` tag outside reasoning."""
    found = re.findall(r'<answer>([^<]*)</answer>', strip_reasoning(reply))
    return found[-1].strip() if found else ''


def normalized(text: str) -> str:
    """Lower case, without articles and punctuation."""
    return ' '.join(word for word in re.findall(r'\w+', text.lower()) if word not in ('a', 'an', 'the'))


class Choice(Clean):
    """One option letter."""

    prompt = "{question}\nThink step by step. The last line must have the form 'ANSWER: [LETTER]'."
    records: ClassVar = [
        {'question': f'Which is number {number}?', 'choices': ['Oslo', 'Lima', 'Quito', 'Hanoi'], 'answer': letter}
        for number, letter in enumerate('BADC', start=1)
    ]

    def record_to_sample(self, record: dict[str, Any]) -> Sample:
        options = '\n'.join(f'{letter}) {text}' for letter, text in zip('ABCD', record['choices'], strict=True))
        return Sample(
            input=f'{record["question"]}\n{options}', choices=record['choices'], target=list(record['answer'])
        )

    def read(self, reply: str, state: State) -> str:
        answer = line_after('ANSWER: ', reply)
        return answer if answer in tuple('ABCD') else ''

    def credit(self, answer: str, state: State) -> Values:
        return {'accuracy': float(answer == ''.join(state.target_values))}


class Several(Choice):
    """All option letters that are right, and no others."""

    prompt = "{question}\nSeveral may be right. The last line must have the form 'ANSWER: [LETTERS]', as in 'AC'."
    records: ClassVar = [
        {**record, 'answer': letters} for record, letters in zip(Choice.records, ('AC', 'BD', 'ABD'), strict=False)
    ]

    def read(self, reply: str, state: State) -> str:
        answer = line_after('ANSWER: ', reply)
        return answer if re.fullmatch('A?B?C?D?', answer) else ''


class Label(Clean):
    """Yes, no or maybe, with averages over the classes of the gold answers."""

    prompt = "{question} (yes, no or maybe)\nThe last line must have the form 'ANSWER: [ANSWER]'."
    metrics = ('accuracy', 'precision', 'recall', 'f1')
    records: ClassVar = [
        {'question': f'Does treatment {number} help?', 'answer': answer}
        for number, answer in enumerate(('yes', 'no', 'maybe', 'yes'), start=1)
    ]

    def read(self, reply: str, state: State) -> str:
        answer = line_after('ANSWER: ', reply).lower()
        return answer if answer in ('yes', 'no', 'maybe') else ''

    def credit(self, answer: str, state: State) -> Values:
        return {'accuracy': float(answer == state.target)}

    def scored(self, answer: str, reply: str, state: State) -> Score:
        score = super().scored(answer, reply, state)
        score.metadata = {'gold': state.target}
        return score

    def totals(self, scores: Sequence[SampleScore]) -> Values:
        return self.averages([(score.score.metadata['gold'], score.score.extracted_prediction) for score in scores])

    def averages(self, pairs: Sequence[tuple[str, str]]) -> Values:
        by_class = [self.of_class(name, pairs) for name in sorted({gold for gold, _ in pairs})]
        values = {name: mean([one[name] for one in by_class]) for name in ('precision', 'recall', 'f1')}
        return {'accuracy': mean([float(gold == answer) for gold, answer in pairs]), **values}

    def of_class(self, name: str, pairs: Sequence[tuple[str, str]]) -> Values:
        hits = sum(gold == answer == name for gold, answer in pairs)
        precision = hits / max(1, sum(answer == name for _, answer in pairs))
        recall = hits / max(1, sum(gold == name for gold, _ in pairs))
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        return {'precision': precision, 'recall': recall, 'f1': f1}


class Text(Clean):
    """A short text, compared with each of several golds."""

    prompt = '{question}\nPut the answer into <answer>...</answer>.'
    metrics = ('exact_match', 'f1')
    records: ClassVar = [
        {'question': 'What is the capital of Peru?', 'answer': ['Lima', 'Ciudad de los Reyes']},
        {'question': 'Which sea lies between Italy and Croatia?', 'answer': ['the Adriatic Sea', 'Adriatic']},
        {'question': 'Who wrote the Principia?', 'answer': ['Isaac Newton']},
    ]

    def read(self, reply: str, state: State) -> str:
        return tagged(reply)

    def credit(self, answer: str, state: State) -> Values:
        golds = [normalized(gold) for gold in state.target_values]
        words = normalized(answer)
        return {
            'exact_match': float(bool(words) and words in golds),
            'f1': max((self.overlap(words.split(), gold.split()) for gold in golds), default=0.0),
        }

    def overlap(self, words: Sequence[str], gold: Sequence[str]) -> float:
        shared = len(set(words) & set(gold))
        return 2 * shared / (len(set(words)) + len(set(gold))) if shared else 0.0


class Number(Clean):
    """A number in a box."""

    prompt = '{question}\nPut the number into \\boxed{{}}.'
    records: ClassVar = [
        {'question': 'What is six times seven?', 'answer': '42'},
        {'question': 'What is one half of five?', 'answer': '2.5'},
        {'question': 'What is three less than three?', 'answer': '0'},
    ]

    def read(self, reply: str, state: State) -> str:
        found = re.findall(r'\\boxed\{(-?[0-9]{1,20}(?:\.[0-9]{1,20})?)\}', strip_reasoning(reply))
        return found[-1] if found else ''

    def credit(self, answer: str, state: State) -> Values:
        return {'accuracy': float(bool(answer) and abs(float(answer) - float(state.target)) < 1e-6)}


class Ranking(Clean):
    """Sentences ranked by how well they answer."""

    prompt = "{question}\nRank the sentences. The last line must have the form 'RANKING: 2 > 1 > 3'."
    metrics = ('mrr',)
    records: ClassVar = [
        {'question': f'Which sentence names town {number}?\n1. Oslo.\n2. Lima.\n3. Quito.', 'answer': json.dumps(gold)}
        for number, gold in enumerate(([2], [1, 3], [3]), start=1)
    ]

    def sample_to_fewshot(self, sample: Sample) -> str:
        first = json.loads(str(sample.target))
        others = [number for number in (1, 2, 3) if number not in first]
        return f'{sample.input}\nRANKING: {" > ".join(map(str, first + others))}'

    def read(self, reply: str, state: State) -> str:
        answer = line_after('RANKING: ', reply)
        return answer if re.fullmatch(r'[123](?: > [123]){0,2}', answer) else ''

    def credit(self, answer: str, state: State) -> Values:
        gold = json.loads(state.target)
        ranks = [rank for rank, number in enumerate(answer.split(' > '), start=1) if number and int(number) in gold]
        return {'mrr': 1 / ranks[0] if ranks else 0.0}


class TwoSets(Clean):
    """Two sets of terms: diseases and advice."""

    prompt = '{question}\nEnd with the lines\nDISEASE: one; another\nADVICE: one; another'
    metrics = ('f1_disease', 'f1_advice')
    records: ClassVar = [
        {'question': 'My knee hurts.', 'answer': json.dumps({'disease': ['arthritis'], 'advice': ['rest', 'ice']})},
        {'question': 'I cough.', 'answer': json.dumps({'disease': ['cold', 'bronchitis'], 'advice': ['tea']})},
    ]

    def sample_to_fewshot(self, sample: Sample) -> str:
        gold = json.loads(str(sample.target))
        return f'{sample.input}\nDISEASE: {"; ".join(gold["disease"])}\nADVICE: {"; ".join(gold["advice"])}'

    def read(self, reply: str, state: State) -> str:
        lines = [line_after(f'{name}: ', reply) for name in ('DISEASE', 'ADVICE')]
        return '\n'.join(lines) if any(lines) else ''

    def credit(self, answer: str, state: State) -> Values:
        gold = json.loads(state.target)
        disease, _, advice = answer.partition('\n')
        return {
            'f1_disease': self.overlap(_terms(disease), set(gold['disease'])),
            'f1_advice': self.overlap(_terms(advice), set(gold['advice'])),
        }

    def overlap(self, terms: set[str], gold: set[str]) -> float:
        shared = len(terms & gold)
        return 2 * shared / (len(terms) + len(gold)) if shared else 0.0


def _terms(line: str) -> set[str]:
    return {term.strip() for term in line.split(';')} - {''}


CLEAN = (Choice, Several, Label, Text, Number, Ranking, TwoSets)


def name_of(base: type[Clean]) -> str:
    """The registered name of a clean benchmark."""
    return f'clean_{base.__name__.lower()}'


def metadata(name: str, base: type[Clean]) -> BenchmarkMeta:
    """What evalscope wants to know of a benchmark made of a clean one."""
    return BenchmarkMeta(
        name=name,
        pretty_name=name,
        description=f'{name}, a benchmark of the tests.',
        dataset_id=name,
        metric_list=list(base.metrics),
        primary_metric=base.metrics[0],
        evaluation_version='v1.0',
        eval_split='test',
        prompt_template=base.prompt,
    )
