from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.environments.toy_index import make_wheel


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of tiny wheels: all that uv can install from."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    make_wheel(folder, "tiny", "1.0")
    make_wheel(folder, "tiny", "2.0")
    make_wheel(folder, "needy", requires=["tiny>=2"], scripts=["needy = needy:main"])
    make_wheel(folder, "old", requires=["tiny<2"])
    monkeypatch.setenv("UV_FIND_LINKS", str(folder))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    return folder


@pytest.fixture
def environments(wheels: Path, tmp_path: Path) -> Iterator[WorkspaceEnvironments]:
    """Those of a new workspace."""
    assert wheels.is_dir()
    with WorkspaceSession(Workspace.at(tmp_path / "ws")) as session:
        yield session.environments
