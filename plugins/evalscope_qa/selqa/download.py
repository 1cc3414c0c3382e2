"""Downloads SelQA's files from the pinned commit of the official repository into evalscope's cache, and checks them.

Source: https://github.com/emorynlp/selqa (Apache-2.0).
"""

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Optional

from .local_files import official_name

COMMIT = 'fef3d6ac6944e2d4237165d90e5f859c71676bdd'
BASE_URL = f'https://raw.githubusercontent.com/emorynlp/selqa/{COMMIT}'

BLOB_IDS = {
    'selqa-ass-dev.json': 'd8f9628e2110575f9f62f88a24c4e195c438fa84',
    'selqa-ass-test.json': 'ed67a9ffded5b955417ad5ebc55543499fe26f01',
    'selqa-at-train.json': 'd436d5cd39284d131805e7c73581a6f0190e0779',
    'selqa-at-dev.json': '960cdbe9c9ad9c736864bc582e27e2539fbdb7e0',
    'selqa-at-test.json': 'a761a257b61aa4cea28ef1852ab3513201033bd5',
}
"""git's ids of the files at :data:`COMMIT`, as ``git hash-object`` prints them for a copy.

The selection file of ``train`` is the one whose id is not known. Its checksum is written beside it at the first
download, as ``NAME.sha256``; later ones must match.
"""


class DownloadError(RuntimeError):
    """A file could not be downloaded, or is not the one expected. The message says what to do."""


def download_file(task: str, split: str, force: bool = False) -> Path:
    """Return one of SelQA's files from evalscope's cache, downloading it where it is missing or damaged.

    A file is moved into place whole and checked, so a download that fails leaves none behind.

    Args:
        task: ``ass`` (answer sentence selection) or ``at`` (answer triggering).
        split: ``train``, ``dev`` or ``test``.
        force: Download even where the file is there.

    Raises:
        ValueError: If SelQA has no such split.
        DownloadError: If the download fails, is cut short, or is another file than the pinned one.
    """
    from evalscope.constants import DEFAULT_EVALSCOPE_CACHE_DIR

    name = official_name(task, split)
    file = Path(DEFAULT_EVALSCOPE_CACHE_DIR) / 'selqa' / COMMIT[:7] / name
    expected = _expected_checksum(file)
    if not force and expected is not None and file.is_file():
        if _checksum(file) == expected:
            return file
        file.unlink()  # damaged: of no use, whether or not the download succeeds
    url = f'{BASE_URL}/{task}/{name}'
    try:
        _download(url, file, expected)
    except (OSError, RuntimeError) as error:
        raise DownloadError(
            f'{error} Nothing was kept. Check the network connection and try again, or download {url} by hand and pass '
            'the file, or its folder, as local_path in --dataset-args.'
        ) from error
    return file


def _download(url: str, file: Path, expected: Optional[str]) -> None:
    from evalscope.utils.download_utils import download_url

    file.parent.mkdir(parents=True, exist_ok=True)
    # Beside the file, so that moving it into place is atomic; removed with all it holds whatever happens.
    with tempfile.TemporaryDirectory(prefix='.download-', dir=file.parent) as folder:
        arrived = Path(folder) / file.name
        download_url(url, str(arrived))
        actual = _checksum(arrived)
        if expected is None:
            _require_questions(arrived, url)
            record = _checksum_file(arrived)
            record.write_text(f'{actual}  {file.name}\n', encoding='utf-8')  # the form that sha256sum -c reads
            record.replace(_checksum_file(file))
        elif actual != expected:
            raise DownloadError(_mismatch(url, file, actual, expected))
        arrived.replace(file)


def _mismatch(url: str, file: Path, actual: str, expected: str) -> str:
    pinned = file.name in BLOB_IDS
    problem = (
        f'{url}: what arrived has the {"git blob id" if pinned else "SHA-256"} {actual} instead of {expected}; it was '
        'cut short or changed on the way.'
    )
    if pinned:
        return problem
    return f'{problem} If rather the first download was wrong, delete its checksum in {_checksum_file(file)}.'


def _require_questions(file: Path, url: str) -> None:
    """Refuse what is no SelQA file: with no checksum to hold it against, this finds a download that was cut short."""
    try:
        records = json.loads(file.read_text(encoding='utf-8'))
    except ValueError as error:
        raise DownloadError(f'{url}: what arrived is no complete JSON file ({error}).') from error
    if not (isinstance(records, list) and records and all(isinstance(record, dict) for record in records)):
        raise DownloadError(f'{url}: what arrived is not a JSON array of questions.')


def _checksum(file: Path) -> str:
    """The id by which a file is pinned: git's, else the SHA-256."""
    from evalscope.utils.download_utils import file_sha256

    return git_blob_id(file) if file.name in BLOB_IDS else file_sha256(str(file))


def git_blob_id(file: Path) -> str:
    """git's id of a file: the SHA-1 of ``blob``, the length in bytes, a zero byte and the content.

    Source: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects.
    """
    content = file.read_bytes()
    return hashlib.sha1(b'blob %d\0' % len(content) + content, usedforsecurity=False).hexdigest()


def _checksum_file(file: Path) -> Path:
    return file.with_name(f'{file.name}.sha256')


def _expected_checksum(file: Path) -> Optional[str]:
    record = _checksum_file(file)
    if file.name in BLOB_IDS or not record.is_file():
        return BLOB_IDS.get(file.name)
    return next(iter(record.read_text(encoding='utf-8').split()), None)
