"""What the commands share: settings of benchmarks on the command line, files they write, and whom they write to."""

import argparse
import codecs
import json
import logging
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

INTERRUPTED = 130
"""Exit status after Ctrl-C."""
READER_GONE = 141
"""Exit status where the reader of the output ended first, as of a program that SIGPIPE ends."""
_NOISY = ('math_verify',)
"""Loggers that warn of every reply they compare."""


def add_dataset_args(parser: argparse.ArgumentParser) -> None:
    """Add ``--dataset-args``."""
    parser.add_argument(
        '--dataset-args',
        default='{}',
        metavar='JSON',
        help='evalscope\'s settings by benchmark, as for `evalscope eval`: \'{"mmlu": {"few_shot_num": 0}}\'; of one '
        'benchmark its name may be left out',
    )


def add_imports(parser: argparse.ArgumentParser) -> None:
    """Add ``--import``, whose values are ``modules``."""
    parser.add_argument(
        '--import',
        dest='modules',
        action='append',
        default=[],
        metavar='MODULE',
        help='import this module, or .py file, first: it registers benchmarks; may be repeated',
    )


def module_files(modules: Sequence[str]) -> list[str]:
    """Those of the modules of ``--import`` that are files."""
    return [module for module in modules if module.endswith('.py')]


def parse_dataset_args(text: str, benchmarks: Sequence[str] | None) -> dict[str, dict[str, Any]]:
    """Return the settings of ``--dataset-args`` by benchmark.

    >>> parse_dataset_args('{"arc": {"few_shot_num": 0}}', ['arc'])
    {'arc': {'few_shot_num': 0}}
    >>> parse_dataset_args('{"few_shot_num": 0}', ['arc'])
    {'arc': {'few_shot_num': 0}}

    Args:
        text: What the user wrote.
        benchmarks: The benchmarks of the command; None for every registered one.

    Raises:
        ValueError: If it is not such a JSON object, or names another benchmark.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f'--dataset-args is not valid JSON: {error}') from error
    if not isinstance(value, dict):
        raise ValueError(f'--dataset-args must be a JSON object, not {text!r}')
    if benchmarks is not None and len(benchmarks) == 1 and benchmarks[0] not in value:
        return {benchmarks[0]: value} if value else {}
    other = [name for name in value if benchmarks is not None and name not in benchmarks]
    if other:
        raise ValueError(
            f'--dataset-args has settings of {", ".join(other)}, which the command does not run; it maps names of '
            'benchmarks to their settings, as in \'{"mmlu": {"few_shot_num": 0}}\''
        )
    for name, settings in value.items():
        if not isinstance(settings, dict):
            raise ValueError(f'--dataset-args: the settings of {name} must be a JSON object, not {settings!r}')
    return value


def check_outputs(outputs: Mapping[str, str | None], inputs: Iterable[str | Path | None] = ()) -> None:
    """Refuse files that could not be written, before any work is done.

    Args:
        outputs: Path by option; None where the option is not given.
        inputs: Paths that must not be overwritten.

    Raises:
        ValueError: Names the option and the path, and what is wrong.
    """
    taken: dict[Path, str] = {Path(path).resolve(): 'an input' for path in inputs if path is not None}
    for option, name in outputs.items():
        if name is None:
            continue
        path = Path(name)
        if path.resolve() in taken:
            raise ValueError(f'{option} {name}: that is {taken[path.resolve()]}; name another file')
        taken[path.resolve()] = f'the file of {option}'
        if path.is_dir():
            raise ValueError(f'{option} {name}: that is a folder; name a file')
        if not path.parent.is_dir():
            raise ValueError(f'{option} {name}: there is no folder {path.parent}; make it, or name another file')
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise ValueError(f'{option} {name}: may not be written; name another file')


def check_output_folder(option: str, name: str) -> None:
    """Refuse a folder that could not be made, or not be written to.

    Raises:
        ValueError: Names the option and the path, and what is wrong.
    """
    folder = Path(name).absolute()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not existing.is_dir():
        raise ValueError(f'{option} {name}: {existing} is no folder; name another one')
    if not os.access(existing, os.W_OK):
        raise ValueError(f'{option} {name}: {existing} may not be written to; name another folder')


def write_files(writers: Iterable[tuple[str | None, Callable[[Path], None]]]) -> None:
    """Write every file that is asked for, also after one that could not be written.

    Args:
        writers: Path, or None where it is not asked for, and what writes it.

    Raises:
        OSError: Names every file that could not be written.
    """
    failed = []
    for path, write in writers:
        if path is not None:
            try:
                write(Path(path))
            except OSError as error:
                failed.append(f'{path} was not written: {error.strerror or error}')
    if failed:
        raise OSError('; '.join(failed))


def is_unicode(stream: TextIO) -> bool:
    """Whether every character can be written to a stream."""
    return (getattr(stream, 'encoding', None) or 'utf-8').lower().replace('_', '-').startswith(('utf-8', 'utf8'))


def _likeness(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks: lines of a table by ``-|+``, arrows by ``^v``, other characters by escapes."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return ''.join(_LIKE.get(character) or ascii(character)[1:-1] for character in lacking), error.end


_LIKE = {chr(code): '+' for code in range(0x2500, 0x2580)} | dict(zip('─━═│┃║↑↓', '---|||^v', strict=True))
codecs.register_error('evalscope_qa.likeness', _likeness)


@contextmanager
def any_text() -> Iterator[None]:
    """Let the standard output show what its encoding lacks by something like it, or an escape such as ``\\u4e2d``.

    The standard error stream shows escapes by itself.
    """
    stream, errors = sys.stdout, getattr(sys.stdout, 'errors', None)
    reconfigure = getattr(stream, 'reconfigure', None)
    if reconfigure is None:
        yield
        return
    reconfigure(errors='evalscope_qa.likeness')
    try:
        yield
    finally:
        _restore(stream, errors)


def _restore(stream: Any, errors: str | None) -> None:
    """Restore a stream, which flushes it; what a reader that is gone did not take is dropped."""
    if not stream.closed:
        with suppress(BrokenPipeError):
            stream.reconfigure(errors=errors)


def drop_output() -> None:
    """Send what is still to come nowhere, so that Python's exit does not fail over a reader that is gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except OSError:  # a stream without a file, as in tests
        return
    finally:
        os.close(nowhere)


def terminal_width() -> int | None:
    """Return the columns of the terminal, or what ``COLUMNS`` says; None where the output is a file or a pipe."""
    if not sys.stdout.isatty() and 'COLUMNS' not in os.environ:
        return None
    return max(20, shutil.get_terminal_size().columns)


@contextmanager
def quiet(bars: bool) -> Iterator[None]:
    """Keep out what evalscope logs of every step and draws of every conversion: results are what was asked for.

    Args:
        bars: Leave the progress bars; a run of evalscope fails without them.
    """
    before = logging.root.manager.disable
    logging.disable(logging.INFO)
    levels = {name: logging.getLogger(name).level for name in _NOISY}
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.ERROR)
    switched_off = not bars and 'TQDM_DISABLE' not in os.environ
    if switched_off:
        os.environ['TQDM_DISABLE'] = '1'
    try:
        yield
    finally:
        logging.disable(before)
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
        if switched_off:
            del os.environ['TQDM_DISABLE']
