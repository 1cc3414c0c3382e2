"""What all commands share: settings, output files, encodings, Ctrl-C, and readers that leave."""

import io
import json
import os
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from evalscope_qa import discovery
from evalscope_qa.cli import main
from evalscope_qa.command_line import (
    INTERRUPTED,
    READER_GONE,
    check_output_folder,
    check_outputs,
    parse_dataset_args,
    write_files,
)
from evalscope_qa.replay import ReplayInterrupted, replay
from evalscope_qa.replay.samples import sample_files, shipped_benchmarks

SAMPLE = sample_files('rjua_qa')
REPLAY = ['replay', 'rjua_qa', '--records', str(SAMPLE.records), '--replies', str(SAMPLE.replies)]


# -- --dataset-args


@pytest.mark.parametrize(
    ('text', 'benchmarks', 'settings'),
    [
        ('{}', ['arc'], {}),
        ('{"arc": {"few_shot_num": 0}}', ['arc'], {'arc': {'few_shot_num': 0}}),
        ('{"few_shot_num": 0}', ['arc'], {'arc': {'few_shot_num': 0}}),
        ('{"arc": {"few_shot_num": 0}, "mmlu": {}}', ['arc', 'mmlu'], {'arc': {'few_shot_num': 0}, 'mmlu': {}}),
        ('{"any": {"few_shot_num": 0}}', None, {'any': {'few_shot_num': 0}}),
    ],
)
def test_settings_stand_by_benchmark_and_those_of_one_alone(text: str, benchmarks: Any, settings: Any) -> None:
    assert parse_dataset_args(text, benchmarks) == settings


@pytest.mark.parametrize(
    ('text', 'benchmarks', 'message'),
    [
        ('{', ['arc'], 'not valid JSON'),
        ('[' * 200_000, ['arc'], 'not valid JSON'),
        ('[]', ['arc'], 'must be a JSON object'),
        ('{"few_shot_num": 0}', ['arc', 'mmlu'], 'settings of few_shot_num, which the command does not run'),
        ('{"arc": {}, "gsm8k": {}}', ['arc'], 'settings of gsm8k, which the command does not run'),
        ('{"arc": 3}', None, 'the settings of arc must be a JSON object, not 3'),
    ],
)
def test_settings_of_another_form_or_of_another_benchmark_are_refused(text: str, benchmarks: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_dataset_args(text, benchmarks)


@pytest.mark.parametrize('settings', [{'system_prompt': 'Be brief.'}, {'rjua_qa': {'system_prompt': 'Be brief.'}}])
def test_replay_takes_both_forms(settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*REPLAY, '--json', '--dataset-args', json.dumps(settings)]) == 0
    assert json.loads(capsys.readouterr().out)['num'] == 6


@pytest.mark.usefixtures('warm_children')
@pytest.mark.parametrize(
    ('settings', 'message'),
    [
        ({'mmlu': {'few': 1}}, "mmlu: dataset_args: a benchmark has no setting 'few'"),
        ({'few': 1}, "mmlu: dataset_args: a benchmark has no setting 'few'"),
        ({'mmlu': {}, 'arc': {}}, 'settings of arc, which the command does not run'),
    ],
)
def test_the_audit_refuses_settings_that_would_be_passed_over(
    settings: Any, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(['audit', 'mmlu', '--rule', 'order', '--workers', '1', '--dataset-args', json.dumps(settings)]) == 2
    assert message in capsys.readouterr().err


# -- output files


@pytest.mark.parametrize(
    ('name', 'message'),
    [
        ('no/such/folder/file', 'there is no folder'),
        ('', 'that is a folder'),
        ('input', 'that is an input'),
        ('other/../input', 'that is an input'),
        ('twice', 'that is the file of --first'),
    ],
)
def test_a_file_that_could_not_or_should_not_be_written_is_refused(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / 'input').write_text('')
    (tmp_path / 'other').mkdir()
    outputs = {'--first': str(tmp_path / 'twice'), '--none': None, '--second': str(tmp_path / name)}
    with pytest.raises(ValueError, match=f'^--second .*{message}'):
        check_outputs(outputs, inputs=[tmp_path / 'input', None])


def test_a_file_without_permission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, 'access', lambda path, mode: False)
    with pytest.raises(ValueError, match='may not be written'):
        check_outputs({'--json': str(tmp_path / 'file')})
    with pytest.raises(ValueError, match='may not be written to'):
        check_output_folder('--work-dir', str(tmp_path / 'new' / 'folder'))


def test_a_new_file_and_a_folder_to_be_made_are_fine(tmp_path: Path) -> None:
    check_outputs({'--json': str(tmp_path / 'new.json')})
    check_output_folder('--work-dir', str(tmp_path / 'a' / 'b'))


def test_every_file_is_written_also_after_one_that_fails(tmp_path: Path) -> None:
    def fail(path: Path) -> None:
        raise OSError(28, 'No space left on device')

    with pytest.raises(OSError, match='first was not written: No space left on device'):
        write_files([('first', fail), (None, fail), (str(tmp_path / 'second'), lambda path: path.touch())])
    assert (tmp_path / 'second').exists()


