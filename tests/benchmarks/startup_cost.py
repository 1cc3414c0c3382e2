"""What the .pth file costs a Python start, and what discovery costs `import evalscope`; run it with no arguments.

Every figure is a median over pairs of processes, one with and one without, taken in turn on the same machine.
"""

import argparse
import os
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

PTH = Path(__file__).parents[2] / 'plugins' / 'evalscope_qa.pth'


def bare_site(folder: Path, with_pth: bool) -> Path:
    """Make a virtual environment that holds this package, with or without its .pth file; return its Python."""
    venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)
    packages = next(folder.glob('lib/python*/site-packages'))
    shutil.copytree(Path(evalscope_qa.__file__).parent, packages / 'evalscope_qa')
    if with_pth:
        shutil.copy(PTH, packages)
    return folder / 'bin' / 'python'


def seconds(command: list[str], **environment: str) -> float:
    """Run a command once; return its wall time."""
    start = time.perf_counter()
    subprocess.run(command, check=True, env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def compare(label: str, without: list[str], with_it: list[str], pairs: int, **environment: str) -> None:
    """Time pairs of commands in turn and print both medians, their difference and their ratio."""
    seconds(without, **environment), seconds(with_it)  # writes the .pyc files
    times = [(seconds(without, **environment), seconds(with_it)) for _ in range(pairs)]
    before, after = (statistics.median(column) * 1e3 for column in zip(*times, strict=True))
    difference = statistics.median(b - a for a, b in times) * 1e3
    print(
        f'{label}: {before:.2f} ms without, {after:.2f} ms with, '
        f'median difference {difference:+.2f} ms, ratio {after / before:.3f} ({pairs} pairs)'
    )


def import_times(python: Path) -> None:
    """Print what -X importtime says of this package in an otherwise empty start."""
    process = subprocess.run([python, '-X', 'importtime', '-c', 'pass'], check=True, capture_output=True, text=True)
    header, *lines = process.stderr.splitlines()
    print(header)
    print('\n'.join(line for line in lines if 'evalscope_qa' in line))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=30, help='pairs of bare Python starts (%(default)s)')
    parser.add_argument('--evalscope-pairs', type=int, default=10, help='pairs of `import evalscope` (%(default)s)')
    options = parser.parse_args()
    print(f'Python {sys.version.split()[0]}, evalscope from {sysconfig.get_path("purelib")}')
    with tempfile.TemporaryDirectory() as folder:
        without = bare_site(Path(folder) / 'without', with_pth=False)
        with_it = bare_site(Path(folder) / 'with', with_pth=True)
        command = ['-c', 'pass']
        compare('python -c pass, the .pth file', [str(without), *command], [str(with_it), *command], options.pairs)
        import_times(with_it)
    command = [sys.executable, '-c', 'import evalscope']
    compare('import evalscope, discovery', command, command, options.evalscope_pairs, EVALSCOPE_PLUGINS='off')


if __name__ == '__main__':
    main()
