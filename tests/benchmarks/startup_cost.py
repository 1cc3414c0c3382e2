"""What the start-up file costs a Python start, and what discovery costs `import evalscope`; run it with no arguments.

Every figure is a median over pairs of processes, one with and one without, taken in turn on the same machine.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from pathlib import Path

import evalscope_qa

START_UP_FILES = sorted((Path(__file__).parents[2] / 'plugins').glob('evalscope_qa.*'))


def bare_site(folder: Path, with_files: bool) -> Path:
    """Make a virtual environment that holds this package, with or without its start-up files; return its Python."""
    venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)
    packages = next(folder.glob('lib/python*/site-packages'))
    shutil.copytree(Path(evalscope_qa.__file__).parent, packages / 'evalscope_qa')
    for file in START_UP_FILES if with_files else ():
        shutil.copy(file, packages)
    return folder / 'bin' / 'python'


def run(command: list[str], **environment: str) -> tuple[float, float]:
    """Run a command once; return its wall time and its processor time in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True, env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall * 1e3, (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1e3


def compare(label: str, without: list[str], with_it: list[str], pairs: int, **environment: str) -> None:
    """Time pairs of commands in turn; print the medians, the median difference within a pair, and the ratio."""
    run(without, **environment), run(with_it)  # writes the .pyc files
    times = [(run(without, **environment), run(with_it)) for _ in range(pairs)]
    print(f'{label} ({pairs} pairs)')
    for column, clock in enumerate(('wall time', 'processor time')):
        before = [first[column] for first, _ in times]
        after = [second[column] for _, second in times]
        difference = statistics.median(b - a for a, b in zip(before, after, strict=True))
        ratio = statistics.median(after) / statistics.median(before)
        print(
            f'  {clock}: {statistics.median(before):.2f} ms without, {statistics.median(after):.2f} ms with, '
            f'median difference {difference:+.2f} ms, ratio {ratio:.3f}'
        )


def import_times(python: Path, starts: int) -> None:
    """Print what -X importtime says of this package's modules in an otherwise empty start, as medians."""
    microseconds: dict[str, list[int]] = {}
    for _ in range(starts):
        process = subprocess.run([python, '-X', 'importtime', '-c', 'pass'], check=True, capture_output=True, text=True)
        for line in process.stderr.splitlines():
            if 'evalscope_qa' in line:
                own, _, module = line.removeprefix('import time:').split('|')
                microseconds.setdefault(module.strip(), []).append(int(own))
    print(f'-X importtime, own time ({starts} starts)')
    for module, values in microseconds.items():
        print(f'  {module}: {statistics.median(values) / 1e3:.2f} ms')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=30, help='pairs of bare Python starts (%(default)s)')
    parser.add_argument('--evalscope-pairs', type=int, default=10, help='pairs of `import evalscope` (%(default)s)')
    options = parser.parse_args()
    print(f'Python {sys.version.split()[0]}, evalscope from {sysconfig.get_path("purelib")}')
    with tempfile.TemporaryDirectory() as folder:
        without = bare_site(Path(folder) / 'without', with_files=False)
        with_it = bare_site(Path(folder) / 'with', with_files=True)
        command = ['-c', 'pass']
        compare('python -c pass, the start-up file', [str(without), *command], [str(with_it), *command], options.pairs)
        import_times(with_it, options.pairs)
    command = [sys.executable, '-c', 'import evalscope']
    compare('import evalscope, discovery', command, command, options.evalscope_pairs, EVALSCOPE_PLUGINS='off')


if __name__ == '__main__':
    main()
