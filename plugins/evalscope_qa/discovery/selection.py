"""Reads ``EVALSCOPE_PLUGINS``: which claims it lets in, as pure functions."""

import re
from typing import NamedTuple, Sequence

from .policy import DEFAULT_GROUP, Claim

_NOTHING = ('off', '0')
_EVERYTHING = 'all'


class Selection(NamedTuple):
    """What the variable asks for."""

    text: str
    """The variable as it stands."""
    entries: tuple[str, ...]
    """Its entries; a claim is let in by any of them."""

    def covers(self, claim: Claim) -> bool:
        return any(_covers(entry, claim) for entry in self.entries)

    def names_group(self, group: str) -> bool:
        """Whether every benchmark of a group is let in, whatever package it is of."""
        return not {group, _EVERYTHING}.isdisjoint(entry.lower() for entry in self.entries)

    def unmatched(self, claims: Sequence[Claim]) -> list[str]:
        """Return the entries that let in none of all installed claims: misspelt, or of a package that is missing."""
        optional = (DEFAULT_GROUP, _EVERYTHING)  # they ask for whatever is there
        return [
            entry
            for entry in self.entries
            if entry.lower() not in optional and not any(_covers(entry, claim) for claim in claims)
        ]


def parse(text: str) -> Selection:
    """Read the variable.

    Args:
        text: Blank for the benchmarks that are on by default; ``off`` or ``0`` for none; else a list with commas of
            benchmark names, groups (``default``, ``strict``; ``all`` for every group), and either after the
            distribution they must be of: ``evalscope-qa:searchqa``, ``evalscope-qa:default``, for which
            ``evalscope-qa:*`` is short.

    >>> parse('searchqa, acme-benchmarks:*').entries
    ('searchqa', 'acme-benchmarks:*')
    >>> parse('').entries, parse('off').entries
    (('default',), ())
    """
    if text.strip().lower() in _NOTHING:
        return Selection(text, ())
    entries = dict.fromkeys(entry.strip() for entry in text.split(','))
    return Selection(text, tuple(filter(None, entries)) or (DEFAULT_GROUP,))


def with_group(text: str, group: str) -> str:
    """Return the variable that lets in a group beside what it lets in already.

    >>> with_group('', 'strict'), with_group('searchqa', 'strict'), with_group('off', 'strict')
    ('default,strict', 'searchqa,strict', 'strict')
    """
    selection = parse(text)
    return text if selection.names_group(group) else ','.join([*selection.entries, group])


def _covers(entry: str, claim: Claim) -> bool:
    distribution, colon, name = (part.strip() for part in entry.rpartition(':'))
    if colon and _normalized(distribution) != _normalized(claim.distribution):
        return False
    if colon and name == '*':
        name = DEFAULT_GROUP
    return name.lower() in (_EVERYTHING, claim.group) or name == claim.benchmark


def _normalized(distribution: str) -> str:
    """Spell a distribution's name as PEP 503 has it: case, and runs of ``-_.``, make no difference."""
    return re.sub(r'[-_.]+', '-', distribution).lower()
