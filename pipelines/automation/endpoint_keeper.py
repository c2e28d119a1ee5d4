"""Processes of deployed endpoints: started, restarted with growing pauses, ended."""

from __future__ import annotations

import logging
import os
import subprocess
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from modules.operating_system.files import open_private
from modules.operating_system.spawning import python_command
from pipelines.store.database.connections import Database
from pipelines.store.database.endpoints import EndpointRow, EndpointStore, ProcessReport
from pipelines.workspace import Workspace

logger = logging.getLogger(__name__)

PROGRAM = "designer_app.command"
"""Started, not imported: servers are above this package."""
LONGEST_PAUSE_SECONDS = 60.0
STEADY_SECONDS = 60.0
"""Lifetime after which the pauses are reset to a second."""
MOST_CRASHES, CRASH_SECONDS = 5, 300.0
"""Crashes within that time after which an endpoint is not started again."""
STOP_SECONDS = 8.0
NICENESS = 10
"""Trainings have precedence over endpoints."""
MAX_LOG_BYTES = 10_000_000


@dataclass
class _Kept:
    """Process of one endpoint and its history."""

    settings: tuple[object, ...]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = 1.0
    next_start: float = 0.0
    crashes: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_CRASHES))


class EndpointKeeper:
    """Processes of the endpoints of one workspace; ``tick`` is called about once a second."""

    def __init__(self, workspace: Workspace, database: Database) -> None:
        self._workspace = workspace
        self._store = EndpointStore(database)
        self._kept: dict[str, _Kept] = {}

    def tick(self) -> None:
        """Start, restart and end processes as wanted."""
        rows = {row.name: row for row in self._store.all()}
        for name in [*self._kept]:
            if name not in rows or rows[name].stopped:
                self._end(name)
        for row in rows.values():
            if not row.stopped:
                self._keep(row)

    def _keep(self, row: EndpointRow) -> None:
        now = time.monotonic()
        # another port or folder needs another process; another model does not
        settings = (row.settings["port"], row.settings.get("golden"))
        kept = self._kept.get(row.name)
        if kept is not None and kept.settings != settings:
            self._end(row.name)
            kept = None
        if kept is None:
            kept = self._kept[row.name] = _Kept(settings)
        if not row.process and kept.crashes:  # the user has started it again
            kept.crashes.clear()
            kept.next_start = now
        if kept.process is not None and kept.process.poll() is not None:
            self._note_end(row.name, kept, now)
        has_failed = len(kept.crashes) == MOST_CRASHES and now - kept.crashes[0] < CRASH_SECONDS
        if kept.process is None and not has_failed and now >= kept.next_start:
            self._start(row, kept, now)

    def _start(self, row: EndpointRow, kept: _Kept, now: float) -> None:
        options = ["serve", row.settings["model"], "--name", row.name]
        options += ["--port", str(row.settings["port"])]
        if row.settings.get("golden"):
            options += ["--golden", row.settings["golden"]]
        command = python_command(PROGRAM, *options, "--workspace", str(self._workspace.root))
        log_path = endpoint_log(self._workspace, row.name)
        log_path.parent.mkdir(exist_ok=True)
        if log_path.is_file() and log_path.stat().st_size > MAX_LOG_BYTES:
            log_path.replace(log_path.with_suffix(".old.log"))
        with open(open_private(log_path), "ab") as log:
            kept.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "DESIGNER_ENDPOINT_PARENT": str(os.getpid())},
            )
        kept.started = now
        try:
            psutil.Process(kept.process.pid).nice(NICENESS)
        except (psutil.Error, OSError):
            logger.info("The priority of endpoint %s could not be lowered.", row.name)
        self._report(row.name, "running", kept)

    def _note_end(self, name: str, kept: _Kept, now: float) -> None:
        assert kept.process is not None
        code = kept.process.returncode
        kept.process = None
        if now - kept.started > STEADY_SECONDS:
            kept.pause = 1.0
        kept.crashes.append(now)
        kept.next_start = now + kept.pause
        kept.pause = min(2 * kept.pause, LONGEST_PAUSE_SECONDS)
        is_last = len(kept.crashes) == MOST_CRASHES and now - kept.crashes[0] < CRASH_SECONDS
        logger.warning("Endpoint %s ended with code %s.", name, code)
        self._report(name, "failed" if is_last else "waiting", kept, code)

    def _report(self, name: str, state: str, kept: _Kept, code: int | None = None) -> None:
        report: ProcessReport = {
            "state": state,
            "pid": None if kept.process is None else kept.process.pid,
            "time": time.time(),
            "crashes": len(kept.crashes),
            "exit_code": code,
        }
        self._store.change(name, process=report)

    def _end(self, name: str) -> None:
        kept = self._kept.pop(name)
        if kept.process is not None:
            end_process(kept.process)

    def close(self) -> None:
        """End all processes."""
        for kept in self._kept.values():
            if kept.process is not None:
                kept.process.terminate()
        for name in [*self._kept]:
            self._end(name)


def end_process(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end, and kill it if it does not."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def endpoint_log(workspace: Workspace, name: str) -> Path:
    """Return the log of an endpoint's process."""
    return workspace.endpoints_dir / f"{name}.log"
