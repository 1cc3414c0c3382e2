"""The git repository, the release, the test runs and the tables behind the checks of the patches."""

from pathlib import Path

import evidence
import pytest
import verify
from upstream.release import CommandError, fetch_release, run
from upstream.run_tests import _outcome
from upstream.series import ROOT, SERIES
from upstream.tree import PatchError, Tree
from upstream.unchanged import differences, without_imports

# -- git --------------------------------------------------------------------------------------------------------------


def _release(folder: Path) -> Tree:
    (folder / 'evalscope').mkdir(parents=True)
    (folder / 'evalscope' / 'a.py').write_bytes(b'a = 1\r\nb = 2\n' + b'# line\n' * 9)
    return Tree.of_release(folder)


def _patch(folder: Path) -> tuple[str, str]:
    tree = _release(folder)
    (tree.folder / 'evalscope' / 'a.py').write_bytes(b'a = 1\r\nb = 3\n' + b'# line\n' * 9)
    (tree.folder / 'new.txt').write_bytes('ä\u2028\n'.encode())
    (tree.folder / '__pycache__').mkdir()
    (tree.folder / '__pycache__' / 'a.pyc').write_bytes(b'\0')
    tree.commit('Change b, "quoted"\n\nProblem. ä\n')
    return tree.format_patch()


def test_a_patch_does_not_depend_on_the_users_git_settings(tmp_path: Path, git_settings: Path) -> None:
    name, text = _patch(tmp_path / 'one')
    git_settings.write_text('')
    assert (name, text) == _patch(tmp_path / 'two')
    assert name == 'change-b-quoted'
    assert 'Somebody' not in text


def test_a_patch_applies_and_gives_the_same_files(tmp_path: Path, git_settings: Path) -> None:
    name, text = _patch(tmp_path / 'one')
    (tmp_path / name).write_bytes(text.encode())
    release = _release(tmp_path / 'two')
    tree = release.worktree(tmp_path / 'three', release.head())
    tree.apply(tmp_path / name)
    assert (tree.folder / 'evalscope' / 'a.py').read_bytes().startswith(b'a = 1\r\nb = 3\n')
    assert (tree.folder / 'new.txt').read_bytes() == 'ä\u2028\n'.encode()
    assert tree.changed_files() == ['evalscope/a.py', 'new.txt']
    assert tree.format_patch() == (name, text)
    assert not (release.folder / 'new.txt').exists()


@pytest.mark.parametrize('three_way', [False, True])
def test_a_patch_that_does_not_apply_is_an_error(tmp_path: Path, three_way: bool) -> None:
    name, text = _patch(tmp_path / 'one')
    (tmp_path / name).write_text(text.replace('-b = 2', '-b = 9'), encoding='utf-8')
    with pytest.raises(PatchError, match=name):
        _release(tmp_path / 'two').apply(tmp_path / name, three_way)


def test_lines_that_another_patch_changed_nearby_are_merged_on_request(tmp_path: Path) -> None:
    name, text = _patch(tmp_path / 'one')
    (tmp_path / name).write_bytes(text.encode())
    tree = _release(tmp_path / 'two')
    file = tree.folder / 'evalscope' / 'a.py'
    file.write_bytes(file.read_bytes().replace(b'b = 2\n# line\n# line\n', b'b = 2\n# line\n# another\n'))
    tree.commit('Another')
    with pytest.raises(PatchError):
        tree.apply(tmp_path / name)
    run(['git', '-c', 'user.name=x', '-c', 'user.email=x@example.invalid', 'am', '--abort'], cwd=tree.folder)
    tree.apply(tmp_path / name, three_way=True)
    assert b'b = 3\n# line\n# another\n' in file.read_bytes()


# -- release and test runs --------------------------------------------------------------------------------------------


def test_an_unknown_or_damaged_release_is_refused(tmp_path: Path) -> None:
    (tmp_path / 'sdist').mkdir()
    for version, problem in [('0.0.1', 'no digest is recorded'), ('1.14.1', 'expected')]:
        (tmp_path / 'sdist' / f'evalscope-{version}.tar.gz').write_bytes(b'damaged')
        with pytest.raises(ValueError, match=problem):
            fetch_release(version, tmp_path)


def test_a_failing_command_shows_its_output() -> None:
    with pytest.raises(CommandError, match='no-such-command'):
        run(['git', 'no-such-command'])


def test_failed_tests_are_named_as_pytest_names_them(tmp_path: Path) -> None:
    (tmp_path / 'report.xml').write_text(
        '<testsuites><testsuite>'
        '<testcase classname="tests.a.test_x" file="tests/a/test_x.py" name="test_one[p q]"><failure/></testcase>'
        '<testcase classname="tests.a.test_x.TestC" file="tests/a/test_x.py" name="test_two"><error/></testcase>'
        '<testcase classname="" file="tests/a/test_y.py" name="tests.a.test_y"><error/></testcase>'
        '<testcase classname="" name="tests.a.test_z"><error/></testcase>'
        '<testcase classname="tests.a.test_x" file="tests/a/test_x.py" name="test_three"/>'
        '<testcase classname="tests.a.test_x" file="tests/a/test_x.py" name="test_four"><skipped/></testcase>'
        '</testsuite></testsuites>'
    )
    outcome = _outcome(tmp_path / 'report.xml', 'output')
    assert outcome.failed == [
        'tests/a/test_x.py::test_one[p q]',
        'tests/a/test_x.py::TestC::test_two',
        'tests/a/test_y.py',
        'tests/a/test_z.py',
    ]
    assert (outcome.passed, outcome.skipped) == (1, 1)
    assert str(outcome) == '1 passed, 4 failed, 1 skipped'


