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
    monkeypatch.setitem(download.SHA256, 'selqa-ass-test.json', hashlib.sha256(CONTENT).hexdigest())


def kept(cache: Path) -> list[str]:
    """Everything below the cache folder, files under way included."""
    return sorted(str(path.relative_to(cache)) for path in cache.rglob('*'))


def test_the_official_files_are_those_of_the_pinned_commit() -> None:
    assert download.BASE_URL == 'https://raw.githubusercontent.com/emorynlp/selqa/fef3d6a'


def test_the_pinned_checksums_are_those_of_the_official_files(data_dir: Path) -> None:
    for name, checksum in download.SHA256.items():
        assert hashlib.sha256((data_dir / 'selqa' / name).read_bytes()).hexdigest() == checksum


def test_a_pinned_file_is_downloaded_once_and_checked(files: Files, cache: Path, pinned: None) -> None:
    for _ in range(2):
        assert download_file('ass', 'test') == cache / 'selqa-ass-test.json'
    assert files.requests == ['/selqa/commit/ass/selqa-ass-test.json']
    assert (cache / 'selqa-ass-test.json').read_bytes() == CONTENT
    assert kept(cache) == ['selqa-ass-test.json']


def test_another_file_than_the_pinned_one_is_refused(files: Files, cache: Path) -> None:
    with pytest.raises(DownloadError, match=r'instead of ca1184d94cc9.* Nothing was kept\. .* as local_path'):
        download_file('ass', 'test')
    assert kept(cache) == []


@pytest.mark.parametrize(('task', 'split'), [('ass', 'train'), ('at', 'train'), ('at', 'dev'), ('at', 'test')])
def test_the_first_download_of_an_unpinned_file_records_its_checksum(
    files: Files, cache: Path, task: str, split: str
) -> None:
    name = f'selqa-{task}-{split}.json'
    assert download_file(task, split).read_bytes() == CONTENT
    assert (cache / f'{name}.sha256').read_text() == f'{hashlib.sha256(CONTENT).hexdigest()}  {name}\n'
    download_file(task, split)
    assert files.requests == [f'/selqa/commit/{task}/{name}']
    assert kept(cache) == [name, f'{name}.sha256']


def test_a_later_download_must_match_the_recorded_checksum(files: Files, cache: Path) -> None:
    download_file('at', 'test').unlink()
    files.content['/selqa/commit/at/selqa-at-test.json'] = CONTENT + b' '
    with pytest.raises(DownloadError, match=r'delete its checksum in .*selqa-at-test\.json\.sha256'):
        download_file('at', 'test')
    assert kept(cache) == ['selqa-at-test.json.sha256']
    (cache / 'selqa-at-test.json.sha256').unlink()
    assert download_file('at', 'test').read_bytes() == CONTENT + b' '


def test_force_downloads_again_and_a_failure_keeps_the_good_file(files: Files, cache: Path) -> None:
    file = download_file('at', 'test')
    assert download_file('at', 'test', force=True) == file
    assert len(files.requests) == 2
    files.content['/selqa/commit/at/selqa-at-test.json'] = CONTENT + b' '
    with pytest.raises(DownloadError):
        download_file('at', 'test', force=True)
    assert file.read_bytes() == CONTENT


@pytest.mark.parametrize('pin', [True, False])
def test_a_damaged_file_in_the_cache_is_downloaded_again(
    files: Files, cache: Path, pin: bool, request: pytest.FixtureRequest
) -> None:
    if pin:
        request.getfixturevalue('pinned')
    arguments = ('ass', 'test') if pin else ('at', 'dev')
    download_file(*arguments).write_bytes(CONTENT[:40])
    assert download_file(*arguments).read_bytes() == CONTENT
    assert len(files.requests) == 2


def test_a_damaged_file_is_not_kept_where_the_new_download_fails(files: Files, cache: Path, pinned: None) -> None:
    download_file('ass', 'test').write_bytes(CONTENT[:40])
    files.content.clear()
    with pytest.raises(DownloadError):
        download_file('ass', 'test')
    assert kept(cache) == []


@pytest.mark.parametrize('task', ['ass', 'at'])
def test_a_download_that_fails_leaves_nothing_behind_and_says_what_to_do(
    files: Files, cache: Path, pinned: None, task: str
) -> None:
    files.content.clear()
    with pytest.raises(DownloadError, match=r'Check the network connection .* or download http://.*json by hand'):
        download_file(task, 'test')
    assert kept(cache) == []
    assert len(files.requests) > 1, 'evalscope tries again before it gives up'


@pytest.mark.parametrize('task', ['ass', 'at'])
def test_a_download_that_is_cut_short_leaves_nothing_behind(files: Files, cache: Path, pinned: None, task: str) -> None:
    files.cut_short.add(f'/selqa/commit/{task}/selqa-{task}-test.json')
    with pytest.raises(DownloadError):
        download_file(task, 'test')
    assert kept(cache) == []


@pytest.mark.parametrize(
    'content',
    [CONTENT[:-1], CONTENT[: len(CONTENT) // 2], b'', b'[]', b'{}', b'<html>Not found</html>', b'["a"]', b'\xff\xfe'],
)
def test_a_first_download_that_is_no_array_of_questions_is_refused(files: Files, cache: Path, content: bytes) -> None:
    """A server may end a reply early without any error; with no checksum to compare, the content itself must tell."""
    files.content['/selqa/commit/at/selqa-at-test.json'] = content
    with pytest.raises(DownloadError, match='Nothing was kept'):
        download_file('at', 'test')
    assert kept(cache) == []


def test_an_empty_record_of_a_checksum_counts_as_none(files: Files, cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / 'selqa-at-test.json.sha256').touch()
    assert download_file('at', 'test').read_bytes() == CONTENT
    assert (cache / 'selqa-at-test.json.sha256').read_text().startswith(hashlib.sha256(CONTENT).hexdigest())


def test_a_cache_that_cannot_be_written_says_what_to_do(files: Files, cache: Path) -> None:
    cache.parent.write_text('a file where the folder should be')
    with pytest.raises(DownloadError, match='local_path'):
        download_file('at', 'test')


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