@pytest.mark.parametrize(
    ('words', 'message'),
    [
        ([*REPLAY, '--per-sample', '/no/such/folder/rows.csv'], '--per-sample /no/such/folder/rows.csv: there is no'),
        ([*REPLAY, '--per-sample', str(SAMPLE.replies)], 'that is an input; name another file'),
        (['audit', 'mmlu', '--markdown', '/no/such/folder/a.md'], '--markdown /no/such/folder/a.md: there is no'),
        (['audit', 'mmlu', '--records', __file__, '--json', __file__], 'that is an input'),
        (['audit', 'mmlu', '--json', 'same', '--html', 'same'], 'that is the file of --json'),
        (['demo', '--work-dir', f'{__file__}/folder'], 'is no folder; name another one'),
    ],
)
def test_output_paths_are_checked_before_any_work(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*arguments: Any, **options: Any) -> None:
        raise AssertionError('work was begun')

    before = SAMPLE.replies.read_bytes()
    for name in ('replay.scoring.replay', 'audit.parallel.audit', 'replay.demo.run_demo'):
        monkeypatch.setattr(f'evalscope_qa.{name}', work)
    assert main(words) == 2
    assert message in capsys.readouterr().err
    assert SAMPLE.replies.read_bytes() == before


def test_metrics_are_printed_where_the_rows_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(self: Path, *arguments: Any, **options: Any) -> None:
        raise OSError(28, 'No space left on device')

    monkeypatch.setattr('evalscope_qa.replay.tables.SampleTable.write', full)
    assert main([*REPLAY, '--per-sample', str(tmp_path / 'rows.csv')]) == 2
    captured = capsys.readouterr()
    assert 'final_accuracy' in captured.out
    assert 'rows.csv was not written: No space left on device' in captured.err


# -- encodings


