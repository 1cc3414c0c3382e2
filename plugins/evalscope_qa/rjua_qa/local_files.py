"""How RJUA-QA's files are called, and where to get them: no hub holds them."""

from ..records import SplitFiles

DATASET_PAGE = 'http://data.openkg.cn/dataset/rjua-qadatasets'

HOW_TO_GET_IT = (
    f'Download RJUA_train.json, RJUA_valid.json and RJUA_test.json from OpenKG ({DATASET_PAGE}) into one folder, and '
    'pass the folder, or one of the files, as local_path: '
    """--dataset-args '{"rjua_qa": {"local_path": "/path/to/folder"}}'."""
)

SPLIT_FILES = SplitFiles(
    dataset='RJUA-QA',
    published=('RJUA_{split}.json', 'RJUA_{split}.jsonl', '{split}.json', '{split}.jsonl'),
    hint=HOW_TO_GET_IT,
)
