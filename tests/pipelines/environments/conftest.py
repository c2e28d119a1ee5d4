from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.environments.toy_index import offer_wheels


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of tiny wheels: all that uv can install from."""
    return offer_wheels(tmp_path / "wheels", monkeypatch)


@pytest.fixture
def environments(wheels: Path, tmp_path: Path) -> Iterator[WorkspaceEnvironments]:
    """Those of a new workspace."""
    assert wheels.is_dir()
    with WorkspaceSession(Workspace.at(tmp_path / "ws")) as session:
        yield session.environments
