"""Published records: read from files, checked field by field, found in a local folder, made into a dataset."""

from .checks import RecordChecker, RecordError
from .csv_rows import parse_csv_rows
from .dataset import build_dataset
from .files import Record, format_suffix, iterate_items, iterate_records, read_files, read_records, read_text
from .json_items import parse_json_items, parse_json_object
from .splits import SplitFiles, find_file_beside, find_split_files, matching_files, names_split

__all__ = [
    'Record',
    'RecordChecker',
    'RecordError',
    'SplitFiles',
    'build_dataset',
    'find_file_beside',
    'find_split_files',
    'format_suffix',
    'iterate_items',
    'iterate_records',
    'matching_files',
    'names_split',
    'parse_csv_rows',
    'parse_json_items',
    'parse_json_object',
    'read_files',
    'read_records',
    'read_text',
]
