"""Scoring runs again: real runs, what changes, what cannot be scored again, and the folder that is written."""

import csv
import hashlib
import io
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from evalscope_qa.cli import main
from evalscope_qa.records import read_records
from evalscope_qa.replay import read_replies
from evalscope_qa.replay.samples import PACKAGE, sample_files
from evalscope_qa.runs import compare, read_runs, rescore
from evalscope_qa.runs.rescoring.states import NotRebuilt
from evalscope_qa.runs.rescoring.text import write_flips
from evalscope_qa.signature import installed_evalscope
from runs_on_disk import review, write_run
from scored_runs import rows, write_scored_run

pytestmark = pytest.mark.usefixtures('warm_children')

SAMPLE = PACKAGE / 'pubmedqa' / 'sample'


def ranking_run(folder: Path, model: str) -> Path:
    records = read_records(SAMPLE / 'ranking_records.jsonl')
    replies = read_replies(SAMPLE / f'ranking_replies_{model}.jsonl')
    return write_scored_run(folder, 'pubmedqa', records, replies, model)


def contents(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob('*'))
        if file.is_file()
    }


def change_scores(run: Path, change: Callable[[dict], None]) -> None:
    """Change every review of a run."""
    for file in (run / 'reviews').rglob('*.jsonl'):
        changed = rows(file)
        for row in changed:
            change(row['sample_score']['score'])
        file.write_text(''.join(json.dumps(row) + '\n' for row in changed), encoding='utf-8')


def test_the_built_ins_of_the_release_give_the_recorded_scores_of_real_runs(data_dir: Path) -> None:
    result = rescore([data_dir / 'runs' / 'evalscope-examples'], scoring='built-in')
    found = {(one.model, one.benchmark): one for one in result.benchmarks}
    for model in ('qwen-plus', 'qwen3-max'):
        for benchmark, questions in (('gpqa_diamond', 10), ('gsm8k', 10), ('iquiz', 20)):
            assert (found[model, benchmark].questions, found[model, benchmark].flips) == (questions, ())
            for metric in found[model, benchmark].metrics:
                assert metric.after == pytest.approx(metric.before, abs=1e-4)


def test_a_run_scored_again_by_its_own_version_does_not_change(tmp_path: Path) -> None:
    result = rescore([ranking_run(tmp_path / 'run', 'a')])
    found = result.benchmarks[0]
    assert (found.questions, found.changed, found.credited_unanswered) == (30, 0, 0)
    assert found.version_before == found.version_after
    assert all(round(metric.after or 0, 4) == metric.before for metric in found.metrics)
    assert sum(found.unanswered_by_reason.values()) == 6


def test_non_answers_that_were_credited_are_counted_and_named(tmp_path: Path) -> None:
    run = ranking_run(tmp_path / 'run', 'a')
    before = read_runs([run])[0]

    def credit(score: dict) -> None:
        score['value'] = {'accuracy': 1.0}
        score['extracted_prediction'] = 'yes'
        score['metadata'] = {}

    change_scores(run, credit)
    flips = tmp_path / 'flips.csv'
    assert main(['rescore', str(run), '--flips', str(flips)]) == 0
    found = rescore([run]).benchmarks[0]
    wrong = sum(attempt.values['accuracy'] == 0 for attempt in before.attempts)
    assert (found.changed, found.credited_unanswered) == (wrong, 6)
    with flips.open(encoding='utf-8', newline='') as stream:
        written = list(csv.DictReader(stream))
    assert len(written) == wrong
    assert {(row['scores_before'], row['scores_after'], row['read_before']) for row in written} == {
        ('1.0', '0.0', 'yes')
    }
    assert {row['reply'] for row in written} <= {
        attempt.row['sample_score']['score']['prediction'] for attempt in before.attempts
    }


