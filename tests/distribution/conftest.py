"""One build for all tests of a worker."""

from __future__ import annotations

import shutil

import pytest

from tests.distribution.installation import Distribution, build
from tests.project.source import ROOT


@pytest.fixture(scope="package")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Distribution:
    """The wheel and the sdist of the files that git tracks."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout: git says which files belong to the package")
    return build(tmp_path_factory.mktemp("checkout"))
