"""The git repository, the release and the test runs behind the checks of the patches."""

from pathlib import Path

import pytest
from upstream.release import CommandError, fetch_release, run
from upstream.run_tests import _outcome
from upstream.tree import PatchError, Tree

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
