"""Heartbeat of the runner, which distinguishes a working process from a frozen one."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from modules.files.whole_files import replacing
from modules.formatting import format_seconds
from modules.sentences.sentence import Statement
from pipelines.execution.runner_lock import current_runner
from pipelines.sentences import refusals
from pipelines.workspace import Workspace

HEARTBEAT_INTERVAL_SECONDS = 1.0
HEARTBEAT_TIMEOUT_SECONDS = 6.0
"""Heartbeat timeout: a runner silent for this long does nothing else either."""


class Heartbeat:
    """File that the runner updates in its loop: its pid and the monotonic clock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._next = 0.0

    def beat(self) -> None:
        """Send a heartbeat, about once a second."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + HEARTBEAT_INTERVAL_SECONDS
        # A full disk: the runner handles it elsewhere.
        with suppress(OSError), replacing(self._path) as fresh:
            fresh.write_text(f"{os.getpid()} {now}", encoding="ascii")


def frozen_runner(workspace: Workspace) -> Statement | None:
    """Return the problem of a live runner that is frozen, with its fix; None if there is none."""
    info = current_runner(workspace)
    if info is None:
        return None
    if info.identity.is_stopped:
        return refusals.RUNNER_STOPPED.about({"pid": info.pid})
    silent = _silent_seconds(workspace, info.pid)
    if silent > HEARTBEAT_TIMEOUT_SECONDS:
        facts = {"pid": info.pid, "time": format_seconds(silent)}
        return refusals.RUNNER_SILENT.about(facts)
    return None


def runner_problem(workspace: Workspace) -> str | None:
    """Return the same as text, for responses."""
    frozen = frozen_runner(workspace)
    return None if frozen is None else str(frozen)


def _silent_seconds(workspace: Workspace, pid: int) -> float:
    """Return the seconds since that process's last heartbeat; 0 before the first."""
    try:
        sender, sent_at = workspace.heartbeat_path.read_text(encoding="ascii").split()
        return max(0.0, time.monotonic() - float(sent_at)) if int(sender) == pid else 0.0
    except (OSError, ValueError):
        return 0.0
