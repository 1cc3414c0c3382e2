"""How SearchQA's files are called."""

from ..records import SplitFiles

SPLIT_FILES = SplitFiles(
    dataset='SearchQA',
    # https://huggingface.co/docs/hub/datasets-file-names-and-splits
    other_names={'validation': ('validation', 'valid', 'val', 'dev'), 'train': ('train', 'training')},
    suffixes=('.jsonl', '.json', '.parquet'),
    in_subfolders=True,
    # What the datasets library writes beside the records.
    not_records=frozenset(('dataset_dict.json', 'dataset_info.json', 'dataset_infos.json', 'state.json')),
    hint='Name it {split}.jsonl or {split}.parquet, or pass the path of the file itself.',
)