# -- files taken over from the package --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('theirs', 'same'),
    [
        ('"""Doc."""\n\nimport b\nfrom c import (\n    d,\n)\n\nX = 1\n', True),
        ('"""Doc."""\nfrom c import d\n\n\nX = 1\n', False),  # white space behind the imports counts
        ('"""Doc."""\n\nimport b\n\nX = 2\n', False),
        ('"""Other."""\n\nimport b\n\nX = 1\n', False),
    ],
)
def test_files_are_compared_without_their_import_statements(theirs: str, same: bool) -> None:
    ours = '"""Doc."""\n\nimport a\nimport b\n\nX = 1\n'
    assert (without_imports(ours) == without_imports(theirs)) is same


def test_what_is_taken_over_is_named_where_it_differs(tmp_path: Path) -> None:
    taken_over = next(patch.taken_over for patch in SERIES['1.14.1'] if patch.taken_over)
    for theirs, ours in taken_over.items():
        (tmp_path / theirs).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / theirs).write_bytes((ROOT / ours).read_bytes())
    assert differences(tmp_path, taken_over) == []
    first = next(iter(taken_over))
    (tmp_path / first).write_text('')
    assert differences(tmp_path, taken_over) == [f'{first} is not {taken_over[first]}']


# -- names of tests, files and modules --------------------------------------------------------------------------------


def test_what_verify_takes_for_tests_functions_and_modules() -> None:
    files = ['tests/test_a.py', 'tests/b/test_c.py', 'tests/b/conftest.py', 'evalscope/test_d.py']
    assert [file for file in files if verify._is_test(file)] == files[:2]
    text = 'def test_a():\n    pass\nclass TestB:\n    def test_b(self): ...\ndef helper(): ...'
    assert verify._test_functions(text) == {'test_a', 'test_b'}
    assert verify._function('tests/test_a.py::TestB::test_b[x::y z]') == 'test_b'
    assert verify._module('evalscope/api/registry.py') == 'evalscope.api.registry'
    assert verify._module('evalscope/benchmarks/__init__.py') == 'evalscope.benchmarks'


@pytest.mark.parametrize(
    ('text', 'concerned'),
    [
        ('from evalscope.utils.yes_no import extract_verdict\n', True),
        ('from evalscope.utils.yes_nothing import x\n', False),
        ("from evalscope.api.registry import get_benchmark\nget_benchmark('pope')\n", True),
        ("from evalscope.api.registry import get_benchmark\nget_benchmark('popes')\n", False),
        ("from evalscope import run_task\nrun_task({'datasets': ['pope']})\n", False),  # needs its dataset and a model
    ],
)
def test_tests_of_the_repository_are_chosen_by_what_they_are_about(text: str, concerned: bool) -> None:
    assert verify._concerned(['evalscope.utils.yes_no'], ['pope'])(text) is concerned


# -- tables -----------------------------------------------------------------------------------------------------------


def test_counts_of_labelled_replies_are_shown_by_what_became_of_them() -> None:
    before = {'stated: right': 1, 'stated: lost': 2, 'none: right': 3, 'several: invented': 4}
    after = {'stated: right': 2, 'stated: misread': 1, 'none: invented': 1, 'none: right': 2, 'several: right': 4}
    rows = [' '.join(line.split()) for line in evidence.choice_table(before, after)]
    assert rows == [
        '3 replies that state one answer',
        'before after',
        'read 1 2',
        'misread 0 1',
        'lost 2 0',
        '3 that state none',
        'before after',
        'given a letter all the same 0 1',
        '4 that state several',
        'before after',
        'given one of them 4 0',
    ]


def test_changed_readings_of_runs_are_listed() -> None:
    assert evidence.runs_table({'a': 'B', 'b': ''}, {'a': 'B', 'b': 'C'}) == [
        'genuine runs: 1 of 2 readings change',
        '  b: - -> C',
    ]


def test_causes_of_the_audit_are_counted_by_the_parser_they_are_in() -> None:
    results = [{'benchmark': name, 'status': 'audited'} for name in ('mmlu', 'pope', 'gsm8k')]
    letters = {'rule': 'non-answer', 'cause': 'evalscope.utils.multi_choices._fall', 'benchmarks': ['mmlu', 'arc']}
    verdicts = {
        'rule': 'non-answer',
        'cause': 'evalscope.benchmarks.pope.pope_adapter.PopeAdapter.match_score',
        'benchmarks': ['pope'],
    }
    tables = evidence.audit_tables(
        {'results': results, 'causes': [letters, verdicts]}, {'results': results, 'causes': [verdicts]}
    )
    rows = {number: [' '.join(line.split()) for line in lines[2:]] for number, lines in tables.items()}
    assert rows == {
        '0001': ['non-answer, _fall 2 0', 'benchmarks without a finding 1 2'],
        '0002': ['non-answer, the six yes-no benchmarks 1 1', 'benchmarks without a finding 1 2'],
    }


def test_a_line_that_a_message_lacks_is_found() -> None:
    held = 'genuine   runs: 0 of 60 readings change'
    assert evidence.missing('0001', [held, 'genuine runs: 1 of 60']) == ['genuine runs: 1 of 60']
