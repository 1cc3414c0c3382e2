"""Published records: read from files, checked field by field, found in a local folder, made into a dataset."""

from .checks import RecordChecker, RecordError
from .csv_rows import parse_csv_rows
from .dataset import build_dataset
from .files import Record, read_records, read_text
from .json_items import parse_json_items

__all__ = [
    'Record',
    'RecordChecker',
    'RecordError',
    'build_dataset',
    'parse_csv_rows',
    'parse_json_items',
    'read_records',
    'read_text',
]
