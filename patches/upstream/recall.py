"""Edits of the smallest fix of PubMedQA's recall, for the release where the fault was reported."""

from .edit import Edit

_ADAPTER = 'evalscope/benchmarks/pumed_qa/pubmed_qa_adapter.py'

EDITS = (
    Edit(_ADAPTER, 'import re\nfrom typing import', 'import re\nfrom collections import Counter\nfrom typing import'),
    Edit(_ADAPTER, "        name='pubmedqa',\n", "        name='pubmedqa',\n        evaluation_version='v1.1',\n"),
    Edit(
        _ADAPTER,
        '            correct_count = 0\n',
        '            correct_count = 0\n'
        "            gold_counts = Counter(ss.sample_metadata['answer'].strip().upper() for ss in scores)\n",
    ),
    Edit(
        _ADAPTER,
        '                # Calculate actual positives (row sum)\n'
        '                act_pos = sum(confusion_matrix[cls][pred_cls] for pred_cls in classes)\n',
        '                # Every sample of the class, also where no answer was recognised in the reply\n'
        '                act_pos = gold_counts[cls]\n',
    ),
)
