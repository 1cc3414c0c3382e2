"""A worker process: imports evalscope once, then audits the benchmarks it is told to, one JSON line a message.

Read from standard input: one job a line. Written to the pipe that was standard output: ``starting`` before each thing
that the start takes, ``ready`` once, then for each job ``step`` before anything that may hang, ``partial`` after every
rule, and ``done``. evalscope's own output goes to standard error. The parent kills a worker that takes too long; the
last step then says where it hung.
"""

import contextlib
import difflib
import json
import logging
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...engine import check_setting_names
from ..results import FRAMEWORK, NOT_AUDITED, BenchmarkResult
from ..scorers.options import ScorerError, ScorerOptions
from ..scoring.at_work import AtWork
from ..scoring.guard import Guard
from .offline import leave_network

_MEMORY = 8 << 30
"""Bytes of address space a worker may use."""
_STEP_SECONDS = 0.2


def main() -> None:
    """Serve jobs until standard input ends."""
    channel = os.fdopen(os.dup(1), 'w', encoding='utf-8', errors='backslashreplace')
    os.dup2(2, 1)  # whatever evalscope prints must not mix with the messages
    os.chdir(tempfile.gettempdir())

    def send(message: dict[str, Any]) -> None:
        channel.write(json.dumps(message) + '\n')
        channel.flush()

    def starting(what: str, asked: bool = False) -> None:
        send({'event': 'starting', 'pid': os.getpid(), 'what': what, 'asked': asked})

    starting('import of evalscope')
    leave_network()
    guard = Guard()
    guard.install()
    setup = json.loads(sys.stdin.readline())
    at_work = AtWork(setup['at_work'])
    sys.path.extend(folder for folder in setup['path'] if folder not in sys.path)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        names, version = _load(setup, starting)
        near = _most_alike([name for name in setup['look_up'] or () if name not in names])
        _check_settings(setup['dataset_args'])
    except (SettingsRefused, ScorerError) as error:
        send({'event': 'refused', 'error': str(error)})
        return
    except BaseException as error:  # noqa: BLE001 - the parent reports it, whatever a module raises
        send({'event': 'failed', 'error': f'{type(error).__name__}: {error}'})
        return
    send({'event': 'ready', 'evalscope': version, 'benchmarks': names, 'near': near})
    for line in sys.stdin:
        _serve(json.loads(line), guard, at_work, send)


def _load(setup: dict[str, Any], starting: Callable[..., None]) -> tuple[list[str], str]:
    import evalscope
    from evalscope.api.registry import BENCHMARK_REGISTRY

    from ... import discovery
    from ...importing import import_benchmarks

    if not setup['verbose']:
        logging.disable(logging.WARNING)
    discovery.load_plugins()
    for module in setup['modules']:
        starting(f'import of {module}', asked=True)
        import_benchmarks(module)
    if setup['scorers'] is not None:
        from ..scorers.adapter import register_scorers

        starting('import of the callables', asked=True)
        register_scorers(ScorerOptions.from_dict(setup['scorers']))
    starting('list of benchmarks')
    if setup['look_up'] is None:
        return sorted(BENCHMARK_REGISTRY.keys()), evalscope.__version__
    return [name for name in setup['look_up'] if _is_registered(name)], evalscope.__version__


class SettingsRefused(ValueError):
    """``--dataset-args`` has a benchmark or a setting that does not exist."""


def _check_settings(settings: Mapping[str, Sequence[str]]) -> None:
    """Refuse names that evalscope would pass over.

    Args:
        settings: Names of settings by benchmark.

    Raises:
        SettingsRefused: Names the first that does not exist.
    """
    for benchmark, names in settings.items():
        if not _is_registered(benchmark):
            raise SettingsRefused(f'--dataset-args: no benchmark named {benchmark} is registered with evalscope')
        meta = _metadata(benchmark)
        if meta is not None:
            try:
                check_setting_names(benchmark, dict.fromkeys(names), meta)
            except ValueError as error:
                raise SettingsRefused(str(error)) from error


def _metadata(benchmark: str) -> Any:
    """Return evalscope's metadata of a benchmark; None where its module cannot be imported, which the audit reports."""
    from evalscope.api.registry import BENCHMARK_REGISTRY

    try:
        return BENCHMARK_REGISTRY.get(benchmark)
    except Exception:  # noqa: BLE001 - whatever its module raises
        return None


def _most_alike(unknown: Sequence[str]) -> dict[str, str]:
    """Return for each unknown name the registered one most like it, where there is one."""
    from evalscope.api.registry import BENCHMARK_REGISTRY

    known = list(BENCHMARK_REGISTRY.keys()) if unknown else []
    matches = {name: difflib.get_close_matches(name, known, n=1) for name in unknown}
    return {name: found[0] for name, found in matches.items() if found}


def _is_registered(name: str) -> bool:
    from evalscope.api.registry import BENCHMARK_REGISTRY

    try:
        return name in BENCHMARK_REGISTRY
    except Exception:  # noqa: BLE001 - there is a module, which cannot be imported: the audit says why
        return True


def _serve(job: dict[str, Any], guard: Guard, at_work: AtWork, send: Callable[[dict[str, Any]], None]) -> None:
    from ..benchmark import audit_benchmark
    from ..framework import audit_framework
    from ..rules.table import rule

    last_rule, last_time = '', 0.0

    def step(rule_id: str, reply: str) -> None:
        nonlocal last_rule, last_time
        now = time.monotonic()
        # Steps that follow each other at once cannot be where it hangs.
        if rule_id != last_rule or reply or now - last_time > _STEP_SECONDS:
            send({'event': 'step', 'rule': rule_id, 'reply': reply[:200]})
            last_rule, last_time = rule_id, now

    def keep(result: BenchmarkResult) -> None:
        send({'event': 'partial', 'result': result.to_dict()})

    if job['benchmark'] == FRAMEWORK:
        send({'event': 'done', 'result': audit_framework(step).to_dict()})
        return
    try:
        result = audit_benchmark(
            job['benchmark'],
            guard,
            dataset_args=job['dataset_args'],
            records=Path(job['records']) if job['records'] else None,
            rules=[rule(rule_id) for rule_id in job['rules']],
            step=step,
            keep=keep,
            at_work=at_work,
        )
    except (ValueError, OSError) as error:
        if job['records']:  # the user's
            send({'event': 'error', 'error': str(error)})
            return
        result = BenchmarkResult(job['benchmark'], NOT_AUDITED, reason=f'{type(error).__name__}: {error}')
    send({'event': 'done', 'result': result.to_dict()})


if __name__ == '__main__':
    main()
