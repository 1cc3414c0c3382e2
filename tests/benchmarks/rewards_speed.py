"""Times rewards of every recorded reply and of hostile ones of 1 MB, and compares them with the adapter's scores.

    python tests/benchmarks/rewards_speed.py [--data FOLDER]

Prints, in CPU time and by benchmark: the mean and the slowest recorded reply (of the folder ``replies`` in FOLDER, by
default EVALSCOPE_QA_DATA), beside the adapter's own ``calculate_metrics`` in the same run; then the slowest megabytes,
each the best of three; and how many rewards differ from the adapter's score.
"""

import argparse
import os
import time
from pathlib import Path
from typing import Any, Callable

from evalscope_qa import engine
from evalscope_qa.records import read_records
from evalscope_qa.replay.samples import sample_files
from evalscope_qa.rewards import compute_score, training_rows
from evalscope_qa.rewards.ground_truths import FORMS
from reading_speed import MEGABYTE, UNITS

FILES = ('pubmedqa_gpt.jsonl', 'pubmedqa_instructgpt.jsonl', 'choice_mmlu_pro.jsonl')
ENDINGS = {'searchqa': '<answer>x</answer>', 'pubmedqa': 'YES', 'selqa_selection': '[1]', 'rjua_qa': '\n诊断：肾结石'}


def timed(call: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    best, result = float('inf'), None
    for _ in range(times):
        start = time.process_time()
        result = call()
        best = min(best, time.process_time() - start)
    return best, result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', default=os.environ.get('EVALSCOPE_QA_DATA', ''))
    folder = Path(parser.parse_args().data) / 'replies'
    recorded = [row['reply'] for file in FILES if (folder / file).is_file() for row in read_records(folder / file)]
    print(f'{len(recorded)} recorded replies')
    differ, slowest = 0, []
    for benchmark in FORMS:
        adapter = engine.configured_adapter(benchmark)
        record = read_records(sample_files(benchmark).records)[0]
        (row,) = training_rows(benchmark, [record])
        (sample,) = engine.questions(engine.configured_adapter(benchmark), [record])

        def reward(reply: str, benchmark: str = benchmark, row: Any = row) -> float:
            return compute_score(benchmark, reply, row['ground_truth'], row['extra_info'])

        def score(reply: str, adapter: Any = adapter, sample: Any = sample) -> float:
            found = adapter.calculate_metrics(engine.task_state(sample, reply)).score
            return found.value[found.main_score_name]

        reward('x'), score('x')
        ours = [timed(lambda reply=reply, reward=reward: reward(reply)) for reply in recorded]
        theirs = [timed(lambda reply=reply, score=score: score(reply)) for reply in recorded]
        differ += sum(one[1] != other[1] for one, other in zip(ours, theirs, strict=True))
        if recorded:
            mean, other = (sum(each[0] for each in side) / len(recorded) for side in (ours, theirs))
            print(
                f'{benchmark:16} mean {mean * 1e3:6.2f} ms, {mean / other:.2f} times calculate_metrics; '
                f'slowest {max(each[0] for each in ours) * 1e3:6.1f} ms'
            )
        for unit in UNITS:
            for end in ('', ENDINGS[benchmark]):
                text = unit * (MEGABYTE // len(unit.encode())) + end
                seconds, value = timed(lambda text=text, reward=reward: reward(text), 3)
                differ += value != score(text)
                slowest.append((seconds, benchmark, unit, end))
    slowest.sort(reverse=True)
    for seconds, benchmark, unit, end in slowest[:8]:
        print(f'{seconds * 1e3:6.1f} ms {benchmark:16} 1 MB of {unit!r}{" and " + repr(end) if end else ""}')
    print(f'{len(slowest)} megabytes; {sum(each[0] > 0.05 for each in slowest)} over 50 ms')
    print(f'{differ} of {len(slowest) + len(recorded) * len(FORMS)} rewards differ from the score of the adapter')


if __name__ == '__main__':
    main()
