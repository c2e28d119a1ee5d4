"""Workspaces on both databases: a test that asks for ``kept`` runs with each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.workspace import Workspace
from tests import postgresql


@pytest.fixture(scope="session")
def server() -> Iterator[postgresql.Server]:
    """A PostgreSQL."""
    missing = postgresql.lacks()
    if missing:
        pytest.skip(missing)
    with postgresql.running() as made:
        yield made


@pytest.fixture
def on_postgresql(tmp_path: Path, server: postgresql.Server) -> Workspace:
    """An empty workspace with a new database there."""
    made = Workspace.at(tmp_path / "workspace").make()
    settings = f'database = "{server.database()}"\n'
    (made.root / "designer.toml").write_text(settings, encoding="utf-8")
    return made


@pytest.fixture(params=["sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    """An empty workspace."""
    if request.param == "postgresql":
        result: Workspace = request.getfixturevalue("on_postgresql")
        return result
    return Workspace.at(tmp_path / "workspace")
