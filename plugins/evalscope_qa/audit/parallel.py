"""Audits many benchmarks and keeps what is known when it is interrupted."""

import os
import platform
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

from tqdm import tqdm

from .. import __version__
from .framework import RULE
from .results import FRAMEWORK, AuditReport, BenchmarkResult
from .rules.table import RULES
from .workers.pool import AuditError, Options, Pool

__all__ = ['AuditError', 'Options', 'audit']


def audit(
    benchmarks: Sequence[str] | None,
    options: Options,
    *,
    workers: int | None = None,
    progress: bool = False,
) -> AuditReport:
    """Audit benchmarks in worker processes.

    Args:
        benchmarks: Registered names, or ``evalscope`` for what all have in common; None for all of that.
        options: Rules, records and limits.
        workers: How many processes; None for one a processor.
        progress: Show a progress bar on stderr.

    Returns:
        The report. After Ctrl-C, or SIGTERM in the main thread, it holds what was finished and says what was not.

    Raises:
        AuditError: If a benchmark is unknown, records cannot be used, or evalscope cannot be imported.
    """
    started = time.monotonic()
    results: dict[str, BenchmarkResult] = {}
    names = list(dict.fromkeys(benchmarks or ()))
    interrupted = False
    with Pool(options, workers or os.cpu_count() or 1) as pool, _terminated_as_interrupted():
        try:
            registered = pool.registered(None if benchmarks is None else names)
            if benchmarks is None:
                names = [*registered, *([FRAMEWORK] if RULE in options.rules else [])]
            _require_registered([name for name in names if name != FRAMEWORK], registered, pool.near)
            with tqdm(total=len(names), desc='Auditing', unit='benchmark', disable=None if progress else True) as bar:
                for result in pool.run(names):
                    results[result.benchmark] = result
                    bar.set_postfix_str(result.benchmark, refresh=False)
                    bar.update()
        except KeyboardInterrupt:
            interrupted = True
        version = pool.evalscope_version
    return AuditReport(
        evalscope_version=version,
        python_version=platform.python_version(),
        package_version=__version__,
        rules=[known.description for known in RULES],
        results=[results[name] for name in names if name in results],
        interrupted=interrupted,
        not_reached=[name for name in names if name not in results],
        seconds=round(time.monotonic() - started, 1),
    )


def _require_registered(names: Sequence[str], registered: Sequence[str], near: Mapping[str, str]) -> None:
    unknown = [name for name in names if name not in registered]
    if unknown:
        hints = ''.join(f' For {name}, did you mean {near[name]}?' for name in unknown if name in near)
        raise AuditError(
            f'no benchmark named {", ".join(unknown)} is registered with evalscope.{hints} '
            '`evalscope benchmark-info --list` names them all'
        )


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C, so that a job that is cancelled keeps its report too."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
