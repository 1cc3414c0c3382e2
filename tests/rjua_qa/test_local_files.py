"""Where the records come from: every form of file, both kinds of path, each split, and what is said without one."""

import json
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

Row = Dict[str, Any]
Make = Callable[..., Any]


def _ids(made: Any) -> List[str]:
    return [sample.metadata['id'] for sample in made.load_dataset()['default']]


def _lines(rows: List[Row], end: str = '\n') -> str:
    return ''.join(json.dumps(row, ensure_ascii=False) + end for row in rows)


FORMS: Dict[str, Callable[[List[Row]], bytes]] = {
    'JSON Lines': lambda rows: _lines(rows).encode(),
    'JSON Lines with blank lines and no last line end': lambda rows: _lines(rows, '\n\n').rstrip().encode(),
    'JSON array': lambda rows: json.dumps(rows, ensure_ascii=False).encode(),
    'indented JSON array': lambda rows: json.dumps(rows, ensure_ascii=False, indent=2).encode(),
    'ASCII JSON': lambda rows: json.dumps(rows).encode(),
    'byte-order mark': lambda rows: _lines(rows).encode('utf-8-sig'),
    'byte-order mark and array': lambda rows: json.dumps(rows).encode('utf-8-sig'),
    'Windows line ends': lambda rows: _lines(rows, '\r\n').encode(),
    'both': lambda rows: _lines(rows, '\r\n').encode('utf-8-sig'),
}


@pytest.mark.parametrize('name', ['RJUA_test.json', 'RJUA_test.jsonl', 'test.json', 'test.jsonl'])
@pytest.mark.parametrize('form', FORMS)
def test_each_form_of_file_in_a_folder_or_by_itself(
    adapter: Make, row: Make, tmp_path: Path, form: str, name: str
) -> None:
    rows = [row(number) for number in range(3)]
    (tmp_path / name).write_bytes(FORMS[form](rows))
    for path in (tmp_path, tmp_path / name):
        assert _ids(adapter({'local_path': str(path)})) == ['test-0', 'test-1', 'test-2']


def test_a_file_is_the_evaluated_split_whatever_it_is_called(adapter: Make, row: Make, tmp_path: Path) -> None:
    (tmp_path / 'mine.txt').write_text(_lines([row(1)]), encoding='utf-8')
    assert _ids(adapter({'local_path': str(tmp_path / 'mine.txt')})) == ['test-1']


@pytest.mark.parametrize('split', ['train', 'valid', 'test'])
def test_each_split_of_a_folder_can_be_evaluated(adapter: Make, row: Make, folder: Make, split: str) -> None:
    path = folder(**{name: [row(1, name), row(2, name)] for name in ('train', 'valid', 'test')})
    assert _ids(adapter({'local_path': path, 'eval_split': split})) == [f'{split}-1', f'{split}-2']


def test_the_published_name_goes_before_another(adapter: Make, row: Make, folder: Make) -> None:
    path = folder(test=[row(1)])
    (Path(path) / 'test.jsonl').write_text(_lines([row(2)]), encoding='utf-8')
    assert _ids(adapter({'local_path': path})) == ['test-1']


def test_few_shot_examples_come_from_the_train_split(adapter: Make, row: Make, folder: Make) -> None:
    path = folder(train=[row(number, 'train') for number in range(5)], test=[row(1)])
    for local_path in (path, f'{path}/RJUA_test.json'):  # beside a file, the published name is found
        (sample,) = adapter({'local_path': local_path, 'few_shot_num': 2}).load_dataset()['default']
        prompt = sample.input[0].text
        assert [f'train 问题 {number}？' in prompt for number in range(5)] == [True, True, False, False, False]


def test_a_question_that_is_asked_is_no_example_whatever_its_passages(adapter: Make, row: Make, folder: Make) -> None:
    path = folder(train=[row(1, 'train', question=row(1)['question'], context=['其他'])], test=[row(1)])
    with pytest.raises(ValueError, match='number 1 is one of the questions evaluated'):
        adapter({'local_path': path, 'few_shot_num': 1}).load_dataset()


