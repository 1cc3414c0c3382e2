"""How PubMedQA's files are called."""

from ..records import SplitFiles

OFFICIAL_FILE = 'ori_pqal.json'
"""All 1,000 labelled questions, https://github.com/pubmedqa/pubmedqa/tree/master/data."""

SPLIT_FILES = SplitFiles(
    dataset='PubMedQA',
    # Directly, or as in a checkout of the official repository.
    published=(OFFICIAL_FILE, f'data/{OFFICIAL_FILE}'),
    suffixes=('.jsonl', '.json', '.csv', '.tsv', '.parquet'),
    one_without_split=True,
    # What the datasets library and the official repository keep beside the records.
    not_records=frozenset(
        ('dataset_info.json', 'dataset_infos.json', 'dataset_dict.json', 'state.json', 'test_ground_truth.json')
    ),
)
