"""Prints how many real replies are read as a person reads them, beside evalscope's own parsers.

    EVALSCOPE_QA_DATA=… python tests/benchmarks/reading_accuracy.py [--misread]

The replies lie in ``replies`` of that folder, labelled by hand and blind to gold and to any program; rows that two
readers could differ on are left out. "Right" is the label, or unanswered where the label is none or several. The cases
and frames of a folder ``cases`` beside it follow. ``--misread`` prints the replies that are not.
"""

import argparse
import json
import os
from pathlib import Path
from typing import Any, Callable, Iterator

from evalscope_qa.reading import Prompt, read_letter, read_listing, read_ranking, read_short_text, read_verdict
from evalscope_qa.searchqa.scoring import score_answer

Row = dict[str, Any]
Line = tuple[str, list[Row], Callable[[Row], Any], Callable[[Row], Any], Callable[[Row], Any] | None]
"""Name; rows; the right reading of one, ours, and evalscope's."""
LETTERED = Prompt('x', '{question}\nA. yes\nB. no\nC. maybe\nAnswer with a letter.')
SILENT = ('none', 'several')


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding='utf-8').splitlines()]


def built_in_verdict() -> Callable[[Row], Any] | None:
    try:
        from evalscope.benchmarks.pumed_qa.pubmed_qa_adapter import extract_verdict
    except ImportError:
        return None  # before evalscope 1.14.1 there is no function of it
    return lambda row: extract_verdict(row['reply'])


def built_in_letter(row: Row) -> str | None:
    from evalscope.api.dataset import Sample
    from evalscope.api.evaluator import TaskState
    from evalscope.api.model import ModelOutput
    from evalscope.utils.multi_choices import parse_answers

    sample = Sample(input='x', choices=row['options'], target='A', id=0, group_id=0)
    output = ModelOutput.from_content(model='canned', content=row['reply'])
    letters = parse_answers(TaskState(model='canned', sample=sample, output=output, completed=True))
    return next(iter(letters)) if len(letters) == 1 else None


def label(row: Row) -> str | None:
    return None if row['label'] in SILENT else str(row['label'])


def recorded(folder: Path) -> Iterator[Line]:
    theirs = built_in_verdict()

    def verdict(row: Row) -> str | None:
        return read_verdict(row['reply']).answer

    hand = [row for row in rows(folder / 'pubmedqa_instructgpt.jsonl') if row['sure']]
    yield 'pubmedqa_instructgpt, stated', [row for row in hand if row['label'] not in SILENT], label, verdict, theirs
    yield 'pubmedqa_instructgpt, silent', [row for row in hand if row['label'] in SILENT], label, verdict, theirs
    gpt = rows(folder / 'pubmedqa_gpt.jsonl')
    yield 'pubmedqa_gpt, worded', [r for r in gpt if r['worded']], lambda row: row['worded'], verdict, theirs
    yield (
        'pubmedqa_gpt, lettered', gpt, lambda row: row['lettered'],
        lambda row: read_verdict(row['reply'], LETTERED).answer, None,
    )  # fmt: skip

    def letter(row: Row) -> str | None:
        return read_letter(row['reply'], len(row['options']), texts=row['options']).answer

    choice = [row for row in rows(folder / 'choice_mmlu_pro.jsonl') if row['sure']]
    stated = [row for row in choice if row['label'] not in SILENT]
    yield 'choice_mmlu_pro, stated', stated, label, letter, built_in_letter
    yield (
        'choice_mmlu_pro, silent or several', [row for row in choice if row['label'] in SILENT], label, letter,
        built_in_letter,
    )  # fmt: skip


def cases(folder: Path) -> Iterator[Line]:
    theirs = built_in_verdict()
    for name in ('reading_pubmedqa', 'pubmedqa_verdicts'):
        yield (
            name,
            rows(folder / f'{name}.jsonl'),
            lambda r: r['label'],
            lambda r: read_verdict(r['reply']).answer,
            theirs,
        )
    frames = [
        {'reply': row['frame'].format(written), 'label': written.upper()}
        for row in rows(folder / 'reading_frames.jsonl')
        for word in ('yes', 'no', 'maybe')
        for written in (word, word.upper(), word.capitalize())
    ]
    yield 'reading_frames, verdicts', frames, lambda r: r['label'], lambda r: read_verdict(r['reply']).answer, theirs
    letters = [
        {'reply': row['frame'].format(letter), 'label': letter, 'options': list('abcdefghij')}
        for row in rows(folder / 'reading_frames.jsonl')
        for letter in 'ABCDEFGHIJ'
    ]
    yield (
        'reading_frames, letters', letters, lambda r: r['label'], lambda r: read_letter(r['reply'], 10).answer,
        built_in_letter,
    )  # fmt: skip
    for name, field, read in (
        ('reading_selqa_rankings', 'ranking', read_ranking), ('selqa_rankings', 'ranking', read_ranking),
        ('reading_selqa_triggering', 'sentences', read_listing), ('selqa_triggering', 'sentences', read_listing),
    ):  # fmt: skip
        yield (
            name, rows(folder / f'{name}.jsonl'),
            lambda row, field=field: None if row[field] is None else tuple(row[field]),
            lambda row, read=read: read(row['reply'], row['candidates']).answer, None,
        )  # fmt: skip

    def exact_match(row: Row) -> float:
        answer = read_short_text(row['reply'], golds=row['answers']).answer or ''
        return score_answer(answer, row['answers'])['exact_match']

    for name in ('reading_searchqa', 'searchqa_replies'):
        asked = [row for row in rows(folder / f'{name}.jsonl') if 'exact_match' in row]
        yield name, asked, lambda row: row['exact_match'], exact_match, None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--misread', action='store_true', help='print the replies that are read wrongly')
    options = parser.parse_args()
    data = Path(os.environ['EVALSCOPE_QA_DATA'])
    print(f'{"replies":36}{"right":>14}{"":8}{"evalscope":>14}')
    for folder, lines in ((data / 'replies', recorded), (data.parent / 'cases', cases)):
        for name, asked, right, ours, theirs in lines(folder) if folder.is_dir() else ():
            if not asked:
                continue
            wrong = [row for row in asked if ours(row) != right(row)]
            count = len(asked)
            share = f'{(count - len(wrong)) / count:.1%}'
            beside = '' if theirs is None else f'{sum(theirs(row) == right(row) for row in asked)} of {count}'
            print(f'{name:36}{count - len(wrong):>5} of {count:<5}{share:>8}{beside:>14}')
            for row in wrong if options.misread else ():
                print(f'    wanted {right(row)!r}, read {ours(row)!r}: {row["reply"][:200]!r}')


if __name__ == '__main__':
    main()