def test_a_ranking_that_reverses_is_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for model in 'ab':
        ranking_run(tmp_path / model, model)
    # As a scoring that credits what answers nothing would have it: A, which abstains on two of ten, has all right.
    change_scores(tmp_path / 'a', lambda score: score.update(value={'accuracy': 1.0}))
    report = tmp_path / 'a' / 'reports' / 'a' / 'pubmedqa.json'
    document = json.loads(report.read_text(encoding='utf-8'))
    for metric in document['metrics']:
        if metric['identity']['name'] == 'accuracy':
            for part in (metric, metric['categories'][0], metric['categories'][0]['subsets'][0]):
                part['score'] = 1.0
    report.write_text(json.dumps(document), encoding='utf-8')
    assert main(['rescore', str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert 'a was ahead of b and is behind it now.' in text
    accuracy = next(change for change in rescore([tmp_path]).rankings if change.metric == 'accuracy')
    assert (accuracy.before, accuracy.after, accuracy.reversals) == ({'a': 1, 'b': 2}, {'b': 1, 'a': 2}, (('a', 'b'),))


def test_the_new_run_is_one_of_evalscopes(tmp_path: Path) -> None:
    run, out = ranking_run(tmp_path / 'run', 'a'), tmp_path / 'new' / 'out'
    before = contents(run)
    result = rescore([run], output=out)
    assert contents(run) == before
    assert result.output == str(out)
    assert [path.name for path in out.parent.iterdir()] == ['out']
    assert {name: value for name, value in contents(out).items() if name.startswith('predictions')} == {
        name: value for name, value in before.items() if name.startswith('predictions')
    }
    from evalscope.api.evaluator.cache import ReviewResult
    from evalscope.report import Report, gen_table

    file = 'reviews/a/pubmedqa_default.jsonl'
    new, old = ([ReviewResult.from_cache_item(row) for row in rows(folder / file)] for folder in (out, run))
    assert [item.sample_score for item in new] == [item.sample_score for item in old]
    assert [item.target for item in new] == [item.target for item in old]
    assert 'PubMedQA' in gen_table(reports_path_list=[str(out / 'reports')])
    reports = [Report.from_json(str(folder / 'reports/a/pubmedqa.json')) for folder in (out, run)]
    assert reports[0].metrics == reports[1].metrics
    provenance = json.loads((out / 'configs' / 'rescored.json').read_text(encoding='utf-8'))
    assert provenance['from'] == str(run.resolve())
    assert provenance['benchmarks']['pubmedqa']['adapter'].startswith('evalscope_qa.pubmedqa')
    version = compare(read_runs([out])).benchmarks[0].versions[0].version
    assert version == result.benchmarks[0].version_after == provenance['benchmarks']['pubmedqa']['version_after']


def test_a_run_of_2025_gets_settings_without_the_defaults_of_then(data_dir: Path, tmp_path: Path) -> None:
    run, out = data_dir / 'runs' / 'evalscope-examples' / 'qwen-plus', tmp_path / 'out'
    before = contents(run)
    result = rescore([run], datasets=['gsm8k', 'iquiz'], output=out)
    assert contents(run) == before
    assert {kept.benchmark: kept.reason for kept in result.kept} == dict.fromkeys(
        ['gpqa_diamond', 'ifeval'], 'not asked for'
    )
    old, new = (yaml.safe_load((folder / 'configs/task_config.yaml').read_text('utf-8')) for folder in (run, out))
    assert new['dataset_args'] == {**old['dataset_args'], 'gsm8k': {}, 'iquiz': {}}
    assert sorted(new['evaluation_identity']['benchmarks']) == ['gsm8k', 'iquiz']
    assert all(one['fingerprint'] != 'unknown' for one in new['evaluation_identity']['benchmarks'].values())
    scored_by = {scores.benchmark: (scores.version, scores.evalscope) for scores in read_runs([out])}
    assert scored_by['ifeval'] == ('', old['evalscope_version'])
    assert scored_by['iquiz'][1] == installed_evalscope()


def test_a_run_without_a_configuration_gets_one(data_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'run'
    for kind in ('reviews', 'reports'):
        source = data_dir / 'runs' / 'six-models' / kind / 'qwen-plus'
        (folder / kind / 'qwen-plus').mkdir(parents=True)
        for file in source.iterdir():
            if kind == 'reports' or 'Level 1' in file.name:
                content = file.read_bytes().split(b'\n')[:3] if kind == 'reviews' else [file.read_bytes()]
                (folder / kind / 'qwen-plus' / file.name).write_bytes(b'\n'.join(content))
    result = rescore([folder], output=tmp_path / 'out').benchmarks[0]
    assert (result.questions, result.note.partition(' replies')[0]) == (3, '3')
    assert read_runs([tmp_path / 'out'])[0].version == result.version_after


def test_several_runs_are_written_each_to_its_folder(tmp_path: Path) -> None:
    for model in 'ab':
        ranking_run(tmp_path / 'runs' / model, model)
    rescore([tmp_path / 'runs'], output=tmp_path / 'out')
    assert sorted(path.name for path in (tmp_path / 'out').iterdir()) == ['a', 'b']
    assert {scores.model for scores in read_runs([tmp_path / 'out'])} == {'a', 'b'}


def test_evalscope_resumes_from_the_new_run(tmp_path: Path) -> None:
    """``use_cache`` takes predictions and new scores without a call of the model."""
    from evalscope import run_task
    from evalscope.api.model import GenerateConfig, Model, ModelAPI
    from evalscope_qa.engine import model_output, task_config

    calls = []

    class Canned(ModelAPI):
        def generate(self, input, tools, tool_choice, config):  # type: ignore[no-untyped-def]
            calls.append(input)
            return model_output('yes')

    def run(folder: Path, **settings: object) -> Path:
        config = task_config(
            {'pubmedqa': {'local_path': str(SAMPLE / 'pubmedqa_records.jsonl')}},
            model=Model(Canned(model_name='canned'), GenerateConfig()),
            model_id='canned',
            work_dir=str(folder),
            eval_batch_size=1,
            no_timestamp=True,
            **settings,
        )
        run_task(config)
        return Path(config.work_dir)

    first = run(tmp_path / 'first')
    assert calls
    calls.clear()
    rescore([first], output=tmp_path / 'again')
    config = yaml.safe_load((tmp_path / 'again' / 'configs' / 'task_config.yaml').read_text(encoding='utf-8'))
    identity = config['evaluation_identity']['benchmarks']['pubmedqa']
    assert identity['cache_source']['fingerprint'] == identity['fingerprint']
    run(tmp_path / 'again', use_cache=str(tmp_path / 'again'))
    assert calls == []
    assert read_runs([tmp_path / 'again'])[0].metrics == read_runs([first])[0].metrics


def test_nothing_is_written_over_and_nothing_into_the_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ranking_run(tmp_path / 'run', 'a')
    before = contents(run)
    for output, message in ((run, 'is there already'), (run / 'new', 'is inside the run')):
        assert main(['rescore', str(run), '--output', str(output)]) == 2
        assert message in capsys.readouterr().err
    assert contents(run) == before


@pytest.mark.parametrize(
    ('benchmark', 'reason'),
    [
        ('humaneval', 'its scoring runs the reply as code'),
        ('simple_qa', 'its score needs a judge model'),
        ('no_such_benchmark', 'this scoring has no benchmark of that name'),
    ],
)
def test_what_needs_more_than_the_reply_is_kept_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], benchmark: str, reason: str
) -> None:
    run = write_run(tmp_path / 'run', 'a', {'default': [review(0, 1.0)]}, benchmark=benchmark)
    assert main(['rescore', str(run), '--output', str(tmp_path / 'out')]) == 0
    assert f'a, {benchmark}: {reason}' in capsys.readouterr().out
    assert contents(run)[f'reviews/a/{benchmark}_default.jsonl'] in contents(tmp_path / 'out').values()


def test_a_judges_scores_are_kept(tmp_path: Path) -> None:
    run = write_run(tmp_path, 'a', {'main': [review(0, 1.0)]}, config={'judge': {'strategy': 'llm'}})
    assert [kept.reason for kept in rescore([run]).kept] == ['a judge model scored it']


def test_a_question_whose_options_cannot_be_had(tmp_path: Path) -> None:
    rows_of_run = [
        review(0, 1.0, target='B', prompt='Which?\nA) x\nB) y', prediction='答案：B'),
        review(1, 0.0, target='A', prompt='What?\nA) v\nB) w', prediction='答案：B'),
    ]
    run = write_run(tmp_path / 'run', 'a', {'EQ': rows_of_run}, benchmark='iquiz')
    with pytest.raises(NotRebuilt, match=r'iquiz: question 0 of subset EQ: .* pass the records .* --records iquiz=F'):
        rescore([run], output=tmp_path / 'out')
    assert not (tmp_path / 'out').exists()
    assert [path.name for path in tmp_path.iterdir()] == ['run']


def test_records_supply_the_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from evalscope_qa import engine

    file = tmp_path / 'records.jsonl'
    records = [
        {'question': 'Which?', 'choices': ['x', 'y', 'z'], 'answer': 'C', 'level': 1},
        {'question': 'What?', 'choices': ['v', 'w'], 'answer': 'A', 'level': 2},
    ]
    file.write_text(''.join(json.dumps(record) + '\n' for record in records), encoding='utf-8')
    adapter = engine.configured_adapter('iquiz')
    prompts = [engine.prompt_text(sample.input) for sample in engine.questions(adapter, records)]
    rows_of_run = [
        review(4, 0.0, target='C', prompt=prompts[0], prediction='答案：C', value={'acc': 0.0}),
        review(7, 1.0, target='A', prompt='Examples first.\n\n' + prompts[1], prediction='答案：A', value={'acc': 1.0}),
    ]
    run = write_run(tmp_path / 'run', 'a', {'EQ': rows_of_run}, benchmark='iquiz')
    result = rescore([run], records={'iquiz': file}).benchmarks[0]
    assert [(flip.index, flip.scores_before, flip.scores_after) for flip in result.flips] == [(4, (0.0,), (1.0,))]
    assert '2 replies are the text in the reviews' in result.note
    assert main(['rescore', str(run), '--records', str(file)]) == 2
    assert 'expected BENCHMARK=F' in capsys.readouterr().err


def test_records_of_another_dataset_are_refused(tmp_path: Path) -> None:
    file = tmp_path / 'records.jsonl'
    file.write_text('{"question": "Else?", "choices": ["x", "y"], "answer": "A"}\n', encoding='utf-8')
    run = write_run(tmp_path / 'run', 'a', {'EQ': [review(0, 1.0, target='A')]}, benchmark='iquiz')
    with pytest.raises(NotRebuilt, match='no record gives its prompt'):
        rescore([run], records={'iquiz': file})


_KILLED_AT = """
import os, signal, sys
from pathlib import Path
from evalscope_qa.runs import rescore
import evalscope_qa.runs.rescoring.output
limit, run, out = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
rescore([run])  # whatever is imported on the way is imported before the count begins
count = 0
def hook(event, arguments):
    global count
    if event == 'open' or event.startswith(('os.', 'shutil.', 'tempfile.')):
        count += 1
        if count == limit:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
rescore([run], output=out)
print(count)
"""


def test_killed_at_any_moment_the_input_is_what_it_was_and_the_output_absent_or_whole(
    tmp_path: Path, run_process: Callable
) -> None:
    run = ranking_run(tmp_path / 'run', 'a')
    before = contents(run)

    def killed(limit: int, out: Path) -> tuple[int, str]:
        done = run_process(sys.executable, '-c', _KILLED_AT, limit, run, out)
        assert contents(run) == before
        return done.returncode, done.stdout

    status, said = killed(0, tmp_path / 'whole')
    assert status == 0
    whole = contents(tmp_path / 'whole')
    operations = int(said.split()[-1])
    assert operations > 30  # files are opened and made: there are as many moments to be killed in
    points = random.Random(20_261_130).sample(range(1, operations + 1), 10)
    outcomes = set()
    for point in points:
        out = tmp_path / f'out{point}'
        status, _ = killed(point, out)
        assert status != 0, point
        outcomes.add(out.exists())
        assert not out.exists() or contents(out) == whole
    # The last operation of all is the renaming; killed before it there is no output.
    assert outcomes == {False}
    # What is left beside it stands in nobody's way.
    assert killed(0, tmp_path / f'out{points[0]}')[0] == 0


def test_unknown_benchmarks_are_named(tmp_path: Path) -> None:
    run = write_run(tmp_path, 'a', {'main': [review(0, 1.0)]})
    with pytest.raises(ValueError, match='no run holds mmlu; they hold gsm8k'):
        rescore([run], datasets=['mmlu'])
    assert [kept.reason for kept in rescore([run], datasets=['gsm8k']).kept] == []


def test_errors_of_the_process_without_plugins_are_those_of_this_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match='no such folder'):
        rescore([tmp_path / 'nowhere'], scoring='built-in')


def test_a_reply_is_one_row_of_the_flips_however_many_metrics_change(tmp_path: Path) -> None:
    files = sample_files('searchqa')
    run = write_scored_run(tmp_path / 'run', 'searchqa', read_records(files.records), read_replies(files.replies))
    assert rescore([run]).benchmarks[0].flips == ()
    change_scores(run, lambda score: score.update(value=dict.fromkeys(score['value'], 1.0)))
    flips = rescore([run]).benchmarks[0].flips
    assert len({(flip.subset, flip.index) for flip in flips}) == len(flips)
    nothing = next(flip for flip in flips if not flip.read_after)
    assert (nothing.metrics, nothing.scores_before) == (('exact_match', 'f1', 'sub_em'), (1.0, 1.0, 1.0))
    assert nothing.reason
    stream = io.StringIO(newline='')
    write_flips([nothing], stream)
    row = next(csv.DictReader(io.StringIO(stream.getvalue())))
    assert (row['metrics'], row['scores_after']) == ('exact_match; f1; sub_em', '0.0; 0.0; 0.0')
