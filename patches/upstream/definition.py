"""What a patch is made of."""

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Mapping, Optional, Sequence

from .edit import Edit


@dataclass(frozen=True)
class Benchmark:
    """A benchmark folder of the package and where it goes in evalscope."""

    title: str
    """What to call it in prose."""
    source: str
    """Folder below ``plugins/evalscope_qa`` and ``tests``."""
    names: Sequence[str]
    """The benchmarks that its adapter registers."""
    tests: Sequence[str]
    """Files below ``tests/<source>`` that need nothing but the benchmark's modules."""
    target: str = ''
    """Folder below ``evalscope/benchmarks``; the same name if empty."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Modules that have another name in evalscope, ours to theirs."""
    wording: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By module: phrases of comments that make no sense in evalscope, and what to write there."""
    metrics: Sequence[str] = ()
    """Names that the patch adds to evalscope's catalogue of metrics."""
    metrics_comment: str = ''
    """The comment above them."""
    documented: Sequence[str] = ()
    """Names whose documentation pages are new; the others' are not part of the source distribution."""
    sample_arguments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What the shipped sample of a name needs in ``dataset_args`` besides ``local_path``."""

    @property
    def folder(self) -> str:
        """The folder in evalscope."""
        return self.target or self.source

    def takes(self, file: PurePath) -> bool:
        """Whether a file of the package's folder goes to evalscope: not bytecode, nor other samples."""
        if '__pycache__' in file.parts:
            return False
        samples = tuple(f'{name}_{kind}.' for name in self.names for kind in ('records', 'replies'))
        return file.parts[0] != 'sample' or file.name.startswith(samples)

    def test_path(self, name: str) -> str:
        """Return where a test file of ours, ``test_<what>.py``, goes in evalscope."""
        return f'tests/benchmark/test_{self.source}_{name.removeprefix("test_")}'

    @property
    def sample_test_path(self) -> str:
        """Where the test of the shipped sample goes."""
        return f'tests/benchmark/test_{self.source}_sample.py'


@dataclass(frozen=True)
class Patch:
    """One patch of a series."""

    template: str
    """Folder below ``templates/<version>`` that holds ``message.txt`` and, in ``files``, new files."""
    tests: Sequence[str]
    """Test files of the patch, run before and after it."""
    failing_before: Sequence[str]
    """Those that fail before the patch: ``file::test``, with parameters where not all fail, or a whole ``file``."""
    edits: Sequence[Edit] = ()
    benchmark: Optional[Benchmark] = None
    shared_modules: bool = False
    """Whether the patch brings the modules that the adapters share."""


@dataclass(frozen=True)
class Series:
    """The patches for one release, in order."""

    version: str
    patches: Sequence[Patch]
