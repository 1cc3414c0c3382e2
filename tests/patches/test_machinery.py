"""Edits, import rewriting and the git repository behind the patches: exact, or an error that says where."""

import importlib
import sys
from pathlib import Path

import pytest
from upstream import catalog
from upstream.edit import Edit, EditError, apply_edits
from upstream.native_modules import replace_modules
from upstream.release import CommandError, fetch_release, run
from upstream.rewrite import RewriteError, rewrite_module, rewrite_test
from upstream.run_tests import _outcome
from upstream.tree import PatchError, ReleaseTree

# -- edits ------------------------------------------------------------------------------------------------------------


def test_an_edit_replaces_its_anchor(tmp_path: Path) -> None:
    (tmp_path / 'a.py').write_bytes('x = 1\r\ny = "é"\n'.encode())
    apply_edits(tmp_path, [Edit('a.py', 'x = 1\r\n', 'x = 2\r\n'), Edit('a.py', '"é"', '"ü"')])
    assert (tmp_path / 'a.py').read_bytes() == 'x = 2\r\ny = "ü"\n'.encode()


@pytest.mark.parametrize(('text', 'times'), [('', 0), ('x\nx\n', 2)])
def test_a_missing_or_ambiguous_anchor_is_an_error(tmp_path: Path, text: str, times: int) -> None:
    (tmp_path / 'a.py').write_text(text)
    with pytest.raises(EditError, match=rf'a\.py: the anchor occurs {times} times'):
        Edit('a.py', 'x\n', 'y\n').apply(tmp_path)
    assert (tmp_path / 'a.py').read_text() == text


# -- rewriting --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('ours', 'theirs'),
    [
        ('from ..reasoning import strip_reasoning\n', 'from evalscope.utils.reasoning import strip_reasoning\n'),
        ('from ..records import (\n    A,\n    B,\n)\n', 'from evalscope.utils.records import (\n    A,\n    B,\n)\n'),
        ('    from ..records import A\n', '    from evalscope.utils.records import A\n'),
        ('from .scoring import score\n', 'from .scoring import score\n'),
        ('from .old import score\n', 'from .new import score\n'),
        ('from evalscope.api.dataset import Sample\n', 'from evalscope.api.dataset import Sample\n'),
        ('text = "from ..records"\n', 'text = "from ..records"\n'),
    ],
)
def test_imports_of_modules_are_rewritten(ours: str, theirs: str) -> None:
    assert rewrite_module(ours, {'old': 'new'}, 'x.py') == theirs


@pytest.mark.parametrize(
    'text',
    ['from ..searchqa import scoring\n', 'from .. import records\n', 'import evalscope_qa\n', '# evalscope-qa\n'],
)
def test_what_has_no_place_in_evalscope_is_an_error(text: str) -> None:
    with pytest.raises(RewriteError, match=r'x\.py'):
        rewrite_module(text, {}, 'x.py')


def test_a_phrase_about_the_package_is_replaced_and_must_be_there() -> None:
    assert rewrite_module('# ours, here\n', {}, 'x.py', {'ours, ': ''}) == '# here\n'
    with pytest.raises(RewriteError, match=r'x\.py: holds 0 times'):
        rewrite_module('# here\n', {}, 'x.py', {'ours, ': ''})


@pytest.mark.parametrize(
    ('ours', 'theirs'),
    [
        ('from evalscope_qa.mine.scoring import f1\n', 'from evalscope.benchmarks.theirs.scoring import f1\n'),
        ('from evalscope_qa.mine import scoring\n', 'from evalscope.benchmarks.theirs import scoring\n'),
        ('from evalscope_qa.mine.old import f1\n', 'from evalscope.benchmarks.theirs.new import f1\n'),
        ('from evalscope_qa.mine import old\n', 'from evalscope.benchmarks.theirs import new as old\n'),
        ('from evalscope_qa.records import A\n', 'from evalscope.utils.records import A\n'),
        ('from evalscope_qa import reasoning\n', 'from evalscope.utils import reasoning\n'),
        (
            "monkeypatch.setattr('evalscope_qa.mine.x.y', 1)\n",
            "monkeypatch.setattr('evalscope.benchmarks.theirs.x.y', 1)\n",
        ),
    ],
)
def test_imports_of_tests_are_rewritten(ours: str, theirs: str) -> None:
    assert rewrite_test(ours, 'mine', 'theirs', {'old': 'new'}, 'x.py') == theirs


