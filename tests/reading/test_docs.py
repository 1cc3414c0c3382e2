"""docs/reading.md shows the tables as they are. Run ``python tests/reading/test_docs.py`` after a change of one."""

from pathlib import Path

from evalscope_qa.reading import tables

DOC = Path(__file__).parents[2] / 'docs' / 'reading.md'
BEGIN, END = '<!-- tables -->\n', '<!-- end of tables -->\n'
PATTERNS = ('REFUSALS', 'ABSTENTIONS')
"""Regular expressions: the tables hold a comment and the tests a row for each."""


def _entries(table: object) -> list[str]:
    assert isinstance(table, (tuple, frozenset))
    entries = [' '.join(entry) if isinstance(entry, tuple) else entry for entry in table]
    return sorted(entries) if isinstance(table, frozenset) else entries


def shown() -> str:
    names = [name for name in vars(tables) if name.isupper() and name not in PATTERNS]
    return '\n'.join(f'**{name}**\n\n```text\n{_wrapped(_entries(getattr(tables, name)))}\n```\n' for name in names)


def _wrapped(entries: list[str]) -> str:
    lines = ['']
    for entry in entries:
        joined = f'{lines[-1]} | {entry}' if lines[-1] else entry
        if len(joined) > 116:
            lines.append(entry)
        else:
            lines[-1] = joined
    return '\n'.join(lines)


def test_the_page_shows_every_table_as_it_is() -> None:
    text = DOC.read_text(encoding='utf-8')
    assert text.split(BEGIN)[1].split(END)[0] == shown()


def test_the_page_names_every_table_in_its_rules() -> None:
    rules = DOC.read_text(encoding='utf-8').split(BEGIN)[0]
    missing = {name for name in vars(tables) if name.isupper() and f'`{name}`' not in rules}
    assert missing <= {'HEDGING_ADVERBS'}, 'part of HEDGES'


if __name__ == '__main__':
    before, after = DOC.read_text(encoding='utf-8').split(BEGIN)
    DOC.write_text(before + BEGIN + shown() + END + after.split(END)[1], encoding='utf-8')
