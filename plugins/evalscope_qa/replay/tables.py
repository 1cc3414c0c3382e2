"""Rows of a replay as they come: a CSV file, or JSON that waits in a temporary file for the metrics before it."""

import csv
import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from .results import ReplayedSample, ReplayResult

_COLUMNS = ('index', 'id', 'gold', 'reply', 'extracted', 'answered', 'reading')


class SampleTable:
    """Writes one row a question to a CSV stream.

    Args:
        stream: Opened with ``newline=''``.
        names: The metrics of a question that have a column; one that a later row has too gets the next.
    """

    def __init__(self, stream: TextIO, names: list[str]) -> None:
        self.names = list(names)
        self._writer = csv.writer(stream)
        self._writer.writerow([*_COLUMNS, *self.names])

    def write(self, sample: 'ReplayedSample') -> None:
        """Write the row of the next question."""
        self.names += [name for name in sample.scores if name not in self.names]
        told = [sample.index, sample.id, sample.gold, sample.reply, sample.extracted, sample.answered, sample.reading]
        self._writer.writerow([*told, *(sample.scores.get(name, '') for name in self.names)])


class SampleFile:
    """A CSV file that is opened with its first row; a fault is kept, so that scoring goes on, until it is closed."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._stream: TextIO | None = None
        self._table: SampleTable | None = None
        self._columns = 0
        self._fault: OSError | None = None
        self.rows = 0

    def write(self, sample: 'ReplayedSample') -> None:
        """Write the row of the next question."""
        if self._fault is not None:
            return
        try:
            if self._stream is None or self._table is None:
                self._stream = self._path.open('w', encoding='utf-8', errors='backslashreplace', newline='')
                self._table = SampleTable(self._stream, list(sample.scores))
                self._columns = len(self._table.names)
            self._table.write(sample)
            self.rows += 1
        except OSError as error:
            self._fault = error

    def close(self) -> None:
        """Finish the file.

        Raises:
            OSError: If a row could not be written; names the file.
        """
        try:
            if self._stream is not None:
                self._stream.close()
            if self._table is not None and self._fault is None and len(self._table.names) > self._columns:
                self._widen(self._table.names)
        except OSError as error:
            self._fault = self._fault or error
        if self._fault is not None:
            raise OSError(f'{self._path} was not written: {self._fault.strerror or self._fault}') from self._fault

    def _widen(self, names: list[str]) -> None:
        """Give the header, and the rows that were written before, the columns of metrics that later rows have."""
        width = len(_COLUMNS) + len(names)
        limit = csv.field_size_limit(1 << 30)
        wider = self._path.with_name(f'{self._path.name}.part')
        try:
            with (
                self._path.open(encoding='utf-8', newline='') as old,
                wider.open('w', encoding='utf-8', newline='') as new,
            ):
                writer = csv.writer(new)
                for number, row in enumerate(csv.reader(old)):
                    writer.writerow(row + [''] * (width - len(row)) if number else [*_COLUMNS, *names])
            wider.replace(self._path)
        finally:
            csv.field_size_limit(limit)
            wider.unlink(missing_ok=True)


class JsonSamples:
    """Keeps rows as JSON in a temporary file, for a document whose metrics come first."""

    def __init__(self, ascii_only: bool) -> None:
        self._file = tempfile.TemporaryFile('w+', encoding='utf-8', errors='backslashreplace', newline='')  # noqa: SIM115
        self._ascii_only = ascii_only
        self._rows = 0

    def write(self, sample: 'ReplayedSample') -> None:
        """Keep the row of the next question."""
        text = json.dumps(asdict(sample), ensure_ascii=self._ascii_only, indent=2)
        self._file.write(',\n' if self._rows else '\n')
        self._file.writelines(f'    {line}\n' for line in text.split('\n')[:-1])
        self._file.write('    }')
        self._rows += 1

    def write_document(self, result: 'ReplayResult', stream: TextIO) -> None:
        """Write the document that :meth:`ReplayResult.to_json` gives of all rows, and a line end."""
        head = json_text({**result.summary(), 'samples': []}, self._ascii_only)
        tail = json_text({'unanswered': result.unanswered()}, self._ascii_only)
        stream.write(head[: head.rindex('[') + 1])
        self._file.seek(0)
        while block := self._file.read(1 << 16):
            stream.write(block)
        stream.write(f'{chr(10) + "  " if self._rows else ""}],{tail[1:]}\n')


def json_text(value: Any, ascii_only: bool) -> str:
    """Return a value as indented JSON that can be written as UTF-8."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=2)
    # Lone surrogates come from JSON escapes, and the replacement is such an escape again: nothing is lost.
    return text.encode('utf-8', 'backslashreplace').decode('utf-8')