@pytest.mark.parametrize('settings', [{}, {'eval_split': 'train'}, {'few_shot_num': 2}])
def test_without_local_path_the_error_says_what_to_download_from_where_and_how_to_pass_it(
    adapter: Make, settings: Row
) -> None:
    with pytest.raises(FileNotFoundError) as error:
        adapter(settings).load_dataset()
    for part in (
        'rjua_qa', 'local_path is required', 'RJUA_train.json', 'RJUA_valid.json', 'RJUA_test.json', 'OpenKG',
        'http://data.openkg.cn/dataset/rjua-qadatasets', '--dataset-args', '"local_path": "/path/to/folder"',
    ):  # fmt: skip
        assert part in str(error.value)


def test_the_hub_that_is_set_does_not_matter(adapter: Make) -> None:
    for hub in ('huggingface', 'modelscope'):
        with pytest.raises(FileNotFoundError, match='local_path is required'):
            adapter(dataset_hub=hub).load_dataset()


def test_a_path_that_is_not_there(adapter: Make, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r'nowhere: no such file or folder\. Download RJUA_train\.json'):
        adapter({'local_path': str(tmp_path / 'nowhere')}).load_dataset()


def test_a_folder_without_the_split(adapter: Make, row: Make, folder: Make) -> None:
    path = folder(test=[row(1)])
    with pytest.raises(FileNotFoundError, match=r"split 'valid'; looked for RJUA_valid\.json, .*, valid\.jsonl"):
        adapter({'local_path': path, 'eval_split': 'valid'}).load_dataset()
    with pytest.raises(FileNotFoundError, match="no file of the split 'train'"):
        adapter({'local_path': path, 'few_shot_num': 1}).load_dataset()
    with pytest.raises(FileNotFoundError, match="no file of the split 'train'"):
        adapter({'local_path': f'{path}/RJUA_test.json', 'few_shot_num': 1}).load_dataset()


@pytest.mark.parametrize(
    ('content', 'problem'),
    [
        ('', 'holds no record'),
        ('[]', 'holds no record'),
        ('{"id": "1"', 'line 1 is not valid JSON'),
        ('[{"id": "1"}', 'not valid JSON'),
        ('"text"', 'expected a JSON object'),
    ],
)
def test_a_file_without_usable_records(adapter: Make, tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / 'RJUA_test.json').write_text(content, encoding='utf-8')
    with pytest.raises(ValueError, match=problem) as error:
        adapter({'local_path': str(tmp_path)}).load_dataset()
    assert 'RJUA_test.json' in str(error.value)


def test_a_home_folder_is_expanded(adapter: Make, row: Make, folder: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(folder(test=[row(1)]))
    monkeypatch.setenv('HOME', str(path.parent))
    assert _ids(adapter({'local_path': f'~/{path.name}'})) == ['test-1']


def test_limit_repeats_and_shuffle_apply(adapter: Make, row: Make, folder: Make) -> None:
    path = folder(test=[row(number) for number in range(30)])
    samples = adapter({'local_path': path}, limit=2, repeats=2).load_dataset()['default']
    assert [(sample.group_id, sample.metadata['id']) for sample in samples] == [
        (0, 'test-0'), (0, 'test-0'), (1, 'test-1'), (1, 'test-1'),
    ]  # fmt: skip
    shuffled = _ids(adapter({'local_path': path, 'shuffle': True}, seed=1))
    assert sorted(shuffled) == sorted(f'test-{number}' for number in range(30)) != shuffled


def test_the_published_record_is_read(adapter: Make, data_dir: Path) -> None:
    (sample,) = adapter({'local_path': str(data_dir / 'rjua_qa' / 'RJUA_example.json')}).load_dataset()['default']
    gold = json.loads(sample.target)
    assert gold['disease'] == ['双侧输尿管结石伴积水感染', '急性梗阻性肾衰']
    assert gold['advice'] == ['双侧输尿管支架置入术', '术后抗感染', '补液', '对症支持治疗']
    assert sample.metadata == {'id': '4'}
    assert sample.input[0].text.count('Context：') == 2