def test_a_test_that_needs_more_of_the_package_is_an_error() -> None:
    with pytest.raises(RewriteError, match='line 2 still names the package'):
        rewrite_test('import json\nfrom evalscope_qa.replay import replay\n', 'mine', 'theirs', {}, 'x.py')


def test_a_metric_name_that_the_package_does_not_declare_is_an_error() -> None:
    with pytest.raises(KeyError, match='no_such_metric'):
        catalog.declare(['no_such_metric'], 'comment')


def test_graded_metrics_and_shares_are_declared_as_the_package_does() -> None:
    new = catalog.declare(['map', 'unanswered_ratio'], 'two').new
    assert "'map': MetricEntry(baseline='quality.score.ratio', metric_name='MAP')," in new
    assert "'unanswered_ratio': MetricEntry(baseline='diagnostic.parse_status.ratio'" in new


# -- git --------------------------------------------------------------------------------------------------------------


def _release(folder: Path) -> ReleaseTree:
    (folder / 'evalscope').mkdir(parents=True)
    (folder / 'evalscope' / 'a.py').write_bytes(b'a = 1\r\nb = 2\n')
    return ReleaseTree(folder)


def _patch(folder: Path) -> 'tuple[str, str]':
    tree = _release(folder)
    (tree.folder / 'evalscope' / 'a.py').write_bytes(b'a = 1\r\nb = 3\n')
    (tree.folder / 'new.txt').write_bytes('ä\u2028\n'.encode())
    (tree.folder / '__pycache__').mkdir()
    (tree.folder / '__pycache__' / 'a.pyc').write_bytes(b'\0')
    assert tree.uncommitted() == ['evalscope/a.py', 'new.txt']
    return tree.format_patch(tree.commit('Change b, "quoted"\n\nProblem. ä\n'), 7)


def test_a_patch_does_not_depend_on_the_users_git_settings(tmp_path: Path, git_settings: Path) -> None:
    name, text = _patch(tmp_path / 'one')
    git_settings.write_text('')
    assert (name, text) == _patch(tmp_path / 'two')
    assert name == '0007-change-b-quoted.patch'
    assert 'Somebody' not in text


def test_a_patch_applies_and_gives_the_same_files(tmp_path: Path, git_settings: Path) -> None:
    name, text = _patch(tmp_path / 'one')
    (tmp_path / name).write_bytes(text.encode())
    tree = _release(tmp_path / 'two')
    commit = tree.apply(tmp_path / name)
    assert (tree.folder / 'evalscope' / 'a.py').read_bytes() == b'a = 1\r\nb = 3\n'
    assert (tree.folder / 'new.txt').read_bytes() == 'ä\u2028\n'.encode()
    assert tree.changed_files(commit) == ['evalscope/a.py', 'new.txt']
    assert tree.format_patch(commit, 7) == (name, text)


def test_a_patch_that_does_not_apply_is_an_error(tmp_path: Path) -> None:
    name, text = _patch(tmp_path / 'one')
    (tmp_path / name).write_text(text.replace('-b = 2', '-b = 9'), encoding='utf-8')
    with pytest.raises(PatchError, match=name):
        _release(tmp_path / 'two').apply(tmp_path / name)


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


# -- the package's tests on evalscope's modules -----------------------------------------------------------------------


def test_native_modules_take_the_place_of_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {
        'plug_ours/__init__.py': '',
        'plug_ours/bench/__init__.py': '',
        'plug_ours/bench/scoring.py': 'owner = "ours"',
        'plug_ours/user.py': 'from .bench.scoring import owner\nfrom .bench import old',
        'plug_theirs/__init__.py': '',
        'plug_theirs/b/__init__.py': '',
        'plug_theirs/b/scoring.py': 'owner = "theirs"',
        'plug_theirs/b/new.py': '',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        replace_modules({'plug_ours.bench': 'plug_theirs.b', 'plug_ours.bench.old': 'plug_theirs.b.new'})
        user = importlib.import_module('plug_ours.user')
        assert user.owner == 'theirs'
        assert user.old.__name__ == 'plug_theirs.b.new'
        with pytest.raises(RuntimeError, match='imported already'):
            replace_modules({'plug_ours.user': 'plug_theirs.b'})
    finally:
        for name in [name for name in sys.modules if name.startswith(('plug_ours', 'plug_theirs'))]:
            del sys.modules[name]
