"""Edits of evalscope's own files, each anchored on text that the release holds exactly once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Iterable


class EditError(ValueError):
    """An anchor is missing or ambiguous: the release is not the one the edit was written for."""


@dataclass(frozen=True)
class Edit:
    """Replace ``old`` by ``new`` in the file ``path`` of the release (relative, with slashes).

    ``old`` is context only, as short as uniqueness allows; what ``new`` adds to it is our own.
    """

    path: str
    old: str
    new: str

    def apply(self, tree: Path) -> None:
        """Edit the file below ``tree``.

        Raises:
            EditError: If ``old`` does not occur exactly once.
        """
        file = tree / self.path
        text = file.read_bytes().decode('utf-8')
        occurrences = text.count(self.old)
        if occurrences != 1:
            raise EditError(f'{self.path}: the anchor occurs {occurrences} times, expected once:\n{self.old}')
        file.write_bytes(text.replace(self.old, self.new).encode('utf-8'))


def apply_edits(tree: Path, edits: Iterable[Edit]) -> None:
    """Apply every edit in order; see :meth:`Edit.apply`."""
    for edit in edits:
        edit.apply(tree)
