"""Workspaces of tests: made, opened, emptied, and ended with their runners."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.store.database.runs import RunStore
from pipelines.store.database.tables import metadata
from pipelines.workspace import Workspace


@contextmanager
def made_place() -> Iterator[Workspace]:
    """The address of a workspace that is yet to be made; its runner ends with the block."""
    with tempfile.TemporaryDirectory(prefix="designer-") as folder:
        made = Workspace.at(Path(folder) / "workspace")
        yield made
        with opened(made.make()) as runs:
            runs.runner.stop()


@contextmanager
def opened(workspace: Workspace) -> Iterator[RunService]:
    runs = WorkspaceSession(workspace).runs
    try:
        yield runs
    finally:
        runs.database.close()


def store_without_runner(runs: RunService) -> RunStore:
    """For runs whose events a test writes itself: a runner that tests before have left takes every
    run that is queued. None is stopped where the test is in a runner's place itself."""
    left = current_runner(runs.workspace)
    if left is not None and left.pid != os.getpid():
        runs.runner.stop()
    return runs.store


def empty(runs: RunService) -> None:
    """Forget everything; a runner that has nothing to do stays, for to start one takes a second."""
    if runs.store.unfinished():
        runs.runner.stop()
    with runs.database.transaction() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())
    runs.workspace.secrets_path.unlink(missing_ok=True)
    for entry in runs.workspace.root.iterdir():
        while entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)  # who is just ending may still write there
    (runs.workspace.root / "designer.toml").unlink(missing_ok=True)
    runs.workspace.allowed_code_path.unlink(missing_ok=True)
    runs.workspace.secrets_in_use_path.unlink(missing_ok=True)