class Terminal(io.TextIOWrapper):
    """A standard output of some encoding, which keeps what it was given."""

    def __init__(self, encoding: str, errors: str = 'strict') -> None:
        super().__init__(io.BytesIO(), encoding=encoding, errors=errors)

    @property
    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ('encoding', 'errors'),
    [('ascii', 'strict'), ('latin-1', 'strict'), ('cp1252', 'strict'), ('ascii', 'surrogateescape')],
)
@pytest.mark.parametrize(
    'words', [[*REPLAY, '--json'], REPLAY, ['list'], ['list', '--json'], ['audit', '--list-rules']]
)
def test_every_command_prints_in_every_encoding(
    words: list[str], encoding: str, errors: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last one is what LC_ALL=C gives."""
    terminal = Terminal(encoding, errors)
    monkeypatch.setattr(sys, 'stdout', terminal)
    assert main(words) in (0, 1)
    assert terminal.errors == errors
    if '--json' in words:
        shown = json.loads(terminal.text)
        if words[0] == 'replay':
            assert '。' in ''.join(sample['reply'] or '' for sample in shown['samples'])
    else:
        assert len(terminal.text) > 100


def test_what_an_encoding_lacks_is_shown_by_something_like_it_or_as_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal('cp1252')
    monkeypatch.setattr(sys, 'stdout', terminal)
    monkeypatch.setattr(discovery, 'decisions', lambda: print('┌─┐│ Rouge-L ↑ é 答 \ud800') or [])
    main(['list'])
    assert terminal.text.startswith('+-+| Rouge-L ^ é \\u7b54 \\ud800')


# -- Ctrl-C


def _interrupt(*arguments: Any, **options: Any) -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ('command', 'words', 'place'),
    [
        ('list', ['list'], 'evalscope_qa.discovery.decisions'),
        ('replay', REPLAY, 'evalscope_qa.engine.configured_adapter'),
        ('demo', ['demo', '--work-dir', '{folder}'], 'evalscope.run_task'),
        ('audit', ['audit', 'mmlu'], 'evalscope_qa.audit.parallel.audit'),
    ],
)
def test_ctrl_c_is_one_line_and_status_130(
    command: str,
    words: list[str],
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(place, _interrupt)
    assert main([word.format(folder=tmp_path) for word in words]) == INTERRUPTED
    assert capsys.readouterr().err.splitlines()[-1] == f'evalscope-qa {command}: interrupted'


@pytest.fixture
def interrupted_after_four(monkeypatch: pytest.MonkeyPatch) -> None:
    from evalscope_qa.rjua_qa.rjua_qa_adapter import RJUAQAAdapter

    calls = []
    calculate = RJUAQAAdapter.calculate_metrics

    def calculate_metrics(self: Any, task_state: Any) -> Any:
        calls.append(task_state)
        return _interrupt() if len(calls) == 5 else calculate(self, task_state)

    monkeypatch.setattr(RJUAQAAdapter, 'calculate_metrics', calculate_metrics)


def test_an_interrupted_replay_gives_the_result_so_far(
    interrupted_after_four: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / 'rows.csv'
    assert main([*REPLAY, '--per-sample', str(table)]) == INTERRUPTED
    captured = capsys.readouterr()
    assert captured.err.splitlines()[-1].startswith('evalscope-qa replay: interrupted after 4 of 6 questions')
    assert 'rjua_qa v' in captured.out and ', 4 questions' in captured.out
    assert len(table.read_text(encoding='utf-8').splitlines()) >= 5


def test_the_result_so_far_is_that_of_the_replies_scored(interrupted_after_four: None) -> None:
    from evalscope_qa.records import read_records
    from evalscope_qa.replay import read_replies

    records, replies = read_records(SAMPLE.records), read_replies(SAMPLE.replies)
    with pytest.raises(ReplayInterrupted) as caught:
        replay('rjua_qa', records, replies)
    so_far, expected = caught.value.result, replay('rjua_qa', records[:4], replies[:4])
    assert (so_far.num, so_far.metrics, so_far.samples) == (4, expected.metrics, expected.samples)


# -- a reader that leaves


def test_a_reader_that_leaves_ends_the_command_in_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(Terminal):
        written = False

        def write(self, text: str) -> int:
            self.written = True
            return super().write(text)

        def flush(self) -> None:
            if self.written:
                raise BrokenPipeError(32, 'Broken pipe')

    gone, said = Gone('utf-8'), io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, 'stdout', gone)
        patched.setattr(sys, 'stderr', said)
        assert main([*REPLAY, '--per-sample', str(tmp_path / 'rows.csv')]) == READER_GONE
    assert said.getvalue() == ''
    assert (tmp_path / 'rows.csv').stat().st_size > 0, 'files are written all the same'
    gone.written = False


def test_the_last_words_of_a_command_are_not_an_error_of_its_exit(run_process: Callable[..., Any]) -> None:
    words = f'{sys.executable} -m evalscope_qa list | true; echo ${{PIPESTATUS[0]}}'
    done = run_process('bash', '-c', words)
    assert done.stdout.strip() in (str(READER_GONE), '0')
    assert 'Traceback' not in done.stderr and 'Broken pipe' not in done.stderr


# -- a narrow terminal


def test_the_list_fits_a_narrow_terminal_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv('COLUMNS', raising=False)
    main(['list'])
    table = capsys.readouterr().out
    assert max(map(len, table.splitlines())) > 60
    monkeypatch.setenv('COLUMNS', '60')
    main(['list'])
    narrow = capsys.readouterr().out
    shown = narrow[: narrow.index('strict: ')].splitlines()
    assert max(map(len, shown)) <= 60
    assert [line for line in shown if not line.startswith(' ')] == sorted(shipped_benchmarks())
    assert narrow.count('  status: active') == len(shipped_benchmarks())
    monkeypatch.setenv('COLUMNS', '400')
    main(['list'])
    assert capsys.readouterr().out == table


# -- input and words


@pytest.mark.parametrize('name', ['records.json.gz', 'records.gz', 'records.json'])
def test_compressed_input_is_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import gzip

    (tmp_path / name).write_bytes(gzip.compress(SAMPLE.records.read_bytes()))
    (tmp_path / 'replies.jsonl.gz').write_bytes(gzip.compress(SAMPLE.replies.read_bytes()))
    words = ['replay', 'rjua_qa', '--records', tmp_path / name, '--replies', tmp_path / 'replies.jsonl.gz', '--json']
    assert main([str(word) for word in words]) == 0
    compressed = json.loads(capsys.readouterr().out)
    assert main([*REPLAY, '--json']) == 0
    assert json.loads(capsys.readouterr().out) == compressed


def test_compressed_csv_is_told_by_its_inner_ending_and_a_cut_file_is_an_error(tmp_path: Path) -> None:
    import gzip

    from evalscope_qa.replay import read_replies

    content = gzip.compress(b'reply\n"a, b"\n')
    (tmp_path / 'replies.csv.gz').write_bytes(content)
    assert read_replies(tmp_path / 'replies.csv.gz') == ['a, b']
    (tmp_path / 'cut.csv.gz').write_bytes(content[:-10])
    with pytest.raises(ValueError, match=r'cut\.csv\.gz: a gzip file that cannot be read to its end'):
        read_replies(tmp_path / 'cut.csv.gz')


def test_one_question_is_no_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / 'record.json').write_text(SAMPLE.records.read_text('utf-8').splitlines()[0], encoding='utf-8')
    (tmp_path / 'reply.json').write_text('["x"]')
    words = ['replay', 'rjua_qa', '--records', tmp_path / 'record.json', '--replies', tmp_path / 'reply.json']
    assert main([str(word) for word in words]) == 0
    assert ', 1 question\n' in capsys.readouterr().out


def test_a_replay_of_mathematics_says_nothing_but_its_result(run_process: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / 'records.jsonl').write_text(json.dumps({'question': '1 + 1?', 'answer': '1 + 1 = 2\n#### 2'}))
    (tmp_path / 'replies.jsonl').write_text('"The answer is 2"')
    done = run_process('evalscope-qa', 'replay', 'gsm8k', '--records', 'records.jsonl', '--replies', 'replies.jsonl')
    assert (done.returncode, done.stderr) == (0, '')
    assert 'accuracy' in done.stdout
