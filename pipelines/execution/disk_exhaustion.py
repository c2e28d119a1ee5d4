"""Detection of a disk so full that not even the end of a run can be written, for its client."""

from __future__ import annotations

import shutil
import time

from pipelines.errors import WorkspaceGoneError
from pipelines.execution.step_events import disk_full
from pipelines.problems import PipelineError
from pipelines.store.database.damage import SCARCE_BYTES
from pipelines.workspace import Workspace

STEP_END_GRACE_SECONDS = 4.0
"""Time that a step which filled the disk gets to end and clean up."""


class DiskExhaustion:
    """Full disk without the reserve for a runner's last events.

    The database may still accept a few bytes: the sign is that the run reports nothing.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._since: float | None = None

    def check(self, *, has_news: bool) -> None:
        """Raise ``PipelineError`` (0138) when this has lasted for some seconds."""
        if has_news or self._has_room():
            self._since = None
            return
        now = time.monotonic()
        self._since = self._since or now
        if now - self._since > STEP_END_GRACE_SECONDS:
            raise PipelineError([disk_full()])

    def _has_room(self) -> bool:
        return self._workspace.reserve_path.exists() or not is_scarce(self._workspace)


def is_scarce(workspace: Workspace) -> bool:
    """Return True if there is hardly room for a file. Raises ``WorkspaceGoneError``."""
    try:
        return shutil.disk_usage(workspace.root).free < SCARCE_BYTES
    except FileNotFoundError:
        raise WorkspaceGoneError(workspace.root) from None
