"""Official files come from the pinned commit into evalscope's cache, whole and checked, or not at all."""

import hashlib
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Iterator

import pytest
from evalscope_qa.selqa import download
from evalscope_qa.selqa.download import DownloadError, download_file
from selqa.adapters import adapter_of, load

pytestmark = pytest.mark.loopback

RECORD = {
    'question': 'Who painted it?',
    'article': 'A',
    'section': 'S',
    'topic': 'ART',
    'q_types': ['who'],
    'is_paraphrase': False,
    'candidates': ['One.', 'Two.'],
    'answers': [1],
}
CONTENT = json.dumps([RECORD, {**RECORD, 'question': 'Who stole it?'}]).encode()


def blob_id(content: bytes) -> str:
    return hashlib.sha1(f'blob {len(content)}\0'.encode() + content).hexdigest()


class Files:
    """What the server answers by path, and the paths asked for."""

    def __init__(self) -> None:
        self.content: dict[str, bytes] = {}
        self.cut_short: set[str] = set()
        self.requests: list[str] = []


@contextmanager
def serve_files() -> Iterator[tuple[Files, str]]:
    files = Files()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            files.requests.append(self.path)
            if self.path not in files.content:
                self.send_error(404)
                return
            content = files.content[self.path]
            self.send_response(200)
            self.send_header('Content-Length', str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if self.path in files.cut_short else content)

        def log_message(self, *args: Any) -> None:
            """Keep the test output quiet."""

    server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={'poll_interval': 0.01}, daemon=True)
    thread.start()
    try:
        yield files, f'http://127.0.0.1:{server.server_address[1]}/selqa/commit'
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Iterator[Files]:
    with serve_files() as (files, url):
        monkeypatch.setattr(download, 'BASE_URL', url)
        monkeypatch.setattr('time.sleep', lambda seconds: None)  # evalscope waits between its attempts
        monkeypatch.setenv('NO_PROXY', '127.0.0.1')
        for task in ('ass', 'at'):
            for split in ('train', 'dev', 'test'):
                files.content[f'/selqa/commit/{task}/selqa-{task}-{split}.json'] = CONTENT
        yield files


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr('evalscope.constants.DEFAULT_EVALSCOPE_CACHE_DIR', str(tmp_path))
    return tmp_path / 'selqa' / 'fef3d6a'


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pin the content that the server has, in the place of the official file's."""
    monkeypatch.setitem(download.BLOB_IDS, 'selqa-ass-test.json', blob_id(CONTENT))


def kept(cache: Path) -> list[str]:
    """Everything below the cache folder, files under way included."""
    return sorted(str(path.relative_to(cache)) for path in cache.rglob('*'))


def test_the_official_files_are_those_of_the_pinned_commit() -> None:
    commit = 'fef3d6ac6944e2d4237165d90e5f859c71676bdd'
    assert f'https://raw.githubusercontent.com/emorynlp/selqa/{commit}' == download.BASE_URL


def test_the_pinned_ids_are_those_of_the_official_files(data_dir: Path) -> None:
    for name in ('selqa-ass-dev.json', 'selqa-ass-test.json'):
        assert blob_id((data_dir / 'selqa' / name).read_bytes()) == download.BLOB_IDS[name]


