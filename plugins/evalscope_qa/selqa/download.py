"""Downloads SelQA's files from the pinned commit of the official repository into evalscope's cache, and checks them.

Source: https://github.com/emorynlp/selqa (Apache-2.0).
"""

import json
import tempfile
from pathlib import Path
from typing import Optional

from .local_files import official_name

COMMIT = 'fef3d6a'
BASE_URL = f'https://raw.githubusercontent.com/emorynlp/selqa/{COMMIT}'

SHA256 = {
    'selqa-ass-dev.json': 'b4e6687e44a30b486e24d2b06aa3012ec07d61145f3521f35b7d49daae3e0ca4',
    'selqa-ass-test.json': 'ca1184d94cc9030883723fab76ef8180b3cf5fb142549a5648d22f59fe7c6fc6',
}
"""Checksums of the files at :data:`COMMIT`, computed from copies of them.

Any other file's checksum is written beside it at the first download, as ``NAME.sha256``; later ones must match.
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
        DownloadError: If the download fails, is cut short, or has another checksum than before.
    """
    from evalscope.constants import DEFAULT_EVALSCOPE_CACHE_DIR

    name = official_name(task, split)
    file = Path(DEFAULT_EVALSCOPE_CACHE_DIR) / 'selqa' / COMMIT / name
    expected = SHA256.get(name) or _recorded_checksum(file)
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
    problem = (
        f'{url}: what arrived has the SHA-256 {actual} instead of {expected}; it was cut short or changed on the way.'
    )
    if file.name in SHA256:
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
    from evalscope.utils.download_utils import file_sha256

    return file_sha256(str(file))


def _checksum_file(file: Path) -> Path:
    return file.with_name(f'{file.name}.sha256')


def _recorded_checksum(file: Path) -> Optional[str]:
    record = _checksum_file(file)
    return next(iter(record.read_text(encoding='utf-8').split()), None) if record.is_file() else None
