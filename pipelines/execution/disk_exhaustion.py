"""Noticing, for whoever waits for a run, that not even its end can be written down any more."""

from __future__ import annotations

import shutil
import time

from pipelines.errors import WorkspaceGoneError
from pipelines.execution.step_events import disk_full
from pipelines.problems import PipelineError
from pipelines.store.damage import SCARCE_BYTES
from pipelines.workspace import Workspace

STARVED_SECONDS = 4.0
"""How long a step that filled the disk is given to end and to clear up."""


class DiskExhaustion:
    """A full disk without the reserve that a runner writes its last words into.

    The database may still take a few bytes where it took some before: the sign is that there are no
    news of the run.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._since: float | None = None

    def check(self, *, has_news: bool) -> None:
        """Raise ``PipelineError`` (0138) once all this has lasted for some seconds."""
        if has_news or self._has_room():
            self._since = None
            return
        now = time.monotonic()
        self._since = self._since or now
        if now - self._since > STARVED_SECONDS:
            raise PipelineError([disk_full()])

    def _has_room(self) -> bool:
        return self._workspace.reserve_path.exists() or not is_scarce(self._workspace)


def is_scarce(workspace: Workspace) -> bool:
    """True where there is hardly room for a file; raises ``WorkspaceGoneError``."""
    try:
        return shutil.disk_usage(workspace.root).free < SCARCE_BYTES
    except FileNotFoundError:
        raise WorkspaceGoneError(workspace.root) from None
