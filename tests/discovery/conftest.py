"""Site directories for the tests of discovery."""

import subprocess
from pathlib import Path
from typing import Callable

import pytest
from site_directory import Site


@pytest.fixture
def new_site(tmp_path: Path, run_process: Callable[..., 'subprocess.CompletedProcess[str]']) -> Site:
    """A site directory with this package and nothing else."""
    return Site(tmp_path / 'site', run_process)


@pytest.fixture
def site(new_site: Site) -> Site:
    """A site directory with the stand-in for evalscope and its eager registry."""
    new_site.add_stand_in()
    return new_site


@pytest.fixture
def real_site(new_site: Site) -> Site:
    """A site directory with the evalscope that this test run has."""
    new_site.add_environment()
    return new_site
