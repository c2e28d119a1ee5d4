"""Workspaces of the tests of runs, with the toy modules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipeline_designer import Workspace
from pipeline_designer.local import LocalBackend
from pipelines import workspace as folders
from tests.pipelines.conftest import no_network, place, workspace

__all__ = ["no_network", "place", "toys", "workspace"]


@pytest.fixture
def toys(workspace: folders.Workspace) -> Iterator[Workspace]:
    """The workspace with toy modules, as a script opens it."""
    made = Workspace(workspace.root)
    yield made
    backend = made.backend
    assert isinstance(backend, LocalBackend)
    backend.session.close()