def test_a_file_is_known_by_the_id_that_git_gives_it(tmp_path: Path) -> None:
    # As `git hash-object` prints them; the second is an example of the book Pro Git.
    for content, expected in [
        (b'', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'),
        (b'test content\n', 'd670460b4b4aece5915caf5c68d12f560a9fe3e4'),
    ]:
        (tmp_path / 'file').write_bytes(content)
        assert download.git_blob_id(tmp_path / 'file') == expected


def test_a_pinned_file_is_downloaded_once_and_checked(files: Files, cache: Path, pinned: None) -> None:
    for _ in range(2):
        assert download_file('ass', 'test') == cache / 'selqa-ass-test.json'
    assert files.requests == ['/selqa/commit/ass/selqa-ass-test.json']
    assert (cache / 'selqa-ass-test.json').read_bytes() == CONTENT
    assert kept(cache) == ['selqa-ass-test.json']


@pytest.mark.parametrize(
    ('task', 'split', 'expected'),
    [
        ('ass', 'dev', 'd8f9628e2110575f9f62f88a24c4e195c438fa84'),
        ('ass', 'test', 'ed67a9ffded5b955417ad5ebc55543499fe26f01'),
        ('at', 'train', 'd436d5cd39284d131805e7c73581a6f0190e0779'),
        ('at', 'dev', '960cdbe9c9ad9c736864bc582e27e2539fbdb7e0'),
        ('at', 'test', 'a761a257b61aa4cea28ef1852ab3513201033bd5'),
    ],
)
def test_another_file_than_the_pinned_one_is_refused(
    files: Files, cache: Path, task: str, split: str, expected: str
) -> None:
    problem = rf'git blob id {blob_id(CONTENT)} instead of {expected}.* Nothing was kept\. .* as local_path'
    with pytest.raises(DownloadError, match=problem):
        download_file(task, split)
    assert kept(cache) == []


def test_another_file_in_the_cache_than_the_pinned_one_is_downloaded_again(
    files: Files, cache: Path, pinned: None
) -> None:
    cache.mkdir(parents=True)
    other = json.dumps([RECORD]).encode()
    (cache / 'selqa-ass-test.json').write_bytes(other)
    assert download_file('ass', 'test').read_bytes() == CONTENT


def test_the_first_download_of_the_unpinned_file_records_its_checksum(files: Files, cache: Path) -> None:
    name = 'selqa-ass-train.json'
    assert download_file('ass', 'train').read_bytes() == CONTENT
    assert (cache / f'{name}.sha256').read_text() == f'{hashlib.sha256(CONTENT).hexdigest()}  {name}\n'
    download_file('ass', 'train')
    assert files.requests == [f'/selqa/commit/ass/{name}']
    assert kept(cache) == [name, f'{name}.sha256']


def test_a_later_download_must_match_the_recorded_checksum(files: Files, cache: Path) -> None:
    download_file('ass', 'train').unlink()
    files.content['/selqa/commit/ass/selqa-ass-train.json'] = CONTENT + b' '
    with pytest.raises(DownloadError, match=r'delete its checksum in .*selqa-ass-train\.json\.sha256'):
        download_file('ass', 'train')
    assert kept(cache) == ['selqa-ass-train.json.sha256']
    (cache / 'selqa-ass-train.json.sha256').unlink()
    assert download_file('ass', 'train').read_bytes() == CONTENT + b' '


def test_force_downloads_again_and_a_failure_keeps_the_good_file(files: Files, cache: Path) -> None:
    file = download_file('ass', 'train')
    assert download_file('ass', 'train', force=True) == file
    assert len(files.requests) == 2
    files.content['/selqa/commit/ass/selqa-ass-train.json'] = CONTENT + b' '
    with pytest.raises(DownloadError):
        download_file('ass', 'train', force=True)
    assert file.read_bytes() == CONTENT


@pytest.mark.parametrize('pin', [True, False])
def test_a_damaged_file_in_the_cache_is_downloaded_again(
    files: Files, cache: Path, pin: bool, request: pytest.FixtureRequest
) -> None:
    if pin:
        request.getfixturevalue('pinned')
    arguments = ('ass', 'test' if pin else 'train')
    download_file(*arguments).write_bytes(CONTENT[:40])
    assert download_file(*arguments).read_bytes() == CONTENT
    assert len(files.requests) == 2


def test_a_damaged_file_is_not_kept_where_the_new_download_fails(files: Files, cache: Path, pinned: None) -> None:
    download_file('ass', 'test').write_bytes(CONTENT[:40])
    files.content.clear()
    with pytest.raises(DownloadError):
        download_file('ass', 'test')
    assert kept(cache) == []


@pytest.mark.parametrize('split', ['test', 'train'])
def test_a_download_that_fails_leaves_nothing_behind_and_says_what_to_do(
    files: Files, cache: Path, pinned: None, split: str
) -> None:
    files.content.clear()
    with pytest.raises(DownloadError, match=r'Check the network connection .* or download http://.*json by hand'):
        download_file('ass', split)
    assert kept(cache) == []
    assert len(files.requests) > 1, 'evalscope tries again before it gives up'


@pytest.mark.parametrize('split', ['test', 'train'])
def test_a_download_that_is_cut_short_leaves_nothing_behind(
    files: Files, cache: Path, pinned: None, split: str
) -> None:
    files.cut_short.add(f'/selqa/commit/ass/selqa-ass-{split}.json')
    with pytest.raises(DownloadError):
        download_file('ass', split)
    assert kept(cache) == []


@pytest.mark.parametrize(
    'content',
    [CONTENT[:-1], CONTENT[: len(CONTENT) // 2], b'', b'[]', b'{}', b'<html>Not found</html>', b'["a"]', b'\xff\xfe'],
)
def test_a_first_download_that_is_no_array_of_questions_is_refused(files: Files, cache: Path, content: bytes) -> None:
    """A server may end a reply early without any error; with no checksum to compare, the content itself must tell."""
    files.content['/selqa/commit/ass/selqa-ass-train.json'] = content
    with pytest.raises(DownloadError, match='Nothing was kept'):
        download_file('ass', 'train')
    assert kept(cache) == []


def test_an_empty_record_of_a_checksum_counts_as_none(files: Files, cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / 'selqa-ass-train.json.sha256').touch()
    assert download_file('ass', 'train').read_bytes() == CONTENT
    assert (cache / 'selqa-ass-train.json.sha256').read_text().startswith(hashlib.sha256(CONTENT).hexdigest())


def test_a_cache_that_cannot_be_written_says_what_to_do(files: Files, cache: Path) -> None:
    cache.parent.write_text('a file where the folder should be')
    with pytest.raises(DownloadError, match='local_path'):
        download_file('ass', 'train')


def test_a_benchmark_without_local_path_loads_the_download(files: Files, cache: Path, pinned: None) -> None:
    assert len(load('selqa_selection')) == 2
    assert len(load('selqa_selection', dataset_args={'eval_split': 'train', 'force_redownload': True})) == 2
    assert [path.rsplit('/', 1)[1] for path in files.requests] == ['selqa-ass-test.json', 'selqa-ass-train.json']


def test_few_shot_examples_are_downloaded_from_train(files: Files, cache: Path, pinned: None) -> None:
    files.content['/selqa/commit/ass/selqa-ass-train.json'] = json.dumps([{**RECORD, 'question': 'Why?'}]).encode()
    adapter = adapter_of('selqa_selection', dataset_args={'few_shot_num': 1})
    adapter.load_dataset()
    assert [path.rsplit('/', 1)[1] for path in files.requests] == ['selqa-ass-test.json', 'selqa-ass-train.json']


def test_an_unknown_split_is_refused_before_any_request(files: Files) -> None:
    with pytest.raises(ValueError, match='choose one of train, dev, test'):
        load('selqa_selection', dataset_args={'eval_split': 'validation'})
    assert files.requests == []
