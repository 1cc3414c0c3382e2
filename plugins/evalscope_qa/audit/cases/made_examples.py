"""Made-up questions for benchmarks of evalscope that ship no example, or only one of a kind that hides other scoring.

Each is a record in the form that the adapter's ``record_to_sample`` reads (evalscope 1.12 to 1.14), or a question with
options where the record needs a file. The texts are invented.
"""

from typing import Any

_TOWNS = ('Oslo', 'Lima', 'Quito', 'Hanoi')
_QUESTION = 'Which of these towns is the capital of Peru?'

MADE_EXAMPLES: dict[str, list[dict[str, Any]]] = {
    # No example is shipped.
    'general_mcq': [
        {'record': {'id': '1', 'question': _QUESTION, **dict(zip('ABCD', _TOWNS, strict=True)), 'answer': 'B'}}
    ],
    'general_vmcq': [{'record': {'question': _QUESTION, 'options': list(_TOWNS), 'answer': 'B'}}],
    'bhasha_bench_multi_finance': [
        {
            'record': {
                'question_translated': _QUESTION,
                **{f'option_{letter}_translated': town for letter, town in zip('abcd', _TOWNS, strict=True)},
                'correct_answer': 'B',
                'topic': 'towns',
            }
        }
    ],
    # A record names a video, which the adapter would download.
    'mvbench': [{'question': _QUESTION, 'choices': list(_TOWNS), 'target': 'B'}],
    # The shipped example is a number; others are options, read by another parser.
    'math_vista': [
        {
            'record': {
                'question': _QUESTION,
                'question_type': 'multi_choice',
                'answer_type': 'text',
                'choices': list(_TOWNS),
                'answer': 'Lima',
                'decoded_image': None,
                'metadata': {},
            }
        }
    ],
    # The shipped example is true or false; of this category the answer is a letter.
    'visfactor': [
        {
            'record': {
                'index': 1,
                'question': f'{_QUESTION}\n(A) Oslo\n(B) Lima\n(C) Quito\n(D) Hanoi\n{{"answer": YOUR_ANSWER_HERE}}',
                'additional': '1',
                'answer': 'B',
                'category_id': 'VZ3',
                'category_name': 'letters',
                'eval_index': 1,
            }
        }
    ],
    # The shipped example is a word to read; questions about documents are answered by yes or no too.
    'ocr_bench': [
        {
            'record': {
                'question': 'Is a signature visible?',
                'answer': ['no'],
                'dataset': 'documents',
                'question_type': 'Doc-oriented VQA',
            }
        }
    ],
    # The shipped example has several right options; others have one.
    'cmmu': [
        {
            'record': {
                'type': 'multiple-choice',
                'question_info': '下列城市中，秘鲁的首都是',
                'options': ['奥斯陆', '利马', '基多', '河内'],
                'answer': ['B'],
                'subject': 'geography',
            }
        }
    ],
}
"""Examples by benchmark: ``record``, or ``question``, ``choices`` and ``target``."""
